"""Honest numbers: means with intervals, scores with intervals, ratings, and a test that stops when it knows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError

Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Estimate:
    """A measured number with its 95 % interval and the number of independent observations behind it."""

    value: float
    low: float
    high: float
    count: int

    @classmethod
    def exact(cls, value: float, count: int = 1) -> "Estimate":
        return cls(value, value, value, count)

    def to_dict(self) -> dict[str, Any]:
        return {"value": self.value, "ci95": [finite(self.low), finite(self.high)], "count": self.count}

    def __str__(self) -> str:
        if self.low == self.high:
            return _digits(self.value)
        return f"{_digits(self.value)} [{_digits(self.low)}, {_digits(self.high)}]"


def _digits(number: float) -> str:
    """Four digits, or a whole number written out."""
    if not math.isfinite(number):
        return str(number)
    if abs(number) >= 1000 or float(number).is_integer():
        return f"{number:,.0f}"
    return f"{number:.4g}"


def finite(number: float) -> float | None:
    """The number, or None where JSON has no way to say infinite."""
    return number if math.isfinite(number) else None


def mean(values: NDArray[np.float64] | Sequence[float]) -> Estimate:
    """The mean and its interval; one observation says nothing of the spread, so its interval is everything."""
    data = np.asarray(values, float)
    if data.size == 0:
        raise InputError("there is no mean of nothing")
    centre = float(data.mean())
    if data.size == 1:
        return Estimate(centre, -math.inf, math.inf, 1)
    half = Z95 * float(data.std(ddof=1)) / math.sqrt(data.size)
    return Estimate(centre, centre - half, centre + half, int(data.size))


def score(wins: int, draws: int, losses: int) -> Estimate:
    """The share of points, a draw being half a point, with an interval that stays within 0 and 1.

    The interval is Wilson's (1927) for a mean of outcomes with the variance that was seen.
    """
    count = wins + draws + losses
    if count == 0:
        raise InputError("there is no score of no games")
    share = (wins + draws / 2) / count
    # With draws the spread is smaller than a coin's; it enters as a larger number of coin flips.
    spread = (wins + draws / 4) / count - share * share
    coin = share * (1 - share)
    flips = count * min(coin / spread, 4.0) if spread > 0 else count
    z2 = Z95 * Z95
    centre = (share + z2 / (2 * flips)) / (1 + z2 / flips)
    half = Z95 * math.sqrt(share * (1 - share) / flips + z2 / (4 * flips * flips)) / (1 + z2 / flips)
    return Estimate(share, min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)), count)


def ratings(points: NDArray[np.float64], games: NDArray[np.float64]) -> list[Estimate]:
    """Elo ratings from a cross table: points[i, j] that i made against j in games[i, j] games; their mean is 0.

    The Bradley-Terry model by maximum likelihood. A tenth of a drawn game with each opponent met keeps the rating of
    someone who won (or lost) everything finite. Intervals are from the observed information. Players who never met,
    not even through others, cannot be rated together.
    """
    points, games = np.asarray(points, float), np.asarray(games, float)
    players = len(points)
    if not _connected(games):
        raise InputError("the players cannot be rated together: some never met, not even through others")
    prior = 0.1 * (games > 0)
    points, games = points + prior / 2, games + prior
    values = np.zeros(players)
    for _ in range(200):
        expected = 1 / (1 + np.exp(values[None, :] - values[:, None]))
        slope = (points - games * expected).sum(axis=1)
        weight = games * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.pinv(information) @ slope
        values += np.clip(step, -2, 2)
        values -= values.mean()
        if np.abs(step).max() < 1e-10:
            break
    spread = np.sqrt(np.diag(np.linalg.pinv(information)))
    elo = 400 / math.log(10)
    met = games.sum(axis=1).round().astype(int)
    return [
        Estimate(elo * v, elo * (v - Z95 * s), elo * (v + Z95 * s), int(n))
        for v, s, n in zip(values, spread, met, strict=True)
    ]


def _connected(games: NDArray[np.float64]) -> bool:
    reached, new = {0}, [0]
    while new:
        here = new.pop()
        for there in np.flatnonzero(games[here] > 0):
            if int(there) not in reached:
                reached.add(int(there))
                new.append(int(there))
    return len(reached) == len(games)


@dataclass(frozen=True)
class SequentialTest:
    """Is the mean at least `difference`, or is it 0 or less? Looks after every unit and stops when it knows.

    Wald's sequential probability ratio test for a mean with the variance seen so far, as chess engine testers use it:
    "yes" is wrong with probability at most `false_yes` when the mean is 0, "no" with at most `false_no` when it is
    `difference`.
    """

    difference: float
    false_yes: float = 0.05
    false_no: float = 0.05
    at_least: int = 100  # observations before the variance is believed

    def __post_init__(self) -> None:
        if not (math.isfinite(self.difference) and self.difference > 0):
            raise InputError(f"a difference of {self.difference!r} cannot be tested: it must be above 0")
        for rate in (self.false_yes, self.false_no):
            if not 0 < rate < 0.5:
                raise InputError(f"an error rate of {rate!r} cannot be tested: it lies between 0 and 0.5")

    def verdict(self, values: NDArray[np.float64]) -> str | None:
        """ "yes", "no", or None while the question is open."""
        if len(values) < self.at_least:
            return None
        variance = max(float(values.var(ddof=1)), 1e-12)
        centre = float(values.mean())
        ratio = len(values) * self.difference * (2 * centre - self.difference) / (2 * variance)
        if ratio >= math.log((1 - self.false_no) / self.false_yes):
            return "yes"
        if ratio <= math.log(self.false_no / (1 - self.false_yes)):
            return "no"
        return None
