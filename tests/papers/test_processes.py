"""Papers measured in several processes give what one process gives."""

import multiprocessing
import pickle
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from fifthstreet.arena.laboratory import laboratory
from fifthstreet.errors import InputError
from fifthstreet.papers import paper_named
from fifthstreet.papers.drawing import Picture, drawn
from fifthstreet.papers.measuring import Measured, Measuring
from fifthstreet.papers.paper import Axes, FigureResult, Paper, TableResult
from fifthstreet.papers.processes import in_processes, packed
from fifthstreet.papers.reproduce import reproduce

PAPERS = [paper_named(name) for name in ("holdem-simulator", "adaptive-draw")]
ONLY = "printed-sums"  # tables of both papers, made in no time


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    shown: list[str] = []
    with laboratory(tmp_path / "runs.sqlite"):
        together = reproduce(
            PAPERS, ONLY, show=lambda first: shown.extend(paper.name for paper in first.papers), processes=2
        )
    alone = reproduce(PAPERS, ONLY)
    assert sorted(shown) == sorted(paper.name for paper in PAPERS)
    assert [(each.paper, each.item, each.result) for each in together.outcomes] == [
        (each.paper, each.item, each.result) for each in alone.outcomes
    ]


def test_a_process_that_dies_is_reported() -> None:
    def kill(paper: Paper, measured: Measured) -> None:
        for process in multiprocessing.active_children():
            process.kill()

    with pytest.raises(InputError, match="died"):
        in_processes(PAPERS, Measuring("quick", 0, ONLY, 0.0, 2), kill, 2)
    assert not multiprocessing.active_children()


def test_a_figure_travels_as_its_drawing() -> None:
    def draw(axes: Axes) -> None:
        axes.plot([1, 2])

    figure = FigureResult(draw, "a line", TableResult(("x",), (("1",), ("2",))))
    there = pickle.loads(pickle.dumps(packed(Measured({0: (figure, 0.1)}, ""))))
    ((result, _),) = there.items.values()
    assert isinstance(result, FigureResult)
    assert isinstance(result.draw, Picture)
    assert drawn(result) is not None
    assert drawn(result) == drawn(figure)
    with pytest.raises(TypeError, match="another process"):
        result.draw(MagicMock())
