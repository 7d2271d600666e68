"""Which interpretation of the adaptive draw player comes nearest to the numbers of the paper.

The words leave open what has a learning value, whose value a hand moves, which wins count, which hands teach, and what
the tables count as played and won. All combinations are played at the four tables of Table 6. The distance from the
paper is defined once, for all 86 printed numbers: Table 5 by its blocks of hands (26 numbers, at the one of the four
tables that fits best), and Table 6 (60). Each deviation is divided by the spread over seeds of what is printed: a
single run in Table 5, a mean of five runs in Table 6. This spread is pooled over all combinations (some never learn and
have none) and over the four equal players of a table, and a rounding error of one hand or unit is added to it. The
distance is the root of the mean squared deviation, so a combination that fits as well as the paper's own runs would
have a distance near 1. The spread was first taken per combination, which broke down where a player hardly varies; it
was pooled after a look at that first ranking, and not changed since.

Whoever is best of thousands is partly lucky, so the ranking is of the finalists, played again with other cards.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.draw.seasons import ANY_WIN, FIRST, MEANT, PAID, SHOWN_WIN, WON
from fifthstreet.papers.adaptive_draw.printed import TABLE_6, blocks
from fifthstreet.papers.adaptive_draw.seasons import (
    HANDS_IN_ALL,
    OPPONENTS,
    START,
    TRAINED,
    Played,
    Season,
    at,
    from_rows,
)
from fifthstreet.papers.paper import Run, TableResult
from fifthstreet.parallel import in_order

Numbers = NDArray[np.float64]
Report = Callable[[int, int], None] | None

HANDS, CREDIT, WINS = ("classes", "kinds"), ("first", "final", "both"), ("shown", "called", "any")
LESSONS = ("paid", "meant")
COUNTS_AS_PLAYED = {"meant to": MEANT, "in round 1": FIRST, "paid": PAID}
COUNTS_AS_WON = {"played and won": WON, "any win": ANY_WIN, "at a showdown": SHOWN_WIN}
TABLES = tuple(TABLE_6)

PRINTED = np.concatenate(
    [
        np.array([row[1:] for row in blocks()], float).ravel(),
        *(np.array(rows, float).ravel() for rows in TABLE_6.values()),
    ]
)
IN_TABLE_5 = 2 * len(blocks())
RUNS_PRINTED = 5  # of Table 6
FINALISTS = 10


class Rule(NamedTuple):
    """A combination of the adaptive player's parameters, and how it is played."""

    hands: str = "classes"
    credit: str = "first"
    wins: str = "shown"
    lessons: str = "paid"
    more: str = ""  # further parameters
    learning: int = HANDS_IN_ALL
    carries: bool = False

    @property
    def spec(self) -> str:
        names = ("hands", "credit", "wins", "lessons")
        given = ",".join(f"{name}={getattr(self, name)}" for name in names)
        return f"adaptive:{given}{self.more and ','}{self.more}"


class Counting(NamedTuple):
    """What counts as played and won, and at which table Table 5 was recorded."""

    played: str = "meant to"
    won: str = "played and won"
    table_5_at: str = "loose-aggressive"


COUNTINGS = tuple(Counting(*each) for each in product(COUNTS_AS_PLAYED, COUNTS_AS_WON, TABLES))
RULES = tuple(Rule(*each) for each in product(HANDS, CREDIT, WINS, LESSONS))
NEAREST, NEAREST_COUNTING = Rule(), Counting()  # the defaults of the adaptive player and of the tables
CHANGES = {
    "nothing": NEAREST,
    "values fall to 0": NEAREST._replace(more="lowest=zero"),
    "raises are rounded up": NEAREST._replace(more="rounding=up"),
    "no learning after hand 5,000": NEAREST._replace(learning=TRAINED),
    "stacks carry over, a broke player gets 10,000": NEAREST._replace(carries=True),
    "folds teach nothing": NEAREST._replace(more="losses=shown"),
    "lost showdowns teach nothing, as printed": NEAREST._replace(more="losses=folded"),
}

Seasons = Mapping[str, Season]


def _blocks(found: Season, counting: Counting) -> Numbers:
    """What Table 5 prints, by run, in blocks."""
    ends, counts = np.cumsum([hands for hands, _, _ in blocks()]), []
    for what in (COUNTS_AS_PLAYED[counting.played], COUNTS_AS_WON[counting.won]):
        sums = found.counts[:, [at(int(end)) for end in ends], 0, what]
        counts.append(np.diff(sums, axis=1, prepend=0))
    by_run: Numbers = np.stack(counts, axis=2).reshape(found.runs, -1)
    return by_run


def _after_training(found: Season, counting: Counting) -> Numbers:
    """What Table 6 prints, by run."""
    columns = []
    for player in range(5):
        columns.append(START + found.won(player))
        columns.append(found.counted(player, COUNTS_AS_PLAYED[counting.played]))
        columns.append(found.counted(player, COUNTS_AS_WON[counting.won]))
    return np.stack(columns, axis=1)


def measured(seasons: Seasons, counting: Counting) -> tuple[Numbers, Numbers]:
    """The mean of every printed number, and its variance: of a run in Table 5, of five runs in Table 6."""
    parts = [_blocks(seasons[counting.table_5_at], counting)]
    parts += [_after_training(seasons[table], counting) for table in TABLES]
    runs = [1, *[RUNS_PRINTED] * len(TABLES)]
    variances = [part.var(axis=0, ddof=1) / count for part, count in zip(parts, runs, strict=True)]
    return np.concatenate([part.mean(axis=0) for part in parts]), np.concatenate(variances)


def deviations(means: Numbers, spread: Numbers) -> Numbers:
    found: Numbers = (means - PRINTED) / spread
    return found


def distances(deviation: Numbers) -> tuple[float, float, float]:
    """The distance from Table 5, from Table 6, and from both."""
    parts = deviation[:IN_TABLE_5], deviation[IN_TABLE_5:], deviation
    first, second, both = (float(np.sqrt((part**2).mean())) for part in parts)
    return first, second, both


def spread_of(variances: Sequence[Numbers]) -> Numbers:
    """The spread of every printed number, pooled over these combinations and over the four equal players."""
    pooled: Numbers = np.mean(variances, axis=0)
    players = pooled[IN_TABLE_5:].reshape(len(TABLES), 5, 3)
    players[:, 1:] = players[:, 1:].mean(axis=1, keepdims=True)
    found: Numbers = np.sqrt(pooled + 1)
    return found


def play(rules: Sequence[Rule], runs: int, seed: int, report: Report = None) -> list[Seasons]:
    """Play the four tables under every rule."""

    def all_tables(rule: Rule) -> Seasons:
        found = {}
        for number, table in enumerate(TABLES):
            how = Played(rule.spec, OPPONENTS[table], seed * 100 + number, HANDS_IN_ALL, rule.learning, rule.carries)
            found[table] = from_rows(np.array([how.run(run) for run in range(runs)]))
        return found

    found = []
    for number, seasons in enumerate(in_order(all_tables, rules)):
        found.append(seasons)
        if report:
            report(number + 1, len(rules))
    return found


class Ranked(NamedTuple):
    rule: Rule
    counting: Counting
    distances: tuple[float, float, float]
    means: Numbers


def best_counting(rule: Rule, seasons: Seasons, spread: Numbers) -> Ranked:
    """The rule with what fits best as played and won."""
    found = []
    for counting in COUNTINGS:
        means, _ = measured(seasons, counting)
        found.append(Ranked(rule, counting, distances(deviations(means, spread)), means))
    return min(found, key=lambda each: each.distances[2])


class Search(NamedTuple):
    """What the search has found, nearest first."""

    finalists: list[Ranked]
    changes: dict[str, Ranked]  # to the nearest, one at a time
    rules: int
    runs: tuple[int, int]  # of every rule, and of the finalists
    spread: Numbers


def search(run: Run) -> Search:
    """Play all rules and then, with other cards, those that came nearest; a few of them only at the scale "quick"."""
    paper = run.scale == "paper"
    rules, runs = (RULES, (8, 30)) if paper else (_neighbours(), (2, 2))
    seed = run.seed + 1_000_000
    every = play(rules, runs[0], seed, run.report)
    spread = spread_of([measured(seasons, counting)[1] for seasons in every for counting in COUNTINGS])
    first = [best_counting(rule, seasons, spread) for rule, seasons in zip(rules, every, strict=True)]
    first.sort(key=lambda each: each.distances[2])
    chosen = [each.rule for each in first[: FINALISTS if paper else 4]]
    if NEAREST not in chosen:
        chosen.append(NEAREST)
    again = play(chosen, runs[1], seed + 1, run.report)
    finalists = [best_counting(rule, seasons, spread) for rule, seasons in zip(chosen, again, strict=True)]
    finalists.sort(key=lambda each: each.distances[2])
    changed = dict(CHANGES) if paper else {}
    changes = {}
    for name, seasons in zip(changed, play(list(changed.values()), runs[1], seed + 1, run.report), strict=True):
        means, _ = measured(seasons, NEAREST_COUNTING)
        changes[name] = Ranked(changed[name], NEAREST_COUNTING, distances(deviations(means, spread)), means)
    return Search(finalists, changes, len(rules), runs, spread)


def _neighbours() -> tuple[Rule, ...]:
    """The nearest rule, and those that differ from it in one parameter."""
    return tuple(rule for rule in RULES if sum(a != b for a, b in zip(rule, NEAREST, strict=True)) <= 1)


def _own(means: Numbers) -> str:
    """Hands played and won by the adaptive player in Table 6."""
    rows = means[IN_TABLE_5:].reshape(len(TABLES), -1)
    return ", ".join(f"{row[1]:.0f}/{row[2]:.0f}" for row in rows)


def ranking(run: Run) -> TableResult:
    found = run.once(search)
    rows = [
        (
            str(place),
            *each.rule[:4],
            *each.counting,
            *(f"{distance:.2f}" for distance in (each.distances[2], *each.distances[:2])),
            _own(each.means),
        )
        for place, each in enumerate(found.finalists, 1)
    ]
    printed = ", ".join(f"{rows[0][1]}/{rows[0][2]}" for rows in TABLE_6.values())
    columns = ("", "hands", "credit", "wins", "lessons", "played", "won", "Table 5 at")
    return TableResult(
        (*columns, "distance", "Table 5", "Table 6", "its hands in Table 6"),
        tuple(rows),
        frozenset(i for i, each in enumerate(found.finalists) if each.rule == NEAREST),
        f"The nearest of {found.rules} combinations of the adaptive player's parameters, each with the best of "
        f"{len(COUNTINGS)} ways to count; {found.runs[0]} runs of each and {found.runs[1]} fresh ones of these. The "
        "distance is the root mean square of 86 deviations, each divided by the spread of what is printed, so 1 would "
        f"be a perfect fit. The last column is hands played/won by the adaptive player against {', '.join(TABLES)} "
        f"(printed: {printed}). The marked row is what the other tables and the claims use.",
    )


def changes(run: Run) -> TableResult:
    found = run.once(search)
    rows = [
        (name, *(f"{distance:.2f}" for distance in (each.distances[2], *each.distances[:2])), _own(each.means))
        for name, each in found.changes.items()
    ]
    return TableResult(
        ("changed", "distance", "Table 5", "Table 6", "its hands in Table 6"),
        tuple(rows),
        note=f"One thing changed in the interpretation that is used; {found.runs[1]} runs. Measured at the scale "
        '"paper" only.',
    )
