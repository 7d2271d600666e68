"""What there is: games and agents."""

from typing import Any

import click

from fifthstreet.cli.options import as_json
from fifthstreet.terminal import print_table, show_json


@click.command()
@as_json
def games(json_: bool) -> None:
    """The games: parameters with defaults, and who plays them."""
    from fifthstreet.agents import agents_for
    from fifthstreet.games import GAMES
    from fifthstreet.naming import parameters

    found: list[dict[str, Any]] = [
        {
            "name": kind.name,
            "seats": kind.seats,
            "parameters": {name: default for name, (_, default) in parameters(kind).items()},
            "about": (kind.__doc__ or "").splitlines()[0],
            "agents": [agent.name for agent in agents_for(kind.name)],
        }
        for kind in GAMES
    ]
    if json_:
        show_json(found)
    else:
        rows = [[g["name"], str(g["seats"]), _options(g), g["about"], ", ".join(g["agents"])] for g in found]
        print_table("", ["game", "seats", "parameters", "what it is", "agents"], rows, right=None)


@click.command()
@click.argument("game", required=False)
@as_json
def agents(game: str | None, json_: bool) -> None:
    """The agents, of one GAME or of all: parameters with defaults, and the paper they come from."""
    from fifthstreet.agents import AGENTS, agents_for
    from fifthstreet.games import game_named
    from fifthstreet.naming import parameters

    kinds = agents_for(game_named(game).name) if game else AGENTS
    found: list[dict[str, Any]] = [
        {
            "name": kind.name,
            "games": list(kind.games) or "all",
            "parameters": {name: default for name, (_, default) in parameters(kind).items()},
            "source": kind.source,
            "about": (kind.__doc__ or "").splitlines()[0],
        }
        for kind in kinds
    ]
    if json_:
        show_json(found)
        return
    rows = []
    for entry in found:
        plays = entry["games"] if entry["games"] == "all" else ", ".join(entry["games"])
        rows.append([entry["name"], plays, _options(entry), entry["about"], entry["source"]])
    print_table("", ["agent", "games", "parameters", "what it does", "source"], rows, right=None)


def _options(entry: dict[str, Any]) -> str:
    """Parameters as they are typed."""
    values = entry["parameters"].items()
    return ", ".join(f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}" for name, value in values)
