"""Work on several cores: kernels release the GIL, so threads are enough."""

import functools
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

MOST = 64  # threads, however many are asked for

_here = threading.local()

T = TypeVar("T")
R = TypeVar("R")


def in_order(work: Callable[[T], R], items: Iterable[T], workers: int | None = None) -> Iterator[R]:
    """The results of the work on each item, in the order of the items whoever did them, a few under way at a time.

    >>> list(in_order(abs, [-3, 2, -1], workers=2))
    [3, 2, 1]
    """
    count = threads(workers)
    if count == 1:
        yield from map(work, items)
        return
    waiting: deque[Future[R]] = deque()
    try:
        for item in items:
            waiting.append(pool(count).submit(work, item))
            if len(waiting) > 2 * count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def together(work: Callable[[int], R], parts: int, workers: int | None = None) -> list[R]:
    """The results of the work on parts 0, 1, …, the caller working too: for pieces of less than a millisecond.

    >>> together(lambda part: part * part, 4, workers=2)
    [0, 1, 4, 9]
    """
    results: dict[int, R] = {}
    left = deque(range(parts))

    def take_parts() -> None:
        while left:
            try:
                part = left.popleft()
            except IndexError:  # somebody took the last
                return
            results[part] = work(part)

    helpers = [pool(threads(workers)).submit(take_parts) for _ in range(threads(workers) - 1)]
    take_parts()
    for helper in helpers:
        helper.result()
    return [results[part] for part in range(parts)]


def threads(workers: int | None) -> int:
    """As many as are asked for, within reason; but a worker asks no other, for it could wait for itself."""
    return 1 if is_worker() else min(workers or os.cpu_count() or 1, MOST)


def is_worker() -> bool:
    """Whether this thread is one of the pool's."""
    return getattr(_here, "is_worker", False)


@functools.cache
def pool(workers: int) -> ThreadPoolExecutor:
    """Threads are kept: starting them takes longer than many a piece of work."""
    return ThreadPoolExecutor(workers, "fifthstreet", initializer=lambda: setattr(_here, "is_worker", True))
