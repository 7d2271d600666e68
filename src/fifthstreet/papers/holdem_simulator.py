"""Texas Hold'em, by Tobias Dreher and Dmitriy Zharkov: a simulator and its players, in three phases.

The tables are sessions of 10,000 hands with a moving button, as in the paper, which has five of each. The paper does
not give the blinds, the cap on raises or the bankrolls. `READING` is the choice that fits its numbers best; `READINGS`
lists others, under which the claims are checked too.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from fifthstreet import cache
from fifthstreet.arena.session import SessionResult, session
from fifthstreet.estimate import Estimate, difference, mean
from fifthstreet.papers import holdem_simulator_preflop
from fifthstreet.papers.paper import Between, Claim, Experiment, Paper, Run, Table, TableResult, Verdict

RUNS, HANDS = 5, 10_000  # in the paper
LEVELS = ("risky", "moderate", "conservative")


class Printed(NamedTuple):
    """A table of the paper: the players in the order of its rows, and what they won in each of the five games."""

    players: tuple[tuple[str, str], ...]  # strategy and aggressiveness
    games: tuple[tuple[int, ...], ...]
    hands: int = 10_000  # per game

    def labels(self) -> list[str]:
        return [f"{name} ({level})" if level else name for name, level in self.players]

    def places(self, name: str = "", level: str = "") -> list[int]:
        """Return the seats of the players with this strategy, this level, or both."""
        return [i for i, player in enumerate(self.players) if name in ("", player[0]) and level in ("", player[1])]

    def per_hand(self, places: Sequence[int]) -> float:
        """Return their mean winnings per hand."""
        return float(np.mean([self.games[i] for i in places])) / self.hands


def _rows(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(number) for number in line.split()) for line in text.strip().splitlines())


def _all_levels(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, level) for name in names for level in LEVELS)


TABLE_2_2 = Printed(
    (("random", ""), *_all_levels("power-ranking")),
    _rows("""
    -34116 -34456 -32395 -30322 -35032
     -6298   -122   6552  -2533  -9379
     34263  27587  24984  22343  25677
      6054   6897    767  10423  18642
    """),
)
TABLE_3_1 = Printed(
    tuple(("hand-strength", level) for level in LEVELS for _ in range(2)),
    _rows("""
    -248413 -314686 -299379 -256889 -255356
    -155327 -151467 -154479 -156163 -188908
     -29572   49987   91098   10332   41706
      84684   48850   51756   63958   60409
     200887  173006  149211  222864  198017
     147595  194157  161663  115740  143957
    """),
)
TABLE_3_2 = Printed(
    _all_levels("hand-strength", "improved-hand-strength"),
    _rows("""
    -24800 -16712 -5346 -22282 -6416
     -4161   4549 -3506    620  2972
      5322  12237  3358   3554  6218
      4285  -5861   797   3077 -9541
      6721  10362   190   2490  -170
     12628   4517  4498  12532  6921
    """),
    500,
)
TABLE_4_1 = Printed(
    _all_levels("hand-strength", "opponent-model"),
    _rows("""
    -197017 -202631 -188055 -262959 -196894
      -3282   -1537  -13592   -3550  -12102
     131998  139472  166900  169885  114067
    -141772 -192630 -125045 -110525 -153198
      54823  112741   33273   71858   99823
     155045  144364  126323  135084  148064
    """),
)
TABLE_4_2 = Printed(
    (("random", ""), *_all_levels("power-ranking", "hand-strength", "opponent-model")),
    _rows("""
    -659112 -621306 -615979 -611152 -614668
    -363698 -282221 -264676 -281963 -324449
    -156685 -108439 -107078  -80655 -107961
    -121214 -129046 -152320 -142944 -149966
      48976  -22590  -45970  -45916  -15107
      22356  111913  155079  145145  133885
     255380  205473  271372  189214  238723
     387196  241850  285574  270680  284309
     349258  366101  242860  273993  341882
     237244  237975  230835  283306  213029
    """),
)


TABLES = {TABLE_2_2: "2.2", TABLE_3_1: "3.1", TABLE_3_2: "3.2", TABLE_4_1: "4.1", TABLE_4_2: "4.2"}


class Reading(NamedTuple):
    """A choice of the settings that the paper does not give."""

    name: str
    game: str = "small_blind=1,big_blind=2,cap=4"
    stack: int = 1_000_000
    players: str = ""  # parameters of the hand-strength players


READING = Reading("as chosen")
READING_IN_WORDS = "blinds of 1 and 2, at most four bets per street, stacks that never run out"
READINGS = (
    READING,
    Reading("blinds 5, 10", "small_blind=5,big_blind=10,cap=4"),
    Reading("blinds 10, 20", "small_blind=10,big_blind=20,cap=4"),
    Reading("2 bets", "small_blind=1,big_blind=2,cap=2"),
    Reading("3 bets", "small_blind=1,big_blind=2,cap=3"),
    Reading("6 bets", "small_blind=1,big_blind=2,cap=6"),
    Reading("stacks 200", stack=200),
    Reading("stacks 1,000", stack=1000),
    Reading("raise by w", players="raises=by"),
    Reading("h against one", players="against=one"),
)


class Played(NamedTuple):
    """A table of the paper and the session that reproduces it."""

    table: Printed
    result: SessionResult

    def won(self, places: Sequence[int]) -> Estimate:
        """Return the mean winnings per hand of these players."""
        return self.result.per_hand(self.result.by_hand[..., list(places)].mean(axis=2))

    def difference(self, places: Sequence[int], others: Sequence[int]) -> Estimate:
        """Return how much more per hand they won than the others."""
        by_hand = self.result.by_hand
        return self.result.per_hand(by_hand[..., list(places)].mean(axis=2) - by_hand[..., list(others)].mean(axis=2))

    def ahead(self, place: int) -> Estimate:
        """Return how much more a player won than the best other player."""
        means = self.result.by_hand.mean(axis=(0, 1))
        return self.difference([place], [max(self._others(place), key=means.__getitem__)])

    def behind(self, place: int) -> Estimate:
        """Return how much less a player won than the worst other player."""
        means = self.result.by_hand.mean(axis=(0, 1))
        return self.difference([min(self._others(place), key=means.__getitem__)], [place])

    def _others(self, place: int) -> list[int]:
        return [i for i in range(len(self.table.players)) if i != place]

    def distance(self) -> float:
        """Return the relative distance of the measured means from the printed ones."""
        printed = np.array([self.table.per_hand([i]) for i in range(len(self.table.players))])
        return float(np.linalg.norm(self.result.by_hand.mean(axis=(0, 1)) - printed) / np.linalg.norm(printed))


def agents_of(table: Printed, reading: Reading) -> list[str]:
    agents = []
    for name, level in table.players:
        given = [f"aggressivity={level}"] if level else []
        given += [reading.players] if reading.players and name not in ("random", "power-ranking") else []
        agents.append(":".join([name, ",".join(given)]) if given else name)
    return agents


def play(table: Printed, reading: Reading, games: int, run: Run) -> Played:
    """Play this many games of 10,000 hands with the players of a table."""
    game = f"holdem:stack={reading.stack},{reading.game}"
    agents = agents_of(table, reading)
    return Played(table, session(game, agents, HANDS, run.seed, runs=games, report=run.report))


def _played(table: Printed, first: int, most: int) -> Experiment[Played]:
    return Experiment(
        f"Table {TABLES[table]}",
        "games of 10,000 hands",
        lambda run, games: play(table, READING, games, run),
        quick=(first, most),
        paper=(max(first, RUNS), most),
    )


PLAY_2_2, PLAY_3_1 = _played(TABLE_2_2, 2, 64), _played(TABLE_3_1, 2, 64)
PLAY_3_2 = _played(TABLE_3_2, 1, 32)
PLAY_4_1, PLAY_4_2 = _played(TABLE_4_1, 2, 128), _played(TABLE_4_2, 2, 64)


def _table(id: str, title: str, played: Experiment[Played]) -> Table:
    def measure(run: Run) -> TableResult:
        found = run.play(played)
        table, result = found.table, found.result
        rows, wrong, hands = [], set(), result.by_hand.shape[1]
        for i, label in enumerate(table.labels()):
            printed, won = mean(np.array(table.games[i]) / table.hands), result.won(i)
            rows.append(
                (
                    label,
                    f"{printed.value:+.2f} ± {printed.half_width:.2f}",
                    f"{won.value:+.2f} ± {won.half_width:.2f}",
                    f"{min(table.games[i]) / table.hands:+.2f} to {max(table.games[i]) / table.hands:+.2f}",
                    f"{result.totals[:, i].min() / hands:+.2f} to {result.totals[:, i].max() / hands:+.2f}",
                )
            )
            if abs(printed.value - won.value) > math.hypot(printed.half_width, won.half_width):
                wrong.add(i)
        printed_means = [table.per_hand([i]) for i in range(len(table.players))]
        fit = np.corrcoef(printed_means, result.by_hand.mean(axis=(0, 1)))[0, 1]
        return TableResult(
            ("player", "printed, per hand", "measured, per hand", "printed games", "measured games"),
            tuple(rows),
            frozenset(wrong),
            f"{len(result.by_hand)} games of {hands:,} hands ({RUNS} of {table.hands:,} in the paper), "
            f"{READING_IN_WORDS}. The printed and the measured means have a correlation of {fit:.2f}. The amounts "
            "depend on settings that the paper does not give, so they differ (✗ if by more than chance); the "
            "claims are about who wins more.",
        )

    return Table(id, title, measure)


class Comparison(NamedTuple):
    """A claim that some players win more than others, measured at one table."""

    id: str
    words: str
    table: Printed
    played: Experiment[Played]
    measure: Callable[[Played], Estimate]
    printed: float  # per hand

    def claim(self) -> Claim:
        printed = f"{self.printed:+.2f} chips per hand"
        return Claim(self.id, self.words, printed, Between(low=0), lambda run: self.measure(run.play(self.played)))


def _compared(
    id: str, words: str, played: Experiment[Played], table: Printed, more: Sequence[int], less: Sequence[int]
) -> Comparison:
    printed = table.per_hand(more) - table.per_hand(less)
    return Comparison(id, words, table, played, lambda found: found.difference(more, less), printed)


_FIRST = [0, 1, 2, 3]  # the players of phase I in Table 4.2
COMPARISONS = (
    Comparison(
        "random-loses-most",
        "The random player loses by far the most (Table 2.2)",
        TABLE_2_2,
        PLAY_2_2,
        lambda found: found.behind(0),
        min(TABLE_2_2.per_hand([i]) for i in (1, 2, 3)) - TABLE_2_2.per_hand([0]),
    ),
    Comparison(
        "moderate-wins-most",
        "The moderate power-ranking player dominates the game (Table 2.2)",
        TABLE_2_2,
        PLAY_2_2,
        lambda found: found.ahead(2),
        TABLE_2_2.per_hand([2]) - max(TABLE_2_2.per_hand([i]) for i in (0, 1, 3)),
    ),
    _compared(
        "conservative-beats-risky",
        "Of the hand-strength players the conservative ones win most: more than the risky (Table 3.1)",
        PLAY_3_1,
        TABLE_3_1,
        TABLE_3_1.places(level="conservative"),
        TABLE_3_1.places(level="risky"),
    ),
    _compared(
        "conservative-beats-moderate",
        "Of the hand-strength players the conservative ones win most: more than the moderate (Table 3.1)",
        PLAY_3_1,
        TABLE_3_1,
        TABLE_3_1.places(level="conservative"),
        TABLE_3_1.places(level="moderate"),
    ),
    _compared(
        "improved-is-better",
        "Improved hand strength is slightly better than plain hand strength, with doubts in the paper (Table 3.2)",
        PLAY_3_2,
        TABLE_3_2,
        TABLE_3_2.places("improved-hand-strength"),
        TABLE_3_2.places("hand-strength"),
    ),
    _compared(
        "opponent-model-is-better",
        "The opponent model is slightly better than hand strength (Table 4.1)",
        PLAY_4_1,
        TABLE_4_1,
        TABLE_4_1.places("opponent-model"),
        TABLE_4_1.places("hand-strength"),
    ),
    _compared(
        "conservative-beats-risky-again",
        "In general the conservative players are better than the risky ones (Table 4.1)",
        PLAY_4_1,
        TABLE_4_1,
        TABLE_4_1.places(level="conservative"),
        TABLE_4_1.places(level="risky"),
    ),
    _compared(
        "opponent-model-among-all",
        "The opponent model beats hand strength when all phases compete (Table 4.2)",
        PLAY_4_2,
        TABLE_4_2,
        TABLE_4_2.places("opponent-model"),
        TABLE_4_2.places("hand-strength"),
    ),
    _compared(
        "phase-2-beats-phase-1",
        "The improvements from phase I to phase II are very convincing (Table 4.2)",
        PLAY_4_2,
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


def _sensitivity(run: Run) -> TableResult:
    """Return every claim measured under every reading."""
    games = RUNS if run.scale == "paper" else 1
    tables = list(dict.fromkeys(comparison.table for comparison in COMPARISONS))
    columns: list[list[Estimate]] = []
    distances: list[list[float]] = []
    for reading in READINGS:
        found: dict[Printed, Played] = {}
        for table in tables:
            found[table] = play(table, reading, games, run)
        measured = [comparison.measure(found[comparison.table]) for comparison in COMPARISONS]
        columns.append([*measured, _gap(found[TABLE_4_1], found[TABLE_4_2])])
        distances.append([played.distance() for played in found.values()])
    names = [*(comparison.id for comparison in COMPARISONS), "gap-grows"]
    rows = [(name, *map(_cell, row)) for name, row in zip(names, zip(*columns, strict=True), strict=True)]
    for table, row in zip(tables, zip(*distances, strict=True), strict=True):
        rows.append((f"distance from Table {TABLES[table]}", *(f"{distance:.2f}" for distance in row)))
    return TableResult(
        ("claim", *(reading.name for reading in READINGS)),
        tuple(rows),
        note=f"The margin of each claim in chips per hand, {games} games of {HANDS:,} hands at each table: ✓ "
        f"reproduced, ✗ not reproduced, ? undecided. As chosen: {READING_IN_WORDS}, raises to w, hand strength against "
        "all; every other column changes one setting. The last rows are the distances of the measured winnings from "
        "the printed ones, relative to the printed ones.",
    )


def _cell(measured: Estimate) -> str:
    marks = {Verdict.REPRODUCED: "✓", Verdict.NOT_REPRODUCED: "✗", Verdict.UNDECIDED: "?"}
    return f"{marks[Between(low=0).verdict(measured)]} {measured.value:+.1f}"


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


def _beliefs(run: Run) -> TableResult:
    """Return what the moderate opponent model of Table 4.2 has learned about every player by the end."""
    found = run.play(PLAY_4_2)
    labels = found.table.labels()
    me = labels.index("opponent-model (moderate)")
    rows = []
    for player, label in enumerate(labels):
        cells = [label]
        for action in ("call", "raise"):
            seen = [row for row in found.result.memories[me] if row["player"] == player and row["action"] == action]
            count = sum(row["observations"] for row in seen)
            total = sum(row["observations"] * row["hand strength"] for row in seen)
            cells += [f"{count:,}", f"{total / count:.3f}" if count else ""]
        if player != me:
            rows.append(tuple(cells))
    return TableResult(
        ("opponent", "calls seen", "hand strength", "raises seen", "hand strength "),
        tuple(rows),
        note="After one game. Hand strength is against one random hand, from the cards shown at showdowns. A raise is "
        "informative if a player's strengths differ between calls and raises. `fifthstreet session … --memory` shows "
        "all contexts.",
    )


PAPER = Paper(
    "holdem-simulator",
    "Texas Hold'em",
    "Tobias Dreher, Dmitriy Zharkov",
    (
        *holdem_simulator_preflop.ITEMS,
        _table("table-2.2", "Table 2.2: random and power-ranking players", PLAY_2_2),
        _table("table-3.1", "Table 3.1: hand-strength players", PLAY_3_1),
        _table("table-3.2", "Table 3.2: hand strength and improved hand strength", PLAY_3_2),
        _table("table-4.1", "Table 4.1: hand strength and opponent model", PLAY_4_1),
        _table("table-4.2", "Table 4.2: all phases", PLAY_4_2),
        Table("printed-sums", "The printed games add up to 0, except one", _printed_sums),
        Table("beliefs", "What an opponent model believes after Table 4.2", _beliefs),
        *(comparison.claim() for comparison in COMPARISONS),
        Claim(
            "gap-grows",
            "The gap between phase II and phase III increases when phase I players sit at the table (Tables 4.1, 4.2)",
            f"{_printed_lead(TABLE_4_2) - _printed_lead(TABLE_4_1):+.2f} chips per hand",
            Between(low=0),
            lambda run: _gap(run.play(PLAY_4_1), run.play(PLAY_4_2)),
        ),
        Table("sensitivity", "The claims under other readings", _sensitivity),
    ),
    readings=(
        "A rollout's result is the share of the pot: a two-way tie counts half.",
        f"Not given in the paper: {READING_IN_WORDS}. Its opponent model counts more than three raises per street, so "
        "they must be allowed. The last rows of the sensitivity table show how close this and other readings come to "
        "the printed amounts.",
        "Players sit in the order of the tables' rows, and the button moves; nobody folds if a check is free.",
        "Hand strength is against all players still in the hand. A hand-strength player raises to w, and calls if w is "
        "below the minimum raise; formula 3.2 then has no effect.",
        "Formula 4.1 as printed would make every bet 0 while the model is empty, but the text says that nothing is "
        "adjusted then. So w is multiplied by 1 + (worse − better)/10, from the opponents' latest actions.",
        "Games for Table 3.2 are as long here as those for the other tables; in the paper they have 500 hands.",
    ),
    key=lambda: cache.key(__file__),
)
