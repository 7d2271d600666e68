"""A paper with one claim, measured at once, in place of the real ones."""

import pytest

from fifthstreet.estimate import Estimate
from fifthstreet.papers.paper import Claim, Paper, Run, exactly
from fifthstreet.web import show_process
from fifthstreet.web.forking import Line


def measure(run: Run) -> Estimate:
    return Estimate.exact(4)


PAPER = Paper("sums", "On sums", "Somebody", (Claim("four", "two and two", "4", exactly(4), measure),))


def put_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fifthstreet.papers.PAPERS", (PAPER,))
    monkeypatch.setattr("fifthstreet.web.papers.PAPERS", (PAPER,))
    monkeypatch.setattr("fifthstreet.web.watch.ENTRY", "small_paper:main")


def main(line: Line) -> None:
    """The process that measures it."""
    with pytest.MonkeyPatch.context() as patch:
        put_in_place(patch)
        show_process.main(line)
