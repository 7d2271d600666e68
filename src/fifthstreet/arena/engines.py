"""Engines: where units of work are played. Each is a `concurrent.futures.Executor`, so the rest need not know which.

Threads are the default, since kernels release the GIL. Processes are for agents in plain Python. A Dask cluster is many
machines; it is started and secured with Dask's own tools.
"""

import importlib
import importlib.metadata
import platform
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, ParamSpec, TypeVar, get_args

from fifthstreet import cache, learned
from fifthstreet.arena import limits
from fifthstreet.arena.worker_processes import WorkerProcesses
from fifthstreet.errors import InputError, sentence
from fifthstreet.parallel import is_worker, pool, threads

Kind = Literal["threads", "processes"]
P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 2  # units that are submitted per worker, so that none is idle and few results are in memory
_LOOK = 1.0  # seconds after which a result that does not come is looked into
_PATIENCE = 10.0  # seconds to wait for a cluster


@dataclass(frozen=True)
class Engine:
    """An executor, and what its user must know about it."""

    name: str
    executor: Executor
    workers: int
    travels: bool = False  # whether work is sent to other processes, and so has to be pickled

    def streamed(self, work: Callable[[T], R], items: Iterator[T]) -> Iterator[tuple[T, R]]:
        """Each item with the result of `work(item)`, as results arrive.

        Items are taken only when a worker is about to need them, so `items` may depend on earlier results.
        """
        waiting: dict[Future[R], T] = {}
        try:
            while True:
                for item in islice(items, _AHEAD * self.workers - len(waiting)):
                    waiting[self.executor.submit(work, item)] = item
                if not waiting:
                    return
                for future in wait(waiting, timeout=_LOOK, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
                limits.refuse_stuck()
        finally:
            for future in waiting:
                future.cancel()


class _Here(Executor):
    """Does the work at once in the calling thread, for a caller that is itself a worker."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def on_threads(workers: int | None = None) -> Engine:
    """An engine with this many threads of this process; None is one per core.

    Even a single worker has its own thread, so that Ctrl-C interrupts the waiting caller at once, not after a kernel.
    """
    count = threads(workers)
    return Engine("threads", _Here() if is_worker() else pool(count), count)


@contextmanager
def engine(kind: str = "threads", workers: int | None = None, cluster: str | None = None) -> Iterator[Engine]:
    """An engine of this kind ("threads" or "processes") or, if its address is given, a Dask cluster; closed at the end.

    `workers` is the number of threads or processes; None is one per core.
    """
    if kind not in get_args(Kind):
        raise InputError(
            f"there is no engine {kind!r}: there are {' and '.join(get_args(Kind))}, and a cluster's address"
        )
    if cluster is not None:
        with _on_cluster(cluster) as found:
            yield found
    elif kind == "processes":
        count = threads(workers)
        executor = WorkerProcesses(count)
        try:
            yield Engine("processes", executor, count, travels=True)
        finally:
            executor.shutdown()
    else:
        yield on_threads(workers)


@contextmanager
def _on_cluster(address: str) -> Iterator[Engine]:
    """The Dask cluster at this address, whose workers must run the same code as this process."""
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
    """All workers must have this package, its code and data, this Python and this Numba, or results could differ."""
    _compare(client, address, "fifthstreet", importlib.metadata.version, "fifthstreet")
    _compare(client, address, "Numba", importlib.metadata.version, "numba")
    _compare(client, address, "Python", platform.python_version)
    _compare(client, address, "the code of fifthstreet", cache.source_hash)
    _compare(client, address, "what was learned", learned.fingerprint)


def _compare(client: Any, address: str, what: str, ask: Callable[..., str], *given: str) -> None:
    """Refuse the cluster unless `ask(*given)` returns the same on the scheduler and on every worker as it does here.

    `what` names the thing compared. A function of the standard library can be sent even where the package is missing.
    """
    wanted = ask(*given)
    answers = {f"the worker {name}": answer for name, answer in client.run(ask, *given, on_error="return").items()}
    try:
        answers["the scheduler"] = client.run_on_scheduler(ask, *given)
    except Exception as error:  # an error is an answer too
        answers["the scheduler"] = error
    for who, answer in answers.items():
        if isinstance(answer, importlib.metadata.PackageNotFoundError | ImportError):
            raise InputError(f"{who} of the cluster {address!r} does not have {what}, which is {wanted} here")
        if isinstance(answer, BaseException):
            raise InputError(f"{who} of the cluster {address!r} cannot tell which {what} it has: {sentence(answer)}")
        if answer != wanted:
            raise InputError(f"{who} of the cluster {address!r} has {what} {answer}, but here it is {wanted}")
