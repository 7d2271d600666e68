"""Estimates: a measured number with its 95 % confidence interval."""

import functools
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
    """A measured number, its 95 % confidence interval, and the number of independent observations behind it."""

    value: float
    low: float
    high: float
    count: int

    @classmethod
    def exact(cls, value: float, count: int = 1) -> "Estimate":
        """A number without error."""
        return cls(value, value, value, count)

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def with_error(self, error: float) -> "Estimate":
        """The same estimate with the interval for another error rate than 5 %, by Student's distribution.

        >>> round(Estimate(1, 0, 2, 100).with_error(0.01).high, 4)
        2.3236
        """
        freedom = max(self.count - 1, 1)
        wider = student(freedom, error) / student(freedom)
        low, high = self.value - wider * (self.value - self.low), self.value + wider * (self.high - self.value)
        return Estimate(self.value, low, high, self.count)

    def to_dict(self) -> dict[str, Any]:
        return {"value": finite(self.value), "ci95": [finite(self.low), finite(self.high)], "count": self.count}

    def __str__(self) -> str:
        if self.low == self.high:
            return _digits(self.value)
        return f"{_digits(self.value)} [{_digits(self.low)}, {_digits(self.high)}]"


def _digits(number: float) -> str:
    """The number with four digits; all digits before the point if it is whole or at least 1000."""
    if not math.isfinite(number):
        return str(number)
    if abs(number) >= 1000 or float(number).is_integer():
        return f"{number:,.0f}"
    return f"{number:.4g}"


def finite(number: float) -> float | None:
    """The number, or None if it is infinite, which JSON cannot write."""
    return number if math.isfinite(number) else None


def mean(values: NDArray[np.float64] | Sequence[float]) -> Estimate:
    """The mean of independent values, with Student's interval; infinite for a single value, whose spread is unknown."""
    data = np.asarray(values, float)
    if data.size == 0:
        raise InputError("there is no mean of no values")
    centre = float(data.mean())
    if data.size == 1:
        return Estimate(centre, -math.inf, math.inf, 1)
    half = student(int(data.size) - 1) * float(data.std(ddof=1)) / math.sqrt(data.size)
    return Estimate(centre, centre - half, centre + half, int(data.size))


def bounded_mean(values: NDArray[np.float64] | Sequence[float], low: float, high: float) -> Estimate:
    """The mean of independent values of which it is known that none can be below `low` or above `high`.

    Student's interval has no width if all values are equal, and is too narrow if nearly all are. This is Gaffke's
    interval (2005; Learned-Miller and Thomas, 2019): one more value, the worst possible, is added at either end, all
    get random weights (uniform among those that add up to 1), and the limits are the outer 2.5 % of the weighted mean.
    For values that are only `low` or `high` it is the exact interval of Clopper and Pearson, for many values Student's.

    >>> found = bounded_mean([0.5] * 24, 0, 1)  # 24 draws
    >>> f"{found.low:.2f} to {found.high:.2f}"
    '0.43 to 0.57'
    """
    data = np.asarray(values, float)
    if data.size == 0:
        raise InputError("there is no mean of no values")
    if data.min() < low or data.max() > high:
        raise InputError(f"values from {data.min():g} to {data.max():g} are not from {low:g} to {high:g}")
    centre = float(data.mean())
    least, most = -_upper_limit(-data, -low), _upper_limit(data, high)
    return Estimate(centre, min(centre, least), max(centre, most), int(data.size))


_WEIGHTINGS = 10_000  # random weightings: they move a limit by one or two hundredths of the half-width


def _upper_limit(data: NDArray[np.float64], high: float) -> float:
    """The 97.5 % quantile of the randomly weighted mean of the data and one more value, `high`."""
    values, counts = np.unique(data, return_counts=True)
    weights = np.random.default_rng(0).standard_gamma([*counts, 1], (_WEIGHTINGS, len(values) + 1))
    means = weights @ np.append(values, high) / weights.sum(axis=1)
    return float(np.quantile(means, 0.975))


def average(parts: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates, all with the same weight."""
    value = sum(part.value for part in parts) / len(parts)
    half = math.hypot(*(part.half_width for part in parts)) / len(parts)
    return Estimate(value, value - half, value + half, sum(part.count for part in parts))


def difference(first: Estimate, second: Estimate) -> Estimate:
    """The first estimate minus the second, which is independent of it.

    >>> difference(Estimate(5, 2, 8, 10), Estimate(1, -3, 5, 10))
    Estimate(value=4, low=-1.0, high=9.0, count=20)
    """
    value, half = first.value - second.value, math.hypot(first.half_width, second.half_width)
    return Estimate(value, value - half, value + half, first.count + second.count)


_FEW, _MANY = 30, 200  # degrees of freedom


@functools.cache
def student(freedom: int, error: float = 0.05) -> float:
    """The number that Student's t with this many degrees of freedom exceeds, up or down, with probability `error`.

    It is exact for few degrees of freedom; for more it is Fisher's expansion (1925).

    >>> round(student(3), 3), round(student(100, 0.01), 3)
    (3.182, 2.626)
    """
    if freedom <= _FEW:
        low, high = 0.0, math.pi / 2  # of the angle whose tangent is t / sqrt(freedom)
        while high - low > 1e-15:
            middle = (low + high) / 2
            low, high = (middle, high) if _within(middle, freedom) < 1 - error else (low, middle)
        return math.sqrt(freedom) * math.tan(low)
    z, n = NormalDist().inv_cdf(1 - error / 2), freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def student_tail(t: float, freedom: int) -> float:
    """The probability that Student's t is above `t`.

    >>> round(student_tail(2.262157, 9), 6), round(student_tail(-1, 1), 6)
    (0.025, 0.75)
    """
    if freedom > _MANY:
        return 1 - NormalDist().cdf(t)
    above = (1 - _within(math.atan(abs(t) / math.sqrt(freedom)), freedom)) / 2
    return above if t >= 0 else 1 - above


def _within(angle: float, freedom: int) -> float:
    """The probability that t lies within ± sqrt(freedom) tan(angle) (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    odd = freedom % 2
    term, total = math.cos(angle) if odd else 1.0, 0.0
    for i in range(2 + odd, freedom + 1, 2):
        total += term
        term *= (i - 1) / i * math.cos(angle) ** 2
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total


def share(total: float, squares: float, count: int) -> Estimate:
    """The mean of outcomes between 0 and 1.

    total    the sum of the outcomes
    squares  the sum of their squares
    count    their number

    The interval is Wilson's (1927), which stays within 0 and 1 and has a width even if all outcomes are equal. It is
    made for outcomes that are 0 or 1. Outcomes in between (a split pot) have less variance, so each of them counts as
    correspondingly more outcomes of 0 or 1, but at most as four.
    """
    if count == 0:
        raise InputError("there is no share of no outcomes")
    centre = total / count
    spread, coin = squares / count - centre * centre, centre * (1 - centre)
    flips = count * min(coin / spread, 4.0) if spread > 0 else float(count)
    z2 = Z95 * Z95
    middle = (centre + z2 / (2 * flips)) / (1 + z2 / flips)
    half = Z95 * math.sqrt(max(coin, 0.0) / flips + z2 / (4 * flips * flips)) / (1 + z2 / flips)
    return Estimate(centre, min(centre, max(0.0, middle - half)), max(centre, min(1.0, middle + half)), count)
