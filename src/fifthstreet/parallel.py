"""Work on several cores: kernels release the GIL, so threads are enough."""

import contextlib
import functools
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import TypeVar

MOST = 64  # threads, even if more are requested

_here = threading.local()
_elsewhere: ContextVar[tuple[Executor, int] | None] = ContextVar("elsewhere", default=None)

T = TypeVar("T")
R = TypeVar("R")


def in_order(work: Callable[[T], R], items: Iterable[T], workers: int | None = None) -> Iterator[R]:
    """Yield work(item) for each item, in order, with a few items in progress on `workers` threads.

    >>> list(in_order(abs, [-3, 2, -1], workers=2))
    [3, 2, 1]
    """
    given = _elsewhere.get()
    count = given[1] if given else threads(workers)
    if count == 1 and not given:
        yield from map(work, items)
        return
    executor = given[0] if given else pool(count)
    waiting: deque[Future[R]] = deque()
    try:
        for item in items:
            waiting.append(executor.submit(work, item))
            if len(waiting) > 2 * count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextlib.contextmanager
def elsewhere(executor: Executor, workers: int) -> Iterator[None]:
    """Let `in_order` give its work to this executor inside the `with`, which may be other processes or machines."""
    token = _elsewhere.set((executor, workers))
    try:
        yield
    finally:
        _elsewhere.reset(token)


def together(work: Callable[[int], R], parts: int, workers: int | None = None) -> list[R]:
    """Return [work(0), work(1), …, work(parts - 1)]; the calling thread works too, so pieces may be very short.

    >>> together(lambda part: part * part, 4, workers=2)
    [0, 1, 4, 9]
    """
    results: dict[int, R] = {}
    left = deque(range(parts))

    def take_parts() -> None:
        while left:
            try:
                part = left.popleft()
            except IndexError:  # another thread took the last part
                return
            results[part] = work(part)

    helpers = [pool(threads(workers)).submit(take_parts) for _ in range(threads(workers) - 1)]
    take_parts()
    for helper in helpers:
        helper.result()
    return [results[part] for part in range(parts)]


def threads(workers: int | None) -> int:
    """Return how many threads to use. Inside a worker it is 1: a worker waiting for its own pool could deadlock."""
    return 1 if is_worker() else min(workers or os.cpu_count() or 1, MOST)


def is_worker() -> bool:
    """Return whether the current thread belongs to the pool."""
    return getattr(_here, "is_worker", False)


def work_alone() -> None:
    """Let the current thread count as a worker: it does everything itself, because other processes use the cores."""
    _here.is_worker = True


def end_with_parent() -> None:
    """Let this process end soon after the one that started it, even if that is killed."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@functools.cache
def pool(workers: int) -> ThreadPoolExecutor:
    """Return the pool with this many threads. It is kept, because starting threads takes longer than many tasks."""
    return ThreadPoolExecutor(workers, "fifthstreet", initializer=work_alone)
