"""Reproduce papers: measure every item with progress, and return results that print, export and plot.

Every paper is measured once, as small as its experiments start. What is undecided then is played on until it is
decided, has reached its largest size, or the time is up: at the scale "quick" there is little of it.
"""

import math
import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from fifthstreet import __version__, cache
from fifthstreet.errors import InputError
from fifthstreet.estimate import Estimate
from fifthstreet.naming import did_you_mean
from fifthstreet.papers.paper import (
    Claim,
    ClaimResult,
    Figure,
    FigureResult,
    Item,
    Paper,
    Result,
    Run,
    Scale,
    Verdict,
)
from fifthstreet.papers.settling import settle
from fifthstreet.shown import Shown

QUICK_SECONDS = 100.0  # processor time for everything at the scale "quick", where nothing has to be compiled


@dataclass(frozen=True)
class Outcome:
    """One item of a paper, its result, and the seconds it took."""

    paper: Paper
    item: Item
    result: Result
    seconds: float

    @property
    def kind(self) -> str:
        return type(self.item).__name__.lower()

    @property
    def title(self) -> str:
        return self.item.words if isinstance(self.item, Claim) else self.item.title

    def to_dict(self) -> dict[str, object]:
        about: dict[str, object] = {"paper": self.paper.name, "id": self.item.id, "kind": self.kind}
        if isinstance(self.item, Claim):
            about |= {"words": self.item.words, "printed": self.item.printed, "where": str(self.item.where)}
            about["beyond"] = self.item.beyond
        else:
            about["title"] = self.title
        return about | self.result.to_dict() | {"seconds": round(self.seconds, 3)}


@dataclass(frozen=True)
class Reproduction(Shown):
    """All outcomes of a run, with the scale and seed needed to repeat it."""

    outcomes: tuple[Outcome, ...]
    scale: Scale
    seed: int
    started: datetime
    findings: Mapping[str, str] = field(default_factory=dict)  # by the name of the paper, a short paragraph
    minutes: float | None = None  # of processor time that were given, if not those of the scale

    @property
    def papers(self) -> list[Paper]:
        return list(dict.fromkeys(outcome.paper for outcome in self.outcomes))

    @property
    def claims(self) -> list[tuple[Outcome, Claim, ClaimResult]]:
        return [
            (outcome, outcome.item, outcome.result)
            for outcome in self.outcomes
            if isinstance(outcome.item, Claim) and isinstance(outcome.result, ClaimResult)
        ]

    @property
    def figures(self) -> list[tuple[Outcome, Figure, FigureResult]]:
        return [
            (outcome, outcome.item, outcome.result)
            for outcome in self.outcomes
            if isinstance(outcome.item, Figure) and isinstance(outcome.result, FigureResult)
        ]

    def __str__(self) -> str:
        """The verdicts in numbers: those on the papers' own claims, then those on what goes beyond them."""
        own, beyond = (in_words(self.tally(beyond=which)) for which in (False, True))
        return f"the papers' claims: {own}" + (f"; beyond them: {beyond}" if any(self.tally(True).values()) else "")

    def plotted(self) -> list[tuple[str, Estimate]]:
        return [(verdict.value, Estimate.exact(count)) for verdict, count in self.tally().items()]

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], str]:
        rows = [
            [
                outcome.paper.name,
                claim.words,
                claim.printed,
                str(claim.where),
                str(result.measured),
                result.verdict.value,
            ]
            for outcome, claim, result in self.claims
        ]
        caption = f"{self}; scale {self.scale}, seed {self.seed}"
        return ("paper", "claim", "printed", "claimed to be", "measured", "verdict"), rows, caption

    def tally(self, beyond: bool | None = None) -> dict[Verdict, int]:
        """The number of claims with each verdict: all, the papers' own, or those that go beyond."""
        counted = [result.verdict for _, claim, result in self.claims if beyond in (None, claim.beyond)]
        return {verdict: counted.count(verdict) for verdict in Verdict}

    def method(self) -> dict[str, str]:
        """What a reader needs to judge or repeat the run: versions, machine, seed and time."""
        seconds = sum(outcome.seconds for outcome in self.outcomes)
        return {
            "command": f"fifthstreet reproduce {' '.join(paper.name for paper in self.papers)} --scale {self.scale} "
            f"--seed {self.seed}" + (f" --minutes {self.minutes:g}" if self.minutes is not None else ""),
            "scale": self.scale,
            "seed": str(self.seed),
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": f"{seconds:.1f}",
            "hours": f"{seconds / 3600:.2f}",
            "fifthstreet": f"{__version__}, code {cache.source_hash()}",
            "commit": _commit(),
            "python": f"{platform.python_version()}, NumPy {version('numpy')}, Numba {version('numba')}",
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {_processor()}",
        }

    def to_dict(self) -> dict[str, object]:
        return {
            "method": self.method(),
            "verdicts": {verdict.value: count for verdict, count in self.tally(beyond=False).items()},
            "verdicts_beyond": {verdict.value: count for verdict, count in self.tally(beyond=True).items()},
            "findings": dict(self.findings),
            "keys": {paper.name: paper.key() for paper in self.papers},
            "items": [outcome.to_dict() for outcome in self.outcomes],
        }


def in_words(tally: Mapping[Verdict, int]) -> str:
    return ", ".join(f"{count} {verdict.value}" for verdict, count in tally.items())


def _commit() -> str:
    """The commit of the source code, if it is a clone."""
    command = ["git", "-C", str(cache.PACKAGE), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


Progress = Callable[[str, int, int], None]


def reproduce(
    papers: Iterable[Paper],
    only: str | None = None,
    scale: Scale = "quick",
    seed: int = 0,
    report: Progress | None = None,
    show: Callable[[Reproduction], None] | None = None,
    minutes: float | None = None,
) -> Reproduction:
    """Measure all items of these papers, or only those with the id `only`.

    report   called with what is measured, and how much is done of how much
    show     called with the first results of each paper as soon as they are there
    minutes  of processor time after which nothing is played on; by default the scale "quick" has few, "paper" no limit
    """
    papers = list(papers)
    wanted = {paper: [item for item in paper.items if only in (None, item.id)] for paper in papers}
    if not any(wanted.values()):
        known = [item.id for paper in papers for item in paper.items]
        close = did_you_mean(str(only), known)
        raise InputError(
            f"{only!r} is not a table, figure or claim of these papers{close}: choose from {', '.join(known)}"
        )
    seconds = 60 * minutes if minutes is not None else QUICK_SECONDS if scale == "quick" else math.inf
    started, clock = datetime.now(UTC), _Clock(seconds, sum(map(len, wanted.values())), report)
    runs = {paper: Run(scale, seed) for paper in papers}
    outcomes: dict[tuple[Paper, Item], Outcome] = {}

    def measure(paper: Paper, item: Item) -> None:
        runs[paper].report = clock.begin(f"{paper.name} {item.id}")
        begin = time.perf_counter()
        result = item.run(runs[paper])
        before = outcomes.get((paper, item))
        taken = time.perf_counter() - begin + (before.seconds if before else 0)
        outcomes[paper, item] = Outcome(paper, item, result, taken)

    def found(some: Iterable[Paper]) -> Reproduction:
        chosen = [paper for paper in some if wanted[paper]]
        texts = {paper.name: paper.findings(runs[paper]) for paper in chosen if paper.findings and only is None}
        ordered = tuple(outcomes[paper, item] for paper in chosen for item in wanted[paper])
        return Reproduction(ordered, scale, seed, started, texts, minutes)

    for paper, items in wanted.items():
        for item in items:
            measure(paper, item)
            clock.done += 1
        if show and items:
            show(found([paper]))
    claims = [(runs[paper], item) for paper, items in wanted.items() for item in items if isinstance(item, Claim)]
    settle(claims, clock.has_time, lambda run, claim: _watch(run, clock.begin(f"deciding {claim.id}")))
    for paper, items in wanted.items():
        for item in items:
            measure(paper, item)
    return found(papers)


def _watch(run: Run, report: Callable[[int, int], None]) -> None:
    run.report = report


@dataclass
class _Clock:
    """How much of a run is done: by processor time if it is limited, else by the number of items."""

    seconds: float
    items: int
    report: Progress | None
    done: int = 0  # items
    started: float = field(default_factory=time.process_time)

    def has_time(self) -> bool:
        return self._spent() < self.seconds

    def begin(self, name: str) -> Callable[[int, int], None]:
        """Start something; returns how its own progress is reported."""

        def inside(done: int, total: int) -> None:
            if self.report is None:
                return
            if math.isfinite(self.seconds):
                self.report(name, min(int(self._spent()), int(self.seconds)), int(self.seconds))
            else:
                part = 1000 * done // max(total, 1)
                self.report(name, min(1000 * self.done + part, 1000 * self.items), 1000 * self.items)

        inside(0, 1)
        return inside

    def _spent(self) -> float:
        return time.process_time() - self.started
