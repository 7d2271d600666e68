"""Long computations in steps: they say how far they are, and go on where they were interrupted."""

import contextlib
import re
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache

State = Mapping[str, NDArray[Any]]
Report = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done, and how many there are."""

PATIENCE = 10.0  # seconds between two lines of progress, and between two times that the state is kept

following: ContextVar[Report | None] = ContextVar("following", default=None)
"""Who shows the progress; if nobody does, it is announced."""


def in_steps(what: str, count: int, start: Callable[[], State], advance: Callable[[int, State], State]) -> State:
    """The state after `count` steps, each of which makes a state of the one before.

    Inside `cache.arrays` the state is kept from time to time and when the computation is interrupted, and the next
    process goes on from there; `advance` must depend on nothing but its arguments.
    """
    file = _file(what)
    done, state = _kept(file, count)
    if state is None:
        state = start()
    telling = _Telling(what, count, done)
    kept, begin = done, time.monotonic()
    try:
        for step in range(done, count):
            state = advance(step, state)
            done = step + 1
            telling(done)
            if time.monotonic() - begin > PATIENCE:
                _keep(file, done, count, state)
                kept, begin = done, time.monotonic()
    except KeyboardInterrupt:
        if done > kept:
            _keep(file, done, count, state)
            kept = done
        goes_on = file is not None and file.exists()
        after = f"{100 * kept // count} % is kept, and the same command goes on from there" if goes_on else "not kept"
        raise KeyboardInterrupt(f"{what}: {after}") from None
    return state


class _Telling:
    """Tells how far a computation is, but not in its first second."""

    def __init__(self, what: str, count: int, done: int) -> None:
        self.what, self.count, self.before = what, count, done
        self.begin = time.monotonic()
        self.told = self.begin + 1 - PATIENCE

    def __call__(self, done: int) -> None:
        report, now = following.get(), time.monotonic()
        if report is not None:
            report(self.what, done, self.count)
        elif now - self.told > PATIENCE and done < self.count:
            self.told = now
            left = round((now - self.begin) / (done - self.before) * (self.count - done))
            minutes = f"{left // 60}:{left % 60:02}"
            cache.announce(f"{self.what}, once: {100 * done // self.count} %, about {minutes} left", self.what)


def _file(what: str) -> Path | None:
    """Where the state of this part of a computation is kept; None if nobody keeps the result either."""
    stem = cache.making.get()
    return stem and stem.with_name(f"{stem.name}.{re.sub(r'[^a-z]+', '-', what.lower())}.part")


def _kept(file: Path | None, count: int) -> tuple[int, State | None]:
    """How many steps were done when an earlier computation was interrupted, and its state then."""
    if file is None or not file.exists():
        return 0, None
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
            found = {name: stored[name] for name in stored.files}
        done, of = found.pop("steps").tolist()
    except Exception:  # a damaged file, in one of NumPy's many ways
        return 0, None
    return (done, found) if of == count else (0, None)


def _keep(file: Path | None, done: int, count: int, state: State) -> None:
    if file is not None:
        with contextlib.suppress(OSError), cache.replacing(file) as written:
            np.savez(written, **state, steps=np.array([done, count]))  # type: ignore[arg-type]
