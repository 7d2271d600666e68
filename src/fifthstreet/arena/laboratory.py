"""The laboratory: which engine plays and which store keeps, for all that is played within it.

>>> from fifthstreet import match
>>> with laboratory(store="none", engine="threads", workers=2):
...     print(match("kuhn", ["equilibrium", "random"], deals=2000, seed=1).standings[0].wins)
863
"""

import dataclasses
import hashlib
import inspect
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from modulefinder import ModuleFinder
from pathlib import Path
from typing import Any

from fifthstreet import cache
from fifthstreet.arena import engines
from fifthstreet.arena.engines import Engine
from fifthstreet.arena.store import Store, Unit, gaps, usual_place
from fifthstreet.errors import InputError, sentence

_A_SECOND = 1.0  # what a unit should take
_GROWTH = 8  # units grow at most so much at a time, because the first may have compiled something


@dataclass(frozen=True)
class Series:
    """A row of numbers for each deal or run, which can be played in any order and anywhere."""

    about: Mapping[str, Any] | None  # all that the rows depend on; None if nobody can say, and then nothing is kept
    play: Callable[[int, int], Unit]  # so many rows from the first on
    step: int = 0  # rows that hang together, so that a unit is exactly these; 0 if units can be cut anywhere
    agents: Sequence[Mapping[str, Any]] = ()
    free: bool = True  # whether it runs without the GIL, so that threads are of use
    here: bool = False  # whether threads of this process play it, whatever the engine
    begin: Callable[[], None] = lambda: None  # done by the caller before anything is played, unless all was kept


@dataclass(frozen=True)
class Laboratory:
    """An engine and a store; without an engine threads play, without a store nothing is kept."""

    engine: Engine | None = None
    store: Store | None = None
    run: int | None = None

    def units(self, series: Series, count: int, workers: int | None = None) -> Iterator[Unit]:
        """The first `count` rows of a series, in units: those that were kept, then the others as they are played."""
        engine = self._engine_for(series, workers)
        store = self.store if series.about is not None else None
        number = store.series(series.about, series.agents) if store and series.about is not None else 0
        if store and self.run is not None:
            store.ask(self.run, number, count)
        done: list[tuple[int, int]] = []
        for unit in store.units(number, count) if store else ():
            if series.step and unit.end < min(unit.first + series.step, count):
                continue  # it was the last of a shorter run, and is played again in its full length
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


_USUAL = Laboratory()
_current: ContextVar[Laboratory | None] = ContextVar("laboratory", default=None)


def current() -> Laboratory:
    """The laboratory in which this is called."""
    return _current.get() or _USUAL


@contextmanager
def laboratory(
    store: str | Path | None = None,
    engine: str = "threads",
    workers: int | None = None,
    cluster: str | None = None,
    command: str = "python",
    given: Mapping[str, Any] | None = None,
) -> Iterator[Laboratory]:
    """All that is played within is played by this engine and kept in this store: the user's own, unless named.

    The store "none" keeps nothing. With `given`, the parameters of a command, the store also lists it as a run.
    """
    with ExitStack() as stack:
        playing = stack.enter_context(engines.engine(engine, workers, cluster))
        kept = stack.enter_context(Store(Path(store or usual_place()))) if store != "none" else None
        code = cache.source_hash(kernels_only=True)
        run = kept.begin(command, given, code) if kept and given is not None else None
        found = Laboratory(playing, kept, run)
        token = _current.set(found)
        try:
            yield found
        finally:
            _current.reset(token)


@dataclass
class _Cuts:
    """Which rows to play next: about a second's worth, from what the last units took; less when the end is near."""

    left: list[tuple[int, int]]
    step: int
    workers: int
    _size: int = 4

    def __iter__(self) -> Iterator[tuple[int, int]]:
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
        rate = len(unit.rows) / max(unit.seconds, 1e-9)
        if len(unit.rows) * _GROWTH >= self._size:  # a cut-off rest says little
            self._size = max(1, int(min(rate * _A_SECOND, _GROWTH * len(unit.rows))))


@dataclass(frozen=True)
class _Work:
    """What a worker does with a cut."""

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


def identity(thing: Any, fresh: bool = False) -> dict[str, Any] | None:
    """All that says how a game or an agent behaves: its class, its parameters, its code, the files that it names.

    None for what cannot be told apart so, because it holds more than plain values. What is fresh from its name is as
    its parameters made it; anything else may have learned since.
    """
    kind: type = type(thing)
    values = _contents(thing, fresh)
    if not all(map(_plain, values.values())):
        return None
    found: dict[str, Any] = {"name": str(thing.name), "class": f"{kind.__module__.split('.')[-1]}.{kind.__qualname__}"}
    found["parameters"] = {name: repr(value) for name, value in values.items()}
    files = {name: _digest(Path(value)) for name, value in values.items() if _names_a_file(value)}
    if files:
        found["files"] = files
    if not kind.__module__.startswith("fifthstreet."):
        source = inspect.getsourcefile(kind)
        if source is None or "<locals>" in kind.__qualname__:
            return None
        found["code"] = _digest(*_with_neighbours(Path(source)))
    return found


def _with_neighbours(source: Path) -> list[Path]:
    """A file of an agent's author, and those beside it that it imports, they import, and so on."""
    finder = ModuleFinder(path=[str(source.parent)])
    finder.run_script(str(source))
    files = [getattr(module, "__file__", None) for module in finder.modules.values()]
    return sorted(Path(file) for file in files if file)


def _contents(thing: Any, parameters_only: bool = False) -> dict[str, Any]:
    if dataclasses.is_dataclass(thing) and parameters_only:
        return {entry.name: getattr(thing, entry.name) for entry in dataclasses.fields(thing) if entry.init}
    slots = {name: getattr(thing, name) for name in getattr(thing, "__slots__", ())}
    return slots | getattr(thing, "__dict__", {})


def _plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_plain, value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return all(map(_plain, _contents(value).values()))
    return value is None or isinstance(value, str | int | float | Path)


def _names_a_file(value: Any) -> bool:
    return isinstance(value, str | Path) and len(str(value)) > 0 and Path(value).is_file()


def _digest(*paths: Path) -> str:
    return hashlib.blake2b(b"\0".join(path.read_bytes() for path in paths), digest_size=8).hexdigest()


def described(kind: str, game: Any, agents: Sequence[Any], **more: Any) -> Mapping[str, Any] | None:
    """What a series of this kind depends on, from identities; None if one of them is not known."""
    if game is None or None in agents:
        return None
    return {"kind": kind, "game": game, "agents": agents, "code": cache.source_hash(kernels_only=True), **more}
