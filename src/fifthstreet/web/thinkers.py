"""Threads for work of our own that takes more than a moment, like replays and statistics.

They are daemons, so that the server can stop while something is being compiled. Agents think in processes.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

MOST_THREADS = 8


class Thinkers:
    def __init__(self, most: int = MOST_THREADS) -> None:
        self._most, self._threads, self._idle = most, 0, 0
        self._waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lock = threading.Lock()

    async def do(self, work: Callable[[], T]) -> T:
        """The result of the work."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def tell(result: T, error: BaseException | None) -> None:
            if not future.done():
                if error is None:
                    future.set_result(result)
                else:
                    future.set_exception(error)

        self._waiting.put((work, loop, tell))
        with self._lock:
            if self._idle < self._waiting.qsize() and self._threads < self._most:
                self._threads += 1
                threading.Thread(target=self._work, name=f"thinker {self._threads}", daemon=True).start()
        return await future

    def _work(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            work, loop, tell = self._waiting.get()
            with self._lock:
                self._idle -= 1
            result: Any = None
            error: Exception | None = None
            try:
                result = work()
            except BaseException as caught:
                error = caught if isinstance(caught, Exception) else RuntimeError(type(caught).__name__)
            try:
                loop.call_soon_threadsafe(tell, result, error)
            except RuntimeError:  # the server has stopped
                return
