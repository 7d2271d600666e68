"""Statistics for comparing agents: scores with intervals, Elo ratings, and a test that stops when it knows."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError
from fifthstreet.estimate import Z95, Estimate, share

ELO = 400 / math.log(10)  # Elo points in one unit of log odds


def score(wins: int, draws: int, losses: int) -> Estimate:
    """The share of games won, a draw counting as half a win."""
    return share(wins + draws / 2, wins + draws / 4, wins + draws + losses)


def ratings(wins: NDArray[np.float64], draws: NDArray[np.float64]) -> list[Estimate]:
    """Elo ratings from a cross table; their mean is 0.

    wins   wins[i, j] is the number of games that i won against j
    draws  draws[i, j] is the number of drawn games between i and j

    This is the maximum likelihood fit of the Bradley-Terry model, with a draw as half a win. A tenth of a drawn game is
    added for each pair that met, so that the rating of a player who won or lost everything is finite. The intervals
    follow from the observed variance of the points, which is smaller where games are drawn. Players can only be rated
    together if they met, directly or through other players.
    """
    wins, draws = np.asarray(wins, float), np.asarray(draws, float)
    played = wins + wins.T + draws
    if not _connected(played):
        raise InputError("the players cannot be rated together: some never met, not even through other players")
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
    # The variance of the points of each pair: that of the model, which has no draws, less what draws take away.
    seen = np.maximum(weight - (draws + prior) / 4, 0)
    variance = inverse @ (np.diag(seen.sum(axis=1)) - seen) @ inverse
    spread = np.sqrt(np.diag(variance))
    met = played.sum(axis=1).round().astype(int)
    return [
        Estimate(ELO * v, ELO * (v - Z95 * s), ELO * (v + Z95 * s), int(n))
        for v, s, n in zip(values, spread, met, strict=True)
    ]


def _connected(games: NDArray[np.float64]) -> bool:
    """Whether all players met, directly or through others; games[i, j] is the number of games between i and j."""
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
    """A test of whether a mean is `difference` or 0, which stops as soon as it knows.

    This is Wald's sequential probability ratio test with the variance observed so far, as chess engine testers use it.
    """

    difference: float
    false_yes: float = 0.05  # about how often it says "yes" when the mean is 0
    false_no: float = 0.05  # about how often it says "no" when the mean is `difference`
    at_least: int = 100  # observations before the observed variance is used

    def __post_init__(self) -> None:
        if not (math.isfinite(self.difference) and self.difference > 0):
            raise InputError(f"a difference of {self.difference!r} cannot be tested: it must be above 0")
        for rate in (self.false_yes, self.false_no):
            if not 0 < rate < 0.5:
                raise InputError(f"an error rate of {rate!r} cannot be tested: it must be between 0 and 0.5")

    def verdict(self, count: int, total: float, squares: float) -> str | None:
        """ "yes", "no", or None if it is not known yet.

        count    the number of observations
        total    their sum
        squares  the sum of their squares
        """
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
