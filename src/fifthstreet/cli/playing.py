"""Agents play each other: matches, sessions, tournaments, contests."""

import json
from pathlib import Path
from typing import Literal

import click

from fifthstreet import cache
from fifthstreet.cli.options import Options, example, plays, seed_option, time_limit_option
from fifthstreet.cli.working import working
from fifthstreet.errors import InputError
from fifthstreet.terminal import print_table, show, show_json


@click.command(epilog=example("match kuhn equilibrium random --deals 20000", "match holdem eva ./mine.py:Mine random"))
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1), default=10_000, show_default=True, help="Deals to play.")
@click.option(
    "--until",
    type=float,
    help="Stop once it is clear whether the first wins this much per deal.",
)
@click.option("--every-order", is_flag=True, help="Play every order of the agents, not only every seat.")
@click.option("--records", is_flag=True, help="Keep the record of every game in the store.")
@click.option("--reduce-variance", is_flag=True, help="Take the luck of the cards out of the payoffs.")
@time_limit_option
@seed_option
@plays()
def match(
    options: Options,
    game: str,
    agents: tuple[str, ...],
    deals: int,
    until: float | None,
    every_order: bool,
    records: bool,
    reduce_variance: bool,
    time_limit: float | None,
    seed: int,
) -> None:
    """Let AGENTS play a match of GAME.

    The same deals are played from every seating, so that luck cancels.

    A game or an agent is a name, like equilibrium:bluff=0.2, or a path, like ./mine.py:Mine:bluff=0.2.
    """
    from fifthstreet.arena.match import match as play_match

    with working("playing", options, "deals") as (display, keep):
        result = play_match(
            game,
            agents,
            deals,
            seed,
            every_order=every_order,
            until=until,
            records=records,
            reduce_variance=reduce_variance,
            time_limit=time_limit,
            report=display,
            follow=display.follow,
        )
        keep(result)
    show(result, options.as_json)


@click.command(epilog=example("session holdem opponent-model call-station random --hands 2000 --memory"))
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--hands", type=click.IntRange(1), default=10_000, show_default=True, help="Hands per run.")
@click.option("--runs", type=click.IntRange(1), default=1, show_default=True, help="Runs, each with fresh agents.")
@click.option(
    "--stacks",
    type=click.Choice(["reset", "carry"]),
    default="reset",
    show_default=True,
    help="Start every hand with the same stacks, or carry them over.",
)
@click.option("--memory", is_flag=True, help="Show what the agents remember after the last run.")
@click.option("--keep", type=click.Path(path_type=Path), help="Write what the first agent remembers to this file.")
@time_limit_option
@seed_option
@plays("keep", "memory")
def session(
    options: Options,
    game: str,
    agents: tuple[str, ...],
    hands: int,
    runs: int,
    stacks: Literal["reset", "carry"],
    memory: bool,
    keep: Path | None,
    time_limit: float | None,
    seed: int,
) -> None:
    """Let AGENTS play GAME hand after hand at one table.

    The button moves on after each hand, and agents remember earlier hands.
    """
    from fifthstreet.arena.session import session as play_session

    with working("playing", options, "hands") as (display, keep_result):
        result = play_session(
            game, agents, hands, seed, runs=runs, stacks=stacks, time_limit=time_limit, report=display
        )
        keep_result(result)
    if keep:
        _keep({"agent": agents[0], "game": result.game, "memory": result.memories[0]}, keep)
    if options.as_json:
        show_json(result.to_dict() | ({"memories": result.memories} if memory else {}))
        return
    click.echo(str(result))
    for name, rows in zip(result.names, result.memories, strict=True) if memory else ():
        if not rows:
            click.secho(f"{name} remembers nothing", bold=True)
        else:
            columns = list(dict.fromkeys(column for row in rows for column in row))
            cells = [[_remembered(column, row.get(column, ""), result.names) for column in columns] for row in rows]
            click.secho(f"What {name} remembers", bold=True)
            print_table("", columns, cells)


def _keep(what: object, place: Path) -> None:
    try:
        with cache.replacing(place) as file:
            file.write((json.dumps(what, indent=1, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        raise InputError(f"{str(place)!r} cannot be written: {error.strerror or error}") from None


def _remembered(column: str, value: object, names: tuple[str, ...]) -> str:
    """One cell of an agent's memory as text; players are shown with their names."""
    if column == "player" and isinstance(value, int) and 0 <= value < len(names):
        return f"{value} {names[value]}"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@click.command(epilog=example("tournament five-o reflex-1 reflex-2 greedy-1 --deals 1000"))
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1), default=10_000, show_default=True, help="Deals for each pair.")
@time_limit_option
@seed_option
@plays()
def tournament(
    options: Options, game: str, agents: tuple[str, ...], deals: int, time_limit: float | None, seed: int
) -> None:
    """Let every two of AGENTS play a match of GAME.

    Shows a cross table and ratings.
    """
    from fifthstreet.arena.tournament import tournament as play_tournament

    with working("playing", options, "deals") as (display, keep):
        result = play_tournament(
            game, agents, deals, seed, time_limit=time_limit, report=display, follow=display.follow
        )
        keep(result)
    show(result, options.as_json)


@click.command(epilog=example('contest --systems american,english --agents "greedy random" --games 10'))
@click.option("--systems", multiple=True, required=True, help="Point systems, with commas: american,english,random:7.")
@click.option("--agents", "players", multiple=True, required=True, help="Agents, separated by spaces.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games for each system.")
@click.option("--time", type=float, default=30.0, show_default=True, help="Seconds for all decisions of a game.")
@click.option("--prepare", type=float, default=300.0, show_default=True, help="Seconds to prepare for a system.")
@click.option(
    "--beside",
    type=click.Path(path_type=Path),
    help="A CSV file with scores of other programs: system, player, deal_seed, score.",
)
@seed_option
@plays()
def contest(
    options: Options,
    systems: tuple[str, ...],
    players: tuple[str, ...],
    games: int,
    time: float,
    prepare: float,
    beside: Path | None,
    seed: int,
) -> None:
    """Hold the Poker Squares contest.

    Every agent plays the same deals under several point systems, in limited time. --systems and --agents can also be
    given several times.
    """
    from fifthstreet.arena.contest import contest as hold_contest
    from fifthstreet.arena.recorded import read_recorded

    named = [name.strip() for given in systems for name in given.split(",") if name.strip()]
    invited = [name for given in players for name in given.split()]
    recorded = read_recorded(beside) if beside else None
    with working("playing", options, "entries") as (display, keep):
        result = hold_contest(
            named, invited, games, seed, time=time, prepare=prepare, report=display, recorded=recorded
        )
        keep(result)
    show(result, options.as_json)
