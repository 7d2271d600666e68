"""Agents that do what no agent should; each is named by where it goes wrong and how."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fifthstreet import Agent, Decision
from fifthstreet.arena import limits
from fifthstreet.kernel import kernel

limits.FIRST = 0.0  # nothing here takes long to load


class UnspeakableError(Exception):
    """An error that cannot be shown."""

    def __str__(self) -> str:
        raise GeneratorExit


class Unspeakable:
    """A thing that cannot be shown, nor counted with."""

    def __repr__(self) -> str:
        raise SystemExit(0)

    __str__ = __repr__


WAYS: dict[str, type[BaseException]] = {
    "generator": GeneratorExit,
    "exit": SystemExit,
    "error": UnspeakableError,
    "stop": StopIteration,
    "deep": RecursionError,
}


@dataclass
class Wild(Agent):
    """Goes wrong at `where` in a `way`: raises an error, or returns what cannot be shown."""

    where: str = "decide"
    way: str = "exit"

    def _at(self, where: str, usual: Any) -> Any:
        if self.where != where:
            return usual
        if self.way == "answer":
            return Unspeakable()
        raise WAYS[self.way]

    def decide(self, turn: Any) -> Any:
        self._at("decide", None)
        action = self._at("action", turn.choices[0])
        return (
            self._at("decision", Decision(action)) if self.way != "answer" or self.where != "decide" else Unspeakable()
        )

    def learn(self, view: Any, payoff: float) -> None:
        self._at("learn", None)

    def mind(self, game: Any) -> Any:
        return self._at("mind", np.zeros(0))

    def policy(self, game: Any) -> Any:
        return self._at("policy", None)

    def lesson(self, game: Any) -> Any:
        return self._at("lesson", None)

    def memory(self, mind: Any) -> Any:
        return self._at("memory", [])

    def probabilities(self, view: Any, game: Any) -> Any:
        return self._at("probabilities", None)

    @property
    def learns(self) -> bool:
        return bool(self._at("learns", True))

    @property
    def warm_up(self) -> int:
        return int(self._at("warm_up", 0))

    def __deepcopy__(self, memo: Any) -> Any:
        return self._at("copy", Wild(self.where, self.way))


@dataclass
class Slow(Agent):
    """Computes for ever, for ever again when it is interrupted, or sleeps."""

    way: str = "computes"

    def decide(self, turn: Any) -> Decision:
        while self.way == "computes":
            pass
        if self.way == "defies":
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    continue
        if self.way == "sleeps":
            time.sleep(60)
        return Decision(turn.choices[0])


@dataclass
class Dying(Agent):
    """Its process is killed, or stopped, or ends, at its first decision unless a file says that this has happened."""

    file: str = ""
    way: str = "SIGKILL"
    times: int = 1

    def decide(self, turn: Any) -> Decision:
        done = Path(self.file)
        if len(done.read_text()) < self.times:
            with done.open("a") as file:
                file.write("x")
            if self.way == "ends":
                os._exit(0)
            os.kill(os.getpid(), getattr(signal, self.way))
        return Decision(turn.choices[turn.rng.below(len(turn.choices))])


TABLE = np.arange(6)


@kernel
def looked_up(row: Any, i: int) -> int:
    return int(row[i])


@kernel
def beyond_the_table(view: Any, mind: Any, rng: Any) -> int:
    return 1 if TABLE[1_000_000 + view.card] > 2 else 0


@kernel
def beyond_in_a_helper(view: Any, mind: Any, rng: Any) -> int:
    return 1 if looked_up(TABLE, 6 + view.card) > 2 else 0


@kernel
def beyond_the_mind(view: Any, mind: Any, rng: Any) -> int:
    mind[view.card + 2] = 2.0
    return 0


@kernel
def rarely_beyond(view: Any, mind: Any, rng: Any) -> int:
    mind[0] += 1
    return 1 if TABLE[int(mind[0]) // 100] > 2 else 0


@kernel
def raising(view: Any, mind: Any, rng: Any) -> int:
    if view.card == 2:
        raise ValueError("no idea")
    return 1


@dataclass
class Careless(Agent):
    """A kernel that goes wrong."""

    which: str = "beyond_the_table"

    @property
    def learns(self) -> bool:
        return self.which in ("rarely_beyond", "beyond_the_mind")

    def policy(self, game: Any) -> Any:
        return globals()[self.which]

    def mind(self, game: Any) -> Any:
        return np.zeros(2)
