"""Plays on from records that were tampered with; a test runs it where every index is checked."""

import pickle
import random
import sys
from collections import Counter
from contextlib import suppress
from typing import Any

import numpy as np

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Turn
from fifthstreet.errors import InputError
from fifthstreet.games import game_named
from fifthstreet.games.game import CHANCE, AnyGame
from fifthstreet.record import Record
from fifthstreet.rng import stream

HOLDEM = ("holdem:seats=2", "holdem:seats=6,stack=9", "holdem:seats=10,limit=yes,ante=1")
GAMES = ("kuhn", "leduc", *HOLDEM, "five-card-draw", "five-o", "poker-squares")
LONGEST = 1_000  # actions: no game may go on for ever


def tampered(record: Record, rng: random.Random) -> bytes:
    """Bytes of the same length with a few fields or bytes changed, or nothing but noise."""
    if rng.random() < 0.02:
        return rng.randbytes(record.size)
    row = np.frombuffer(bytearray(record.data), record.dtype)
    for _ in range(rng.choice((1, 1, 2, 5))):
        if rng.random() < 0.2:
            row.view(np.uint8)[rng.randrange(record.size)] = rng.randrange(256)
            continue
        name = rng.choice([*record.fields])
        if row[name].dtype.names:
            entry = row[name].reshape(-1)
            name = rng.choice(entry.dtype.names or ())
        else:
            entry = row
        numbers = entry[name].reshape(-1)
        field = record.fields.get(name)
        low = -3 if field is None or field.low is None else max(field.low, -3)
        high = 60 if field is None or field.high is None else min(field.high, 60)
        values = [low, high, rng.randint(low, high), rng.randint(low, high), int(rng.choice(numbers.tolist()))]
        numbers[rng.randrange(numbers.size)] = min(rng.choice(values), np.iinfo(numbers.dtype).max)
        entry[name] = numbers.reshape(entry[name].shape)
    return row.tobytes()


def accepted(record: Record, data: bytes, rng: random.Random) -> Record | None:
    """The record with these bytes instead, made in one of two ways; None if it is refused."""
    try:
        if rng.random() < 0.5:
            return type(record)(data)
        loaded: Record = pickle.loads(pickle.dumps(record).replace(record.data, data))
        return loaded
    except InputError:
        return None


def random_step(game: AnyGame, state: Any, rng: random.Random) -> Any:
    choices = game.choices(state)
    few = min(len(choices), 2) if rng.random() < 0.8 and game.to_act(state) != CHANCE else len(choices)
    return game.after(state, choices[rng.randrange(few)])


def play_on(game: AnyGame, state: Any, rng: random.Random) -> None:
    """Play to the end with random legal actions, mostly the first ones, so that a hand is not a war of raises."""
    for _ in range(LONGEST):
        view = game.view(state, rng.randrange(game.seats))
        if game.to_act(state) is None:
            game.drawing(view)
            assert len(game.payoffs(state)) == game.seats
            return
        if not len(game.choices(state)):  # such a state may lead nowhere, but not astray
            return
        state = random_step(game, state, rng)
    raise AssertionError(f"{game.name} goes on for ever")


def main(tries: int, agents: list[str]) -> None:
    taken: Counter[str] = Counter()
    for spec in GAMES:
        game, rng = game_named(spec), random.Random(spec)
        for number in range(tries):
            state = game.start()
            for _ in range(rng.randrange(30)):
                if game.to_act(state) is None:
                    break
                state = random_step(game, state, rng)
            false_state = accepted(state, tampered(state, rng), rng)
            if false_state is not None and getattr(false_state, "seats", game.seats) == game.seats:
                taken[f"{spec} state"] += 1
                play_on(game, false_state, rng)
            view = game.view(state, rng.randrange(game.seats))
            false_view: Any = accepted(view, tampered(view, rng), rng)
            if false_view is None or getattr(false_view, "seats", game.seats) != game.seats:
                continue
            taken[f"{spec} view"] += 1
            game.drawing(false_view)
            with suppress(InputError):  # where no state fits
                play_on(game, game.imagine(false_view, stream(number, "imagine")), rng)
            seat = game.to_act(false_view)
            if seat is not None and seat == getattr(false_view, "seat", 0) and len(game.choices(false_view)):
                for name in [agent for agent in agents if game.name == "holdem"]:
                    agent = agent_named(name, game.name)
                    turn = Turn(game, false_view, game.choices(false_view), stream(1, "x"), agent.mind(game))
                    agent.decide(turn)
    print(dict(taken))
    assert all(taken[f"{spec} {kind}"] > tries / 50 for spec in GAMES for kind in ("state", "view"))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
