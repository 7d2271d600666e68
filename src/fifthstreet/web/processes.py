"""The server's other processes: agents think in them, matches are played, files read and spots solved.

They are forked from one process that is warm (`forking.py`; on other systems than Linux, each starts by itself and
takes a second for it), take orders one after another, and answer in lines of JSON. Killing one is always safe.
"""

import asyncio
import atexit
import contextlib
import json
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from fifthstreet.web.drawing.face import Json

LONGEST_ANSWER = 16_000_000  # bytes
MOST_UNREAD = 4 * LONGEST_ANSWER
FORKED_WITHIN = 120.0  # seconds; the first time ever, the rules of all games are compiled
NICE = 15  # of slow agents: quick ones come first
IDLE = 20  # of everything else: it computes when nobody else does
MEMORY_MB = 600.0  # beyond what is shared, for each process
FORKS = sys.platform == "linux"
COMMAND = (sys.executable, "-P", "-m", "fifthstreet.web.forking")


class Ended(Exception):
    """The process has ended without being asked to: it crashed, or the system ended it."""


class Process(asyncio.Protocol):
    """A running process; `await Process.start("module:function")` forks one."""

    def __init__(self) -> None:
        self.pid: int | None = None
        self.ended = False
        self._lines: deque[bytes] = deque()
        self._rest = bytearray()
        self._unread = 0
        self._orders: list[bytes] = []
        self._full = False  # the process does not read as fast as orders are sent
        self._reader: asyncio.Future[None] | None = None
        self._transport: Any = None
        self._alone: subprocess.Popen[bytes] | None = None  # if it was not forked
        self.hear: Callable[[], None] | None = None  # called when there are answers, and when there will be none

    @classmethod
    async def start(cls, entry: str, memory_mb: float = MEMORY_MB, nice: int = IDLE) -> "Process":
        order = {"fork": entry, "memory_mb": memory_mb, "nice": nice, "path": sys.path}
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                alone = None
                if FORKS:
                    _template.fork(order, theirs)
                else:
                    alone = subprocess.Popen((*COMMAND, json.dumps(order)), stdin=theirs.fileno(), process_group=0)
                _, process = await asyncio.get_running_loop().create_unix_connection(cls, sock=ours)
            except BaseException:
                ours.close()
                raise
        process._alone = alone
        try:
            async with asyncio.timeout(FORKED_WITHIN):
                process.pid = int((await process.answer())["pid"])
        except BaseException:
            process.kill()
            raise
        return process

    def order(self, **order: object) -> None:
        if not self._orders:  # several at once are sent together
            asyncio.get_running_loop().call_soon(self.send)
        self._orders.append(pickle.dumps(order, pickle.HIGHEST_PROTOCOL))

    def send(self) -> None:
        """Send now what is ordered, and not a moment later."""
        if self._orders:
            self._transport.write(b"".join(self._orders))
            self._orders.clear()

    async def sent(self) -> None:
        """Wait until little of what was ordered is still on its way."""
        self.send()
        while not self.ended and self._full:
            await asyncio.sleep(0.01)

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False

    async def answer(self) -> Json:
        """The next answer; Ended if there is none any more."""
        while (found := self.answered()) is None:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return found

    def answered(self) -> Json | None:
        """The next answer, if it is there already; Ended if there is none any more."""
        if not self._lines:
            if self.ended:
                raise Ended
            return None
        line = self._lines.popleft()
        self._unread -= len(line)
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.kill()
            raise Ended
        return found

    def kill(self) -> None:
        if self._alone is not None:
            self._alone.kill()
            self._alone.wait()
        elif not self.ended and self.pid is not None:
            _template.kill(self.pid)
        self.ended = True  # without a number it has no orders yet, and ends by itself when the line is cut
        if self._transport is not None:
            self._transport.abort()

    def slow_down(self) -> None:
        """Give way to everything that is quick."""
        if self.pid is not None and not self.ended:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.pid, NICE)

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = bytes(self._rest) + lines[0]
            self._lines.extend(lines)
            self._unread += sum(map(len, lines))
            self._rest = bytearray(rest)
            self._wake()
        else:
            self._rest += rest
        if len(self._rest) > LONGEST_ANSWER or self._unread > MOST_UNREAD:
            self.kill()

    def connection_lost(self, error: Exception | None) -> None:
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        if self.hear is not None:
            self.hear()
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


class _Template:
    """Our end of the process that forks the others; it is started when the first is needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def fork(self, order: Json, end: socket.socket) -> None:
        with self._lock:
            socket.send_fds(self._running(), [json.dumps(order).encode()], [end.fileno()])

    def kill(self, pid: int) -> None:
        with self._lock, contextlib.suppress(OSError):
            if self._control is not None:
                self._control.send(json.dumps({"kill": pid}).encode())

    def _running(self) -> socket.socket:
        if self._control is None or self._process is None or self._process.poll() is not None:
            self._close()
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._process = subprocess.Popen(
                    COMMAND,
                    stdin=theirs.fileno(),
                    process_group=0,
                    env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                )
        return self._control

    def _close(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()  # and the system kills those that it forked
            self._process.wait()
        self._control = self._process = None

    def close(self) -> None:
        with self._lock:
            self._close()


_template = _Template()
atexit.register(_template.close)
