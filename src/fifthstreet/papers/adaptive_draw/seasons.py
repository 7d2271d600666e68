"""Seasons of the adaptive draw player: thousands of hands at one table, with everything that the tables count.

Player 0 learns, the others play by the paper's tables. The deal moves clockwise, so in five hands everybody has sat in
every seat.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.agents import agent_named
from fifthstreet.agents.draw import adaptive
from fifthstreet.agents.draw.seasons import COUNTED, Seated, play_hands
from fifthstreet.agents.draw.styles import DrawTightAggressive, LooseAggressive, LoosePassive, TightPassive
from fifthstreet.arena.identity import described, identity
from fifthstreet.arena.laboratory import Series, current
from fifthstreet.arena.store import Unit
from fifthstreet.estimate import Estimate
from fifthstreet.games.five_card_draw import FiveCardDraw
from fifthstreet.papers.paper import ERROR_RATE, Experiment, Run
from fifthstreet.rng import seeded

START = 10_000

LOOSE, TIGHT = ("loose-aggressive", "loose-passive"), ("tight-aggressive", "tight-passive")
STYLES = (*LOOSE, *TIGHT)
KINDS = {kind.name: kind for kind in (LooseAggressive, LoosePassive, DrawTightAggressive, TightPassive)}
MIXED = "one of each"
OPPONENTS = {style: (style,) * 4 for style in STYLES} | {MIXED: STYLES}

HANDS_IN_ALL, TRAINED = 6_000, 5_000
SAMPLES = np.unique([25, 50, 75, *range(100, 700, 50), *range(700, HANDS_IN_ALL + 1, 100), 2_650])
"""Hands after which results are recorded."""


@dataclass(frozen=True)
class Season:
    """Many runs of the adaptive player at one table, recorded at SAMPLES."""

    units: NDArray[np.float64]  # (runs, samples, players): units of each player
    counts: NDArray[np.float64]  # (runs, samples, players, COUNTED)
    values: NDArray[np.float64]  # (runs, samples, hands): learning values

    @property
    def runs(self) -> int:
        return len(self.units)

    def won(self, player: int, first: int = TRAINED, last: int = HANDS_IN_ALL) -> NDArray[np.float64]:
        """Return the units won between two hands, by run."""
        before = self.units[:, at(first), player] if first else START
        found: NDArray[np.float64] = self.units[:, at(last), player] - before
        return found

    def counted(self, player: int, what: int, first: int = TRAINED, last: int = HANDS_IN_ALL) -> NDArray[np.float64]:
        before = self.counts[:, at(first), player, what] if first else 0.0
        found: NDArray[np.float64] = self.counts[:, at(last), player, what] - before
        return found


def at(hand: int) -> int:
    """Return the index of a hand in SAMPLES."""
    return int(np.flatnonzero(hand == SAMPLES)[0])


@dataclass(frozen=True)
class Played:
    """How a season is played: who learns, against whom, and from what random numbers."""

    player: str
    opponents: tuple[str, ...]
    seed: int
    hands: int = HANDS_IN_ALL
    learning: int = HANDS_IN_ALL  # hands after which it stops learning
    carries: bool = False  # whether stacks carry over

    def run(self, number: int) -> NDArray[np.float64]:
        """Play one run; a row for each sample: units, counts, values."""
        game, samples = FiveCardDraw(stack=START), SAMPLES[: at(self.hands) + 1]
        learner = agent_named(self.player, game.name)
        assert isinstance(learner, adaptive.Adaptive)
        minds = [learner.mind(game), *(KINDS[name]().mind(game) for name in self.opponents)]
        seated = Seated(np.zeros((5, max(map(len, minds)))), np.zeros((5, COUNTED)), np.ones(1, np.int64))
        for row, mind in zip(seated.minds, minds, strict=True):
            row[: len(mind)] = mind
        units, counts = np.empty((len(samples), 5)), np.empty((len(samples), 5, COUNTED))
        values = np.empty((len(samples), len(adaptive.HANDS[learner.hands])))
        parent, start = seeded(self.seed, "season", number), game.start().thaw()
        if not play_hands(parent, start, seated, samples, self.learning, self.carries, units, counts, values):
            raise AssertionError("a player broke the rules")
        return np.concatenate([units, counts.reshape(len(samples), -1), values], axis=1)

    def runs(self, first: int, count: int) -> Unit:
        return Unit(first, np.array([self.run(number) for number in range(first, first + count)]))


def from_rows(rows: NDArray[np.float64]) -> Season:
    counts = rows[:, :, 5 : 5 + 5 * COUNTED].reshape(*rows.shape[:2], 5, COUNTED)
    return Season(rows[:, :, :5], counts, rows[:, :, 5 + 5 * COUNTED :])


def season(played: Played, runs: int, report: Callable[[int, int], None] | None = None) -> Season:
    """Play this many runs, or take them from the store."""
    game = FiveCardDraw()
    agents = [agent_named(played.player, game.name), *(KINDS[name]() for name in played.opponents)]
    identities = [identity(agent, fresh=True) for agent in agents]
    about = described(
        "season",
        identity(game),
        identities,
        seed=played.seed,
        hands=played.hands,
        learning=played.learning,
        carries=played.carries,
        played_by=cache.key(__file__),
    )
    parts: list[Unit] = []
    series = Series(about, played.runs, agents=[each for each in identities if each], here=True)
    for unit in current().units(series, runs):
        parts.append(unit)
        if report:
            report(sum(len(part.rows) for part in parts), runs)
    return from_rows(np.concatenate([part.rows for part in sorted(parts, key=lambda part: part.first)]))


def least(estimates: Sequence[Estimate]) -> Estimate:
    """The smallest of several numbers, with an interval that holds for all of them together."""
    wider = [each.with_error(ERROR_RATE / len(estimates)) for each in estimates]
    value, low, high = (min(getattr(each, end) for each in wider) for end in ("value", "low", "high"))
    return Estimate(value, low, high, min(each.count for each in wider))


def largest_size(estimates: Sequence[Estimate]) -> Estimate:
    """The largest of several numbers without their signs, with an interval that holds for all of them together."""
    wider = [each.with_error(ERROR_RATE / len(estimates)) for each in estimates]
    value = max(abs(each.value) for each in wider)
    low = max(max(0.0, each.low, -each.high) for each in wider)
    high = max(max(-each.low, each.high) for each in wider)
    return Estimate(value, low, high, min(each.count for each in wider))


def season_experiment(table: str, player: str = "adaptive") -> Experiment[Season]:
    """Seasons of this player at a table."""
    number = list(OPPONENTS).index(table)

    def play(run: Run, runs: int) -> Season:
        return season(Played(player, OPPONENTS[table], run.seed * 100 + number), runs, run.report)

    of = "" if player == "adaptive" else f" of {player}"
    return Experiment(f"seasons{of} against {table}", f"runs of {HANDS_IN_ALL:,} hands", play, (12, 768), (100, 1_600))


SEASONS = {table: season_experiment(table) for table in OPPONENTS}
