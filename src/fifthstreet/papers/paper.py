"""What a paper is made of: tables, figures and claims, each with a function that measures it.

A claim states the range in which the paper puts a number. The measurement is an estimate with an interval. The verdict
is "reproduced" if the whole interval lies inside the range, "not reproduced" if all of it lies outside, and "undecided"
otherwise.

What is played for a claim is an `Experiment`. It starts small and is doubled until the claims that rest on it are
decided or it has reached its largest size. A claim is looked at after every doubling. So that all looks together err in
at most 5 % of cases, each look has an error rate of 5 % divided by the number of looks planned, and the interval of a
claim is that much wider than a plain 95 % interval.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

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

    def margin(self, value: float) -> float:
        """The distance of a number from the nearest end of the range: an interval within it decides the claim."""
        return min(abs(value - self.low), abs(value - self.high))

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


ERROR_RATE = 0.05  # of a verdict, over all looks at a claim


@dataclass(frozen=True, eq=False)
class Experiment(Generic[T]):
    """Something that is played for claims, tables and figures, as much of it as is needed.

    name   what it is, like "Table 4.1"
    unit   what its size counts, like "deals"
    play   plays this many of them and returns what was found; run.report shows progress
    quick  the first and the largest size at the scale "quick"
    paper  the same at the scale "paper"
    """

    name: str
    unit: str
    play: Callable[["Run", int], T]
    quick: tuple[int, int]
    paper: tuple[int, int]

    def sizes(self, scale: Scale) -> tuple[int, int]:
        return self.paper if scale == "paper" else self.quick

    def looks(self, scale: Scale) -> int:
        """How many sizes it may have, each twice the one before: how often a claim may be looked at."""
        first, most = self.sizes(scale)
        return 1 + math.ceil(math.log2(most / first))


Used = dict[Experiment[Any], int]
"""Experiments and the sizes that they had."""


@dataclass
class Known:
    """Something that was measured, and what was played for it."""

    value: Any
    used: Used


@dataclass
class Run:
    """One reproduction of a paper: its scale and seed, what was measured so far, and a progress callback."""

    scale: Scale = "quick"
    seed: int = 0
    report: Report | None = None
    cost: dict[Experiment[Any], float] = field(default_factory=dict)  # processor seconds that the last size took
    _sizes: Used = field(default_factory=dict)
    _memory: dict[object, Known] = field(default_factory=dict)
    _using: list[Used] = field(default_factory=lambda: [{}])  # what is used by the measurements under way

    def once(self, measure: Callable[["Run"], T]) -> T:
        """Return measure(self), computed only the first time and after an experiment that it uses has grown."""
        return self._known(measure, lambda: measure(self))

    def play(self, experiment: Experiment[T]) -> T:
        """Return what the experiment found at its present size."""

        def play() -> T:
            begin = time.process_time()
            found = experiment.play(self, self.size(experiment))
            self.cost[experiment] = time.process_time() - begin
            return found

        self._using[-1][experiment] = self.size(experiment)
        return self._known(experiment, play, {experiment: self.size(experiment)})

    def _known(self, what: object, measure: Callable[[], T], used: Used | None = None) -> T:
        known = self._memory.get(what)
        if known is None or any(self.size(each) != size for each, size in known.used.items()):
            self._using.append(used or {})
            try:
                value = measure()
            finally:
                used = self._using.pop()
            known = self._memory[what] = Known(value, used)
        self._using[-1].update(known.used)
        found: T = known.value
        return found

    def used_by(self, measure: Callable[["Run"], Any]) -> Used:
        """The experiments that a measurement uses, directly or through others, with their sizes."""
        self.once(measure)
        return self._memory[measure].used

    def size(self, experiment: Experiment[Any]) -> int:
        return self._sizes.setdefault(experiment, experiment.sizes(self.scale)[0])

    def can_grow(self, experiment: Experiment[Any]) -> bool:
        return self.size(experiment) < experiment.sizes(self.scale)[1]

    def grow(self, experiment: Experiment[Any]) -> None:
        """Let it be played twice as long, from the next time it is asked for, up to its largest size."""
        self._sizes[experiment] = min(2 * self.size(experiment), experiment.sizes(self.scale)[1])


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
class Reading:
    """A claim measured under another interpretation of the paper."""

    name: str
    measured: Estimate
    verdict: Verdict

    def to_dict(self) -> dict[str, object]:
        return {"name": self.name, "measured": self.measured.to_dict(), "verdict": self.verdict.value}


@dataclass(frozen=True)
class ClaimResult:
    measured: Estimate
    verdict: Verdict
    note: str = ""
    played: str = ""  # how much was played for it
    readings: tuple[Reading, ...] = ()  # the same claim under other interpretations

    def to_dict(self) -> dict[str, object]:
        return {
            "measured": self.measured.to_dict(),
            "verdict": self.verdict.value,
            "note": self.note,
            "played": self.played,
            "readings": [reading.to_dict() for reading in self.readings],
        }


@dataclass(frozen=True, eq=False)
class Table:
    id: str
    title: str
    measure: Callable[[Run], TableResult]

    def run(self, run: Run) -> TableResult:
        return run.once(self.measure)


@dataclass(frozen=True, eq=False)
class Figure:
    id: str
    title: str
    measure: Callable[[Run], FigureResult]

    def run(self, run: Run) -> FigureResult:
        return run.once(self.measure)


Measure = Callable[[Run], Estimate]


@dataclass(frozen=True, eq=False)
class Claim:
    """A claim of a paper, in brief.

    printed   the numbers, as the paper prints them
    where     the range that they imply, written down before anything is measured
    measure   measures it, under the interpretation on which the verdict rests
    note      shown whatever the verdict
    beyond    whether it is not the paper's, but about what goes beyond it
    readings  measures it under other interpretations, at the scale "paper" only
    """

    id: str
    words: str
    printed: str
    where: Between
    measure: Measure
    note: str = ""
    beyond: bool = False
    readings: Mapping[str, Measure] = field(default_factory=dict)

    def run(self, run: Run) -> ClaimResult:
        measured, verdict, used = self._judged(run, self.measure)
        played = ", ".join(f"{size:,} {each.unit} of {each.name}" for each, size in used.items())
        readings = self.readings.items() if run.scale == "paper" else ()
        others = tuple(Reading(name, *self._judged(run, measure)[:2]) for name, measure in readings)
        return ClaimResult(measured, verdict, self.note, played, others)

    def _judged(self, run: Run, measure: Measure) -> tuple[Estimate, Verdict, Used]:
        measured, used = run.once(measure), run.used_by(measure)
        looks = max((each.looks(run.scale) for each in used), default=1)
        measured = measured.with_error(ERROR_RATE / looks)
        return measured, self.where.verdict(measured), used


Item = Table | Figure | Claim
Result = TableResult | FigureResult | ClaimResult


@dataclass(frozen=True, eq=False)
class Paper:
    """A paper: its name on the command line, title, authors, and everything that is measured."""

    name: str
    title: str
    authors: str
    items: tuple[Item, ...]
    readings: tuple[str, ...] = ()  # how it was interpreted where it is silent or contradicts itself
    findings: Callable[[Run], str] | None = None  # what was found, in a short paragraph
    unmeasured: tuple[tuple[str, str], ...] = ()  # claims that cannot be measured, and why
    key: Callable[[], str] = lambda: ""  # a hash of the code that its results depend on

    @property
    def claims(self) -> list[Claim]:
        return [item for item in self.items if isinstance(item, Claim)]
