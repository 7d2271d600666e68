"""A visitor who does what he can to hold up a server: the table's benchmark runs him beside everybody else.

He sits at a table with slow agents, asks for hundreds of coaches, starts matches that last for hours, sends files that
are hard to read, and begins requests that he never finishes. He stops when he is killed.
"""

import asyncio
import contextlib
import json
import sys
import urllib.error
import urllib.request
from typing import Any

PAUSE = 0.02  # seconds between two coaches
OPEN = 200  # requests that are never finished
SLOW = "eva:samples=100000"
FILES = (
    b"\n" * 5_000_000,
    b"a" + b".a" * 100_000 + b" = 1",
    b'actions = ["' * 20_000,
    b"[1]\nvariant = 'NT'\n" * 50_000,
)


async def attack(address: str) -> None:
    host, port = address.removeprefix("http://").split(":")
    table = await _post(address, "/api/tables", {"game": "holdem", "seats": ["you", SLOW, SLOW], "stacks": "reset"})
    print("ready", flush=True)
    await asyncio.gather(
        _ask_for_coaches(address, table),
        _send_files(address),
        _start_matches(address),
        _begin_requests(host, int(port)),
    )


async def _post(address: str, path: str, given: object) -> Any:
    """What is answered; None if it is refused."""
    data = given if isinstance(given, bytes) else json.dumps(given).encode()

    def post() -> Any:
        try:
            with urllib.request.urlopen(address + path, data, timeout=120) as answer:
                return json.load(answer)
        except (OSError, urllib.error.URLError):
            return None

    return await asyncio.to_thread(post)


async def _ask_for_coaches(address: str, table: Any) -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    while True:
        with contextlib.suppress(OSError, ConnectionClosed):
            async with connect(address.replace("http", "ws", 1) + "/ws", ping_interval=None) as socket:
                await socket.send(json.dumps({"type": "sit", "table": table["table"], "token": table["token"]}))
                reading = asyncio.create_task(_read(socket))
                while not reading.done():
                    await socket.send(json.dumps({"type": "coach", "agent": SLOW}))
                    await asyncio.sleep(PAUSE)
        await asyncio.sleep(PAUSE)


async def _read(socket: Any) -> None:
    """Play on, so that the slow agents have something to think about."""
    async for text in socket:
        seen = json.loads(text)
        if seen.get("choices"):
            action = {"move": "call"}
            await socket.send(
                json.dumps({"type": "act", "hand": seen["hand"], "number": seen["number"], "action": action})
            )
        elif seen.get("over"):
            await socket.send('{"type": "next"}')


async def _send_files(address: str) -> None:
    while True:
        for file in FILES:
            await _post(address, "/api/hands", file)
            await asyncio.sleep(PAUSE)


async def _start_matches(address: str) -> None:
    while True:
        await _post(
            address, "/api/watch", {"kind": "match", "game": "holdem", "agents": [SLOW, SLOW], "deals": 100_000}
        )
        await asyncio.sleep(1)


async def _begin_requests(host: str, port: int) -> None:
    while True:
        begun = []
        for _ in range(OPEN):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(host, port)
                writer.write(b"POST /api/hands HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n")
                begun.append(writer)
        await asyncio.sleep(5)
        for writer in begun:
            writer.close()


if __name__ == "__main__":
    asyncio.run(attack(sys.argv[1]))
