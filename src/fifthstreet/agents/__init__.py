"""The agents, one line for each, and how an agent is named: `name:parameter=value,…` or `./mine.py:Class:…`."""

import importlib.util
import sys
from pathlib import Path

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.kuhn_equilibrium import KuhnEquilibrium
from fifthstreet.agents.random_choice import RandomChoice
from fifthstreet.errors import InputError
from fifthstreet.naming import build

__all__ = ["AGENTS", "Agent", "Decision", "Turn", "agent_named", "agents_for"]

AGENTS: tuple[type[Agent], ...] = (RandomChoice, KuhnEquilibrium)


def agents_for(game: str) -> list[type[Agent]]:
    """The agents that play this game."""
    return [kind for kind in AGENTS if not kind.games or game in kind.games]


def agent_named(spec: str, game: str) -> Agent:
    """The agent that the text names, for this game.

    >>> agent_named("equilibrium:bluff=0.2", "kuhn")
    KuhnEquilibrium(bluff=0.2)
    """
    if ".py:" in spec:
        place, _, rest = spec.partition(".py:")
        name, _, given = rest.partition(":")
        kind = _from_file(Path(place + ".py"), name, spec)
    else:
        name, _, given = spec.partition(":")
        kind = _by_name(name, game)
    return build(kind, given, spec)


def _by_name(name: str, game: str) -> type[Agent]:
    playing = agents_for(game)
    for kind in playing:
        if kind.name == name:
            return kind
    if any(kind.name == name for kind in AGENTS):
        raise InputError(f"{name!r} does not play {game}: there are {', '.join(kind.name for kind in playing)}")
    raise InputError(
        f"{name!r} is not an agent for {game}: there are {', '.join(kind.name for kind in playing)}, "
        "or a path like ./mine.py:Mine"
    )


def _from_file(path: Path, name: str, spec: str) -> type[Agent]:
    if not path.is_file():
        raise InputError(f"{spec!r} names no agent: there is no file {str(path)!r}")
    module_name = f"fifthstreet_agent_{path.stem}"
    loader = importlib.util.spec_from_file_location(module_name, path)
    if loader is None or loader.loader is None:
        raise InputError(f"{spec!r} names no agent: {str(path)!r} is not Python")
    module = importlib.util.module_from_spec(loader)
    sys.modules[module_name] = module
    try:
        loader.loader.exec_module(module)
    except Exception as error:
        raise InputError(f"{spec!r} cannot be loaded: {type(error).__name__}: {error}") from error
    kind = getattr(module, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Agent)):
        raise InputError(f"{spec!r} names no agent: {str(path)!r} has no Agent {name!r}")
    if not hasattr(kind, "name"):
        kind.name = name
    return kind
