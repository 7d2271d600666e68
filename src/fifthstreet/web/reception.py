"""The connections at the port: a limited number in all and from one address, and none that keeps the server waiting.

Whoever has waited longest with half a request makes room for the next. A seat, or a request that is being answered,
never does.
"""

import asyncio
import contextlib
import errno
import logging
import socket
import time
from collections.abc import Collection
from dataclasses import dataclass

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from fifthstreet.web.rates import visitor

log = logging.getLogger("fifthstreet.web")

MOST_CONNECTIONS = 4096
FILES_EACH = 8 / 5  # open files for each connection: the others belong to the store, agents and solvers
HEAD_SECONDS = 10.0  # until the head of a request is there
BODY_SECONDS = 60.0  # until all of it is there
STUCK_SECONDS = 30.0  # for a client that does not read its answer
GONE_SECONDS = 10.0  # for a closed connection whose client does not read the rest
LOOK = 1.0  # seconds between two looks at all connections
NO_MORE_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\nContent-Length: 0\r\n\r\n"


def allow_files() -> None:
    """Raise this process's limit of open files to what all connections need, as far as the system allows."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = int(MOST_CONNECTIONS * FILES_EACH)
        wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft not in (resource.RLIM_INFINITY, wanted) and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_connections() -> int:
    """How many connections there may be within the limit of open files."""
    try:
        import resource
    except ImportError:
        return MOST_CONNECTIONS
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, int(files / FILES_EACH))


class Visit(H11Protocol):
    """uvicorn's connection over HTTP, which knows since when it waits for its client."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.since = self.stuck = time.monotonic()
        super().connection_made(transport)

    def on_response_complete(self) -> None:
        self.since = time.monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        self.stuck = time.monotonic()
        super().pause_writing()

    @property
    def waits(self) -> bool:
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    @property
    def answering(self) -> bool:
        return self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE)

    def late(self, now: float) -> bool:
        """Whether the client has kept it waiting for too long."""
        patience = HEAD_SECONDS if self.conn.their_state is h11.IDLE else BODY_SECONDS
        return (self.waits and now - self.since > patience) or (
            self.flow.write_paused and now - self.stuck > STUCK_SECONDS
        )

    def dismiss(self) -> None:
        if self.answering or (self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]):
            self.transport.abort()
        else:
            self.transport.write(LATE)
            self.transport.close()


@dataclass(eq=False)
class Connection:
    socket: socket.socket
    transport: asyncio.Transport | None = None  # None until it is set up
    closing: float | None = None  # when it was first seen to be closing

    @property
    def open(self) -> bool:
        return self.socket.fileno() != -1

    def visit(self) -> Visit | None:
        """The connection over HTTP; None if it is a WebSocket by now, or not set up yet."""
        protocol = None if self.transport is None else self.transport.get_protocol()
        return protocol if isinstance(protocol, Visit) else None

    def look_after(self, now: float) -> None:
        """End it if its client is late."""
        visit = self.visit()
        if self.transport is None:
            return
        if self.transport.is_closing():
            self.closing = self.closing or now
            if now - self.closing > GONE_SECONDS:
                self.transport.abort()
        elif visit is not None and visit.late(now):
            visit.dismiss()


class Reception(uvicorn.Server):
    """uvicorn's server, which accepts connections itself."""

    def __init__(self, config: uvicorn.Config, most: int | None = None) -> None:
        super().__init__(config)
        self.most = most_connections() if most is None else most
        self.inside: dict[str, set[Connection]] = {}  # by address
        self._tasks: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        for listening in sockets or []:
            listening.setblocking(False)
            self._begin(self._accept(listening))
        self._begin(self._look_after_all())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for task in self._tasks:
            task.cancel()
        await super().shutdown(sockets)

    def _begin(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, listening: socket.socket) -> None:
        loop, told = asyncio.get_running_loop(), False
        while True:
            try:
                accepted, address = await loop.sock_accept(listening)
            except OSError as error:
                if error.errno in NO_MORE_FILES:
                    self._make_room(self._everybody())
                    if not told:
                        log.warning("no connection can be accepted for now: %s", error)
                    told = True
                    await asyncio.sleep(0.1)
                continue
            told, whose = False, visitor(address[0])
            room = self._has_room(whose)
            if not room:  # the latest may be about to wait
                await asyncio.sleep(0.01)
                room = self._has_room(whose)
            if room:
                connection = Connection(accepted)
                self.inside.setdefault(whose, set()).add(connection)
                self._begin(self._set_up(connection))
            else:
                with contextlib.suppress(OSError):
                    accepted.send(FULL)
                accepted.close()
            await asyncio.sleep(0)  # those who are inside come first

    async def _set_up(self, connection: Connection) -> None:
        def protocol() -> Visit:
            return Visit(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

        try:
            loop = asyncio.get_running_loop()
            connection.transport, _ = await loop.connect_accepted_socket(protocol, connection.socket)
        except OSError:  # it is gone already
            connection.socket.close()

    def _has_room(self, address: str) -> bool:
        """Whether one more may come from this address, after the longest waiting have made room for it.

        One address may use half of all connections, so that it cannot shut out the others.
        """
        for those, most in ((lambda: self.inside.get(address, ()), self.most // 2), (self._everybody, self.most)):
            if len(those()) >= most:
                self._forget_closed()
                if len(those()) >= most and not self._make_room(those()):
                    return False
        return True

    def _everybody(self) -> list[Connection]:
        return [connection for those in self.inside.values() for connection in those]

    def _make_room(self, those: Collection[Connection]) -> bool:
        """End an eighth of the half-sent requests, the oldest ones; False if there are none."""
        waiting = [(visit.since, connection) for connection in those if (visit := connection.visit()) and visit.waits]
        waiting.sort(key=lambda each: each[0])
        for _, connection in waiting[: 1 + len(waiting) // 8]:
            assert connection.transport is not None
            connection.transport.abort()
            for inside in self.inside.values():
                inside.discard(connection)
        return bool(waiting)

    def _forget_closed(self) -> None:
        left = {address: {one for one in those if one.open} for address, those in self.inside.items()}
        self.inside = {address: those for address, those in left.items() if those}

    async def _look_after_all(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            self._forget_closed()
            for connection in self._everybody():
                connection.look_after(time.monotonic())
