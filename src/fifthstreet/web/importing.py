"""Files of hands that visitors send: read in a process of its own, hand by hand, as they arrive.

Nothing is collected here: parts of the file go to the process, and hands come back and are stored a few at a time. A
file that takes too long keeps the hands that were read until then.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator

from fifthstreet.errors import InputError
from fifthstreet.web import phh
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.guard import MOST_DISCARDED
from fifthstreet.web.processes import Ended, Process
from fifthstreet.web.refusals import Busy, Late, TooLarge
from fifthstreet.web.store import IMPORTED, MOST_IMPORTED, Store

ENTRY = "fifthstreet.web.phh:main"
AT_ONCE = 2  # files that are read
MOST = 20  # that are read or on their way
UPLOAD_S = 60.0  # seconds in which the whole file must have come
HAND_S = 10.0  # seconds for one hand
SECONDS = 120.0  # for all of them
TOGETHER = 20  # hands that are stored at once
MOST_REFUSED = 200  # hands of which it is said why


class Imports:
    """The files that are being read."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._senders: set[str] = set()
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def read(self, parts: AsyncIterator[bytes], sender: str) -> Json:
        """Store the hands of a file; what was read and what was refused."""
        if sender in self._senders:
            raise Busy("a file of yours is being read already: wait until it is", SECONDS)
        if len(self._senders) >= MOST:
            raise Busy(f"{MOST} files are being sent or read: wait for one of them", SECONDS)
        self._senders.add(sender)
        process = None
        try:
            process = await Process.start(ENTRY)
            await self._send(process, parts)
            async with self._turn:
                process.order(part=b"")  # this was all of it
                return await self._hands(process)
        finally:
            self._senders.discard(sender)
            if process is not None:
                process.kill()

    async def _send(self, process: Process, parts: AsyncIterator[bytes]) -> None:
        size = 0
        try:
            async with asyncio.timeout(UPLOAD_S):
                async for part in parts:
                    size += len(part)
                    if part and size <= phh.MOST_BYTES:  # the rest is dropped, so that the client gets the answer
                        process.order(part=part)
                        await process.sent()
                    if size > MOST_DISCARDED:
                        break
        except TimeoutError:
            raise Late(f"the file did not come within {UPLOAD_S:g} seconds") from None
        if size > phh.MOST_BYTES:
            raise TooLarge(f"this file has more than {phh.MOST_BYTES:,} bytes, which is the limit")

    async def _hands(self, process: Process) -> Json:
        hands: list[Json] = []
        refused: list[Json] = []
        waiting: list[Json] = []
        late = asyncio.get_running_loop().time() + SECONDS
        try:
            async with asyncio.timeout_at(late) as clock:
                while "end" not in (found := await process.answer()):
                    clock.reschedule(min(late, asyncio.get_running_loop().time() + HAND_S))
                    if "error" in found:
                        raise InputError(str(found["error"])[:300])
                    if "hand" in found:
                        waiting.append(found)
                    elif len(refused) < MOST_REFUSED:
                        refused.append(found["refused"])
                    if len(waiting) >= TOGETHER:
                        hands += self._keep(waiting)
                        waiting.clear()
        except TimeoutError:
            refused.append({"hand": "", "error": f"the rest is not read: it takes more than {SECONDS:g} seconds"})
        except Ended:
            refused.append({"hand": "", "error": "the rest is not read: it needs more memory than is allowed"})
        hands += self._keep(waiting)
        if not hands:
            why = refused[0]["error"] if refused else "there is no hand in it"
            raise InputError(f"no hand can be read: {why}")
        return {"hands": hands, "refused": refused}

    def _keep(self, found: list[Json]) -> list[Json]:
        """Store hands; the id and a summary of each."""
        if self.store.imported() + len(found) > MOST_IMPORTED:
            raise InputError(f"there are {MOST_IMPORTED:,} imported hands already, and no room for more")
        kept = []
        with self.store.transaction():
            for each in found:
                id, line, body = secrets.token_urlsafe(12), each["summary"], each["hand"]
                self.store.add_hand(id, IMPORTED, 0, line, body)
                kept.append({"id": id, "title": line["title"], "names": body["names"], "steps": line["steps"]})
        return kept
