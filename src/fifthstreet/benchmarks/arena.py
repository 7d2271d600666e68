"""The arena: a tournament on every engine, the cost of storing it, and the size of the store."""

import importlib
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

from fifthstreet.arena.laboratory import Laboratory, laboratory
from fifthstreet.arena.match import match
from fifthstreet.arena.tournament import tournament
from fifthstreet.benchmarks import HERE, Measurement, seconds

NAME = "arena"
Lab = Callable[[], AbstractContextManager[Laboratory]]
AGENTS = ("hand-strength", "power-ranking", "call-station", "honest")
DEALS = 150_000  # per pair: some seconds on one core


def measure() -> Iterator[list[Measurement]]:
    one = _time(partial(laboratory, "none", workers=1))
    yield [_row("threads, one worker", one)]
    yield [_row("threads, two workers", _time(partial(laboratory, "none", workers=2)), one)]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "runs.sqlite"
        yield [_row("threads, two workers, with a store", _time(partial(laboratory, place, workers=2)), one)]
        again = seconds(lambda: _play(partial(laboratory, place, workers=2)))
        yield [Measurement(NAME, "the same again from the store", HERE, again, "s")]
    yield [_row("processes, two workers", _time(partial(laboratory, "none", "processes", 2)), one)]
    yield from _by_cluster(one)
    yield [Measurement(NAME, "store of a million heads-up deals", HERE, _size(1_000_000), "MB")]


def _play(lab: Lab) -> None:
    with lab():
        tournament("holdem", AGENTS, DEALS)


def _time(lab: Lab) -> float:
    """Return the seconds for the tournament, once all workers have started and loaded the code."""
    with lab():
        match("holdem", AGENTS[:2], 2_000)
        begin = time.perf_counter()
        tournament("holdem", AGENTS, DEALS)
        return time.perf_counter() - begin


def _row(how: str, taken: float, one: float | None = None) -> Measurement:
    pairs = len(AGENTS) * (len(AGENTS) - 1) // 2
    ratio = f"{one / taken:.2f} × one worker" if one else ""
    return Measurement(NAME, f"tournament deals: {how}", HERE, pairs * DEALS / taken, "deals/s", ratio)


def _by_cluster(one: float) -> Iterator[list[Measurement]]:
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        return
    quiet = {"dashboard_address": None, "n_workers": 2, "threads_per_worker": 1}
    with distributed.LocalCluster(**quiet) as cluster:
        lab = partial(laboratory, "none", cluster=cluster.scheduler_address)
        yield [_row("a cluster of two workers", _time(lab), one)]


def _size(deals: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        with laboratory(Path(folder) / "runs.sqlite"):
            match("holdem", AGENTS[:2], deals)
        return sum(path.stat().st_size for path in Path(folder).iterdir()) / 1e6
