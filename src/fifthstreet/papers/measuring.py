"""Measure papers in one process.

Every paper is measured once, as small as its experiments start. What is undecided then is played on until it is
decided, has reached its largest size, or the time is up: at the scale "quick" there is little of it.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from fifthstreet.papers.paper import Claim, Item, Paper, Result, Run, Scale
from fifthstreet.papers.settling import settle

Progress = Callable[[str, int, int], None]
"""Is called with what is measured, and how much is done of how much."""


class Measured(NamedTuple):
    """The results of some of a paper's items with the seconds that each took, by its place; and what was found."""

    items: dict[int, tuple[Result, float]]
    findings: str


@dataclass
class Measuring:
    """Papers that are being measured.

    seconds  of processor time, after which nothing is played on
    items    the number of items that are to be measured; with `seconds`, what progress is reported by
    """

    scale: Scale
    seed: int
    only: str | None
    seconds: float
    items: int
    report: Progress | None = None
    _runs: dict[Paper, Run] = field(default_factory=dict)
    _measured: dict[Paper, Measured] = field(default_factory=dict)
    _started: float = field(default_factory=time.process_time)
    _done: int = 0  # items

    def restart(self, report: Progress) -> None:
        """Begin in another process than the one that it was made in."""
        self.report, self._started = report, time.process_time()

    def measure(self, paper: Paper) -> Measured:
        """Measure a paper for the first time."""
        self._runs[paper] = Run(self.scale, self.seed)
        self._measured[paper] = Measured({}, "")
        for place, _ in chosen(paper, self.only):
            self._measure(paper, place)
            self._done += 1
        return self._found(paper)

    def settle(self) -> dict[Paper, Measured]:
        """Play on for what is undecided in all these papers, and measure everything again that depends on it."""
        claims = [
            (run, item)
            for paper, run in self._runs.items()
            for _, item in chosen(paper, self.only)
            if isinstance(item, Claim)
        ]
        go_on = self._has_time if math.isfinite(self.seconds) else None
        settle(claims, go_on, lambda run, claim: self._begin(run, f"deciding {claim.id}"))
        for paper in self._runs:
            for place, _ in chosen(paper, self.only):
                self._measure(paper, place)
        return {paper: self._found(paper) for paper in self._runs}

    def _measure(self, paper: Paper, place: int) -> None:
        item, run, known = paper.items[place], self._runs[paper], self._measured[paper].items
        self._begin(run, f"{paper.name} {item.id}")
        began = time.perf_counter()
        result = item.run(run)
        known[place] = result, time.perf_counter() - began + (known[place][1] if place in known else 0)

    def _found(self, paper: Paper) -> Measured:
        text = paper.findings(self._runs[paper]) if paper.findings and self.only is None else ""
        return Measured(dict(self._measured[paper].items), text)

    def _begin(self, run: Run, name: str) -> None:
        """Let the progress of what is measured next be reported: by processor time if it is limited, else by items."""

        def inside(done: int, total: int) -> None:
            if self.report is None:
                return
            if math.isfinite(self.seconds):
                self.report(name, min(int(self.spent()), int(self.seconds)), int(self.seconds))
            else:
                part = 1000 * done // max(total, 1)
                self.report(name, min(1000 * self._done + part, 1000 * self.items), 1000 * self.items)

        run.report = inside
        inside(0, 1)

    def _has_time(self) -> bool:
        return self.spent() < self.seconds

    def spent(self) -> float:
        """The processor time so far."""
        return time.process_time() - self._started


def chosen(paper: Paper, only: str | None) -> list[tuple[int, Item]]:
    """Return the items of a paper that are measured, with their places: all of them, or those with the id `only`."""
    return [(place, item) for place, item in enumerate(paper.items) if only in (None, item.id)]
