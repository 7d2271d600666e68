"""People at a table: in the terminal and in the browser."""

import sys
from contextlib import closing
from pathlib import Path

import click

from fifthstreet.cli.options import example, json_option
from fifthstreet.errors import InputError
from fifthstreet.terminal import show_json


@click.command(epilog=example("play holdem:seats=2 --against eva", "play five-o --against greedy-2 --seat 2 --seed 7"))
@click.argument("game")
@click.option("--against", "agents", multiple=True, required=True, help="An agent: one for all seats, or one per seat.")
@click.option("--seat", type=click.IntRange(1), default=1, show_default=True, help="Your seat.")
@click.option("--seed", type=click.IntRange(0), help="The deal to play; without it a new one, printed at the end.")
@json_option
def play(game: str, agents: tuple[str, ...], seat: int, seed: int | None, as_json: bool) -> None:
    """Play GAME yourself against agents.

    They explain their decisions at the end, and advise you on request. With --json every message is a line of JSON,
    so that a program can play: it answers with lines like a person.
    """
    import secrets

    from fifthstreet.agents import agent_named
    from fifthstreet.arena.person import rivals, sit_down
    from fifthstreet.games import game_named

    rules = game_named(game)
    specs = agents * rivals(rules) if len(agents) == 1 else agents
    others = [agent_named(spec, rules.name) for spec in specs]
    chosen = secrets.randbelow(2**32) if seed is None else seed
    sit_down(rules, others, seat - 1, chosen, _line, click.echo, as_json)


def _line() -> str | None:
    """The next line typed, None at the end of the input."""
    if sys.stdin is None:
        return None
    if sys.stdin.isatty():
        click.echo("> ", nl=False)
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


@click.command(epilog=example("serve", "serve --port 9000 --no-browser"))
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True)
@click.option("--store", type=click.Path(path_type=Path), help="Keep tables in this file.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="Folder written by `reproduce --out`, for the papers' scorecard.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name under which others reach this machine, like poker.example.org; may be repeated.",
)
@click.option(
    "--keep-days",
    "days",
    type=click.IntRange(0, 36_500),
    default=365,
    show_default=True,
    help="Delete tables so long after the last visit; 0 keeps them all.",
)
@json_option
def serve(
    host: str,
    port: int,
    store: Path | None,
    report: Path,
    no_browser: bool,
    names: tuple[str, ...],
    days: int,
    as_json: bool,
) -> None:
    """Play any game against any agent in the browser."""
    try:
        from fifthstreet.web.serve import serve as run
    except ImportError as error:
        raise InputError(f"the table needs more packages ({error.name}): pip install 'fifthstreet[web]'") from None
    tell = (lambda text: show_json({"told": text})) if as_json else click.echo
    run(host, port, store, report, not no_browser, tell, names, days)


@click.group(epilog=example("tables check"))
def tables() -> None:
    """The tables that `serve` keeps."""


@tables.command("check", epilog=example("tables check", "tables check --repair"))
@click.option("--repair", is_flag=True, help="Write damaged hands again from what was played at their table.")
@click.option("--store", type=click.Path(path_type=Path), help="The file that tables are kept in.")
@json_option
def check_tables(repair: bool, store: Path | None, as_json: bool) -> None:
    """Play all kept tables again and count what is damaged; exit with 1 if anything still is."""
    from fifthstreet.arena.salvage import mend
    from fifthstreet.web.checking import Health, check
    from fifthstreet.web.refusals import Damaged
    from fifthstreet.web.store import Store, default_place

    place, aside = store or default_place(), None
    if not place.exists():
        raise InputError(f"there is no store {str(place)!r}: no tables have been kept there yet")

    def checked() -> tuple[Health, Health]:
        """What was found, and what is left of it."""
        with closing(Store(place)) as opened:
            found = check(opened, repair)
            return found, check(opened) if repair else found

    try:
        found, left = checked()
    except Damaged as error:
        if not repair:
            raise
        found = left = Health(0, 0, 0, 0, str(error))
    if repair and left.structure:
        aside = mend(place, Store)
        left = checked()[1]
    if as_json:
        show_json(found.to_dict() | {"repaired": repair and left.sound, "kept": aside})
    else:
        click.echo(f"{found.tables:,} good tables, {found.damaged_tables:,} damaged")
        click.echo(f"{found.hands:,} good hands, {found.damaged_hands:,} damaged or missing")
        if aside:
            copied = f"{left.tables:,} tables and {left.hands:,} hands were copied to a new file"
            click.echo(f"{copied}; the damaged one is kept as {str(aside)!r}")
        if left.structure:
            click.echo(f"the file itself is damaged: {left.structure}")
    if not left.sound:
        sys.exit(1)
