"""The frame of every paper: its tables, its figures and its claims, each with a function that measures it again.

A claim is about a number, and says where that number lies. What is measured is an estimate with its interval, and the
verdict follows from the two: reproduced if the whole interval lies where the paper says, not reproduced if it lies
wholly elsewhere, undecided otherwise.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, TypeVar

from fifthstreet.estimate import Estimate

Scale = Literal["quick", "paper"]
Report = Callable[[int, int], None]
T = TypeVar("T")


class Verdict(Enum):
    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Between:
    """Where a claim says that a number lies, ends included."""

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
    """One reproduction: its scale and seed, a memory for what several items share, and a way to show progress."""

    scale: Scale = "quick"
    seed: int = 0
    report: Report | None = None
    _memory: dict[Any, Any] = field(default_factory=dict)

    def once(self, measure: Callable[["Run"], T]) -> T:
        """What this function measures in this run, measured at most once."""
        if measure not in self._memory:
            self._memory[measure] = measure(self)
        found: T = self._memory[measure]
        return found


@dataclass(frozen=True)
class TableResult:
    """A table with printed beside measured. `wrong` marks the rows in which they differ beyond chance."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wrong: frozenset[int] = frozenset()
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "columns": self.columns,
            "rows": self.rows,
            "differing_rows": sorted(self.wrong),
            "note": self.note,
        }


@dataclass(frozen=True)
class FigureResult:
    """A figure: how to draw it on matplotlib axes, what it shows in words, and the numbers behind it."""

    draw: Callable[[Any], None]
    alternative: str
    data: TableResult
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"alternative": self.alternative, "note": self.note, "data": self.data.to_dict()}


@dataclass(frozen=True)
class ClaimResult:
    measured: Estimate
    verdict: Verdict
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
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
    """The paper's words in brief, the printed numbers, where they put the measured number, and how it is measured."""

    id: str
    words: str
    printed: str
    where: Between
    measure: Callable[[Run], Estimate]
    note: str = ""  # what is to be said about it, whatever the verdict

    def run(self, run: Run) -> ClaimResult:
        measured = run.once(self.measure)
        return ClaimResult(measured, self.where.verdict(measured), self.note)


Item = Table | Figure | Claim
Result = TableResult | FigureResult | ClaimResult


@dataclass(frozen=True)
class Paper:
    """A paper: what it is called here, who wrote it, and all of it that is measured again."""

    name: str
    title: str
    authors: str
    items: tuple[Item, ...]
    readings: tuple[str, ...] = ()  # where the paper is silent or wrong, the reading that was taken
