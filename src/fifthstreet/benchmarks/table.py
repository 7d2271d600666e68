"""Many tables at once: scripted players over real WebSockets against fast agents, the server in a process of its own.

Every player sends some of its actions twice on purpose. At the end the actions that are kept are compared with those
that were sent: none may be lost, and none may be there twice. A latency is the server's own work, from an action's
arrival until the picture that shows it was sent, what it waited for other tables included.
"""

import asyncio
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fifthstreet.benchmarks import HERE, Measurement
from fifthstreet.errors import InputError

NAME = "table"
TABLES, HANDS = 200, 3
SETUPS = (
    ("holdem", ("you", "tight-aggressive", "call-station", "random")),
    ("five-card-draw", ("you", "loose-aggressive", "tight-passive")),
    ("five-o", ("you", "random")),
    ("poker-squares", ("you",)),
)
TWICE = 0.1  # of the actions are sent once more


def measure(tables: int = TABLES, hands: int = HANDS) -> Iterator[list[Measurement]]:
    if not all(map(find_spec, ("starlette", "uvicorn", "websockets"))):
        return  # the table is not installed
    found = played(tables, hands)
    task = f"{tables} tables at once, {found['actions']:,} actions of players"
    rows = {"actions of everybody": "actions/s", "50th": "ms", "99th": "ms", "worst": "ms"}
    rows["processor time an action, agents included"] = "ms"
    figures = [Measurement(NAME, f"{task}: {what}", HERE, found[what], unit) for what, unit in rows.items()]
    figures.append(Measurement(NAME, f"{task}: lost or doubled", HERE, found["lost or doubled"], "actions"))
    yield figures


def played(tables: int, hands: int) -> dict[str, float]:
    """Play, and say how it went; lost or doubled actions are counted, not hidden."""
    with tempfile.TemporaryDirectory() as folder:
        place, notes = Path(folder) / "tables.sqlite", Path(folder) / "notes.json"
        command = [sys.executable, "-m", "fifthstreet.benchmarks.table", str(place), str(notes)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            if not address:
                raise InputError("the server did not start")
            try:
                sent, took = asyncio.run(_everybody(address, tables, hands))
            finally:
                server.send_signal(signal.SIGINT)
                server.wait(30)
        noted = json.loads(notes.read_text())
        waited = sorted(noted["waited"])
        own, everybody = _kept(place)
    return {
        "actions": sum(map(sum, sent.values())),
        "actions of everybody": everybody / took,
        "processor time an action, agents included": 1000 * noted["processor"] / everybody,
        "50th": 1000 * waited[len(waited) // 2],
        "99th": 1000 * waited[99 * len(waited) // 100],
        "worst": 1000 * waited[-1],
        "lost or doubled": sum(own.get(table) != actions for table, actions in sent.items()),
    }


def _kept(place: Path) -> tuple[dict[str, list[Any]], int]:
    """By table, how many actions of its player each hand has; and how many actions there are in all."""
    own: dict[str, list[Any]] = {}
    everybody = 0
    database = sqlite3.connect(place)
    for table, body in database.execute('SELECT "table", body FROM events ORDER BY "table", number'):
        event = json.loads(body)
        counts = own.setdefault(table, [])
        if event["kind"] == "hand":
            counts.append(0)
        elif event["kind"] == "act":
            everybody += 1
            counts[-1] += "thought" not in event
    database.close()
    return own, everybody


async def _everybody(address: str, tables: int, hands: int) -> tuple[dict[str, list[int]], float]:
    opened = [await asyncio.to_thread(_open, address, *SETUPS[number % len(SETUPS)]) for number in range(tables)]
    ready = asyncio.Barrier(tables + 1)
    games = [asyncio.create_task(_play(address, table, hands, ready, n)) for n, table in enumerate(opened)]
    await ready.wait()
    begin = time.perf_counter()
    counts = await asyncio.gather(*games)
    took = time.perf_counter() - begin
    return {table["table"]: count for table, count in zip(opened, counts, strict=True)}, took


def _open(address: str, game: str, seats: tuple[str, ...]) -> Any:
    body = json.dumps({"game": game, "seats": list(seats), "stacks": "reset"}).encode()
    with urllib.request.urlopen(address + "/api/tables", body) as answer:
        return json.load(answer)


async def _play(address: str, table: Any, hands: int, ready: asyncio.Barrier, number: int) -> list[int]:
    """Play so many hands; how many actions were sent in each."""
    from websockets.asyncio.client import connect

    rng, counts, done = random.Random(number), [0], (0, -1)
    async with connect(address.replace("http", "ws", 1) + "/ws", open_timeout=120, ping_interval=None) as socket:
        await socket.send(json.dumps({"type": "sit", "table": table["table"], "token": table["token"]}))
        await socket.send(json.dumps({"type": "speed", "seconds": 0}))
        await ready.wait()
        while True:
            picture = json.loads(await socket.recv())
            if picture["type"] == "refused":
                if picture["code"] != "outdated":  # the answer to what was sent twice
                    raise InputError(f"the server refused: {picture['text']}")
                continue
            moment = (picture["hand"], picture["number"])
            if picture["choices"] and moment > done:
                action = _choice(picture["choices"], rng)
                message = {"type": "act", "hand": moment[0], "number": moment[1], "action": action}
                for _ in range(1 + (rng.random() < TWICE)):
                    await socket.send(json.dumps(message))
                counts[-1] += 1
                done = moment
            elif picture["over"] and picture["hand"] == len(counts):
                if len(counts) == hands:
                    return counts
                counts.append(0)
                await socket.send('{"type": "next"}')


def _choice(choices: Any, rng: random.Random) -> Any:
    if "columns" in choices:
        return {"column": rng.choice(choices["columns"])}
    if "cells" in choices:
        return {"cell": rng.choice(choices["cells"])}
    if "discard" in choices:
        return {"discard": []}
    return (
        {"move": "raise", "to": choices["raise"]["low"]}
        if choices["raise"] and rng.random() < 0.1
        else {"move": "call"}
    )


def serve(place: str, notes: str) -> None:
    """The server that is measured; when it is stopped it writes down how long everything took."""
    import uvicorn

    from fifthstreet.web.serve import configuration, listen
    from fifthstreet.web.server import application
    from fifthstreet.web.store import Store

    waited: list[float] = []
    busy: list[float] = []  # processor time at every action

    def watch(seconds: float) -> None:
        waited.append(seconds)
        busy.append(time.process_time())

    listening = listen("127.0.0.1", 0)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    try:
        uvicorn.Server(configuration(application(Store(place), watch=watch, warmed=True))).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        Path(notes).write_text(json.dumps({"waited": waited, "processor": busy[-1] - busy[0] if busy else 0}))


if __name__ == "__main__":
    serve(*sys.argv[1:])
