"""The tables of the paper on the adaptive draw player: who sits there, how much is played, and the results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.agents import agent_named
from fifthstreet.agents.draw import adaptive, champion, equilibrium
from fifthstreet.agents.draw.reading import HANDS, PLAYED, WON
from fifthstreet.agents.draw.styles import DrawTightAggressive, LooseAggressive, LoosePassive, TightPassive
from fifthstreet.arena.identity import described, identity
from fifthstreet.arena.laboratory import Series, current
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.store import Unit
from fifthstreet.arena.units import Players
from fifthstreet.games.five_card_draw import FiveCardDraw
from fifthstreet.papers.paper import Run

START = 10_000

LOOSE, TIGHT = ("loose-aggressive", "loose-passive"), ("tight-aggressive", "tight-passive")
STYLES = (*LOOSE, *TIGHT)
KINDS = {kind.name: kind for kind in (LooseAggressive, LoosePassive, DrawTightAggressive, TightPassive)}
MIXED = "one of each"
OPPONENTS = {style: (style,) * 4 for style in STYLES} | {MIXED: STYLES}

HANDS_IN_ALL, TRAINED = 6_000, 5_000
SAMPLES = np.array([25, 50, 75, *range(100, HANDS_IN_ALL + 1, 50)])  # hands after which results are recorded


@dataclass(frozen=True)
class Size:
    """How much is played at a scale."""

    seasons: int
    fair_hands: int
    deals: int  # of matches of the champion
    champion: tuple[int, int]  # generations, and hands per comparison of strategies
    iterations: int  # deals from which it learns heads-up play
    evolved: int  # generations
    rivals: int
    rival: tuple[int, int]  # generations and hands for rivals bred to beat one player
    duels: int  # batches of 2,000 hands

    @property
    def champion_spec(self) -> str:
        return "champion:generations={},hands={},iterations={}".format(*self.champion, self.iterations)


def size_of(run: Run) -> Size:
    if run.scale == "paper":
        bred = champion.GENERATIONS, champion.HANDS
        return Size(400, 200_000, 20_000, bred, equilibrium.ITERATIONS, 40, 3, (50, 4_000), 200)
    return Size(16, 10_000, 1_000, (8, 400), 1_000_000, 10, 1, (10, 1_500), 20)


@dataclass(frozen=True)
class Season:
    """Many runs of the adaptive player at one table, recorded at SAMPLES."""

    units: NDArray[np.float64]  # (runs, samples, players): units of each player
    counts: NDArray[np.float64]  # (runs, samples, players, 3): hands, hands played, hands won
    values: NDArray[np.float64]  # (runs, samples, classes): learning values

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


def season(
    player: str,
    opponents: Sequence[str],
    runs: int,
    seed: int,
    hands: int = HANDS_IN_ALL,
    report: Callable[[int, int], None] | None = None,
) -> Season:
    game = FiveCardDraw()
    agents = [agent_named(player, game.name), *(KINDS[name](counts=True) for name in opponents)]
    turns = [np.roll(np.arange(5), -turn) for turn in range(5)]
    tables = [(game.seated(turn.tolist(), [START] * 5), turn) for turn in turns]

    def play(number: int) -> list[NDArray[np.float64]]:
        """Return one row per sample: units, counts, values."""
        players, seeds = Players(game, agents, compiled=True), Seeds.of(seed, 5)
        units, samples = np.full(5, float(START)), []
        for first, last in pairwise((0, *SAMPLES[: at(hands) + 1])):  # multiples of 5: everyone deals equally often
            won = np.zeros((last - first, 5))
            players.play(tables, seeds, number * hands + first, won)
            units = units + won.sum(axis=0)
            counts = [mind[[HANDS, PLAYED, WON]] for mind in players.minds]
            values = players.minds[0][adaptive.VALUES : adaptive.LESSONS]
            samples.append(np.concatenate([units, *counts, values]))
        return samples

    def play_some(first: int, count: int) -> Unit:
        return Unit(first, np.array([play(number) for number in range(first, first + count)]))

    identities = [identity(agent, fresh=True) for agent in agents]
    about = described("season", identity(game), identities, seed=seed, hands=hands, played_by=cache.key(__file__))
    parts = []
    for unit in current().units(
        Series(about, play_some, agents=[each for each in identities if each], here=True), runs
    ):
        parts.append(unit)
        if report:
            report(sum(len(part.rows) for part in parts), runs)
    rows = np.concatenate([part.rows for part in sorted(parts, key=lambda part: part.first)])
    counts = rows[:, :, 5:20].reshape(*rows.shape[:2], 5, 3)
    return Season(rows[:, :, :5], counts, rows[:, :, 20:])


def _season_at(table: str) -> Callable[[Run], Season]:
    def measure(run: Run) -> Season:
        seed = run.seed * 100 + list(OPPONENTS).index(table)
        return season("adaptive", OPPONENTS[table], size_of(run).seasons, seed, report=run.report)

    return measure


SEASONS = {table: _season_at(table) for table in OPPONENTS}
TABLE_5_AT = "loose-aggressive"  # the paper does not say which table; this one fits its numbers best
