"""Reproduce papers: measure every item with progress, and return results that print, export and plot."""

import math
import os
import platform
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from fifthstreet import __version__, cache
from fifthstreet.errors import InputError
from fifthstreet.estimate import Estimate
from fifthstreet.naming import did_you_mean
from fifthstreet.papers.measuring import Measured, Measuring, Progress, chosen
from fifthstreet.papers.paper import (
    Claim,
    ClaimResult,
    Figure,
    FigureResult,
    Item,
    Paper,
    Result,
    Scale,
    Verdict,
)
from fifthstreet.papers.processes import in_processes
from fifthstreet.shown import Shown

QUICK_SECONDS = 100.0  # of each process at the scale "quick", compilation included


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
    processor_seconds: float = 0.0  # that it took, without what was kept from earlier runs

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
        return {
            "command": f"fifthstreet reproduce {' '.join(paper.name for paper in self.papers)} --scale {self.scale} "
            f"--seed {self.seed}" + (f" --minutes {self.minutes:g}" if self.minutes is not None else ""),
            "scale": self.scale,
            "seed": str(self.seed),
            "started": self.started.isoformat(timespec="seconds"),
            "processor hours": f"{self.processor_seconds / 3600:.2f}, without what was kept from earlier runs",
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


Show = Callable[["Reproduction"], None]


def reproduce(
    papers: Iterable[Paper],
    only: str | None = None,
    scale: Scale = "quick",
    seed: int = 0,
    report: Progress | None = None,
    show: Show | None = None,
    minutes: float | None = None,
    processes: int = 1,
) -> Reproduction:
    """Measure all items of these papers, or only those with the id `only`.

    report     called with what is measured, and how much is done of how much
    show       called with the first results of each paper as soon as they are there
    minutes    of processor time after which nothing is played on; by default "quick" has few, "paper" no limit
    processes  how many measure at the same time, a paper each; in several, only papers of this package
    """
    papers = list(papers)
    wanted = [paper for paper in papers if chosen(paper, only)]
    if not wanted:
        known = [item.id for paper in papers for item in paper.items]
        close = did_you_mean(str(only), known)
        raise InputError(
            f"{only!r} is not a table, figure or claim of these papers{close}: choose from {', '.join(known)}"
        )
    seconds = 60 * minutes if minutes is not None else QUICK_SECONDS if scale == "quick" else math.inf
    started = datetime.now(UTC)

    def found(measured: Mapping[Paper, Measured], spent: float = 0.0) -> Reproduction:
        outcomes = tuple(
            Outcome(paper, paper.items[place], *result)
            for paper in papers
            if paper in measured
            for place, result in measured[paper].items.items()
        )
        texts = {paper.name: measured[paper].findings for paper in papers if paper in measured}
        return Reproduction(
            outcomes, scale, seed, started, {name: text for name, text in texts.items() if text}, minutes, spent
        )

    def first(paper: Paper, measured: Measured) -> None:
        if show:
            show(found({paper: measured}))

    measuring = Measuring(scale, seed, only, seconds, sum(len(chosen(paper, only)) for paper in wanted), report)
    if processes > 1 and len(wanted) > 1:
        return found(*in_processes(wanted, measuring, first, min(processes, len(wanted))))
    for paper in wanted:
        first(paper, measuring.measure(paper))
    return found(measuring.settle(), measuring.spent())
