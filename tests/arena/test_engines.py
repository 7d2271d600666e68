"""Whoever plays the units, the result is the same to the last chip."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pytest

from fifthstreet import Agent, InputError, match, session
from fifthstreet.arena import cuts, engines
from fifthstreet.arena.cuts import Cost, Cuts
from fifthstreet.arena.laboratory import Series, laboratory
from fifthstreet.arena.store import Unit

SLOW = """
from dataclasses import dataclass
import time
from fifthstreet import Agent, Decision

@dataclass
class Slow(Agent):
    pause: float = 0.0

    def decide(self, turn):
        time.sleep(self.pause)
        return Decision(turn.choices[turn.rng.below(len(turn.choices))])
"""


@pytest.fixture
def slow(tmp_path: Path) -> str:
    """An agent in plain Python, by path."""
    (tmp_path / "slow.py").write_text(SLOW)
    return f"{tmp_path / 'slow.py'}:Slow"


def test_threads_and_processes_play_the_same(slow: str) -> None:
    def play() -> tuple[Any, ...]:
        learner = session("holdem:seats=2", ["random", slow], 60, 2, runs=3)
        return match("leduc", [slow, "random"], 200, 3).by_deal, learner.by_hand

    found = []
    for engine, workers in (("threads", 1), ("threads", 3), ("processes", 2)):
        with laboratory("none", engine, workers):
            found.append(play())
    for other in found[1:]:
        assert all(np.array_equal(one, same) for one, same in zip(found[0], other, strict=True))


def test_what_cannot_travel_is_said_before_anything_is_played() -> None:
    class Local(Agent):
        def decide(self, turn: Any) -> Any:
            raise AssertionError("nobody should be asked")

    with laboratory("none", "processes", 2), pytest.raises(InputError, match="cannot be sent to processes"):
        match("kuhn", [Local(), "random"], 10)


def test_a_dead_worker_is_one_sentence() -> None:
    with (
        engines.engine("processes", 2) as engine,
        pytest.raises(InputError, match="a worker process died"),
    ):
        list(engine.streamed(os._exit, iter([1])))  # a function that every process can find


def test_few_units_are_under_way_however_many_there_are() -> None:
    taken, most = 0, 0
    done: list[int] = []

    def items() -> Iterator[int]:
        nonlocal taken, most
        for item in range(10_000):
            taken += 1
            most = max(most, taken - len(done))
            yield item

    engine = engines.on_threads(2)
    for item, result in engine.streamed(lambda item: item * item, items()):
        done.append(item)
        assert result == item * item
    assert sorted(done) == list(range(10_000))
    assert most <= 2 * engine.workers + engine.workers


def test_units_are_about_a_second() -> None:
    planned = Cuts([(0, 1_000_000)], 0, 2)
    sizes = []
    for _, count in planned:
        planned.learn(count, Cost(count / 5_000, 0))  # 5,000 rows a second
        sizes.append(count)
    assert sum(sizes) == 1_000_000
    assert max(sizes) == 5_000
    assert len(sizes) < 250
    assert sizes[-1] < 5_000  # the end is cut finer, so that nobody is left waiting for one


@pytest.mark.parametrize("busy", [1, 10])
@pytest.mark.parametrize("setup", [0.0, 0.3, 4.0])
def test_setting_up_takes_little_of_the_time_however_long_it_takes(
    setup: float, busy: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a fake clock, which runs `busy` times as fast from the tenth unit on, as it does on a busy machine."""
    now, sizes = 0.0, list[int]()
    monkeypatch.setattr(cuts, "clock", lambda: now)

    def wait(seconds: float) -> None:
        nonlocal now
        now += seconds * (busy if len(sizes) > 10 else 1)

    def play(first: int, count: int) -> Unit:
        with cuts.setting_up():
            wait(setup + (30 if not sizes else 0))  # the first learns, too
        sizes.append(count)
        wait(0.02 * count)
        return Unit(first, np.zeros((count, 2)))

    with laboratory("none", workers=1) as lab:
        units = list(lab.units(Series(None, play), 10_000))
    assert sum(len(unit.rows) for unit in units) == 10_000
    assert len(sizes) * setup < 0.25 * 0.02 * 10_000 + 20 * setup
    assert max(sizes) * 0.02 < max(1.0, 11 * setup) + 0.02
    assert sorted(sizes)[len(sizes) // 2] >= (5 if busy > 1 else 25)


def test_unknown_engines_and_clusters_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_PATIENCE", 0.5)  # nobody is there to be waited for
    with pytest.raises(InputError, match="there is no engine 'steam'"), laboratory("none", "steam"):
        pass
    for address in ("tcp://127.0.0.1:1", "nonsense://", ""):
        with pytest.raises(InputError, match="the cluster") as error, laboratory("none", cluster=address):
            pass
        assert "\n" not in str(error.value)


# A cluster for real: a scheduler and workers that are processes of their own.

WORKER = "from distributed.cli.dask_worker import main; main()"
OTHER_NUMBA = (
    "import importlib.metadata as m; known = m.version; "
    "m.version = lambda name: '0.1' if name == 'numba' else known(name); " + WORKER
)
NO_PACKAGE = (
    "import importlib.metadata as m; known = m.version\n"
    "def version(name):\n"
    "    if name == 'fifthstreet': raise m.PackageNotFoundError(name)\n"
    "    return known(name)\n"
    "m.version = version; " + WORKER
)


@contextmanager
def process(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    child = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


@contextmanager
def cluster(tmp_path: Path, *workers: str) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """A scheduler and workers on loopback; its address, and the workers."""
    note = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        scheduler = "from distributed.cli.dask_scheduler import main; main()"
        given = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(note))
        stack.enter_context(process("-c", scheduler, *given))
        while not note.exists() or not note.read_text().endswith("}"):
            time.sleep(0.05)
        address = json.loads(note.read_text())["address"]
        given = (address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        children = [stack.enter_context(process("-c", worker, *given)) for worker in workers]
        connect: Any = distributed.Client
        with connect(address, set_as_default=False) as client:
            if workers:
                client.wait_for_workers(len(workers), timeout=60)
        yield address, children


def test_a_cluster_plays_the_same_though_a_worker_is_killed(tmp_path: Path, slow: str) -> None:
    agents = [f"{slow}:pause=0.002", "random"]
    with laboratory("none", workers=1):
        alone = match("kuhn", agents, 400, 3)
    with cluster(tmp_path, WORKER, WORKER) as (address, workers):
        heard = []

        def kill(done: int, total: int) -> None:
            heard.append(done)
            if len(heard) == 3:
                threading.Thread(target=workers[0].kill).start()

        with laboratory("none", cluster=address):
            found = match("kuhn", agents, 400, 3, report=kill)
        assert workers[0].wait() == -signal.SIGKILL
        assert workers[1].poll() is None
    assert np.array_equal(found.by_deal, alone.by_deal)


@pytest.mark.parametrize(
    ("worker", "words"), [(OTHER_NUMBA, "has Numba 0.1, but here it is"), (NO_PACKAGE, "does not have fifthstreet")]
)
def test_a_stranger_in_the_cluster_is_refused(tmp_path: Path, worker: str, words: str) -> None:
    with (
        cluster(tmp_path, worker) as (address, _),
        pytest.raises(InputError, match=words) as error,
        laboratory("none", cluster=address),
    ):
        pass
    assert f"the cluster '{address}'" in str(error.value)


def test_a_cluster_without_workers_is_refused(tmp_path: Path) -> None:
    with (
        cluster(tmp_path) as (address, _),
        pytest.raises(InputError, match="has no workers: start some with `dask worker"),
        laboratory("none", cluster=address),
    ):
        pass
