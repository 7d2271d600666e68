"""Texas Hold'em, by Tobias Dreher and Dmitriy Zharkov: a simulator and its players, in three phases.

The tables are sessions of 10,000 hands with a moving button, as in the paper, which has five of each. What the paper
leaves open is chosen by one distance between all printed means and the measured ones (`distances`), not by the
verdicts: see `tables.py`. The claims are also checked under the other interpretations.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from fifthstreet import cache
from fifthstreet.arena.session import session
from fifthstreet.estimate import Estimate, difference, mean
from fifthstreet.papers.holdem_simulator import preflop, strength
from fifthstreet.papers.holdem_simulator.tables import (
    CARD_ROOM_RULES,
    CHOSEN,
    CHOSEN_IN_WORDS,
    HANDS,
    INTERPRETATIONS,
    RUNS,
    TABLE_2_2,
    TABLE_3_1,
    TABLE_3_2,
    TABLE_4_1,
    TABLE_4_2,
    TABLES,
    Interpretation,
    Played,
    Printed,
    agents_of,
    distance,
    play,
)
from fifthstreet.papers.paper import (
    Between,
    Claim,
    ClaimResult,
    Experiment,
    Paper,
    Run,
    Table,
    TableResult,
    Verdict,
    exactly,
)

WATCHED = (TABLE_3_1, TABLE_4_2)  # where showdowns, adjustments and estimates are counted


Sizes = tuple[int, int]  # the first and the most


def _played(table: Printed, quick: Sizes, paper: Sizes, chosen: Interpretation = CHOSEN) -> Experiment[Played]:
    watch = table in WATCHED and chosen is CHOSEN
    return Experiment(
        f"Table {TABLES[table]}" + ("" if chosen is CHOSEN else f", {chosen.name}"),
        "games",
        lambda run, games: play(table, chosen, games, run, watch),
        quick,
        paper,
    )


PLAY_2_2 = _played(TABLE_2_2, (10, 320), (20, 160))
PLAY_3_1 = _played(TABLE_3_1, (2, 32), (RUNS, 20))
PLAY_3_2 = _played(TABLE_3_2, (1, 16), (RUNS, 20))
PLAY_4_1 = _played(TABLE_4_1, (2, 64), (RUNS, 80))
PLAY_4_2 = _played(TABLE_4_2, (2, 32), (RUNS, 20))
PLAYS = {TABLE_2_2: PLAY_2_2, TABLE_3_1: PLAY_3_1, TABLE_3_2: PLAY_3_2, TABLE_4_1: PLAY_4_1, TABLE_4_2: PLAY_4_2}

_FEW = {TABLE_2_2: 10, TABLE_3_1: 2, TABLE_3_2: 1, TABLE_4_1: 1, TABLE_4_2: 1}  # games under another interpretation
_MODEL_MATTERS = ("formula 4.1 as printed", "one model for all", "a raise pays w")  # so more of Table 4.1 is played


def _games(table: Printed, name: str) -> int:
    if name == CARD_ROOM_RULES.name:
        return max(RUNS, _FEW[table])
    return 12 if table is TABLE_4_1 and name in _MODEL_MATTERS else _FEW[table]


def _otherwise(other: Interpretation, table: Printed) -> Experiment[Played]:
    """A table under another interpretation, which may be the same as under the chosen one."""
    if other.table() == CHOSEN.table() and agents_of(table, other) == agents_of(table, CHOSEN):
        return PLAYS[table]
    games = _games(table, other.name)
    return _played(table, (games, games), (games, games), other)


OTHERWISE = {
    other.name: {table: _otherwise(other, table) for table in TABLES}
    for other in INTERPRETATIONS
    if other is not CHOSEN
}


def _table(id: str, title: str, table: Printed) -> Table:
    def measure(run: Run) -> TableResult:
        found, rows, wrong = run.play(PLAYS[table]), [], set()
        other = run.play(OTHERWISE[CARD_ROOM_RULES.name][table]) if run.scale == "paper" else None
        hands = found.result.by_hand.shape[1]
        for i, label in enumerate(table.labels()):
            printed, won = mean(np.array(table.games[i]) / table.hands), found.won([i])
            cells = [label, _spread(printed), _spread(won), *([_spread(other.won([i]))] if other else [])]
            totals = found.result.totals[:, i] / hands
            for games in (np.array(table.games[i]) / table.hands, totals):
                cells.append(f"{games.min():+.2f} to {games.max():+.2f}")
            rows.append(tuple(cells))
            if abs(printed.value - won.value) > math.hypot(printed.half_width, won.half_width):
                wrong.add(i)
        fit = np.corrcoef(table.means(), found.means())[0, 1]
        also = f" With card-room rules: {len(other.result.by_hand)} games, {other.distance():.2f}." if other else ""
        return TableResult(
            (
                *("player", "printed, per hand", "measured, per hand"),
                *(["with card-room rules"] if other else []),
                *("printed games", "measured games"),
            ),
            tuple(rows),
            frozenset(wrong),
            f"{len(found.result.by_hand)} games of {hands:,} hands ({RUNS} of {table.hands:,} in the paper), "
            f"{CHOSEN_IN_WORDS}. The printed and the measured means have a correlation of {fit:.2f}; their distance, "
            f"relative to the printed ones, is {found.distance():.2f}.{also}",
        )

    return Table(id, title, measure)


def _spread(found: Estimate) -> str:
    return f"{found.value:+.2f} ± {found.half_width:.2f}"


class Comparison(NamedTuple):
    """A claim that some players win more than others, measured at one table."""

    id: str
    words: str
    table: Printed
    measure: Callable[[Played], Estimate]
    printed: float  # per hand

    def claim(self) -> Claim:
        def under(experiment: Experiment[Played]) -> Callable[[Run], Estimate]:
            return lambda run: self.measure(run.play(experiment))

        printed = f"{self.printed:+.2f} chips per hand"
        others = [CARD_ROOM_RULES.name, *(_MODEL_MATTERS if self.id == "opponent-model-is-better" else ())]
        others += ["opponents' hands dealt"] if self.id == "improved-is-better" else []
        readings = {name: under(OTHERWISE[name][self.table]) for name in others}
        return Claim(self.id, self.words, printed, Between(low=0), under(PLAYS[self.table]), readings=readings)


def _compared(id: str, words: str, table: Printed, more: Sequence[int], less: Sequence[int]) -> Comparison:
    printed = table.per_hand(more) - table.per_hand(less)
    return Comparison(id, words, table, lambda found: found.difference(more, less), printed)


_FIRST = [0, 1, 2, 3]  # the players of phase I in Table 4.2
COMPARISONS = (
    Comparison(
        "random-loses-most",
        "The random player loses by far the most (Table 2.2)",
        TABLE_2_2,
        lambda found: found.behind(0),
        min(TABLE_2_2.per_hand([i]) for i in (1, 2, 3)) - TABLE_2_2.per_hand([0]),
    ),
    Comparison(
        "moderate-wins-most",
        "The moderate power-ranking player dominates the game (Table 2.2)",
        TABLE_2_2,
        lambda found: found.ahead(2),
        TABLE_2_2.per_hand([2]) - max(TABLE_2_2.per_hand([i]) for i in (0, 1, 3)),
    ),
    _compared(
        "conservative-beats-risky",
        "Of the hand-strength players the conservative ones win most: more than the risky (Table 3.1)",
        TABLE_3_1,
        TABLE_3_1.places(level="conservative"),
        TABLE_3_1.places(level="risky"),
    ),
    _compared(
        "conservative-beats-moderate",
        "Of the hand-strength players the conservative ones win most: more than the moderate (Table 3.1)",
        TABLE_3_1,
        TABLE_3_1.places(level="conservative"),
        TABLE_3_1.places(level="moderate"),
    ),
    _compared(
        "improved-is-better",
        "Improved hand strength is slightly better than plain hand strength, with doubts in the paper (Table 3.2)",
        TABLE_3_2,
        TABLE_3_2.places("improved-hand-strength"),
        TABLE_3_2.places("hand-strength"),
    ),
    _compared(
        "opponent-model-is-better",
        "The opponent model is slightly better than hand strength (Table 4.1)",
        TABLE_4_1,
        TABLE_4_1.places("opponent-model"),
        TABLE_4_1.places("hand-strength"),
    ),
    _compared(
        "conservative-beats-risky-again",
        "In general the conservative players are better than the risky ones (Table 4.1)",
        TABLE_4_1,
        TABLE_4_1.places(level="conservative"),
        TABLE_4_1.places(level="risky"),
    ),
    _compared(
        "opponent-model-among-all",
        "The opponent model beats hand strength when all phases compete (Table 4.2)",
        TABLE_4_2,
        TABLE_4_2.places("opponent-model"),
        TABLE_4_2.places("hand-strength"),
    ),
    _compared(
        "phase-2-beats-phase-1",
        "The improvements from phase I to phase II are very convincing (Table 4.2)",
        TABLE_4_2,
        TABLE_4_2.places("hand-strength"),
        _FIRST,
    ),
)


def _gap(first: Played, second: Played) -> Estimate:
    """Return how much the opponent model's lead over hand strength grows from Table 4.1 to Table 4.2."""
    here, there = (
        played.difference(played.table.places("opponent-model"), played.table.places("hand-strength"))
        for played in (first, second)
    )
    return difference(there, here)


def _printed_lead(table: Printed) -> float:
    return table.per_hand(table.places("opponent-model")) - table.per_hand(table.places("hand-strength"))


# Other interpretations.


def _under_others(run: Run) -> dict[str, dict[Printed, Played]]:
    """Return what was played at every table under every interpretation; at the scale quick only as chosen."""
    found = {CHOSEN.name: {table: run.play(PLAYS[table]) for table in TABLES}}
    for name, plays in OTHERWISE.items() if run.scale == "paper" else ():
        found[name] = {table: run.play(plays[table]) for table in TABLES}
    return found


_ONLY = " At the scale quick no other interpretation is played."


def _distances(run: Run) -> TableResult:
    """Return how far each interpretation is from the printed tables, the nearest first."""
    found = run.once(_under_others)
    rows = [
        (distance(played.values()), name, [played[table].distance() for table in TABLES])
        for name, played in found.items()
    ]
    return TableResult(
        ("interpretation", "all tables", *(f"Table {number}" for number in TABLES.values())),
        tuple((name, f"{whole:.2f}", *(f"{one:.2f}" for one in each)) for whole, name, each in sorted(rows)),
        note="The distance of the measured from the printed means of all players at a table, relative to the printed "
        f"ones, and the root mean square over the tables. As chosen: {CHOSEN_IN_WORDS}; h to the power of the number "
        "of players; raises to w. Every other row changes what it says." + (_ONLY if run.scale == "quick" else ""),
    )


def _sensitivity(run: Run) -> TableResult:
    """Return every claim about winnings under every interpretation."""
    rows = []
    for name, played in run.once(_under_others).items():
        measured = [comparison.measure(played[comparison.table]) for comparison in COMPARISONS]
        rows.append((name, *map(_cell, [*measured, _gap(played[TABLE_4_1], played[TABLE_4_2])])))
    games = ", ".join(f"{_FEW[table]} of Table {number}" for table, number in TABLES.items())
    return TableResult(
        ("interpretation", *(comparison.id for comparison in COMPARISONS), "gap-grows"),
        tuple(rows),
        note="The margin of each claim in chips per hand with its 95 % interval: ✓ reproduced, ✗ not reproduced, ? "
        f"undecided. Games of {HANDS:,} hands: {games}, more as chosen and with card-room rules, and more of Table 4.1 "
        f"where the opponent model changes.{_ONLY if run.scale == 'quick' else ''}",
    )


def _cell(measured: Estimate) -> str:
    marks = {Verdict.REPRODUCED: "✓", Verdict.NOT_REPRODUCED: "✗", Verdict.UNDECIDED: "?"}
    return f"{marks[Between(low=0).verdict(measured)]} {measured.value:+.1f} ± {measured.half_width:.1f}"


def _printed_sums(run: Run) -> TableResult:
    """Return the total winnings in each printed game, which should be 0."""
    sums = {name: [sum(game) for game in zip(*table.games, strict=True)] for table, name in TABLES.items()}
    rows = [(f"Table {name}", *(f"{total:+,}" for total in totals)) for name, totals in sums.items()]
    wrong = [i for i, totals in enumerate(sums.values()) if max(map(abs, totals)) > 1000]
    return TableResult(
        ("", *(f"game {number}" for number in range(1, RUNS + 1))),
        tuple(rows),
        frozenset(wrong),
        "A few chips are missing everywhere, as if odd chips of split pots were dropped. Game 2 of Table 3.2 has 9,092 "
        "too many: if the moderate hand-strength player had lost 4,549 instead of winning them, 6 would be missing.",
    )


def _unreliable(run: Run) -> Estimate:
    """Return the improved players' printed lead in each of the five games of Table 3.2, in chips per hand."""
    better, plain = (
        np.array([TABLE_3_2.games[i] for i in TABLE_3_2.places(name)]).mean(axis=0) / TABLE_3_2.hands
        for name in ("improved-hand-strength", "hand-strength")
    )
    found = mean(better - plain)
    return Estimate.exact(abs(found.value) / found.half_width, found.count)


# What the watched players have counted.


def _opponent_models(found: Played) -> list[int]:
    return found.table.places("opponent-model")


def _showdowns(run: Run) -> Estimate:
    """Return how much more of the pot conservative players win at a showdown than risky ones, by game."""
    found = run.play(PLAY_3_1)
    conservative, risky = (found.table.places(level=level) for level in ("conservative", "risky"))
    return mean([_share(run_, conservative) - _share(run_, risky) for run_ in found.result.remembered])


def _share(remembered: Sequence[list[dict[str, float]]], places: Sequence[int]) -> float:
    rows = [row for place in places for row in remembered[place]]
    return sum(row["share"] for row in rows) / sum(row["showdowns"] for row in rows)


def _adjusted(remembered: Sequence[list[dict[str, float]]], models: Sequence[int], first: int, last: int) -> float:
    """Return the share of decisions in which the opponent models adjust their bet, in stretches of hands."""
    rows = [row for place in models for row in remembered[place] if first <= row.get("after hand", -1) <= last]
    return sum(row["adjusted"] for row in rows) / sum(row["decisions"] for row in rows)


def _adjusted_more(run: Run) -> Estimate:
    found = run.play(PLAY_4_2)
    models = _opponent_models(found)
    return mean(
        [_adjusted(each, models, 1_000, HANDS) - _adjusted(each, models, 0, 10) for each in found.result.remembered]
    )


def _adjustments(run: Run) -> TableResult:
    """Return the share of decisions in which each opponent model adjusts its bet, by hands played."""
    found = run.play(PLAY_4_2)
    labels, remembered, models = found.table.labels(), found.result.remembered, _opponent_models(found)
    stretches = [int(row["after hand"]) for row in remembered[0][models[0]] if "after hand" in row]
    ends = [*stretches[1:], found.result.by_hand.shape[1]]
    rows = [
        (
            labels[model],
            *(f"{100 * np.mean([_adjusted(each, [model], at, at) for each in remembered]):.0f} %" for at in stretches),
        )
        for model in models
    ]
    return TableResult(
        ("player", *(f"hands {at + 1:,} to {end:,}" for at, end in zip(stretches, ends, strict=True))),
        tuple(rows),
        note=f"The share of decisions in which formula 4.1 changes the bet, over {len(remembered)} games of Table 4.2.",
    )


def _error(remembered: Sequence[list[dict[str, float]]], models: Sequence[int], opponents: Sequence[int]) -> float:
    """Return the root mean square error of the models' estimates of these opponents."""
    rows = [row for place in models for row in remembered[place] if row.get("player") in opponents]
    return math.sqrt(sum(row["estimates"] * row["error"] ** 2 for row in rows) / sum(row["estimates"] for row in rows))


def _easier(run: Run) -> Estimate:
    """Return how much larger the errors are for players of phase II than for those of phase I, by game."""
    found = run.play(PLAY_4_2)
    models, second = _opponent_models(found), found.table.places("hand-strength")
    return mean([_error(each, models, second) - _error(each, models, _FIRST) for each in found.result.remembered])


def _estimates(run: Run) -> TableResult:
    """Return how well the opponent models estimate each of the others."""
    found = run.play(PLAY_4_2)
    models, rows = _opponent_models(found), []
    for player, label in enumerate(found.table.labels()):
        seen = [
            row
            for each in found.result.remembered
            for place in models
            for row in each[place]
            if row.get("player") == player
        ]
        count = sum(row["estimates"] for row in seen)
        if count:
            error, spread = (
                math.sqrt(sum(row["estimates"] * row[what] ** 2 for row in seen) / count)
                for what in ("error", "spread")
            )
            rows.append(
                (label, f"{count:,}", f"{error:.3f}", f"{spread:.3f}", f"{100 * (1 - error**2 / spread**2):.0f} %")
            )
    return TableResult(
        ("opponent", "estimates", "error", "spread of its hands", "variance explained"),
        tuple(rows),
        note=f"Root mean square error of what the three opponent models expected before the cards were shown, over "
        f"{len(found.result.remembered)} games of Table 4.2, and the standard deviation of the hand strengths shown.",
    )


# The first hand.


def _first_hands(run: Run, hands: int) -> Estimate:
    """Return in how many first hands of Table 4.1 the payoffs differ if hand strength plays in the model's place."""
    models = agents_of(TABLE_4_1, CHOSEN)
    plain = [agent.replace("opponent-model", "hand-strength") for agent in models]
    one, two = (session(CHOSEN.table(), agents, 1, run.seed, runs=hands).by_hand for agents in (models, plain))
    return Estimate.exact(int((one != two).any(axis=(1, 2)).sum()), hands)


FIRST_HANDS = Experiment("first hands of Table 4.1", "hands", _first_hands, (20, 20), (200, 200))


def _findings(run: Run) -> str:
    def verdict(id: str) -> ClaimResult:
        return next(claim for claim in PAPER.claims if claim.id == id).run(run)

    def lead(id: str) -> str:
        found = verdict(id).measured
        return f"{found.value:+.2f} [{found.low:+.2f}, {found.high:+.2f}]"

    phase_1 = run.play(PLAY_2_2)
    names = ("random", "risky", "moderate", "conservative")
    won = ", ".join(f"{name} {value:+.2f}" for name, value in zip(names, phase_1.means(), strict=True))
    printed = ", ".join(f"{value:+.2f}" for value in TABLE_2_2.means())
    model = verdict("opponent-model-is-better")
    said = {
        Verdict.REPRODUCED: "is better than plain hand strength",
        Verdict.NOT_REPRODUCED: "is not better than plain hand strength",
        Verdict.UNDECIDED: "could not be told from plain hand strength",
    }
    return (
        f"With the betting rules of the authors' program Table 2.2 comes out as printed: {won} chips per hand, printed "
        f"{printed}; the moderate player is ahead of the next by {lead('moderate-wins-most')}. The conservative "
        f"hand-strength players beat the risky ones by {lead('conservative-beats-risky')} chips per hand. Dealing the "
        f"missing cards makes hand strengths more precise and slower, and wins {lead('improved-is-better')} more. The "
        f"opponent model {said[model.verdict]}: {lead('opponent-model-is-better')} at its own table, "
        f"{lead('opponent-model-among-all')} with players of all phases. The printed preflop strengths fit about "
        f"{verdict('figure-3.2-rollouts').measured.value:,.0f} rollouts per hand, not 10,000, and one printed "
        "total (Table 3.2, game 2) has lost a minus sign."
    )


PAPER = Paper(
    "holdem-simulator",
    "Texas Hold'em",
    "Tobias Dreher, Dmitriy Zharkov",
    (
        *preflop.ITEMS,
        *strength.ITEMS,
        _table("table-2.2", "Table 2.2: random and power-ranking players", TABLE_2_2),
        _table("table-3.1", "Table 3.1: hand-strength players", TABLE_3_1),
        _table("table-3.2", "Table 3.2: hand strength and improved hand strength", TABLE_3_2),
        _table("table-4.1", "Table 4.1: hand strength and opponent model", TABLE_4_1),
        _table("table-4.2", "Table 4.2: all phases", TABLE_4_2),
        Table("printed-sums", "The printed games add up to 0, except one", _printed_sums),
        *(comparison.claim() for comparison in COMPARISONS),
        Claim(
            "conservative-wins-showdowns",
            "A conservative player is more likely to win at showdown (§3.4)",
            "no number; read as: a larger share of the pots at its showdowns than a risky player",
            Between(low=0),
            _showdowns,
        ),
        Claim(
            "table-3.2-unreliable",
            "The improvement in Table 3.2 is not very reliable, because so few hands were played",
            "five games; read as: their mean lead is smaller than its 95 % error",
            Between(0, 1),
            _unreliable,
            "The mean lead of the improved players in the five printed games, divided by half its 95 % interval.",
        ),
        Claim(
            "first-hand-unadjusted",
            "At the beginning the player plays exactly the way the phase II player does (§4.3)",
            "no number; read as: never differently in a first hand",
            exactly(0),
            lambda run: run.play(FIRST_HANDS),
        ),
        Claim(
            "adjustments-grow",
            "As the number of played hands rises, the bet will be adjusted more often (§4.3)",
            "no number; read as: in a larger share of decisions after hand 1,000 than in the first 100",
            Between(low=0),
            _adjusted_more,
        ),
        Table("adjustments", "How often the opponent models adjust their bets", _adjustments),
        Claim(
            "phase-1-easily-estimated",
            "Phase I players can be easily estimated by the opponent model (§4.4)",
            "no number; read as: with smaller errors than phase II players",
            Between(low=0),
            _easier,
        ),
        Table("estimates", "How well the opponent models of Table 4.2 know the others", _estimates),
        Claim(
            "gap-grows",
            "The gap between phase II and phase III increases when phase I players sit at the table (Tables 4.1, 4.2)",
            f"{_printed_lead(TABLE_4_2) - _printed_lead(TABLE_4_1):+.2f} chips per hand",
            Between(low=0),
            lambda run: _gap(run.play(PLAY_4_1), run.play(PLAY_4_2)),
        ),
        Table("distances", "How far each interpretation is from the printed tables", _distances),
        Table("sensitivity", "The claims under other interpretations", _sensitivity),
    ),
    readings=(
        "A rollout's result is the share of the pot: a two-way tie counts half.",
        f"Not given in the paper: {CHOSEN_IN_WORDS}, as in the authors' program. The verdicts rest on these rules "
        "because they are nearer to the printed means than card-room rules (a minimum raise, and at most four bets "
        "on a street), by one distance over all tables; the tables show both.",
        "The program takes h to the power of all players still in, the player itself included. That is nearer to the "
        "printed means than the number of opponents, so it was taken over. It also leaves out b, and puts w on top of "
        "what the player has bet. The latter is much farther from the printed means, so a player raises to w.",
        "Players sit in the order of the tables' rows, and the button moves; nobody folds if a check is free.",
        "Before the flop h is the equity at a table of as many players as are still in.",
        "A hand-strength player raises to w, and calls if w is "
        "no more than the bet; formula 3.2 then has no effect, unlike where a raise pays w or is by w.",
        "Improved hand strength is as printed: the missing cards are dealt 20 times for each that is missing, as in "
        "the program, and on each board all hands that an opponent can hold are compared. “Opponents' hands dealt” "
        "deals these too, which makes h the equity against all of them at once.",
        "Formula 4.1 as printed would make every bet 0 while the model is empty, but the text says that nothing is "
        "adjusted then. So w is multiplied by 1 + (worse − better)/10, from the opponents' latest actions.",
        "Games for Table 3.2 are as long here as those for the other tables; in the paper they have 500 hands.",
        "Strengths before the flop are written to files as in Figure 3.2 by `fifthstreet preflop --csv`.",
    ),
    findings=_findings,
    unmeasured=(
        ("The riskier a player, the more it is willing to pay.", "Formula 3.1 says so: w grows with a."),
        (
            "The more raises there have been, the more likely a player raises.",
            "Condition 3.2 says so, but decides nothing as chosen; where a raise pays w, it does.",
        ),
        ("Raising only after others keeps them from folding.", "An intention; the paper has no version without it."),
        ("The opponent model's small lead hints at badly chosen context classes.", "A guess at a reason."),
        ("Thresholds have the biggest potential; a neural network or evolution could replace them.", "Future work."),
        ("The engine allows to add a human player.", "Anybody can play: `fifthstreet play holdem`."),
    ),
    key=lambda: cache.key(__file__),
)
