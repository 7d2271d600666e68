"""A running server and players at its tables, over real sockets."""

import json
import os
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import uvicorn
from websockets.sync.client import ClientConnection, connect

from fifthstreet.agents import Agent, Decision, Turn
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.web.serve import configuration, listen
from fifthstreet.web.server import application
from fifthstreet.web.store import Store

PATIENCE = 30.0

THREE_HANDED = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 80]
players = ["Ann", "Bob", "Cem"]
actions = ["d dh p1 AhKh", "d dh p2 ????", "d dh p3 9c9d", "p3 cbr 6", "p1 cc", "p2 cc", "d db 2h7c5s", "p1 cc",
 "p2 cc", "p3 cbr 10", "p1 cc", "p2 cc", "d db Th", "p1 cc", "p2 cbr 20", "p3 cc", "p1 f", "d db 3d", "p2 cbr 30",
 "p3 cc"]
"""
"""A hand in which two are left on the river; nobody knows what Bob holds."""


LEARNED = "FIFTHSTREET_TEST_LEARNED"
"""Names the file whose presence ends the learning of a pupil, in whatever process that is."""


@dataclass
class Pupil(Agent):
    """Learns until it is told that it has learned enough."""

    name: ClassVar[str] = "pupil"
    learned: str = field(default_factory=lambda: os.environ[LEARNED])

    def mind(self, game: AnyGame) -> Mind:
        end = time.monotonic() + 60
        while time.monotonic() < end and not Path(self.learned).exists():
            time.sleep(0.01)
        return np.zeros(1)

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(turn.choices[0], reason="the first one")


class Served:
    """Where a server is, asked over HTTP."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.connections = ExitStack()

    def ask(self, path: str, body: Any = None, method: str | None = None, **headers: str) -> tuple[int, str]:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def get(self, path: str) -> Any:
        status, text = self.ask(path)
        assert status == 200, text
        return json.loads(text)

    def post(self, path: str, body: Any) -> Any:
        status, text = self.ask(path, body)
        assert status == 201, text
        return json.loads(text)

    def refused(self, path: str, body: Any = None, method: str | None = None) -> str:
        """The sentence with which it is refused."""
        status, text = self.ask(path, body, method)
        assert 400 <= status < 500, (status, text)
        assert "Traceback" not in text
        return str(json.loads(text)["error"])

    def open(self, game: str, *seats: str, **more: Any) -> Any:
        return self.post("/api/tables", {"game": game, "seats": list(seats), **more})

    def sit(self, table: Any, seat: int = 0) -> "Player":
        token = next(each["token"] for each in table["seats"] if each["seat"] in (seat, None))
        return Player(self.connect(), table["table"], token)

    def connect(self, **options: Any) -> ClientConnection:
        address = self.address.replace("http", "ws", 1) + "/ws"
        socket: ClientConnection = self.connections.enter_context(connect(address, close_timeout=1, **options))
        return socket


class Player:
    """Somebody at a table, without a token a spectator; keeps every frame as it came."""

    def __init__(self, socket: ClientConnection, table: str, token: str | None = None, seed: int = 1) -> None:
        self.socket, self.token, self.rng = socket, token, random.Random(seed)
        self.frames: list[str] = []
        self.code = ""  # of the last refusal
        self.send(type="sit", table=table, token=token) if token else self.send(type="watch", table=table)
        self.last = self.next_picture()
        if token:
            self.send(type="speed", seconds=0)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self) -> Any:
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.frames.append(text)
        return json.loads(text)

    def next_picture(self) -> Any:
        while True:
            message = self.receive()
            if message["type"] == "table":
                self.last = message
                return message

    def until(self, wanted: Callable[[Any], Any]) -> Any:
        """The first picture, the last one included, of which this holds."""
        while not wanted(self.last):
            self.next_picture()
        return self.last

    def refused(self, **message: Any) -> str:
        """Send this; the sentence with which it is refused."""
        self.send(**message)
        return self.refusal()

    def refusal(self) -> str:
        while True:
            answer = self.receive()
            if answer["type"] == "refused":
                assert "Traceback" not in answer["text"]
                self.code = answer["code"]
                return str(answer["text"])
            self.last = answer

    def act(self, action: Any, picture: Any = None) -> Any:
        """Choose, and wait until the table has moved on."""
        seen = picture or self.last
        self.send(type="act", hand=seen["hand"], number=seen["number"], action=action)
        moment = (seen["hand"], seen["number"])
        return self.until(lambda new: (new["hand"], new["number"]) != moment)

    def turn(self) -> Any:
        """Wait for one's turn, or for the end of the hand."""
        return self.until(lambda picture: picture["choices"] or (picture["over"] and picture["hand_id"]))

    def choose(self) -> Any:
        """Something that is allowed now."""
        choices = self.last["choices"]
        if "discard" in choices:
            cards = self.last["seats"][self.last["you"]]["cards"]
            return {"discard": self.rng.sample(cards, self.rng.randint(0, choices["discard"]["most"]))}
        if "columns" in choices:
            return {"column": self.rng.choice(choices["columns"])}
        if "cells" in choices:
            return {"cell": self.rng.choice(choices["cells"])}
        if choices["raise"] and self.rng.random() < 0.25:
            return {"move": "raise", "to": choices["raise"]["low"]}
        return {"move": "call"}

    def play_hand(self) -> Any:
        """Choose at random until the hand is over."""
        while self.turn()["choices"]:
            self.act(self.choose())
        return self.last

    def next_hand(self) -> None:
        hand = self.last["hand"]
        self.until(lambda picture: picture["may"]["next"] or picture["may"]["rebuy"])
        if not self.last["may"]["next"]:
            self.send(type="rebuy")
            self.until(lambda picture: picture["may"]["next"])
        self.send(type="next")
        self.until(lambda picture: picture["hand"] > hand)


@contextmanager
def serving(
    place: Path | str = ":memory:", agents: Sequence[type[Agent]] = (), seconds: float = 20.0, **more: Any
) -> Iterator[Served]:
    """A server in a thread of this process."""
    listening = listen("127.0.0.1", 0)
    app = application(Store(place), more_agents=agents, seconds=seconds, **more)
    server = uvicorn.Server(configuration(app))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    served = Served(f"http://127.0.0.1:{listening.getsockname()[1]}")
    try:
        yield served
    finally:
        served.connections.close()
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
