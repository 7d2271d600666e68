"""Who thinks when: agents' work in a few processes, in turn, within limits that start when the work starts.

Work is quick until it has lasted a moment. Then its process becomes a slow one, which gives way to the quick ones, and
a fresh one takes its place; who is known to be slow starts there. An agent that is made ready for longer, because it
learns, moves to a third lane. If there are too many in a lane, the work is killed and starts again there in its turn.
So however much is thought at some tables, a quick answer at another waits for a moment at most.

In each lane everybody who waits gets a turn before anybody gets two, nobody has two at once, and work that nobody wants
any more when its turn comes is dropped. Work that is late is killed, as is work that is cancelled.
"""

import asyncio
import os
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import NamedTuple

from fifthstreet.web.drawing.face import Json
from fifthstreet.web.processes import NICE, Ended, Process

ENTRY = "fifthstreet.web.seat_process:main"
QUICK = max(2, min(4, os.cpu_count() or 1))  # processes for what is quick
SLOW = QUICK + 2  # for what is slow
LONG = 2  # and for making agents ready that learn first
GUESTS = 2  # in a lane, for each of its processes, with those that came from another
AHEAD = 8  # orders that a quick process is given at once, so that it need not wait for the next
MOMENT = 0.25  # seconds after which thinking is slow
LONG_MOMENT = 2.0  # and making a mind or compiling
TICK = 0.05  # seconds between looks at the clock
PREPARATION = 1800.0  # seconds for a mind: some agents learn for minutes the first time they are used


class Unwanted(Exception):
    """Nobody wanted the work any more when its turn came."""


class Done(NamedTuple):
    found: Json
    slow: bool  # whether the thinking alone took longer than a moment


class Work:
    """What somebody wants done."""

    def __init__(self, who: str, order: Json, seconds: float, wanted: Callable[[], bool]) -> None:
        self.who, self.order, self.seconds, self.wanted = who, order, seconds, wanted
        self.done: asyncio.Future[Done] = asyncio.get_running_loop().create_future()

    def fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class Worker:
    """A process and the work that it was given, of which the first is being done."""

    def __init__(self, process: Process, lane: "Lane", workers: "Workers") -> None:
        self.process, self.lane, self._workers = process, lane, workers
        self.given: deque[Work | None] = deque()  # None: nobody waits for it here any more
        self._thinking = True
        self._used, self._since = [0.0, 0.0], 0.0  # seconds, not thinking and thinking
        self._clock: asyncio.TimerHandle | None = None
        process.hear = self._hear

    def give(self, work: Work) -> None:
        self.given.append(work)
        self.process.order(**work.order, seconds=work.seconds)
        if len(self.given) == 1:
            self._begin()
            self.process.send()

    def _begin(self) -> None:
        self._thinking, self._used, self._since = True, [0.0, 0.0], time.monotonic()
        if self._clock is None:
            self._clock = asyncio.get_running_loop().call_later(TICK, self._look_at_clock)

    def _count(self) -> float:
        """The seconds for which it has been doing now what it does."""
        now = time.monotonic()
        self._used[self._thinking] += now - self._since
        self._since = now
        return self._used[self._thinking]

    def _look_at_clock(self) -> None:
        self._clock = None
        if not self.given or self.process.ended:
            return
        used, work = self._count(), self.given[0]
        moment = MOMENT if self._thinking else LONG_MOMENT
        if used >= moment and (work is None or work.done.done()):
            self.end()  # nobody waits for this
            return
        if work is not None and used >= (work.seconds if self._thinking else PREPARATION):
            work.fail(TimeoutError())
            self.end()
            return
        if used >= moment:
            self._workers.move(self, self._thinking)
        self._clock = asyncio.get_running_loop().call_later(TICK, self._look_at_clock)

    def _hear(self) -> None:
        try:
            while (found := self.process.answered()) is not None:
                self._count()
                if "clock" in found:
                    self._thinking = bool(found["clock"])
                elif self.given:
                    self._finish(found)
        except Ended:
            work = self.given[0] if self.given else None
            if work is not None:
                work.fail(Ended())
            self.end()
        self._workers.go_on()

    def _finish(self, found: Json) -> None:
        work = self.given.popleft()
        if work is not None:
            self.lane.served.discard(work.who)
            if not work.done.done():
                work.done.set_result(Done(found, self._used[True] > MOMENT))
        if found.get("last") or len(self.lane.workers) > self.lane.most:
            self.take_back(0)
            self.end()
        elif self.given:
            self._begin()

    def end(self) -> None:
        """Kill the process; what it was given besides the first goes back to the queue."""
        first = self.given[0] if self.given else None
        self.take_back()
        self.given.clear()
        if first is not None:
            self.lane.served.discard(first.who)
        self.process.kill()
        if self in self.lane.workers:
            self.lane.workers.remove(self)
        self._workers.go_on()

    def take_back(self, first: int = 1) -> None:
        """What has not begun goes back to the queue, in its order; here it is done, too, but for nobody."""
        for place in range(len(self.given) - 1, first - 1, -1):
            work, self.given[place] = self.given[place], None
            if work is not None:
                self.lane.served.discard(work.who)
                self.lane.line_up(work, first=True)


class Lane:
    """Processes of one kind, and the work that waits for one."""

    def __init__(self, most: int, nice: int, ahead: int, served: set[str]) -> None:
        self.most, self.nice, self.ahead, self.served = most, nice, ahead, served
        self.workers: list[Worker] = []
        self.starting: set[asyncio.Task[None]] = set()
        self._waiting: OrderedDict[str, deque[Work]] = OrderedDict()

    def line_up(self, work: Work, first: bool = False) -> None:
        self._waiting.setdefault(work.who, deque()).append(work)
        if first:
            self._waiting.move_to_end(work.who, last=False)

    def next(self) -> Work | None:
        """The work whose turn it is, of somebody for whom nothing is being done yet; None if there is none."""
        while (who := next((who for who in self._waiting if who not in self.served), None)) is not None:
            works = self._waiting[who]
            work = works.popleft()
            self._waiting.move_to_end(who)
            if not works:
                del self._waiting[who]
            if work.done.done():  # cancelled
                continue
            if work.wanted():
                return work
            work.fail(Unwanted())
        return None

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def room(self) -> Worker | None:
        """The process that has least to do, if it can be given more."""
        best = min(self.workers, key=lambda worker: len(worker.given), default=None)
        return best if best is not None and len(best.given) < self.ahead else None


class Workers:
    """All processes in which agents think."""

    def __init__(self, quick: int = QUICK, slow: int = SLOW, long: int = LONG) -> None:
        served: set[str] = set()  # whose work is being done
        self._quick, self._slow = Lane(quick, 0, AHEAD, served), Lane(slow, NICE, 1, served)
        self._long = Lane(long, NICE, 1, served)
        self._lanes = (self._quick, self._slow, self._long)
        self._closed = False

    async def do(
        self, who: str, seconds: float, slow: bool = False, wanted: Callable[[], bool] = lambda: True, **order: object
    ) -> Done:
        """Let a process do what is ordered, when it is the turn of `who`; `wanted` is asked then.

        Unwanted if nobody wants it any more, TimeoutError after so many seconds, Ended if the process crashes.
        """
        work = Work(who, order, seconds, wanted)
        (self._slow if slow else self._quick).line_up(work)
        self.go_on()
        try:
            return await work.done
        finally:
            if work.done.cancelled():
                self._stop(work)

    def go_on(self) -> None:
        """Give work to those who have nothing to do, and start others if there is too much of it."""
        for lane in self._lanes:
            while not self._closed and len(lane):
                if (
                    all(worker.given for worker in lane.workers)
                    and len(lane.workers) + len(lane.starting) < lane.most
                    and len(lane.starting) < len(lane)
                ):
                    self._start(lane)
                worker = lane.room()
                work = None if worker is None else lane.next()
                if worker is None or work is None:
                    break
                lane.served.add(work.who)
                worker.give(work)

    def _start(self, lane: Lane) -> None:
        async def start() -> None:
            try:
                process = await Process.start(ENTRY, nice=lane.nice)
            except Exception:
                work = lane.next()
                if work is not None:
                    work.fail(Ended())
            else:
                lane.workers.append(Worker(process, lane, self))
                if self._closed:
                    process.kill()

        def started(task: "asyncio.Task[None]") -> None:
            lane.starting.discard(task)
            self.go_on()

        task = asyncio.create_task(start())
        lane.starting.add(task)
        task.add_done_callback(started)

    def move(self, worker: Worker, thinking: bool) -> None:
        """Make room for those who are quicker."""
        lane = self._slow if thinking else self._long
        if self._lanes.index(worker.lane) >= self._lanes.index(lane):
            return
        if len(lane.workers) < GUESTS * lane.most:
            worker.take_back()
            worker.lane.workers.remove(worker)
            worker.lane = lane
            lane.workers.append(worker)
            worker.process.slow_down()
        else:
            work = worker.given[0]
            worker.end()
            if work is not None:
                lane.line_up(work, first=True)
        self.go_on()

    def warm(self) -> None:
        """Start what is needed soon."""
        while len(self._quick.workers) + len(self._quick.starting) < self._quick.most:
            self._start(self._quick)

    def _stop(self, work: Work) -> None:
        """End what is being done for nobody."""
        for lane in self._lanes:
            for worker in lane.workers:
                if worker.given and worker.given[0] is work:
                    worker.end()
                    return

    def close(self) -> None:
        self._closed = True
        for lane in self._lanes:
            for worker in list(lane.workers):
                worker.process.kill()
