"""The table under everything at once: people at all games, hostile ones among them, kills, and a disk that fills up.

The server is killed every minute and started again on the same store. Before that, the disk is full for a while: the
server may write no more to its files. At the end everything that was acknowledged is compared with the store.
"""

import asyncio
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from fifthstreet.benchmarks import HERE, Measurement, Report
from fifthstreet.benchmarks.table import SETUPS, TWICE, choice, opened
from fifthstreet.errors import InputError

NAME = "soak"
PEOPLE = 36
HOSTILE = 4
PERIOD = 60.0  # seconds between two kills
FULL = (0.4, 0.55)  # the part of each period in which the disk is full
PACE = 0.1  # seconds that a person thinks

HALVES = (b"", b"GET / HTTP/1.1\r\nX: ", b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
RUBBISH = ("nonsense", "[" * 4000, '{"type": "act"}', b"\xff\x00", '{"type": "undo"}', '{"type": "rebuy"}')

Moment = tuple[int, int]  # the number of a hand, and of changes in it


@dataclass
class Seen:
    """What one person sent, and saw to have happened."""

    table: dict[str, str]
    sent: set[Moment] = field(default_factory=set)  # when the person acted
    acknowledged: set[Moment] = field(default_factory=set)
    hands: dict[str, int] = field(default_factory=dict)  # finished, by id
    unstored: int = 0  # refusals because the disk was full


@dataclass
class Life:
    """A server from its start to its kill: samples of its memory in MB, open files and threads, one a second."""

    samples: list[tuple[float, int, int]] = field(default_factory=list)


class Soak:
    def __init__(self, folder: Path, seconds: float, people: int, hostile: int, period: float, report: Report | None):
        self.place, self.seconds, self.period, self.report = folder / "tables.sqlite", seconds, period, report
        self.people, self.hostile = people, hostile
        self.lives: list[Life] = []
        self.seen: list[Seen] = []
        self.attacks = self.full = 0
        self.port = 0
        self.over = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # The server

    def start(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "fifthstreet.benchmarks.soak", str(self.place), str(self.port)]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        line = server.stdout.readline()
        if not line:
            raise InputError("the server did not start")
        self.port = int(line)
        self.lives.append(Life())
        self.listening = threading.Thread(target=_note, args=(server.stdout, self.lives[-1]), daemon=True)
        self.listening.start()
        return server

    def end(self, server: "subprocess.Popen[str]") -> None:
        server.kill()
        self.listening.join()  # until the last sample is read
        with suppress(BrokenPipeError):
            server.__exit__(None, None, None)

    async def lives_and_deaths(self) -> None:
        """Run the server, fill its disk for a while and kill it, again and again until the time is over."""
        server = await asyncio.to_thread(self.start)
        try:
            for number in range(self.people + self.hostile):
                self.seen.append(Seen(await self.open_table(*SETUPS[number % len(SETUPS)])))
        except BaseException:
            self.end(server)
            raise
        begin, people = time.monotonic(), asyncio.create_task(self.everybody())
        while not self.over:
            start = time.monotonic()
            full = False
            try:
                while (age := time.monotonic() - start) < self.period and not self.over and server.poll() is None:
                    wanted = FULL[0] < age / self.period < FULL[1]
                    if wanted != full:
                        full = wanted
                        self.full += full
                        _tell(server, "full" if full else "room")
                    await asyncio.sleep(0.1)
                    if people.done():
                        people.result()  # raises what went wrong
                    self.over = time.monotonic() - begin > self.seconds
                    if self.report:
                        self.report(int(time.monotonic() - begin), int(self.seconds))
                if server.poll() is not None:
                    raise InputError(f"the server has stopped by itself, with exit code {server.returncode}")
            finally:
                self.end(server)
            if not self.over:
                server = await asyncio.to_thread(self.start)
        await people

    # Those who play

    async def open_table(self, game: str, seats: tuple[str, ...]) -> dict[str, str]:
        """A new table; the first time, the server may have to compile its game."""
        for _ in range(100):
            with suppress(OSError):  # also a refusal, when too many are opened at once
                return await asyncio.to_thread(opened, self.address, game, seats)
            await asyncio.sleep(0.5)
        raise InputError(f"the server opens no table of {game}")

    async def everybody(self) -> None:
        tasks = [self.play(seen, random.Random(n)) for n, seen in enumerate(self.seen[self.hostile :])]
        tasks += [self.attack(seen, random.Random(-1 - n)) for n, seen in enumerate(self.seen[: self.hostile])]
        await asyncio.gather(*tasks)

    async def sit_down(self, seen: Seen, do: Callable[[Any], Awaitable[None]]) -> None:
        """Do this at the table, until the connection is lost."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        with suppress(OSError, TimeoutError, WebSocketException):
            async with connect(self.address.replace("http", "ws", 1) + "/ws", close_timeout=1) as socket:
                seat = {"type": "sit", "table": seen.table["table"], "token": seen.table["token"]}
                await socket.send(json.dumps(seat))
                await socket.send('{"type": "speed", "seconds": 0}')
                await do(socket)

    async def play(self, seen: Seen, rng: random.Random) -> None:
        async def conversation(socket: Any) -> None:
            done = (0, -1)
            while not self.over:
                message = json.loads(await asyncio.wait_for(socket.recv(), 5))
                if message["type"] == "refused":
                    if "cannot be stored" in message["text"]:
                        seen.unstored += 1
                        return  # sit down again
                    continue
                now = (message["hand"], message["number"])
                seen.acknowledged |= {moment for moment in seen.sent if moment < now}
                if message["over"] and message["hand_id"]:
                    seen.hands[message["hand_id"]] = message["hand"]
                await asyncio.sleep(PACE)
                if message["choices"] and now > done:
                    done = now
                    act = {"type": "act", "hand": now[0], "number": now[1], "action": choice(message["choices"], rng)}
                    seen.sent.add(now)
                    for _ in range(1 + (rng.random() < TWICE)):
                        await socket.send(json.dumps(act))
                elif message["may"]["next"]:
                    await socket.send('{"type": "next"}')
                elif message["trouble"]:
                    return

        while not self.over:
            await self.sit_down(seen, conversation)
            await asyncio.sleep(0.3)

    async def attack(self, seen: Seen, rng: random.Random) -> None:
        """Everything that a hostile client may try, again and again."""
        half_sent: list[asyncio.StreamWriter] = []

        async def shouting(socket: Any) -> None:
            picture = json.loads(await asyncio.wait_for(socket.recv(), 5))
            act = {"type": "act", "hand": picture.get("hand"), "number": picture.get("number"), "action": {"column": 0}}
            for _ in range(rng.randrange(1, 40)):
                self.attacks += 1
                await socket.send(rng.choice((json.dumps(act), *RUBBISH)))
            if rng.random() < 0.5:
                socket.transport.abort()

        async def stalling() -> None:
            self.attacks += 1
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(rng.choice(HALVES))
            half_sent.append(writer)
            if len(half_sent) > 200:
                half_sent.pop(0).close()

        while not self.over:
            with suppress(OSError):
                for _ in range(20):
                    await stalling()
            for _ in range(3):
                await self.sit_down(seen, shouting)
                await asyncio.sleep(0.3)
        for writer in half_sent:
            writer.transport.abort()
        await asyncio.sleep(0.1)

    # What is left

    def result(self) -> list[Measurement]:
        from fifthstreet.web import checking
        from fifthstreet.web.store import Store

        store = Store(self.place)
        lost = doubled = hands_lost = actions = 0
        for seen in self.seen[self.hostile :]:
            place = seen.table["table"]
            stored = _people_acted(store.events(place))
            actions += len(seen.acknowledged)
            lost += len(seen.acknowledged - stored)
            doubled += len(stored - seen.sent)
            listed = {id: number for number, id in store.hand_ids(place).items()}
            hands_lost += len(seen.hands.items() - listed.items())
        health = checking.check(store)
        store.close()
        rows: dict[str, float] = {
            "actions of people acknowledged": actions,
            "acknowledged actions lost": lost,
            "actions stored that nobody sent": doubled,
            "finished hands shown": sum(len(seen.hands) for seen in self.seen),
            "shown hands lost": hands_lost,
            "damaged tables and hands": health.damaged_tables + health.damaged_hands + bool(health.structure),
            "kills": len(self.lives),
            "times the disk was full": self.full,
            "refusals while it was": sum(seen.unstored for seen in self.seen),
            "hostile messages and connections": self.attacks,
        }
        found = [Measurement(NAME, what, HERE, figure, "") for what, figure in rows.items()]
        for number, life in enumerate(self.lives, 1):
            for when, sample in (("begin", life.samples[len(life.samples) // 3 :][:1]), ("end", life.samples[-1:])):
                found += [
                    Measurement(NAME, f"life {number}, {when}", HERE, memory, "MB", f"{files} files, {threads} threads")
                    for memory, files, threads in sample
                ]
        return found


def measure(minutes: float, report: Report | None = None, **more: Any) -> list[Measurement]:
    """Soak for so many minutes; `more` are other limits than usual."""
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # that connections break off is the point
    limits = {"people": PEOPLE, "hostile": HOSTILE, "period": PERIOD} | more
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), 60 * minutes, report=report, **limits)
        asyncio.run(soak.lives_and_deaths())
        return soak.result()


def _people_acted(events: list[Any]) -> set[Moment]:
    """When people acted, by the stored events."""
    hand, number, found = 0, 0, set()
    for event in events:
        if event["kind"] == "hand":
            hand, number = hand + 1, 0
        elif event["kind"] == "act":
            if "thought" not in event:
                found.add((hand, number))
            number += 1
    return found


def _tell(server: "subprocess.Popen[str]", word: str) -> None:
    assert server.stdin is not None
    with suppress(BrokenPipeError):
        server.stdin.write(word + "\n")
        server.stdin.flush()


def _note(lines: IO[str], life: Life) -> None:
    for line in lines:
        with suppress(ValueError):  # the last line may be cut off by the kill
            life.samples.append(tuple(json.loads(line)))


def serve(place: str, port: str) -> None:
    """The server, which tells its memory, open files and threads every second, and obeys who fills its disk."""
    from fifthstreet.web.serve import listen, reception
    from fifthstreet.web.server import application
    from fifthstreet.web.store import Store

    listening = listen("127.0.0.1", int(port))
    print(listening.getsockname()[1], flush=True)
    threading.Thread(target=_obey, daemon=True).start()
    threading.Thread(target=_sample, daemon=True).start()
    reception(application(Store(place))).run(sockets=[listening])


def _obey() -> None:
    import resource

    for line in sys.stdin:
        most = 0 if line.strip() == "full" else resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    os._exit(1)  # whoever started it is gone


def _sample() -> None:
    while True:
        time.sleep(1)
        print(json.dumps([_memory(), len(list(Path("/dev/fd").iterdir())), threading.active_count()]), flush=True)


def _memory() -> float:
    """Megabytes in use now; where the system does not tell, the most so far."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    serve(*sys.argv[1:])
