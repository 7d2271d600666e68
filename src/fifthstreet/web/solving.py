"""Solves that visitors ask for: each in a process of its own, limited in time and memory, and few at a time.

The process (`solver_process.py`) solves one spot, then stays to answer questions about the solution, until nobody has
asked for a while or its place is needed. It is killed when it is late, when its visitor cancels, and when nobody waits
for it any more.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import NamedTuple

from fifthstreet.web import spots
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.processes import Ended, Process
from fifthstreet.web.refusals import Busy, Late, NotFound, Refused, log
from fifthstreet.web.watch import Show

ENTRY = "fifthstreet.web.spot_solution:main"
SMALLEST = {"board": "2c3d4h5s7c", "oop": "AA", "ip": "KK", "pot": 1, "stack": 1, "sizes": ""}
PROGRAM_MB = 3000.0  # for the process until it begins: it may have to compile


class Limits(NamedTuple):
    """What visitors may use."""

    at_once: int = 2  # solves that run
    seconds: float = 60.0  # after which a solve stops with the best that it has found
    patience: float = 15.0  # seconds more, after which it is killed
    preparation: float = 300.0  # seconds until it begins: the first time ever, its code is compiled
    memory_mb: float = 500.0  # beyond what the program itself needs
    kept: int = 4  # solutions that can be asked about
    idle: float = 600.0  # seconds without a question after which a solution is given up
    alone: float = 5.0  # seconds after which a solve is killed that nobody follows
    answer: float = 10.0  # seconds for the answer to a question


@dataclass
class Solve(Show):
    """A spot that is being solved, or was."""

    spot: Json = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    used: float = field(default_factory=time.monotonic)  # when it was last asked about
    followers: int = 0
    process: Process | None = None
    task: "asyncio.Task[None] | None" = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # one question at a time

    async def reports(self) -> AsyncIterator[Json]:
        self.followers += 1
        try:
            async for news in super().reports():
                yield news
        finally:
            self.followers -= 1

    async def answer(self) -> Json:
        """The next answer of the process; Ended when it is gone."""
        assert self.process is not None
        found = await self.process.answer()
        if "log" in found:
            log.error("a solver failed:\n%s", found.pop("log"))
        return found

    def order(self, **order: object) -> None:
        assert self.process is not None
        self.process.order(**order)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()


class Solves:
    """All solves of a server."""

    def __init__(self, limits: Limits | None = None, entry: str = ENTRY) -> None:
        self.limits, self.entry = limits or Limits(), entry
        self._solves: dict[str, Solve] = {}

    async def warm(self) -> None:
        """Let a process compile the solver, so that its code is found by those that follow."""
        solve = Solve("", {}, spot=spots.asked(SMALLEST))
        solve.tell({"state": "waiting"})
        try:
            await self._solve(solve)
        finally:
            solve.kill()

    def begin(self, spot: Json, address: str) -> Solve:
        """Solve the spot, or find it solved; Busy if this visitor, or everybody together, solves too much already."""
        id = spots.key(spot)
        known = self._solves.get(id)
        if known is not None and known.news["state"] in ("waiting", "playing", "done"):
            return known
        running = [solve for solve in self._solves.values() if not solve.over]
        own = [solve for solve in running if solve.address == address]
        if own:
            wait = self._longest(own[0])
            raise Busy(f"you are solving a spot already: cancel it, or wait for it, {wait:.0f} seconds at most", wait)
        if len(running) >= self.limits.at_once:
            wait = min(map(self._longest, running))
            raise Busy(f"others are solving {len(running)} spots: one ends in {wait:.0f} seconds at most", wait)
        solve = Solve(id, {}, spot=spot, address=address)
        solve.tell({"state": "waiting"})
        self._solves[id] = solve
        solve.task = asyncio.create_task(self._run(solve))
        return solve

    def _longest(self, solve: Solve) -> float:
        """The seconds after which it is over at the latest."""
        whole = self.limits.seconds + self.limits.patience
        return max(1.0, whole - (time.monotonic() - solve.began))

    def find(self, id: str) -> Solve:
        if id not in self._solves:
            raise NotFound(f"there is no solution {id[:60]!r} here any more: ask for the spot again")
        return self._solves[id]

    async def stop(self, id: str, address: str, keep: bool) -> None:
        """End a solve of this visitor: with what it has found so far, or for good."""
        solve = self.find(id)
        if solve.address != address or solve.over:
            raise Refused("only a solve of your own that still runs can be stopped")
        if keep and solve.news["state"] == "playing":
            solve.order(do="stop")
        else:
            await self._end(solve)

    async def ask(self, id: str, **question: object) -> Json:
        """The answer about a solution."""
        solve = self.find(id)
        if solve.news["state"] != "done":
            raise NotFound("this spot is not solved yet")
        solve.used = time.monotonic()
        try:
            async with solve.turn, asyncio.timeout(self.limits.answer):
                solve.order(**question)
                found = await solve.answer()
        except TimeoutError:
            await self._end(solve)
            raise Late(f"the answer took more than {self.limits.answer:g} seconds") from None
        except Ended:
            await self._end(solve)
            raise NotFound("this solution is lost: ask for the spot again") from None
        if "error" in found:
            raise _refused(found)
        return found

    async def close(self) -> None:
        for solve in list(self._solves.values()):
            await self._end(solve)

    async def _end(self, solve: Solve) -> None:
        """Kill it and forget it."""
        self._solves.pop(solve.id, None)
        if not solve.over:
            solve.tell({**solve.news, "state": "stopped"})
        if solve.task is not None and solve.task is not asyncio.current_task():
            solve.task.cancel()
            await asyncio.wait([solve.task])

    async def _run(self, solve: Solve) -> None:
        """The life of a solve, from the start of its process to its end."""
        watching = asyncio.create_task(self._leave_alone(solve))
        try:
            await self._solve(solve)
            watching.cancel()
            if solve.news["state"] == "done":
                await self._make_room()
                while (left := solve.used + self.limits.idle - time.monotonic()) > 0:
                    await asyncio.sleep(left)
            else:
                solve.kill()
                await asyncio.sleep(self.limits.alone)  # so that its visitor is told why
        finally:
            watching.cancel()
            if self._solves.get(solve.id) is solve:
                del self._solves[solve.id]
            solve.kill()

    async def _solve(self, solve: Solve) -> None:
        limits = self.limits
        try:
            async with asyncio.timeout(limits.preparation) as clock:
                solve.process = await Process.start(self.entry, PROGRAM_MB)
                solve.order(do="solve", spot=solve.spot, seconds=limits.seconds, memory_mb=limits.memory_mb)
                while not solve.over:
                    news = await solve.answer()
                    if news["state"] == "playing" and solve.news["state"] == "waiting":
                        solve.began = time.monotonic()
                        clock.reschedule(asyncio.get_running_loop().time() + limits.seconds + limits.patience)
                    solve.tell(news)
        except TimeoutError:
            solve.tell(_failed("late", f"this took more than {limits.seconds:g} seconds, and was ended"))
        except Ended:
            solve.tell(_failed("too_large", "the solver was ended: the spot needs more memory or time than is allowed"))

    async def _leave_alone(self, solve: Solve) -> None:
        """Wait until nobody has followed the solve for a while, and end it."""
        alone = 0
        while alone < 5:
            await asyncio.sleep(self.limits.alone / 5)
            alone = 0 if solve.followers else alone + 1
        await self._end(solve)

    async def _make_room(self) -> None:
        kept = sorted((each for each in self._solves.values() if each.over), key=lambda each: each.used)
        for solve in kept[: max(0, len(kept) - self.limits.kept)]:
            await self._end(solve)


def _failed(code: str, text: str) -> Json:
    return {"state": "failed", "code": code, "error": text}


def _refused(found: Json) -> Refused:
    error = Refused(found["error"])
    error.code = found.get("code", Refused.code)
    return error
