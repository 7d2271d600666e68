"""Reproduce papers: measure every item with progress, and return results that print, export and plot."""

import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from fifthstreet import __version__, cache
from fifthstreet.arena.shown import Shown
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
        return ", ".join(f"{count} {verdict.value}" for verdict, count in self.tally().items())

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

    def tally(self) -> dict[Verdict, int]:
        return {verdict: sum(r.verdict is verdict for _, _, r in self.claims) for verdict in Verdict}

    def method(self) -> dict[str, str]:
        """Return what a reader needs to judge or repeat the run: versions, machine, seed and time."""
        return {
            "scale": self.scale,
            "seed": str(self.seed),
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": f"{sum(outcome.seconds for outcome in self.outcomes):.1f}",
            "fifthstreet": f"{__version__}, code {cache.source_hash()}",
            "python": f"{platform.python_version()}, NumPy {version('numpy')}, Numba {version('numba')}",
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        }

    def to_dict(self) -> dict[str, object]:
        return {
            "method": self.method(),
            "verdicts": {verdict.value: count for verdict, count in self.tally().items()},
            "items": [outcome.to_dict() for outcome in self.outcomes],
        }


def reproduce(
    papers: Iterable[Paper],
    only: str | None = None,
    scale: Scale = "quick",
    seed: int = 0,
    report: Callable[[str, int, int], None] | None = None,
) -> Reproduction:
    """Measure all items of these papers, or only those with the id `only`.

    `report(item, done, total)` is called with the progress.
    """
    papers = list(papers)
    wanted = [(paper, item) for paper in papers for item in paper.items if only in (None, item.id)]
    if not wanted:
        known = [item.id for paper in papers for item in paper.items]
        close = did_you_mean(str(only), known)
        raise InputError(
            f"{only!r} is not a table, figure or claim of these papers{close}: choose from {', '.join(known)}"
        )
    started = datetime.now(UTC)
    outcomes = []
    runs: dict[str, Run] = {}
    for number, (paper, item) in enumerate(wanted):
        run = runs.setdefault(paper.name, Run(scale, seed))

        def inner(done: int, total: int, number: int = number, name: str = f"{paper.name} {item.id}") -> None:
            if report:
                report(name, 1000 * number + 1000 * done // max(total, 1), 1000 * len(wanted))

        run.report = inner
        inner(0, 1)
        begin = time.perf_counter()
        result = item.run(run)
        outcomes.append(Outcome(paper, item, result, time.perf_counter() - begin))
        inner(1, 1)
    return Reproduction(tuple(outcomes), scale, seed, started)
