"""A limit on how long an agent in plain Python may take for a decision.

Processor time of the deciding thread is counted, without that for compiling kernels, so that neither a busy machine nor
a new kernel costs anybody anything. A decision that waits
without computing is ended too, after a much longer time. Python can end only Python: an agent that is stuck in a call
to C or asleep is left where it is, and the match ends without it.
"""

import ctypes
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fifthstreet.agents.agent import Agent, AgentFailure, Decision, Stuck, Turn
from fifthstreet.compiler import time_compiling
from fifthstreet.errors import InputError, quoted
from fifthstreet.parallel import pool

FIRST = 5.0  # more seconds for the first decision in a process, which may have to load a compiler and kernels
WAITING = 60.0  # how many times longer a decision may take by the clock on the wall
_LEAST_WAITING = 10.0  # seconds
_TICK = 0.05  # seconds between two looks at decisions
_GRACE = 2.0  # seconds in which a decision that is late must end

stuck: list[Stuck] = []  # what is to be raised for decisions that could not be ended


def give_up(error: Stuck) -> None:
    """Called in the thread that watches when a decision cannot be ended; a worker process has a better way."""
    stuck.append(error)


def refuse_stuck() -> None:
    """Raise the error of a decision that could not be ended, if there is one."""
    if stuck:
        pool.cache_clear()  # whoever plays next is not to wait for the thread that is left behind
        raise stuck.pop(0)


class _Late(BaseException):
    """Raised within a decision that takes too long."""


@dataclass
class _Watched:
    """A decision in progress."""

    agent: Agent
    turn: Turn[Any]
    seconds: float  # the limit
    cpu: float  # own time of its thread at which it is late
    wall: float  # the same by the clock on the wall
    thread: int = field(default_factory=threading.get_ident)
    late: float | None = None  # since when

    def failure(self, kind: type[AgentFailure]) -> AgentFailure:
        return kind(
            f"{self.agent.name} took longer than {self.seconds:g} s to decide in seat {self._seat()}, "
            f"with the view {quoted(self.turn.view, 160)}"
        )

    def _seat(self) -> object:
        return quoted(getattr(self.turn.view, "seat", "?"))


_watched: dict[int, _Watched] = {}
_lock = threading.Lock()
_warm: set[type[Agent]] = set()  # agents that have decided in this process


@dataclass(frozen=True)
class Limit:
    """At most this many seconds of processor time for each decision."""

    seconds: float

    def __post_init__(self) -> None:
        if not 0 < self.seconds < 1e9:
            raise InputError(f"a time limit of {quoted(self.seconds)}: it is a number of seconds above 0")

    def decide(self, agent: Agent, turn: Turn[Any]) -> Decision:
        """The agent's decision; AgentFailure if it takes too long."""
        _start_watching()
        seconds = self.seconds + (0 if type(agent) in _warm else FIRST)
        begin = _own_time(threading.get_ident(), time.thread_time())
        wall = time.monotonic() + max(_LEAST_WAITING, WAITING * seconds)
        watched = _Watched(agent, turn, self.seconds, begin + seconds, wall)
        try:
            with _lock:
                _watched[watched.thread] = watched
            found = agent.decide(turn)
            late = _own_time(watched.thread, time.thread_time()) > watched.cpu
        except _Late:
            late = True
        finally:
            _end(watched)
        if late:
            raise watched.failure(AgentFailure)
        _warm.add(type(agent))
        return found


def _own_time(thread: int, processor_time: float) -> float:
    return processor_time - time_compiling(thread, processor_time)


def _end(watched: _Watched) -> None:
    """Watch this decision no longer, and take back what it was sent too late to notice."""
    while True:
        try:
            with _lock:
                _watched.pop(watched.thread, None)
                if watched.late is not None:
                    _send(watched.thread, None)
            return
        except _Late:  # it came just now
            continue


def _send(thread: int, error: type[BaseException] | None) -> None:
    """Raise an error in another thread, at its next step in Python; None takes it back."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error is not None else None
    )


def _start_watching() -> None:
    global _watcher
    if not _watcher.is_alive():
        with _lock:
            if not _watcher.is_alive():
                _watcher = threading.Thread(target=_watch, daemon=True)
                _watcher.start()


_watcher = threading.Thread()


def _watch() -> None:
    while True:
        time.sleep(_TICK)
        now = time.monotonic()
        with _lock:
            for watched in list(_watched.values()):
                if watched.late is None:
                    own = _own_time(watched.thread, _processor_time(watched.thread))
                    if now > watched.wall or own > watched.cpu:
                        watched.late = now
                elif now > watched.late + _GRACE:
                    del _watched[watched.thread]
                    error = watched.failure(Stuck)
                    assert isinstance(error, Stuck)
                    give_up(error)
                    continue
                if watched.late is not None:
                    _send(watched.thread, _Late)


def _processor_time_here() -> Callable[[int], float]:
    clock_of = getattr(time, "pthread_getcpuclockid", None)  # not on every system: there, only the wall's clock counts
    return (lambda thread: time.clock_gettime(clock_of(thread))) if clock_of else (lambda thread: 0.0)


_processor_time = _processor_time_here()
