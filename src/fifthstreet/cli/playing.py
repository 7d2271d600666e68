"""Agents play: matches, sessions, tournaments, contests."""

import json
from pathlib import Path
from typing import Any

import click

from fifthstreet.cli.options import as_json, played_by, seed_option
from fifthstreet.cli.working import working
from fifthstreet.errors import InputError
from fifthstreet.terminal import print_table, show, show_json


@click.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1), default=10_000, show_default=True, help="Deals to play.")
@click.option("--until", type=float, help="Stop when it is known whether the first wins so much a deal, or nothing.")
@click.option("--every-order", is_flag=True, help="Play every order of the agents, not only every seat.")
@click.option("--records", is_flag=True, help="Keep the record of every game in the store.")
@seed_option
@played_by
@as_json
def match(
    game: str,
    agents: tuple[str, ...],
    deals: int,
    until: float | None,
    every_order: bool,
    records: bool,
    seed: int,
    json_: bool,
    **_: Any,
) -> None:
    """Let AGENTS play GAME: the same deals from every seating.

    An agent is a name with parameters, like equilibrium:bluff=0.2, or a path, like ./mine.py:Mine.
    """
    from fifthstreet.arena.match import match as play_match

    with working("playing") as (display, keep):
        result = play_match(
            game,
            agents,
            deals,
            seed,
            every_order=every_order,
            until=until,
            records=records,
            report=display,
            follow=display.follow,
        )
        keep(result)
    show(result, json_)


@click.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--hands", type=click.IntRange(1), default=10_000, show_default=True, help="Hands in a run.")
@click.option("--runs", type=click.IntRange(1), default=1, show_default=True, help="Runs, each begun anew.")
@click.option("--stacks", type=click.Choice(["reset", "carry"]), default="reset", show_default=True)
@click.option("--memory", is_flag=True, help="Show what the agents remember after the last run.")
@click.option("--keep", type=click.Path(path_type=Path), help="Write what the first agent remembers to this file.")
@seed_option
@played_by
@as_json
def session(
    game: str,
    agents: tuple[str, ...],
    hands: int,
    runs: int,
    stacks: Any,
    memory: bool,
    keep: Path | None,
    seed: int,
    json_: bool,
    **_: Any,
) -> None:
    """Let AGENTS play GAME hand after hand at one table, the button moving on; stacks start anew or carry over."""
    from fifthstreet.arena.session import session as play_session

    with working("playing") as (display, keep_result):
        result = play_session(game, agents, hands, seed, runs=runs, stacks=stacks, report=display)
        keep_result(result)
    if keep:
        _keep({"agent": agents[0], "game": result.game, "memory": result.memories[0]}, keep)
    if json_:
        show_json(result.to_dict() | ({"memories": result.memories} if memory else {}))
        return
    click.echo(str(result))
    for name, rows in zip(result.names, result.memories, strict=True):
        if memory and rows:
            columns = list(dict.fromkeys(column for row in rows for column in row))
            cells = [[_remembered(column, row.get(column, ""), result.names) for column in columns] for row in rows]
            click.secho(f"What {name} remembers", bold=True)
            print_table("", columns, cells)


def _keep(what: Any, place: Path) -> None:
    try:
        place.write_text(json.dumps(what, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{str(place)!r} cannot be written: {error.strerror or error}") from None


def _remembered(column: str, value: Any, names: tuple[str, ...]) -> str:
    if column == "player" and isinstance(value, int) and 0 <= value < len(names):
        return f"{value} {names[value]}"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@click.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1), default=10_000, show_default=True, help="Deals for each pair.")
@seed_option
@played_by
@as_json
def tournament(game: str, agents: tuple[str, ...], deals: int, seed: int, json_: bool, **_: Any) -> None:
    """Let every one of AGENTS play every other: a cross table and ratings."""
    from fifthstreet.arena.tournament import tournament as play_tournament

    with working("playing") as (display, keep):
        result = play_tournament(game, agents, deals, seed, report=display, follow=display.follow)
        keep(result)
    show(result, json_)


@click.command()
@click.option("--systems", multiple=True, required=True, help="Point systems, like american,english,random:7.")
@click.option("--agents", "players", multiple=True, required=True, help="Players, with spaces between them.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games of each system.")
@click.option("--time", type=float, default=30.0, show_default=True, help="Seconds of decisions in a game.")
@click.option("--prepare", type=float, default=300.0, show_default=True, help="Seconds to prepare for a system.")
@click.option(
    "--beside", type=click.Path(path_type=Path), help="A CSV of others' scores: system, player, deal_seed, score."
)
@seed_option
@played_by
@as_json
def contest(
    systems: tuple[str, ...],
    players: tuple[str, ...],
    games: int,
    time: float,
    prepare: float,
    beside: Path | None,
    seed: int,
    json_: bool,
    **_: Any,
) -> None:
    """The Poker Squares contest: the same deals for all, many point systems, limited time.

    Systems and agents are given in one option or in several: --systems american,english --agents "narl expectimax".
    """
    from fifthstreet.arena.contest import contest as hold_contest
    from fifthstreet.arena.recorded import read_recorded

    named = [name.strip() for given in systems for name in given.split(",") if name.strip()]
    invited = [name for given in players for name in given.split()]
    recorded = read_recorded(beside) if beside else None
    with working("playing") as (display, keep):
        result = hold_contest(
            named, invited, games, seed, time=time, prepare=prepare, report=display, recorded=recorded
        )
        keep(result)
    show(result, json_)
