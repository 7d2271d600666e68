"""The process that solves one spot for a visitor and then answers questions about it.

What is ordered was checked before; the limits are for the
computation, which nobody can check beforehand.
"""

import queue
import threading
import time
import traceback
from collections.abc import Callable
from typing import Protocol

from fifthstreet.errors import InputError
from fifthstreet.web.forking import Json, Line, limit_memory, limited

SPARE_S = 30.0  # seconds of computation beyond the limit, before the system ends the process


class Solution(Protocol):
    def summary(self) -> Json: ...

    def node(self, line: list[str]) -> Json:
        """What is to be seen after these actions and cards."""


Report = Callable[[int, float], bool]
"""Called with the iterations so far and the exploitability in per cent of the pot; False asks to stop."""

Solver = Callable[[Json, Report], Solution]


def serve(line: Line, prepare: Callable[[], None], solver: Solver) -> None:
    """Take orders until the server is gone."""
    orders: queue.SimpleQueue[Json] = queue.SimpleQueue()
    stopping = threading.Event()

    def read() -> None:
        while True:
            order = line.order()
            if order["do"] == "stop":
                stopping.set()
            else:
                orders.put(order)

    threading.Thread(target=read, daemon=True).start()
    solution: Solution | None = None
    while True:
        order = orders.get()
        try:
            if order["do"] == "solve":
                prepare()
                solution = _solve(solver, order, stopping, line.answer)
            elif solution is None:
                raise InputError("nothing is solved yet")
            else:
                line.answer(solution.node(order["line"]))
        except Exception as error:
            line.answer(_failure(error) | ({"state": "failed"} if order["do"] == "solve" else {}))


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
