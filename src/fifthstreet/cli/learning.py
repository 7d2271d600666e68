"""What players learn and what is shipped of it: learned again, and checked."""

import sys
from typing import TYPE_CHECKING

import click

from fifthstreet import cache
from fifthstreet.cli.options import example, json_option, workers_option
from fifthstreet.terminal import clock, print_table, progress, show_json

if TYPE_CHECKING:
    from fifthstreet.learned import Recipe, State

_WORDS: "dict[State, str]" = {
    "current": "current",
    "older": "older than the code, and still used",
    "missing": "missing",
    "damaged": "damaged",
}


@click.command(epilog=example("learn --check", "learn five-o champion", "learn poker-squares --engine processes"))
@click.argument("game", required=False)
@click.argument("agent", required=False)
@click.option("--check", is_flag=True, help="Only list the files, whether they are current, and what learning costs.")
@click.option("--again", is_flag=True, help="Learn again what is current, too.")
@click.option("--quiet", is_flag=True, help="Hide progress and what is compiled.")
@click.option("--engine", type=click.Choice(["threads", "processes"]), default="threads", show_default=True)
@click.option("--cluster", metavar="ADDRESS", help="Learn on a Dask cluster, like tcp://host:8786.")
@workers_option
@json_option
def learn(
    game: str | None,
    agent: str | None,
    check: bool,
    again: bool,
    quiet: bool,
    engine: str,
    cluster: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Learn what players know from the beginning: all of it, or what AGENT knows about GAME.

    What is missing, damaged or older than the code is learned and written to the package, or to the folder
    FIFTHSTREET_LEARNED. When it is stopped, the same command goes on from there. With --check it exits with 1 if a file
    is missing or damaged.
    """
    from fifthstreet.agents.shipped import recipes
    from fifthstreet.arena import engines
    from fifthstreet.cli.working import Stopped
    from fifthstreet.parallel import elsewhere

    cache.announcing = not quiet
    every = {each: each.state() for each in recipes(game, agent)}
    wanted = [] if check else [each for each, state in every.items() if again or state != "current"]
    if check or not wanted:
        _show(every, as_json)
        if check and {"missing", "damaged"} & set(every.values()):
            sys.exit(1)
        return
    total = sum(each.seconds() for each in wanted)
    if not quiet and not as_json:
        click.echo(f"{len(wanted)} to learn, about {clock(total)} of processor time (h:mm:ss) in all", err=True)
    try:
        with engines.engine(engine, workers, cluster) as found, elsewhere(found.executor, found.workers):
            for number, each in enumerate(wanted, 1):
                _learn(each, f"{number} of {len(wanted)}", quiet, as_json)
    except KeyboardInterrupt as stop:
        raise Stopped(str(stop)) from None
    _show({each: each.state() for each in wanted}, as_json)


def _learn(recipe: "Recipe", place: str, quiet: bool, as_json: bool) -> None:
    from fifthstreet.learned.steps import following

    with progress(f"{place}, {recipe.name}", quiet, as_json) as display:
        token = following.set(lambda what, done, count: display.about(f"{place}: {what}", done, count))
        try:
            recipe.ship()
        finally:
            following.reset(token)


def _show(found: "dict[Recipe, State]", as_json: bool) -> None:
    if as_json:
        show_json([_described(each, state) for each, state in found.items()])
        return
    rows = []
    for each, state in found.items():
        about = each.about()
        size = f"{about['bytes'] / 1e6:.2f} MB" if "bytes" in about else ""
        rows.append([f"{each.game} {each.agent}", each.name, _WORDS[state], size, clock(each.seconds())])
    print_table("", ["learned for", "file", "", "size", "processor time"], rows, right=3)
    older = [each for each, state in found.items() if state != "current"]
    if older:
        total = clock(sum(each.seconds() for each in older))
        click.echo(f"{len(older)} of {len(found)} are not current; learning them again takes about {total}")


def _described(recipe: "Recipe", state: "State") -> dict[str, object]:
    known = {"game": recipe.game, "agent": recipe.agent, "name": recipe.name, "state": state}
    return recipe.about() | known | {"seconds_to_learn": recipe.seconds()}
