"""Who thinks when: agents' work in a few processes, in turn, within limits that start when the work starts.

Work is quick until it has lasted a moment. Then its process becomes a slow one, which gives way to the quick ones, and
a fresh one takes its place; who is known to be slow starts there. So however much is thought at some tables, a quick
answer at another waits for a moment at most. In either lane everybody who waits gets a turn before anybody gets two,
nobody has two at once, and work that nobody wants any more when its turn comes is dropped. Work that is late is
killed, as is work that is cancelled.
"""

import asyncio
import contextlib
import os
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import NamedTuple

from fifthstreet.web.drawing.face import Json
from fifthstreet.web.processes import NICE, Process

ENTRY = "fifthstreet.web.seat_process:main"
QUICK = max(2, min(4, os.cpu_count() or 1))  # processes for what is quick
SLOW = QUICK + 2  # and for what is slow
MOST_SLOW = 2 * SLOW  # with those that turned out to be slow
MOMENT = 0.25  # seconds after which thinking is slow
LONG_MOMENT = 2.0  # and making a mind or compiling
PREPARATION = 1800.0  # seconds for these: some agents learn for minutes the first time they are used


class Unwanted(Exception):
    """Nobody wanted the work any more when its turn came."""


class Done(NamedTuple):
    found: Json
    slow: bool  # whether the thinking alone took longer than a moment


class Lane:
    """Processes of one kind, and those who wait for one."""

    def __init__(self, most: int, nice: int) -> None:
        self.most, self.nice, self.busy = most, nice, 0
        self.idle: list[Process] = []
        self.waiting: OrderedDict[str, deque[Turn]] = OrderedDict()


class Turn:
    """Somebody's turn to have work done: it comes, a process does the work, it ends."""

    def __init__(self, who: str, lane: Lane) -> None:
        self.who, self.lane = who, lane
        self.came: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.process: Process | None = None
        lane.waiting.setdefault(who, deque()).append(self)


class Workers:
    def __init__(self, quick: int = QUICK, slow: int = SLOW) -> None:
        self._quick, self._slow = Lane(quick, nice=0), Lane(slow, NICE)
        self._served: dict[str, Turn] = {}

    async def do(
        self, who: str, seconds: float, slow: bool = False, wanted: Callable[[], bool] = lambda: True, **order: object
    ) -> Done:
        """Let a process do what is ordered, when it is the turn of `who`; `wanted` is asked then.

        Unwanted if nobody wants it any more, TimeoutError after so many seconds, Ended if the process crashes.
        """
        turn = Turn(who, self._slow if slow else self._quick)
        self._give_turns()
        try:
            await turn.came
            if not wanted():
                raise Unwanted
            turn.process = await self._process(turn.lane)
            turn.process.order(**order, seconds=seconds)
            done = await self._answer(turn, turn.process, seconds)
            if not done.found.get("last"):
                self._keep(turn)
            return done
        finally:
            if turn.process is not None:
                turn.process.kill()
            self._end(turn)

    async def _process(self, lane: Lane) -> Process:
        while lane.idle:
            process = lane.idle.pop()  # the last one used is the warmest
            if not process.ended:
                return process
        return await Process.start(ENTRY, nice=lane.nice)

    async def _answer(self, turn: Turn, process: Process, seconds: float) -> Done:
        """What the process answers in time. Its clock stands still, and another runs, while it is made ready."""
        thinking = True
        used, limits, moments = [0.0, 0.0], (PREPARATION, seconds), (LONG_MOMENT, MOMENT)
        while True:
            began, left = time.monotonic(), limits[thinking] - used[thinking]
            if turn.lane is self._quick:
                left = min(left, moments[thinking])
            found = None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    found = await process.answer()
            used[thinking] += time.monotonic() - began
            if found is None:
                if used[thinking] >= limits[thinking]:
                    raise TimeoutError
                self._slow_down(turn, process)
            elif "clock" in found:
                thinking = bool(found["clock"])
            else:
                return Done(found, used[True] > MOMENT)

    def _give_turns(self) -> None:
        for lane in (self._quick, self._slow):
            while lane.busy < lane.most:
                who = next((who for who in lane.waiting if who not in self._served), None)
                if who is None:
                    break
                turn = lane.waiting[who].popleft()
                lane.waiting.move_to_end(who)
                if not lane.waiting[who]:
                    del lane.waiting[who]
                lane.busy += 1
                self._served[who] = turn
                turn.came.set_result(None)

    def _slow_down(self, turn: Turn, process: Process) -> None:
        """Make room for others in the lane of those who are quick."""
        if turn.lane is self._quick and self._slow.busy < MOST_SLOW:
            turn.lane = self._slow
            self._quick.busy -= 1
            self._slow.busy += 1
            process.slow_down()
            self._give_turns()

    def _keep(self, turn: Turn) -> None:
        """Let its process wait for more work."""
        if turn.process is not None and len(turn.lane.idle) < turn.lane.most:
            turn.lane.idle.append(turn.process)
            turn.process = None

    def _end(self, turn: Turn) -> None:
        if self._served.get(turn.who) is turn:
            del self._served[turn.who]
            turn.lane.busy -= 1
            self._give_turns()
        elif turn in turn.lane.waiting.get(turn.who, ()):
            turn.lane.waiting[turn.who].remove(turn)
            if not turn.lane.waiting[turn.who]:
                del turn.lane.waiting[turn.who]

    def close(self) -> None:
        for lane in (self._quick, self._slow):
            for process in lane.idle:
                process.kill()
        for turn in self._served.values():
            if turn.process is not None:
                turn.process.kill()
