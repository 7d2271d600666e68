"""How much work goes into a unit: about a second of it, and always much more than it takes to set the unit up."""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

SECONDS = 1.0  # that a unit should take
OVERHEAD = 0.1  # the most of a unit's time that setting it up may take
_GROWTH = 8  # a unit is at most this many times longer than the last, whose time may have included compilation

_here = threading.local()
clock = time.perf_counter  # what is waited for; how work is cut changes no result


@dataclass(frozen=True)
class Cost:
    """The seconds that a unit took: in all, and of these for what a unit of any length needs once."""

    seconds: float
    setup: float


@contextmanager
def setting_up() -> Iterator[None]:
    """Count the time inside the `with` as setting up the unit that this thread plays."""
    begin = clock()
    try:
        yield
    finally:
        _here.setup = getattr(_here, "setup", 0.0) + clock() - begin


class Stopwatch:
    """Measures the cost of a unit that this thread plays."""

    def __init__(self) -> None:
        _here.setup, self._begin = 0.0, clock()

    @property
    def cost(self) -> Cost:
        return Cost(clock() - self._begin, _here.setup)


@dataclass
class Cuts:
    """Which rows to play next: as many as take about a second, judged by the last units; fewer near the end.

    Where setting up takes long, units are longer. None of any length is cut so short that most of it is setting up.
    """

    left: list[tuple[int, int]]  # stretches of rows still to play: first, end
    step: int  # rows that a unit must have; 0 if it can have any number
    workers: int
    size: int = 4
    _fewest: int = 1
    _setups: deque[float] = field(default_factory=lambda: deque(maxlen=5))  # of the last units

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The first row of each unit and the number of its rows."""
        while self.left:
            first, end = self.left.pop(0)
            if self.step:
                count = min(self.step - first % self.step, end - first)
            else:
                rows = end - first + sum(stop - start for start, stop in self.left)
                fair = max(rows // (2 * self.workers), self.size // 8, self._fewest)
                count = min(self.size, fair, end - first)
            if first + count < end:
                self.left.insert(0, (first + count, end))
            yield first, count

    def learn(self, rows: int, cost: Cost) -> None:
        """Adjust the size of the next units to what one with so many rows cost."""
        if rows * _GROWTH < self.size:  # a much shorter one, from the end of a stretch, says little
            return
        self._setups.append(cost.setup)
        setup = min(self._setups)  # one may have included learning, or waited for something else
        a_row = max(cost.seconds - cost.setup, 1e-9) / rows
        wanted = max(SECONDS - setup, setup / OVERHEAD)
        self.size = max(1, int(min(wanted / a_row, _GROWTH * rows)))
        self._fewest = max(1, int(min(setup / a_row, self.size)))
