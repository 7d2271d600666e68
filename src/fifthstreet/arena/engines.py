"""Engines: where units of work are played. Each is a `concurrent.futures.Executor`, so nobody else need know which.

Threads are the usual one, since kernels release the GIL. Processes are for agents in plain Python. A Dask cluster is
many machines; it is started and secured with Dask's own tools.
"""

import importlib
import importlib.metadata
import multiprocessing
import os
import platform
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, ParamSpec, TypeVar, get_args

from fifthstreet import cache
from fifthstreet.errors import InputError, sentence
from fifthstreet.parallel import is_worker, pool, threads

Kind = Literal["threads", "processes"]
P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 2  # units that wait for each worker, so that none is idle and few are in memory
_PATIENCE = 10.0  # seconds to find a cluster


@dataclass(frozen=True)
class Engine:
    """An executor, and what one must know to feed it."""

    name: str
    executor: Executor
    workers: int
    travels: bool = False  # whether work goes to other processes, and so has to be pickled

    def streamed(self, work: Callable[[T], R], items: Iterator[T]) -> Iterator[tuple[T, R]]:
        """Every item with its result, as they arrive; items are taken only when somebody is about to need them."""
        waiting: dict[Future[R], T] = {}
        try:
            while True:
                for item in islice(items, _AHEAD * self.workers - len(waiting)):
                    waiting[self.executor.submit(work, item)] = item
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        except BrokenExecutor:
            raise InputError("a worker process died (killed, or out of memory); what it had finished is kept") from None
        finally:
            for future in waiting:
                future.cancel()


class _Here(Executor):
    """The caller does the work, being a worker itself."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def on_threads(workers: int | None = None) -> Engine:
    """Threads of this process: all cores, or so many.

    Even a single worker has a thread of its own, so that Ctrl-C finds the caller waiting and not within a kernel.
    """
    count = threads(workers)
    return Engine("threads", _Here() if is_worker() else pool(count), count)


@contextmanager
def engine(kind: str = "threads", workers: int | None = None, cluster: str | None = None) -> Iterator[Engine]:
    """The engine that was asked for, stopped at the end."""
    if kind not in get_args(Kind):
        raise InputError(f"the engine {kind!r}: there are {', '.join(get_args(Kind))}, and a cluster by its address")
    if cluster is not None:
        with _on_cluster(cluster) as found:
            yield found
    elif kind == "processes":
        count = threads(workers)
        # A forked child of a process with threads can hang, so children are started afresh.
        fresh = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(count, fresh, initializer=_begin, initargs=(os.getpid(),))
        try:
            yield Engine("processes", executor, count, travels=True)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
    else:
        yield on_threads(workers)


def _begin(parent: int) -> None:
    """A worker leaves Ctrl-C to its parent, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["FIFTHSTREET_QUIET"] = "1"

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _on_cluster(address: str) -> Iterator[Engine]:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise InputError("a cluster needs Dask: pip install fifthstreet[cluster]") from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise InputError(f"the cluster {address!r} cannot be reached: {sentence(error)}") from None
    try:
        _refuse_strangers(client, address)
        count = sum(client.nthreads().values())
        if not count:
            raise InputError(f"the cluster {address!r} has no workers: start some with `dask worker {address}`")
        yield Engine(f"cluster {address}", client.get_executor(pure=False, retries=2), count, travels=True)
    finally:
        client.close()


def _refuse_strangers(client: Any, address: str) -> None:
    """Everybody must have this package, this code, this Python and this Numba, or results could differ."""
    _compare(client, address, "fifthstreet", importlib.metadata.version, "fifthstreet")
    _compare(client, address, "Numba", importlib.metadata.version, "numba")
    _compare(client, address, "Python", platform.python_version)
    _compare(client, address, "the code of fifthstreet", cache.source_hash)


def _compare(client: Any, address: str, what: str, ask: Callable[..., str], *given: str) -> None:
    """Ask all; functions of the standard library can be sent even to those who lack the package."""
    wanted = ask(*given)
    answers = {f"the worker {name}": answer for name, answer in client.run(ask, *given, on_error="return").items()}
    try:
        answers["the scheduler"] = client.run_on_scheduler(ask, *given)
    except Exception as error:  # whatever the scheduler raised is what it answers
        answers["the scheduler"] = error
    for who, answer in answers.items():
        if isinstance(answer, importlib.metadata.PackageNotFoundError | ImportError):
            raise InputError(f"{who} of the cluster {address!r} does not have {what}, which is {wanted} here")
        if isinstance(answer, BaseException):
            raise InputError(f"{who} of the cluster {address!r} cannot say which {what} it has: {sentence(answer)}")
        if answer != wanted:
            raise InputError(f"{who} of the cluster {address!r} has {what} {answer}, but here it is {wanted}")
