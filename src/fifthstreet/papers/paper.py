"""What a paper is made of: tables, figures and claims, each with a function that measures it.

A claim states the range in which the paper puts a number. The measurement is an estimate with a 95 % interval. The
verdict is "reproduced" if the whole interval lies inside the range, "not reproduced" if all of it lies outside, and
"undecided" otherwise.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from fifthstreet.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
else:
    Axes = Any  # matplotlib is optional

Scale = Literal["quick", "paper"]
Report = Callable[[int, int], None]
T = TypeVar("T")


class Verdict(Enum):
    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Between:
    """The range in which a claim puts a number, ends included."""

    low: float = -math.inf
    high: float = math.inf

    def verdict(self, measured: Estimate) -> Verdict:
        if self.low <= measured.low and measured.high <= self.high:
            return Verdict.REPRODUCED
        if measured.high < self.low or measured.low > self.high:
            return Verdict.NOT_REPRODUCED
        return Verdict.UNDECIDED

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.low:,.12g}"
        if math.isinf(self.high):
            return f"at least {self.low:,.6g}"
        if math.isinf(self.low):
            return f"at most {self.high:,.6g}"
        return f"{self.low:,.6g} to {self.high:,.6g}"


def exactly(number: float) -> Between:
    return Between(number, number)


@dataclass
class Run:
    """One reproduction: its scale and seed, measurements shared by several items, and a progress callback."""

    scale: Scale = "quick"
    seed: int = 0
    report: Report | None = None
    _memory: dict[object, Any] = field(default_factory=dict)

    def once(self, measure: Callable[["Run"], T]) -> T:
        """Return measure(self), computed only the first time."""
        if measure not in self._memory:
            self._memory[measure] = measure(self)
        found: T = self._memory[measure]
        return found


@dataclass(frozen=True)
class TableResult:
    """A table of printed and measured values. `wrong` marks the rows where they differ by more than chance."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wrong: frozenset[int] = frozenset()
    note: str = ""

    def to_dict(self) -> dict[str, object]:
        return {
            "columns": self.columns,
            "rows": self.rows,
            "differing_rows": sorted(self.wrong),
            "note": self.note,
        }


@dataclass(frozen=True)
class FigureResult:
    """A figure: a function that draws it, a text alternative, and the data behind it."""

    draw: Callable[[Axes], None]
    alternative: str
    data: TableResult
    note: str = ""

    def to_dict(self) -> dict[str, object]:
        return {"alternative": self.alternative, "note": self.note, "data": self.data.to_dict()}


@dataclass(frozen=True)
class ClaimResult:
    measured: Estimate
    verdict: Verdict
    note: str = ""

    def to_dict(self) -> dict[str, object]:
        return {"measured": self.measured.to_dict(), "verdict": self.verdict.value, "note": self.note}


@dataclass(frozen=True)
class Table:
    id: str
    title: str
    measure: Callable[[Run], TableResult]

    def run(self, run: Run) -> TableResult:
        return run.once(self.measure)


@dataclass(frozen=True)
class Figure:
    id: str
    title: str
    measure: Callable[[Run], FigureResult]

    def run(self, run: Run) -> FigureResult:
        return run.once(self.measure)


@dataclass(frozen=True)
class Claim:
    """A claim in brief, the printed numbers, the range they imply, and how the number is measured."""

    id: str
    words: str
    printed: str
    where: Between
    measure: Callable[[Run], Estimate]
    note: str = ""  # shown whatever the verdict

    def run(self, run: Run) -> ClaimResult:
        measured = run.once(self.measure)
        return ClaimResult(measured, self.where.verdict(measured), self.note)


Item = Table | Figure | Claim
Result = TableResult | FigureResult | ClaimResult


@dataclass(frozen=True)
class Paper:
    """A paper: its name on the command line, title, authors, and everything that is measured."""

    name: str
    title: str
    authors: str
    items: tuple[Item, ...]
    readings: tuple[str, ...] = ()  # how it was interpreted where it is silent or contradicts itself
