"""The laboratory: which engine plays, and which store keeps the results, for everything played inside the `with`.

>>> from fifthstreet import match
>>> with laboratory(store="none", engine="threads", workers=2):
...     print(match("kuhn", ["equilibrium", "random"], deals=2000, seed=1).standings[0].wins)
863
"""

import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from fifthstreet import cache
from fifthstreet.arena import engines
from fifthstreet.arena.engines import Engine
from fifthstreet.arena.identity import Identity
from fifthstreet.arena.store import Store, Unit, gaps, usual_place
from fifthstreet.errors import InputError, sentence

_SECONDS = 1.0  # that a unit should take
_GROWTH = 8  # a unit is at most this many times longer than the last, whose time may have included compilation


@dataclass(frozen=True)
class Series:
    """Results that consist of one row of numbers per deal or run; rows can be played in any order, by any worker."""

    about: Mapping[str, object] | None  # everything the rows depend on; None if unknown, and then nothing is kept
    play: Callable[[int, int], Unit]  # play(first, count) plays `count` rows from row `first` on
    step: int = 0  # rows that depend on each other: a unit is exactly this many; 0 if units can have any length
    agents: Sequence[Identity] = ()
    free: bool = True  # whether it runs without the GIL, so that several threads are faster than one
    here: bool = False  # whether threads of this process play it, whatever the engine
    begin: Callable[[], None] = lambda: None  # called before anything is played, but not if everything was kept


@dataclass(frozen=True)
class Laboratory:
    """An engine and a store. Without an engine, threads play; without a store, nothing is kept."""

    engine: Engine | None = None
    store: Store | None = None
    run: int | None = None  # the number of the run in the store that is being played

    def units(self, series: Series, count: int, workers: int | None = None) -> Iterator[Unit]:
        """The first `count` rows of a series, in units: first those in the store, then the others as they are played.

        `workers` is the number of threads, if threads play; None takes as many as the engine has.
        """
        engine = self._engine_for(series, workers)
        store = self.store if series.about is not None else None
        number = store.series(series.about, series.agents) if store and series.about is not None else 0
        if store and self.run is not None:
            store.ask(self.run, number, count)
        done: list[tuple[int, int]] = []
        for unit in store.units(number, count) if store else ():
            if series.step and unit.end < min(unit.first + series.step, count):
                continue  # the short last unit of an earlier run, which is played again in full length
            done.append((unit.first, unit.end))
            yield unit if unit.end <= count else unit._replace(rows=unit.rows[: count - unit.first])
        cuts = _Cuts(gaps(done, 0, count), series.step, engine.workers)
        work = _Work(series.play)
        if engine.travels:
            _refuse_unless_it_travels(work, engine)
        if cuts.left:
            series.begin()
        for _, unit in engine.streamed(work, iter(cuts)):
            cuts.learn(unit)
            if store:
                store.commit(number, unit, whole=series.step > 0)
            yield unit

    def _engine_for(self, series: Series, workers: int | None) -> Engine:
        if self.engine and self.engine.travels and not series.here:
            return self.engine
        if workers is None and not series.free:
            workers = 1
        elif workers is None and self.engine:
            workers = self.engine.workers
        return engines.on_threads(workers)


_DEFAULT = Laboratory()
_current: ContextVar[Laboratory | None] = ContextVar("laboratory", default=None)


def current() -> Laboratory:
    """The laboratory of the innermost `with`; outside of any, one that plays on threads and keeps nothing."""
    return _current.get() or _DEFAULT


@contextmanager
def laboratory(
    store: str | Path | None = None,
    engine: str = "threads",
    workers: int | None = None,
    cluster: str | None = None,
    command: str = "python",
    given: Mapping[str, object] | None = None,
    joining: int | None = None,
) -> Iterator[Laboratory]:
    """Play everything inside the `with` on one engine, and keep the results in one store.

    store    the file; None is the user's own store, and "none" keeps nothing
    engine   "threads" or "processes"
    workers  how many of them; None is one per core
    cluster  the address of a Dask cluster, which then plays in place of the engine
    command  the name of the command that is run, for the store's list of runs
    given    the parameters of that command; None leaves it out of the list
    joining  the number of a run in the store, begun by another process, that this one plays a part of
    """
    with ExitStack() as stack:
        playing = stack.enter_context(engines.engine(engine, workers, cluster))
        kept = stack.enter_context(Store(Path(store or usual_place()))) if store != "none" else None
        code = cache.source_hash(kernels_only=True)
        run = kept.begin(command, given, code) if kept and given is not None else joining
        found = Laboratory(playing, kept, run)
        token = _current.set(found)
        try:
            yield found
        finally:
            _current.reset(token)


@dataclass
class _Cuts:
    """Which rows to play next: as many as take about a second, judged by the last units; fewer near the end."""

    left: list[tuple[int, int]]  # stretches of rows still to play: first, end
    step: int
    workers: int
    _size: int = 4

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The first row of each unit and the number of its rows."""
        while self.left:
            first, end = self.left.pop(0)
            if self.step:
                count = min(self.step - first % self.step, end - first)
            else:
                rows = end - first + sum(stop - start for start, stop in self.left)
                fair = max(rows // (2 * self.workers), self._size // 8, 1)
                count = min(self._size, fair, end - first)
            if first + count < end:
                self.left.insert(0, (first + count, end))
            yield first, count

    def learn(self, unit: Unit) -> None:
        """Adjust the size of the next units to how long this one took."""
        rate = len(unit.rows) / max(unit.seconds, 1e-9)
        if len(unit.rows) * _GROWTH >= self._size:  # a much shorter one, from the end of a stretch, says little
            self._size = max(1, int(min(rate * _SECONDS, _GROWTH * len(unit.rows))))


@dataclass(frozen=True)
class _Work:
    """What a worker is sent: plays a stretch of rows and notes the seconds it took."""

    play: Callable[[int, int], Unit]

    def __call__(self, cut: tuple[int, int]) -> Unit:
        begin = time.perf_counter()
        unit = self.play(*cut)
        return unit._replace(seconds=time.perf_counter() - begin)


def _refuse_unless_it_travels(work: _Work, engine: Engine) -> None:
    try:
        pickle.dumps(work)
    except Exception as error:
        raise InputError(f"this cannot be sent to {engine.name}: {sentence(error)}") from None
