"""Comparing agents honestly: scores with intervals, ratings, and a test that stops when it knows."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError
from fifthstreet.estimate import Z95, Estimate, share

ELO = 400 / math.log(10)  # Elo points in one unit of log odds


def score(wins: int, draws: int, losses: int) -> Estimate:
    """The share of points, a draw being half a point."""
    return share(wins + draws / 2, wins + draws / 4, wins + draws + losses)


def ratings(wins: NDArray[np.float64], draws: NDArray[np.float64]) -> list[Estimate]:
    """Elo ratings from a cross table: wins[i, j] of i against j, and draws between them; the ratings' mean is 0.

    The Bradley-Terry model by maximum likelihood, a draw being half a win. A tenth of a drawn game with each opponent
    met keeps the rating of someone who won (or lost) everything finite. Intervals take the spread that was seen, which
    draws make smaller. Players who never met, not even through others, cannot be rated together.
    """
    wins, draws = np.asarray(wins, float), np.asarray(draws, float)
    played = wins + wins.T + draws
    if not _connected(played):
        raise InputError("the players cannot be rated together: some never met, not even through others")
    prior = 0.1 * (played > 0)
    games, points = played + prior, wins + draws / 2 + prior / 2
    values = np.zeros(len(wins))
    for _ in range(200):
        expected = 1 / (1 + np.exp(values[None, :] - values[:, None]))
        slope = (points - games * expected).sum(axis=1)
        weight = games * expected * (1 - expected)
        inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
        step = np.clip(inverse @ slope, -2, 2)
        values += step - step.mean()
        if np.abs(step).max() < 1e-10:
            break
    # What the points of a pair vary by: the model's guess, less what draws take away.
    seen = np.maximum(weight - (draws + prior) / 4, 0)
    variance = inverse @ (np.diag(seen.sum(axis=1)) - seen) @ inverse
    spread = np.sqrt(np.diag(variance))
    met = played.sum(axis=1).round().astype(int)
    return [
        Estimate(ELO * v, ELO * (v - Z95 * s), ELO * (v + Z95 * s), int(n))
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
    "yes" is wrong with a probability of about `false_yes` when the mean is 0, "no" with about `false_no` when it is
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

    def verdict(self, count: int, total: float, squares: float) -> str | None:
        """ "yes", "no", or None while the question is open, from the number, sum and squares of what was seen."""
        if count < self.at_least:
            return None
        centre = total / count
        variance = max((squares - count * centre * centre) / (count - 1), 1e-12)
        ratio = count * self.difference * (2 * centre - self.difference) / (2 * variance)
        if ratio >= math.log((1 - self.false_no) / self.false_yes):
            return "yes"
        if ratio <= math.log(self.false_no / (1 - self.false_yes)):
            return "no"
        return None
