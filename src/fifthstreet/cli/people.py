"""People at a table: in the terminal and in the browser."""

import sys
from pathlib import Path

import click

from fifthstreet.cli.options import as_json
from fifthstreet.errors import InputError
from fifthstreet.terminal import show_json


@click.command()
@click.argument("game")
@click.option("--against", "agents", multiple=True, required=True, help="An agent; once for all seats, or one each.")
@click.option("--seat", type=click.IntRange(1), default=1, show_default=True, help="Where you sit.")
@click.option("--seed", type=click.IntRange(0), help="The deal; without it a new one, which is told at the end.")
@as_json
def play(game: str, agents: tuple[str, ...], seat: int, seed: int | None, json_: bool) -> None:
    """Play GAME yourself, against agents that give their reasons.

    With --json every message is a line of JSON, and a program can play: it answers with lines as a person would.
    """
    import secrets

    from fifthstreet.agents import agent_named
    from fifthstreet.arena.person import rivals, sit_down
    from fifthstreet.games import game_named

    rules = game_named(game)
    specs = agents * rivals(rules) if len(agents) == 1 else agents
    others = [agent_named(spec, rules.name) for spec in specs]
    chosen = secrets.randbelow(2**32) if seed is None else seed
    sit_down(rules, others, seat - 1, chosen, _line, click.echo, json_)


def _line() -> str | None:
    """What is typed next, None at the end of the input."""
    if sys.stdin.isatty():
        click.echo("> ", nl=False)
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; by default, this machine only.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True)
@click.option("--store", type=click.Path(path_type=Path), help="The file that tables are kept in.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="What `reproduce --out` wrote, for the papers' scorecard.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
@as_json
def serve(host: str, port: int, store: Path | None, report: Path, no_browser: bool, json_: bool) -> None:
    """Play any game against any agent in the browser."""
    try:
        from fifthstreet.web.serve import serve as run
    except ImportError as error:
        raise InputError(f"the table needs more packages ({error.name}): pip install 'fifthstreet[web]'") from None
    run(host, port, store, report, not no_browser, (lambda text: show_json({"told": text})) if json_ else click.echo)
