"""Which agents and games may be chosen through the web: listed ones with bounded parameters, and never a file."""

import typing
from collections.abc import Sequence
from typing import Any

from fifthstreet import games
from fifthstreet.agents import Agent, agents_for
from fifthstreet.arena.session import Seated
from fifthstreet.errors import InputError
from fifthstreet.games import game_named
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import build, did_you_mean, parameters
from fifthstreet.web.drawing import FACES
from fifthstreet.web.drawing.face import Json, short
from fifthstreet.web.table import PERSON

MOST_CHARACTERS = 200  # in the name of an agent or a game

LIMITS: dict[str, tuple[float, float]] = {
    "samples": (1, 100_000),
    "time": (0, 5),
    "depth": (0, 5),
    "decks": (1, 200),
    "cards": (1, 52),
    "cells": (1, 25),
    "risk": (0, 1),
    "sure": (0, 1),
    "ties": (0, 1),
    "edge": (0, 10),
    "b": (-1000, 1000),
    "c": (0.01, 1000),
}
"""The range of each number that may be chosen. All others keep their defaults: they might start hours of learning."""


class Guests:
    """The agents that may sit down: those of the package, and those that the program adds."""

    def __init__(self, more: Sequence[type[Agent]] = ()) -> None:
        self.more = tuple(more)

    def kinds(self, game: str) -> list[type[Agent]]:
        own = [kind for kind in self.more if not kind.games or game in kind.games]
        return [*agents_for(game), *own]

    def agent(self, spec: object, game: str) -> Agent:
        """The agent that the text names; InputError if it is not listed or its parameters are out of range."""
        if not isinstance(spec, str) or len(spec) > MOST_CHARACTERS:
            raise InputError(f"{short(spec)} is not the name of an agent")
        name, _, given = spec.partition(":")
        for kind in self.kinds(game):
            if kind.name == name:
                refuse_unbounded(kind, given, spec)
                return build(kind, given, spec)
        known = [kind.name for kind in self.kinds(game)]
        close = did_you_mean(name, known)
        raise InputError(f"{short(name)} is not an agent for {game}{close}: there are {', '.join(known)}")


def refuse_unbounded(kind: type, given: str, spec: str) -> None:
    for part in filter(None, (part.strip() for part in given.split(","))):
        key, _, text = part.partition("=")
        wanted = parameters(kind).get(key, (None, None))[0]
        if wanted is None or wanted is bool or typing.get_origin(wanted) is typing.Literal:
            continue  # unknown parameters are refused by `build`
        if key not in LIMITS:
            raise InputError(f"{part!r} in {spec!r} cannot be chosen here: it keeps its default")
        low, high = LIMITS[key]
        try:
            fits = low <= float(text) <= high
        except ValueError:
            fits = False
        if not fits:
            raise InputError(f"{part!r} in {spec!r}: from {low:g} to {high:g} is allowed here")


MOST_CHIPS = 10**9


def game_of(name: object, options: object, seats: int) -> tuple[str, AnyGame]:
    """The specification of a game (`name:option=value,…`) and the game itself."""
    if not isinstance(name, str) or name not in FACES:
        close = did_you_mean(name, FACES) if isinstance(name, str) else ""
        raise InputError(f"{short(name)} is not a game here{close}: there are {', '.join(FACES)}")
    if not isinstance(options, dict) or len(options) > 20:
        raise InputError(f"{short(options)} are not options: they must be an object of names and values")
    fewest, most = FACES[name].seats
    if not fewest <= seats <= most:
        raise InputError(f"{seats} at a table: {name} has {fewest} to {most} seats")
    kind = next(kind for kind in games.GAMES if kind.name == name)
    known, parts = parameters(kind), []
    for key, value in options.items():
        if key == "seats" or key not in known:
            listed = ", ".join(each for each in known if each != "seats")
            raise InputError(f"{short(key)} is not an option of {name}: there are {listed}")
        if isinstance(value, list | dict) or len(str(value)) > 100 or "," in str(value):
            raise InputError(f"{key}={short(value)}: this is not a value")
        parts.append(f"{key}={value}")
    game = game_named(f"{name}:{','.join(parts)}", seats)
    for key in known:  # as built, so that "2000" and 2000 obey the same limits
        built = getattr(game, key)
        if isinstance(built, int | float) and not abs(built) <= MOST_CHIPS:
            raise InputError(f"{key}={short(built)}: at most {MOST_CHIPS:,} here")
    chosen = [f"{key}={getattr(game, key)}" for key in options if getattr(game, key) != known[key][1]]
    spec = f"{name}:{','.join(chosen)}" if chosen else name
    if isinstance(game, Seated) and game.stack < 1:
        raise InputError(f"a stack of {game.stack}: at least 1 chip is needed")
    return spec, game


def catalogue(guests: Guests) -> list[Json]:
    """The games that can be played at a table, with their agents."""
    found = []
    for kind in games.GAMES:
        if kind.name in FACES:
            face = FACES[kind.name]
            found.append(
                {
                    "name": kind.name,
                    "title": face.title,
                    "about": (kind.__doc__ or "").splitlines()[0],
                    "seats": list(face.seats),
                    "usual": {"seats": [PERSON, *against(guests, kind.name)], "options": face.options},
                    "unit": face.unit,
                    "parameters": _choosable(kind, ("seats",)),
                    "agents": [_described(agent) for agent in guests.kinds(kind.name)],
                }
            )
    return found


def against(guests: Guests, game: str) -> list[str]:
    """Whom a person plays if nothing else is chosen: by default an agent that needs not learn first, in each chair."""
    face = FACES[game]
    quick = [kind.name for kind in guests.kinds(game) if kind.name not in SLOW_STARTERS]
    return list(face.against) or quick[:1] * max(1, face.seats[0] - 1)


def _described(kind: type[Agent]) -> Json:
    about = (kind.__doc__ or "").splitlines()[0]
    choosable = [name for name, (wanted, _) in parameters(kind).items() if not _may_choose(name, wanted)]
    return {
        "name": kind.name,
        "about": about,
        "source": kind.source,
        "parameters": _choosable(kind, choosable),
        "slow_start": kind.name in SLOW_STARTERS,
    }


SLOW_STARTERS = {
    *("champion", "evolved", "narl", "greedy-monte-carlo"),
    *("ucb", "expectimax", "chance-sampled", "action-sampled"),
}
"""Agents that learn before their first game, for seconds or minutes."""


def _may_choose(name: str, wanted: Any) -> bool:
    return name in LIMITS or wanted is bool or typing.get_origin(wanted) is typing.Literal


def _choosable(kind: type, without: Sequence[str]) -> Json:
    """By name: the default, and the options or the limits."""
    found: Json = {}
    for name, (wanted, default) in parameters(kind).items():
        if name not in without:
            found[name] = {"default": default}
            if typing.get_origin(wanted) is typing.Literal:
                found[name]["options"] = list(typing.get_args(wanted))
            elif name in LIMITS:
                found[name]["from"], found[name]["to"] = LIMITS[name]
    return found
