"""The games and agents there are."""

import inspect
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from fifthstreet.cli.options import example, json_option
from fifthstreet.terminal import print_table, show_json

if TYPE_CHECKING:
    from fifthstreet.agents import Agent
    from fifthstreet.games.game import AnyGame


@dataclass(frozen=True)
class _Game:
    name: str
    seats: int
    parameters: dict[str, object]
    about: str
    agents: list[str]


@dataclass(frozen=True)
class _Agent:
    name: str
    games: list[str] | str  # "all" for an agent that plays any game
    parameters: dict[str, object]
    source: str
    about: str


@click.command(epilog=example("games", "games ./onecard.py:OneCard"))
@click.argument("game", required=False)
@json_option
def games(game: str | None, as_json: bool) -> None:
    """List the games, or describe one GAME.

    Shows parameters with their defaults, and the agents that play the game. GAME is a name, or a path like
    ./onecard.py:OneCard for a game of your own.
    """
    from fifthstreet.games import GAMES, game_named

    found = [_game(each) for each in ([game_named(game)] if game else [kind() for kind in GAMES])]
    if as_json:
        show_json([asdict(entry) for entry in found])
        return
    rows = [[g.name, str(g.seats), _typed(g.parameters), g.about, ", ".join(g.agents)] for g in found]
    print_table("", ["game", "seats", "parameters", "what it is", "agents"], rows, right=None)


@click.command(epilog=example("agents holdem"))
@click.argument("game", required=False)
@json_option
def agents(game: str | None, as_json: bool) -> None:
    """List the agents, or only those that play GAME.

    Shows parameters with their defaults, and the paper that each agent comes from.
    """
    from fifthstreet.agents import AGENTS, agents_for
    from fifthstreet.games import game_named

    found = [_agent(kind) for kind in (agents_for(game_named(game).name) if game else AGENTS)]
    if as_json:
        show_json([asdict(entry) for entry in found])
        return
    rows = []
    for entry in found:
        plays = entry.games if isinstance(entry.games, str) else ", ".join(entry.games)
        rows.append([entry.name, plays, _typed(entry.parameters), entry.about, entry.source])
    print_table("", ["agent", "games", "parameters", "what it does", "source"], rows, right=None)


def _game(game: "AnyGame") -> _Game:
    from fifthstreet.agents import agents_for

    names = [agent.name for agent in agents_for(game.name)]
    return _Game(game.name, game.seats, _defaults(type(game)), _about(type(game)), names)


def _agent(kind: "type[Agent]") -> _Agent:
    return _Agent(kind.name, list(kind.games) or "all", _defaults(kind), kind.source, _about(kind))


def _defaults(kind: type) -> dict[str, object]:
    from fifthstreet.naming import parameters

    return {name: default for name, (_, default) in parameters(kind).items()}


def _about(kind: type) -> str:
    """The first line of the docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def _typed(defaults: dict[str, object]) -> str:
    """Parameters as they are typed on the command line."""
    return ", ".join(
        f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}" for name, value in defaults.items()
    )
