"""Players of Poker Squares compared in many point systems, the columns of a figure, by tournament points.

An observation is one run of learning: every player learns anew, then all play the same deals, with the luck of the
cards taken out of their scores. Intervals are over observations, so they include what differs from one run of learning
to the next. Where the contest draws a point system at random, every observation draws another.
"""

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fifthstreet.arena.laboratory import current
from fifthstreet.arena.match import Deals
from fifthstreet.arena.party import invited
from fifthstreet.arena.variance import reduction
from fifthstreet.estimate import Estimate, average, mean, student, student_tail
from fifthstreet.games.point_systems import CATEGORIES
from fifthstreet.papers.paper import Axes, FigureResult, Run, TableResult
from fifthstreet.rng import seeded

VISIBLE = 0.02  # tournament points: a smaller lead is none, since it could not be seen in the paper's bars
COUNT_ERROR = 0.005  # error rate of counted columns: 5 % for up to ten looks, since counts cannot be widened later

DRAWN = ("Ameritish", "Random", "Hypercorner")
SYSTEMS = {"American": "american", "English": "english"} | {CATEGORIES[i]: f"single:{i}" for i in range(1, 10)}
SINGLE = tuple(CATEGORIES[1:])
COLUMNS = ("American", "English", *DRAWN, *SINGLE)  # of Figures 1, 2 and 4

Floats = NDArray[np.float64]


def drawn(kind: str, number: int) -> str:
    """Return a random point system. Java's random numbers start alike for close seeds, so these seeds are far apart."""
    return f"{kind}:{int(seeded(number, kind)[0] >> np.uint64(32))}"


def system_of(column: str, number: int) -> str:
    """Return the point system of a column in the observation of this number."""
    return drawn(column.lower(), number) if column in DRAWN else SYSTEMS.get(column, column)


@dataclass(frozen=True)
class Played:
    """Mean scores by column and player, one for each observation."""

    scores: dict[str, dict[str, Floats]]
    deals: int  # of an observation

    @property
    def players(self) -> list[str]:
        return list(next(iter(self.scores.values())))

    @property
    def observations(self) -> int:
        return len(next(iter(next(iter(self.scores.values())).values())))

    @functools.cached_property
    def scaled(self) -> dict[str, dict[str, Floats]]:
        """Tournament points: in a system 0 for the lowest mean score, 1 for the highest; the scale counts as exact."""
        found = {}
        for column, by_player in self.scores.items():
            rows = np.array([*by_player.values()])
            means = rows if column in DRAWN else rows.mean(axis=1, keepdims=True)
            low, high = means.min(axis=0), means.max(axis=0)
            span = np.broadcast_to(high - low, rows.shape[1:])
            points = np.divide(rows - low, span, out=np.ones_like(rows), where=span > 0)
            found[column] = dict(zip(by_player, points, strict=True))
        return found

    def among(self, players: Iterable[str]) -> "Played":
        """Return the same for some of the players."""
        chosen = list(players)
        return Played({column: {p: scores[p] for p in chosen} for column, scores in self.scores.items()}, self.deals)

    def lead(self, column: str, first: str, second: str) -> Estimate:
        return mean(self.scaled[column][first] - self.scaled[column][second])

    def points(self, player: str) -> float:
        """Return a player's tournament points per column."""
        return float(np.mean([scores[player].mean() for scores in self.scaled.values()]))

    def ahead(self, first: str, second: str) -> Estimate:
        """Return by how many tournament points per column the first is ahead of the second."""
        return average([self.lead(column, first, second) for column in self.scores])

    def ahead_of_all(self, player: str) -> Estimate:
        """Return its smallest lead over any other player; the interval allows for picking the smallest."""
        return smallest(self.ahead(player, other) for other in self.players if other != player)

    def ahead_in(self, player: str, others: Sequence[str] = (), columns: Iterable[str] | None = None) -> Estimate:
        """Return the share of columns in which it visibly leads all of these players, by default all others."""
        rivals = others or [other for other in self.players if other != player]
        chosen = self.scores if columns is None else columns
        return share_ahead([self.lead(column, player, other) for other in rivals] for column in chosen)

    def cell(self, column: str, player: str) -> str:
        scores = self.scaled[column]
        best = max(scores, key=lambda name: float(scores[name].mean()))
        return _cell(float(scores[player].mean()), None if player == best else self.lead(column, best, player))

    def points_cell(self, player: str) -> str:
        best = max(self.players, key=self.points)
        return _cell(self.points(player), None if player == best else self.ahead(best, player))


def _cell(value: float, behind: Estimate | None) -> str:
    return f"{round(value, 2) + 0.0:.2f}" + (f" ± {behind.half_width:.2f}" if behind else "")  # + 0.0: no -0.00


def play(run: Run, columns: Sequence[str], players: Mapping[str, str], size: int, deals: int) -> Played:
    """Let players play this many observations of each column; `{seed}` in a player's name is the seed of learning."""
    scores = {}
    for place, column in enumerate(columns):
        rows = []
        for number in range(size):
            system = system_of(column, number)
            seed = int(seeded(run.seed, system, number)[0] >> np.uint64(16))
            agents = [agent.format(seed=number) for agent in players.values()]
            rows.append([_mean_score(system, agent, deals, seed, value_lessons(run)) for agent in agents])
            if run.report:
                run.report(place * size + number + 1, len(columns) * size)
        scores[column] = dict(zip(players, np.array(rows).T, strict=True))
    return Played(scores, deals)


def value_lessons(run: Run) -> int:
    """Return how many games the value function learns from that takes the luck out of scores."""
    return 1_000 if run.scale == "paper" else 100


@functools.lru_cache(maxsize=100_000)
def _mean_score(system: str, agent: str, deals: int, seed: int, lessons: int) -> float:
    """Return an agent's mean score, without luck: a match by itself, in one unit because what it learned is large."""
    party = invited(f"poker-squares:system={system}", [agent])
    luck = reduction(party.game, lessons)
    play = Deals(party.given_game, party.given, seed, False, party.compiled, False, lessons, party, luck)
    series = party.series("match", play, deals, seed=seed, every_order=False, reduce_variance=lessons)
    (unit,) = current().units(series, deals)
    return float(unit.rows.mean())


def smallest(leads: Iterable[Estimate]) -> Estimate:
    """Return the smallest of these estimates, with an interval that holds whichever of them it is (Bonferroni).

    >>> smallest([Estimate(5, 4, 6, 9), Estimate(2, 1, 3, 9)]).value
    2
    """
    every = list(leads)
    wide = [lead.with_error(0.05 / len(every)) for lead in every]
    value, low, high = (min(getattr(lead, part) for lead in wide) for part in ("value", "low", "high"))
    return Estimate(value, low, high, min(lead.count for lead in every))


class Counted(Estimate):
    """A share of columns. Its interval holds at `COUNT_ERROR` and cannot be stretched: shares come in steps."""

    def with_error(self, error: float) -> Estimate:
        return self


def share_ahead(columns: Iterable[Sequence[Estimate]], margin: float = VISIBLE) -> Estimate:
    """Return the share of columns in which all leads are above the margin, with an interval for that share.

    How many columns are surely ahead follows from their p-values, sorted: u of n are if every i-th of the first u is at
    most error/(n − i + 1) (Benjamini and Heller, Biometrics 2008). So many columns need not be clear all at once.

    >>> sure, open, behind = Estimate(1, 0.9, 1.1, 30), Estimate(0.1, -1, 1.2, 30), Estimate(-1, -1.1, -0.9, 30)
    >>> share_ahead([[sure, sure], [sure, open], [sure, behind], [sure, sure]])
    Counted(value=0.75, low=0.5, high=0.75, count=4)
    """
    every = [list(leads) for leads in columns]
    value = sum(all(lead.value > margin for lead in leads) for leads in every)
    above = [max(_p_above(lead, margin) for lead in leads) for leads in every]
    below = [len(leads) * min(1 - _p_above(lead, margin) for lead in leads) for leads in every]
    low, high = _surely(above), len(every) - _surely(below)
    count = len(every)
    return Counted(value / count, min(low, value) / count, max(high, value) / count, count)


def _surely(p_values: Sequence[float]) -> int:
    """Return how many of the hypotheses are false, at least, with half the error rate."""
    for number, p in enumerate(sorted(p_values)):
        if (len(p_values) - number) * p > COUNT_ERROR / 2:
            return number
    return len(p_values)


def _p_above(lead: Estimate, margin: float) -> float:
    """Return the probability of so high a lead, or a higher one, if it were just the margin."""
    if not math.isfinite(lead.half_width):
        return 0.5
    if lead.half_width == 0:
        return 0.0 if lead.value > margin else 1.0
    freedom = max(lead.count - 1, 1)
    return student_tail((lead.value - margin) / lead.half_width * student(freedom), freedom)


HOW = (
    "Tournament points: in each system 0 for the lowest mean score, 1 for the highest. ± is the 95 % interval of the "
    "distance from the best player in the row, over runs of learning; luck is taken out of the scores"
)


def figure(played: Played, note: str) -> FigureResult:
    """Return a figure with a bar for every player in every column, and the numbers."""
    players, columns = played.players, list(played.scores)

    def draw(axes: Axes) -> None:
        places, width = np.arange(len(columns)), 0.85 / len(players)
        for number, player in enumerate(players):
            heights = [played.scaled[column][player].mean() for column in columns]
            shifted = places + (number - (len(players) - 1) / 2) * width
            axes.bar(shifted, heights, width, label=player)
        axes.set_ylim(-0.05, 1.3)
        axes.set_xticks(places, columns, rotation=40, ha="right")
        axes.set_ylabel("tournament points")
        axes.legend(fontsize="small", ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))

    rows = [(column, *(played.cell(column, player) for player in players)) for column in columns]
    rows.append(("mean", *map(played.points_cell, players)))
    best = max(players, key=played.points)
    return FigureResult(
        draw,
        f"Bars of tournament points for {len(players)} players in {len(columns)} columns. {best} has the most.",
        TableResult(("points for", *players), tuple(rows)),
        f"{note} {played.observations} runs of learning in each column, of {played.deals:,} deals each.",
    )
