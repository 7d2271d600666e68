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
    count = (
        1 if getattr(_here, "is_worker", False) else min(workers or os.cpu_count() or 1, MOST)
    )  # a worker asks no other
    if count == 1:
        yield from map(work, items)
        return
    waiting: deque[Future[R]] = deque()
    try:
        for item in items:
            waiting.append(_pool(count).submit(work, item))
            if len(waiting) > 2 * count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@functools.cache
def _pool(workers: int) -> ThreadPoolExecutor:
    """Threads are kept: starting them takes longer than many a piece of work."""
    return ThreadPoolExecutor(workers, "fifthstreet", initializer=lambda: setattr(_here, "is_worker", True))
