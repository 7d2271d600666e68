"""The WebSocket of one seat: the first message sits down, the others act, and every change is sent as a picture."""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from fifthstreet.errors import InputError
from fifthstreet.web.drawing.face import Json, short
from fifthstreet.web.guard import parsed
from fifthstreet.web.host import Host
from fifthstreet.web.refusals import Watching, log, refusal_of
from fifthstreet.web.room import Listener, Room
from fifthstreet.web.snapshot import EVERYTHING, SPECTATOR

MOST_CHARACTERS = 4_096  # in a message
LARGEST = 1_048_576  # bytes in a frame; a larger one closes the connection
PATIENCE = 30.0  # seconds for the first message
MOST_REFUSALS = 200  # in a row

Watch = Callable[[float], None]
"""Called with the seconds from the arrival of a message until the picture of its effect was sent."""


class Conversation:
    def __init__(self, host: Host, socket: WebSocket, watch: Watch | None = None) -> None:
        self.host, self.socket, self.watch = host, socket, watch
        self.refusals = 0
        self._since: float | None = None  # when the last message came whose effect has not been sent yet

    async def hold(self) -> None:
        await self.socket.accept()
        try:
            room, listener = await asyncio.wait_for(self._sit(), PATIENCE)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            with contextlib.suppress(Exception):
                await self.socket.close(1008)
            return
        sender = asyncio.create_task(self._send_pictures(room, listener))
        try:
            while self.refusals < MOST_REFUSALS:
                await self._answer(room, listener, await self._message())
            await self.socket.close(1008, "too many refused messages")
        except (WebSocketDisconnect, RuntimeError):  # the client is gone
            pass
        finally:
            room.leave(listener)
            sender.cancel()

    async def _message(self) -> str:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1000)
        text = message.get("text")
        return text if text is not None else "\0"  # a message is text

    async def _sit(self) -> tuple[Room, Listener]:
        """Wait for the `sit` message and refuse all others."""
        while True:
            try:
                given = self._read(await self._message())
                match given.get("type"):
                    case "sit":
                        room, chair = await self.host.sit(given.get("table"), given.get("token"))
                    case "watch":
                        room, chair = await self.host.watch(given.get("table"))
                    case _:
                        raise InputError(
                            'the first message sits down, {"type": "sit", "table": …, "token": …}, or watches, '
                            '{"type": "watch", "table": …}'
                        )
                listener = Listener(chair)
                room.join(listener)
                return room, listener
            except (WebSocketDisconnect, RuntimeError):
                raise
            except Exception as error:
                await self._refuse(error)
            if self.refusals >= 5:
                raise TimeoutError

    def _read(self, text: str) -> Json:
        if len(text) > MOST_CHARACTERS:
            raise InputError(f"a message of {len(text):,} characters: at most {MOST_CHARACTERS:,} are read")
        given = parsed(text)
        if not isinstance(given, dict):
            raise InputError(f"{short(given)} is not a message, which is an object with a type")
        return given

    async def _answer(self, room: Room, listener: Listener, text: str) -> None:
        began = time.perf_counter()
        try:
            self._do(room, listener.chair, self._read(text))
            self.refusals, self._since = 0, began
        except Exception as error:
            await self._refuse(error)

    def _do(self, room: Room, chair: int, given: Json) -> None:
        kind = given.get("type")
        if chair == SPECTATOR or (kind in ("act", "undo", "coach") and chair == EVERYTHING):
            raise Watching(f"{kind!r}: you watch this table, and have no seat at it")
        match kind:
            case "act":
                room.act(chair, given.get("hand"), given.get("number"), given.get("action"))
            case "next":
                room.begin()
            case "undo":
                room.undo(chair)
            case "coach":
                agent = given.get("agent")
                if agent is not None and not isinstance(agent, str):
                    raise InputError(f"{short(agent)} is not the name of an agent")
                room.coaching.choose(chair, agent)
            case "speed":
                room.set_speed(given.get("seconds"))
            case "auto":
                room.set_auto(given.get("on"))
            case "rebuy":
                room.rebuy()
            case "stand_in":
                room.absence.replace(chair, given.get("seat"))
            case _:
                known = "act, next, undo, coach, speed, auto, rebuy and stand_in"
                raise InputError(f"{short(kind)} is not a kind of message: there are {known}")

    async def _refuse(self, error: Exception) -> None:
        self.refusals += 1
        code, text, *_ = refusal_of(error)
        await self._send({"type": "refused", "code": code, "text": text})

    async def _send_pictures(self, room: Room, listener: Listener) -> None:
        """Send the newest picture after every change; a slow client misses some, so nothing piles up."""
        try:
            while True:
                await listener.changed.wait()
                listener.changed.clear()
                since, self._since = self._since, None
                picture = json.dumps(room.picture(listener), ensure_ascii=False, separators=(",", ":"))
                await self.socket.send_text(picture)
                if self.watch and since is not None:
                    self.watch(time.perf_counter() - since)
        except (WebSocketDisconnect, RuntimeError):  # the client is gone
            return
        except Exception as error:
            log.error("a table cannot be drawn", exc_info=error)
            await self.socket.close(1011, "the table cannot be drawn")

    async def _send(self, message: object) -> None:
        await self.socket.send_text(json.dumps(message))  # ASCII, because it may quote surrogates
