"""Many tables at once: scripted players over real WebSockets against fast agents, with the server in its own process.

Every player sends some of its actions twice on purpose. At the end the stored actions are compared with those sent:
none may be lost or stored twice. Latency is measured in the server, from the arrival of an action until the message
that shows it has been sent, including waiting for other tables. The same is then measured with a hostile visitor
beside them.
"""

import asyncio
import contextlib
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
TWICE = 0.1  # the share of actions sent twice


def measure(tables: int = TABLES, hands: int = HANDS) -> Iterator[list[Measurement]]:
    if not all(map(find_spec, ("starlette", "uvicorn", "websockets"))):
        return  # the web extra is not installed
    found = played(tables, hands)
    beside = played(tables, hands, hostile=True)
    task = f"{tables} tables at once, {found['actions']:,} actions of people"
    rows = {"all actions": "actions/s", "median latency": "ms", "99th percentile": "ms", "worst latency": "ms"}
    rows["processor time of the server per action"] = "ms"
    figures = [Measurement(NAME, f"{task}: {what}", HERE, found[what], unit) for what, unit in rows.items()]
    lost = Measurement(NAME, f"{task}: tables with lost or doubled actions", HERE, found["lost or doubled"], "tables")
    failed = Measurement(NAME, f"{task}: decisions of agents that failed", HERE, found["failed"], "decisions")
    yield [*figures, lost, failed]
    task += ", beside a hostile visitor"
    ratio = f"{beside['99th percentile'] / found['99th percentile']:.2f} ×"
    yield [
        Measurement(NAME, f"{task}: 99th percentile", HERE, beside["99th percentile"], "ms", ratio),
        Measurement(NAME, f"{task}: all actions", HERE, beside["all actions"], "actions/s"),
        Measurement(NAME, f"{task}: tables with lost or doubled actions", HERE, beside["lost or doubled"], "tables"),
        Measurement(NAME, f"{task}: decisions of agents that failed", HERE, beside["failed"], "decisions"),
    ]


def played(tables: int, hands: int, hostile: bool = False) -> dict[str, float]:
    """Play, and return rates, latencies, and how much was lost, doubled or failed."""
    with tempfile.TemporaryDirectory() as folder:
        place, notes = Path(folder) / "tables.sqlite", Path(folder) / "notes.json"
        command = [sys.executable, "-m", "fifthstreet.benchmarks.table", str(place), str(notes)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            if not address:
                raise InputError("the server did not start")
            try:
                with _hostile(address) if hostile else contextlib.nullcontext():
                    sent, took = asyncio.run(_everybody(address, tables, hands))
            finally:
                server.send_signal(signal.SIGINT)
                server.wait(30)
        noted = json.loads(notes.read_text())
        waited = sorted(noted["waited"])
        own, everybody, failed = _kept(place, set(sent))
    return {
        "actions": sum(map(sum, sent.values())),
        "all actions": everybody / took,
        "processor time of the server per action": 1000 * noted["processor"] / everybody,
        "median latency": 1000 * waited[len(waited) // 2],
        "99th percentile": 1000 * waited[99 * len(waited) // 100],
        "worst latency": 1000 * waited[-1],
        "lost or doubled": sum(own.get(table) != actions for table, actions in sent.items()),
        "failed": failed,
    }


@contextlib.contextmanager
def _hostile(address: str) -> Iterator[None]:
    """Let a hostile visitor do his worst meanwhile."""
    command = [sys.executable, "-m", "fifthstreet.benchmarks.hostile", address]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as visitor:
        assert visitor.stdout is not None
        visitor.stdout.readline()
        try:
            yield
        finally:
            visitor.kill()


def _kept(place: Path, tables: set[str]) -> tuple[dict[str, list[int]], int, int]:
    """The player's actions in each hand, by table, and the number of all actions at these tables, and of failures."""
    own: dict[str, list[int]] = {}
    everybody = failed = 0
    database = sqlite3.connect(place)
    for table, body in database.execute('SELECT "table", body FROM events ORDER BY "table", number'):
        if table not in tables:  # a hostile visitor's
            continue
        event = json.loads(body)
        counts = own.setdefault(table, [])
        if event["kind"] == "hand":
            counts.append(0)
        elif event["kind"] == "act":
            everybody += 1
            failed += "failed" in event
            counts[-1] += "thought" not in event
    database.close()
    return own, everybody, failed


async def _everybody(address: str, tables: int, hands: int) -> tuple[dict[str, list[int]], float]:
    found = [await asyncio.to_thread(opened, address, *SETUPS[number % len(SETUPS)]) for number in range(tables)]
    ready = asyncio.Barrier(tables + 1)
    games = [asyncio.create_task(_play(address, table, hands, ready, n)) for n, table in enumerate(found)]
    await ready.wait()
    begin = time.perf_counter()
    counts = await asyncio.gather(*games)
    took = time.perf_counter() - begin
    return {table["table"]: count for table, count in zip(found, counts, strict=True)}, took


def opened(address: str, game: str, seats: tuple[str, ...]) -> dict[str, str]:
    """Open a table; its id, and the token of the first seat."""
    body = json.dumps({"game": game, "seats": list(seats), "stacks": "reset"}).encode()
    with urllib.request.urlopen(address + "/api/tables", body) as answer:
        found: dict[str, str] = json.load(answer)
    return found


async def _play(address: str, table: dict[str, str], hands: int, ready: asyncio.Barrier, number: int) -> list[int]:
    """Play this many hands; return the number of actions sent in each."""
    from websockets.asyncio.client import connect

    rng, counts, done = random.Random(number), [0], (0, -1)
    async with connect(address.replace("http", "ws", 1) + "/ws", open_timeout=120, ping_interval=None) as socket:
        await socket.send(json.dumps({"type": "sit", "table": table["table"], "token": table["token"]}))
        await socket.send(json.dumps({"type": "speed", "seconds": 0}))
        await ready.wait()
        while True:
            picture = json.loads(await socket.recv())
            if picture["type"] == "refused":
                if picture["code"] != "outdated":  # the answer to a repeated action
                    raise InputError(f"the server refused: {picture['text']}")
                continue
            moment = (picture["hand"], picture["number"])
            if picture["choices"] and moment > done:
                action = choice(picture["choices"], rng)
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


def choice(choices: dict[str, Any], rng: random.Random) -> dict[str, object]:
    """Something that is allowed, at random."""
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
    """Run the measured server; when it is stopped, write the latencies and the processor time to `notes`."""
    from fifthstreet.web.serve import listen, reception
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
        reception(application(Store(place), watch=watch, warmed=True)).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        Path(notes).write_text(json.dumps({"waited": waited, "processor": busy[-1] - busy[0] if busy else 0}))


if __name__ == "__main__":
    serve(*sys.argv[1:])
