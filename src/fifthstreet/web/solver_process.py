"""The process that solves one spot for a visitor and then answers questions about it, a line of JSON each.

It ends with the server: when nothing more can be read. What is ordered was checked before; the limits are for the
computation, which nobody can check beforehand.
"""

import contextlib
import json
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from fifthstreet.errors import InputError

Json = dict[str, Any]

MB = 1_048_576
SPARE_S = 30.0  # seconds of computation beyond the limit, before the system ends the process


class Solution(Protocol):
    def summary(self) -> Json: ...

    def node(self, line: list[str]) -> Json:
        """What is to be seen after these actions and cards."""


Report = Callable[[int, float], bool]
"""Called with the iterations so far and the exploitability in per cent of the pot; False asks to stop."""

Solver = Callable[[Json, Report], Solution]


def main(prepare: Callable[[], None], solver: Solver) -> None:
    """Take orders until the server is gone."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed does not get between the answers
    orders: queue.SimpleQueue[Json] = queue.SimpleQueue()
    stopping = threading.Event()

    def read() -> None:
        for line in sys.stdin.buffer:
            order = json.loads(line)
            if order["do"] == "stop":
                stopping.set()
            else:
                orders.put(order)
        os._exit(0)

    def answer(found: Json) -> None:
        answers.write(json.dumps(found, separators=(",", ":")) + "\n")
        answers.flush()

    threading.Thread(target=read, daemon=True).start()
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)  # the tables come first
    solution: Solution | None = None
    while True:
        order = orders.get()
        try:
            if order["do"] == "solve":
                prepare()
                solution = _solve(solver, order, stopping, answer)
            elif solution is None:
                raise InputError("nothing is solved yet")
            else:
                answer(solution.node(order["line"]))
        except Exception as error:
            answer(_failure(error) | ({"state": "failed"} if order["do"] == "solve" else {}))


def _solve(solver: Solver, order: Json, stopping: threading.Event, answer: Callable[[Json], None]) -> Solution:
    limit_memory(order["memory_mb"])
    began, told = time.monotonic(), 0.0
    news: Json = {"iterations": 0, "exploitability": None, "seconds": 0.0}
    answer({"state": "playing", **news})

    def report(iterations: int, exploitability: float) -> bool:
        nonlocal told
        now = time.monotonic()
        news.update(iterations=iterations, exploitability=exploitability, seconds=round(now - began, 2))
        if now - told > 0.2:
            answer({"state": "playing", **news})
            told = now
        return not stopping.is_set() and now - began < order["seconds"]

    with limited(order["seconds"] + SPARE_S):
        solution = solver(order["spot"], report)
    answer({"state": "done", **news, "seconds": round(time.monotonic() - began, 2), **solution.summary()})
    return solution


def limit_memory(most_mb: float) -> None:
    """Let the system refuse memory beyond this, added to what is used now."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # where it cannot, the estimate is all there is
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + int(most_mb * MB),) * 2)


@contextlib.contextmanager
def limited(cpu_s: float) -> Iterator[None]:
    """Let the system end the process if it computes for longer than this; the server's own clock is the other limit."""
    try:
        import resource
    except ImportError:  # not on Windows
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + cpu_s) + 1, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)


def _failure(error: Exception) -> Json:
    if isinstance(error, InputError):
        return {"code": "invalid", "error": " ".join(str(error).split())[:500]}
    if isinstance(error, MemoryError):
        return {"code": "too_large", "error": "this spot needs more memory than is allowed here"}
    return {
        "code": "failed",
        "error": "something went wrong here, and nothing was changed",
        "log": traceback.format_exc(),
    }


if __name__ == "__main__":
    from fifthstreet.web.spot_solution import prepare, solved

    main(prepare, solved)
