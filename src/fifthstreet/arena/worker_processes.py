"""Worker processes: one that dies or hangs is replaced, and what it was doing is done again by another.

A thread of this process looks after each worker. It sends a task, and hears from the worker every second until the
result comes.
"""

import multiprocessing
import os
import pickle
import queue
import signal
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, ParamSpec, TypeVar

from fifthstreet.agents.agent import Stuck
from fifthstreet.arena import limits
from fifthstreet.errors import InputError, sentence

P = ParamSpec("P")
T = TypeVar("T")

MOST_DEATHS = 3  # of workers at the same task
PATIENCE = 60.0  # seconds to wait for a sign of life
_BEAT = 1.0  # seconds between two of them

# A process with threads must not be forked, because the child can hang; so children start from nothing.
_fresh = multiprocessing.get_context("spawn")


@dataclass
class _Task:
    future: "Future[Any]"
    sent: bytes  # the pickled function with its arguments
    deaths: list[str] = field(default_factory=list)  # of what its workers died


class WorkerProcesses(Executor):
    """An executor whose tasks survive the deaths of their workers."""

    def __init__(self, count: int) -> None:
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._closed = False
        self._workers: set[_Worker] = set()
        self._lock = threading.Lock()
        for _ in range(count):
            threading.Thread(target=self._look_after, daemon=True).start()
        self._count = count

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        future: Future[T] = Future()
        self._tasks.put(_Task(future, pickle.dumps((fn, args, kwargs))))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all workers at once; what they were doing is lost."""
        with self._lock:
            self._closed = True
            for worker in self._workers:
                worker.end()
        for _ in range(self._count):
            self._tasks.put(None)

    def _look_after(self) -> None:
        """Give task after task to one worker, or to the next if it dies."""
        worker: _Worker | None = None
        while (task := self._tasks.get()) is not None:
            if not (task.deaths or task.future.set_running_or_notify_cancel()):
                continue
            try:
                if worker is None:
                    worker = self._started()
                task.future.set_result(worker.does(task.sent))
            except _Died as death:
                if worker is not None:
                    worker.end()
                    worker = None
                task.deaths.append(str(death))
                if self._closed or len(task.deaths) >= MOST_DEATHS:
                    task.future.set_exception(
                        InputError(
                            f"a worker process died {len(task.deaths)} times at the same work "
                            f"({task.deaths[-1]}); what was finished is kept"
                        )
                    )
                else:
                    self._tasks.put(task)
            except BaseException as error:
                task.future.set_exception(error)
        if worker is not None:
            worker.end()

    def _started(self) -> "_Worker":
        with self._lock:
            if self._closed:
                raise _Died("it was closed")
            worker = _Worker()
            self._workers = {each for each in self._workers if each.process.is_alive()} | {worker}
            return worker


class _Died(Exception):
    """A worker is gone; the message says how."""


class _Worker:
    """A process that does one task after the other."""

    def __init__(self) -> None:
        self._here, there = _fresh.Pipe()
        self.process = _fresh.Process(target=_work, args=(there, os.getpid()))
        self.process.start()
        there.close()

    def does(self, sent: bytes) -> Any:
        """The result of a task; what it raised; _Died if the worker did not live to say."""
        try:
            self._here.send_bytes(sent)
            while True:
                if not wait([self._here, self.process.sentinel], PATIENCE):
                    raise _Died(f"it gave no sign of life for {PATIENCE:.0f} s")
                if not self._here.poll():
                    raise EOFError
                kind, found = self._here.recv()
                if kind == "done":
                    return found
                if kind == "failed":
                    error, trace = found
                    error.__cause__ = _Elsewhere(trace)
                    raise error
        except (EOFError, OSError, pickle.UnpicklingError):
            self.process.join(1)
            code = self.process.exitcode
            how = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
            raise _Died(f"killed, out of memory, or it ended itself: {how}") from None

    def end(self) -> None:
        if self.process.is_alive():
            self.process.kill()


class _Elsewhere(Exception):
    """The traceback of an error in a worker, for whoever wants to see it."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _work(connection: Connection, parent: int) -> None:
    """What a worker process runs. It leaves Ctrl-C to its parent, and ends when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["FIFTHSTREET_QUIET"] = "1"
    sending = threading.Lock()

    def tell(kind: str, what: object = None) -> None:
        message = pickle.dumps((kind, what))
        with sending:
            connection.send_bytes(message)

    def show_life() -> None:
        with suppress(OSError):
            while os.getppid() == parent:
                tell("alive")
                time.sleep(_BEAT)
        os._exit(1)

    def give_up(error: Stuck) -> None:
        tell("failed", (error, ""))
        os._exit(1)

    limits.give_up = give_up
    threading.Thread(target=show_life, daemon=True).start()
    while True:
        try:
            sent = connection.recv_bytes()
        except EOFError:
            os._exit(0)
        try:
            function, args, kwargs = pickle.loads(sent)
            tell("done", function(*args, **kwargs))
        except BaseException as error:
            trace = traceback.format_exc()
            try:
                pickle.loads(pickle.dumps(error))
            except Exception:  # it cannot travel
                error = InputError(sentence(error))
            tell("failed", (error, trace))
