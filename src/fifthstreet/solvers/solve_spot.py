"""Solve a spot: iterate until it is good enough, interrupted, or found in the cache."""

import contextlib
import hashlib
import json
import math
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fifthstreet import cache
from fifthstreet.errors import InputError, quoted, whole
from fifthstreet.evaluation.ranges import Range
from fifthstreet.parallel import threads
from fifthstreet.solvers.betting_tree import Sizes
from fifthstreet.solvers.betting_tree import sizes_from as sizes_from
from fifthstreet.solvers.lanes import Lanes

if TYPE_CHECKING:
    pass

from fifthstreet.solvers.spot import Spot
from fifthstreet.solvers.spot_solution import SpotSolution
from fifthstreet.solvers.spot_solver import MOST_MB, Locks, Look, Report, Solver, usable_lanes

UNTIL = 0.5  # per cent of the pot
MOST_ITERATIONS = 1_000_000
_FIRST_LOOK = 8  # iterations before the first look at the exploitability, which takes as long as another
_STRETCH = 10  # iterations before it is seen whether somebody wants to stop
_CACHED_MB = 64  # larger solutions are not kept unless they are saved
_WORTH_THREADS = 500  # boards


def solve_spot(
    board: Any,
    oop: str | Range | None = None,
    ip: str | Range | None = None,
    pot: int | None = None,
    stack: int | None = None,
    sizes: str | Sizes = "50% 100% all-in",
    *,
    raise_cap: int | None = None,
    until: float = UNTIL,
    iterations: int | None = None,
    locks: Locks | None = None,
    workers: int | None = 1,
    most_mb: int = MOST_MB,
    cached: bool = False,
    lanes: Lanes | None = None,
    report: Report | None = None,
) -> "SpotSolution":
    """Optimal play for a board, two ranges, a pot and stacks; see `Spot.of`. `board` may also be a whole Spot.

    until       stop at this exploitability: the mean of what both sides could gain, in per cent of the pot
    iterations  stop after this many, if that is sooner
    locks       play that is fixed: the solution is the other side's best answer, and the same side's best elsewhere
    workers     threads; more than one helps on flops
    most_mb     refuse what needs more memory
    cached      look in the user's cache first, and keep the solution there
    lanes       how many numbers are worked on at once: EIGHT, ONE, or what fits the processor
    report      called with a Look every few iterations

    Interrupted with Ctrl-C, it returns what was found so far.
    """
    if isinstance(board, Spot):
        spot = board
    elif oop is None or ip is None or pot is None or stack is None:
        raise InputError("a spot needs a board, both ranges, a pot and a stack")
    else:
        spot = Spot.of(board, oop, ip, pot, stack, sizes, raise_cap)
    if isinstance(until, bool) or not (isinstance(until, int | float) and 0 < until < math.inf):
        raise InputError(f"until={quoted(until)}: an exploitability is a percentage of the pot, above 0")
    if iterations is not None:
        iterations = whole(iterations, "iterations", least=1, most=MOST_ITERATIONS)
    solving = _Solving(spot, until, iterations or MOST_ITERATIONS, locks, workers, most_mb, lanes, report)
    if not cached or any(callable(lock) for lock in (locks or {}).values()):
        solving.go()
        return solving.solution()
    about = json.dumps([spot.to_dict(), until, iterations, locks], sort_keys=True)
    name = f"spot-{hashlib.blake2b(about.encode(), digest_size=8).hexdigest()}"

    def compute() -> dict[str, Any]:
        solving.go()
        solver = solving.solver
        assert solver is not None
        if solving.stopped or solver.game.average.nbytes > _CACHED_MB * 1e6:
            raise _NotKept
        return solving.kept()

    try:
        found = cache.arrays(__file__, name, compute)
    except _NotKept:
        return solving.solution()
    return solving.solution() if solving.solver else SpotSolution._from_arrays(found, spot, locks)


class _NotKept(Exception):
    """What was found is not for the cache."""


@dataclass
class _Solving:
    """A solution under way."""

    spot: Spot
    until: float
    most: int
    locks: Locks | None
    workers: int | None
    most_mb: int
    lanes: Lanes | None
    report: Report | None
    solver: Solver | None = None
    looks: list[Look] = field(default_factory=list)
    stopped: bool = False

    def go(self) -> None:
        usable_lanes()
        begin = time.process_time()
        solver = self.solver = Solver(self.spot, self.locks, self.lanes, self.most_mb)
        solver.cpu_s = time.process_time() - begin
        many = threads(self.workers) if len(solver.boards.list) >= _WORTH_THREADS else 1
        with _interruptible() as stop:
            look, percent = _FIRST_LOOK, math.inf
            while percent > self.until and solver.iterations < self.most and not stop.is_set():
                look = min(look, self.most)
                while solver.iterations < look - _STRETCH and not stop.is_set():
                    solver.iterate(_STRETCH, many, look=False)
                percent = solver.iterate(0 if stop.is_set() else look - solver.iterations, many)
                self.looks.append(Look(solver.iterations, solver.cpu_s, percent))
                if self.report:
                    self.report(self.looks[-1])
                look = _next_look(self.looks, self.until)
            self.stopped = stop.is_set()

    def kept(self) -> dict[str, Any]:
        assert self.solver is not None
        looks = np.array([(look.iterations, look.cpu_s, look.exploitability) for look in self.looks]).reshape(-1, 3)
        return {"average": self.solver.game.average, "looks": looks}

    def solution(self) -> "SpotSolution":
        assert self.solver is not None
        return SpotSolution._of(self.solver, tuple(self.looks))


def _next_look(looks: list[Look], until: float) -> int:
    """The iteration at which the exploitability is wanted next: where it reaches its aim if it goes on falling so."""
    now, power = looks[-1], 1.5
    if len(looks) > 1 and 0 < now.exploitability < looks[-2].exploitability:
        fallen = math.log(looks[-2].exploitability / now.exploitability)
        power = min(max(fallen / math.log(now.iterations / looks[-2].iterations), 1.0), 3.0)
    more = now.iterations * ((max(now.exploitability, until) / until) ** (1 / power) - 1)
    least, most = max(2, now.iterations // 16), max(10, now.iterations // 2)
    return now.iterations + min(max(math.ceil(min(more, most)), least), most)


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that an iteration is finished first; a second Ctrl-C stops at once."""
    stop = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is signal.SIG_IGN:
        yield stop
        return

    def handle(number: int, frame: Any) -> None:
        if stop.is_set() and callable(before):
            before(number, frame)
        stop.set()

    signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
