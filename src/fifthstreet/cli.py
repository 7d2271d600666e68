"""The command line: words → arena → text or JSON. What is heavy is imported where it is used."""

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from fifthstreet import __version__
from fifthstreet.errors import InputError

Report = Callable[[int, int], None]

as_json = click.option("--json", "json_", is_flag=True, help="Print JSON for programs.")
workers_option = click.option("--workers", type=click.IntRange(1, 64), help="Threads to use (default: all cores).")
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same result.")


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}, invoke_without_command=True
)
@click.version_option(__version__)
@click.pass_context
def cli(context: click.Context) -> None:
    """A laboratory for poker agents."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Run the command line; a wrong input is one sentence and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ± is no reason to fail
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except (InputError, click.ClickException) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        sys.stderr.write(f"fifthstreet: {' '.join(text.split())}\n")
        code = 2
    except (click.Abort, KeyboardInterrupt):
        sys.stderr.write("fifthstreet: stopped\n")
        code = 130
    except BrokenPipeError:
        _discard_output()
        code = 0
    except OSError as error:
        _discard_output()
        sys.stderr.write(f"fifthstreet: the output cannot be written: {error.strerror or error}\n")
        code = 2
    sys.exit(code or 0)


def _discard_output() -> None:
    """What is still unwritten goes nowhere, so that closing it fails no more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def show(result: Any, json_: bool) -> None:
    """A result as it prints itself, or as JSON."""
    if json_:
        show_json(result.to_dict())
    else:
        click.echo(str(result))


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """A line that moves on a terminal, and a few plain lines elsewhere; nothing for what is over at once."""
    begin, shown = time.monotonic(), 0.0

    def plain(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - (shown or begin) >= (5 if shown else 1) and done < total:
            shown = now
            sys.stderr.write(f"{what}: {100 * done // total} %\n")

    if not sys.stderr.isatty():
        yield plain
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def print_table(title: str, columns: list[str], rows: list[list[str]], right: int | None = 1) -> None:
    """A table; from column `right` on, cells are numbers and stand to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if right is not None and i >= right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    text = io.StringIO()
    Console(file=text, width=None if sys.stdout.isatty() else 130, force_terminal=sys.stdout.isatty()).print(table)
    click.echo(text.getvalue(), nl=False)


@cli.command()
@click.argument("cards", nargs=-1, required=True)
@as_json
def evaluate(cards: tuple[str, ...], json_: bool) -> None:
    """The strength of five to seven CARDS, 1 to 7462, and its name.

    The readable rules are quick enough for one hand, and start without a compiler.
    """
    from fifthstreet.cards import parse_cards
    from fifthstreet.evaluation.hand import describe, strength

    found = parse_cards(" ".join(cards))
    value = strength(found)
    if json_:
        show_json({"cards": [str(card) for card in found], "strength": value, "name": describe(value)})
    else:
        click.echo(f"{' '.join(map(str, found))}: {describe(value)} (strength {value:,} of 7,462)")


@cli.command()
@click.argument("hands", nargs=-1, required=True)
@click.option("--board", default="", help="The board so far, like 2c3d4h.")
@click.option("--dead", default="", help="Cards known to be elsewhere.")
@click.option("--samples", type=click.IntRange(1), help="Sample so many deals instead of enumerating.")
@click.option("--exact", is_flag=True, help="Enumerate all deals, however long it takes.")
@seed_option
@workers_option
@as_json
def equity(
    hands: tuple[str, ...],
    board: str,
    dead: str,
    samples: int | None,
    exact: bool,
    seed: int,
    workers: int | None,
    json_: bool,
) -> None:
    """The share of the pot that 2 to 10 HANDS or ranges win, like AhKh QdQc or "AKs, 77+" random."""
    from fifthstreet.evaluation.equity import equity as compute

    if exact and samples:
        raise InputError("--exact and --samples exclude each other")
    with progress("dealing") as report:
        result = compute(
            hands,
            board,
            dead,
            exact=exact or None,
            samples=samples,
            seed=seed,
            workers=workers,
            report=report,
        )
    show(result, json_)


@cli.command()
@click.option("--players", type=click.IntRange(2, 10), default=2, show_default=True, help="Players at the table.")
@as_json
def preflop(players: int, json_: bool) -> None:
    """What each of the 169 starting hands wins against random hands."""
    from fifthstreet.evaluation.preflop import preflop_table
    from fifthstreet.evaluation.ranges import CLASSES

    with progress("dealing, once") as report:
        table = preflop_table(players, report)
    if json_:
        show_json([vars(entry) for entry in table.values()])
        return
    rows = []
    for row in range(13):
        names = CLASSES[13 * row : 13 * row + 13]
        rows.append([f"{name}\n{100 * table[name].share:.2f}" for name in names])
    print_table(f"Share of the pot in %, {players} players", [""] * 13, rows, right=0)
    widest = max(entry.half_width for entry in table.values())
    click.echo("exact" if players == 2 else f"sampled, 95 % intervals of at most ± {100 * widest:.3f}")


@cli.command()
@click.argument("hand", nargs=-1, required=True)
@click.option("--most", type=click.IntRange(0, 5), default=5, show_default=True, help="Cards that may go.")
@as_json
def discards(hand: tuple[str, ...], most: int, json_: bool) -> None:
    """What every discard of a five-card HAND leads to: the exact mean strength, over all cards that can come."""
    from fifthstreet.cards import show as show_cards
    from fifthstreet.evaluation.discards import discards as count

    found = count(" ".join(hand), most)
    if json_:
        show_json([each.to_dict() for each in found])
        return
    rows = [[show_cards(each.cards) or "nothing", f"{each.worth:,.1f}", f"{each.hands:,}"] for each in found]
    print_table("", ["discard", "mean strength", "hands"], rows)
    click.echo("exact; a strength is from 1 (seven high) to 7,462 (a royal flush)")


@cli.command()
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


@cli.command()
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


@cli.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1), default=10_000, show_default=True, help="Deals to play.")
@click.option("--until", type=float, help="Stop when it is known whether the first wins so much a deal, or nothing.")
@click.option("--every-order", is_flag=True, help="Play every order of the agents, not only every seat.")
@seed_option
@workers_option
@as_json
def match(
    game: str,
    agents: tuple[str, ...],
    deals: int,
    until: float | None,
    every_order: bool,
    seed: int,
    workers: int | None,
    json_: bool,
) -> None:
    """Let AGENTS play GAME: the same deals from every seating.

    An agent is a name with parameters, like equilibrium:bluff=0.2, or a path, like ./mine.py:Mine.
    """
    from fifthstreet.arena.match import match as play_match

    with progress("playing") as report:
        result = play_match(
            game, agents, deals, seed, workers=workers, every_order=every_order, until=until, report=report
        )
    show(result, json_)


@cli.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--hands", type=click.IntRange(1), default=10_000, show_default=True, help="Hands in a run.")
@click.option("--runs", type=click.IntRange(1), default=1, show_default=True, help="Runs, each begun anew.")
@click.option("--stacks", type=click.Choice(["reset", "carry"]), default="reset", show_default=True)
@click.option("--memory", is_flag=True, help="Show what the agents remember after the last run.")
@click.option("--keep", type=click.Path(path_type=Path), help="Write what the first agent remembers to this file.")
@seed_option
@workers_option
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
    workers: int | None,
    json_: bool,
) -> None:
    """Let AGENTS play GAME hand after hand at one table, the button moving on; stacks start anew or carry over."""
    from fifthstreet.arena.session import session as play_session

    with progress("playing") as report:
        result = play_session(game, agents, hands, seed, runs=runs, stacks=stacks, workers=workers, report=report)
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


@cli.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1), default=10_000, show_default=True, help="Deals for each pair.")
@seed_option
@workers_option
@as_json
def tournament(game: str, agents: tuple[str, ...], deals: int, seed: int, workers: int | None, json_: bool) -> None:
    """Let every one of AGENTS play every other: a cross table and ratings."""
    from fifthstreet.arena.tournament import tournament as play_tournament

    with progress("playing") as report:
        result = play_tournament(game, agents, deals, seed, workers=workers, report=report)
    show(result, json_)


@cli.command()
@click.option("--systems", multiple=True, required=True, help="Point systems, like american,english,random:7.")
@click.option("--agents", "players", multiple=True, required=True, help="Players, with spaces between them.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games of each system.")
@click.option("--time", type=float, default=30.0, show_default=True, help="Seconds of decisions in a game.")
@click.option("--prepare", type=float, default=300.0, show_default=True, help="Seconds to prepare for a system.")
@seed_option
@workers_option
@as_json
def contest(
    systems: tuple[str, ...],
    players: tuple[str, ...],
    games: int,
    time: float,
    prepare: float,
    seed: int,
    workers: int | None,
    json_: bool,
) -> None:
    """The Poker Squares contest: the same deals for all, many point systems, limited time.

    Systems and agents are given in one option or in several: --systems american,english --agents "narl expectimax".
    """
    from fifthstreet.arena.contest import contest as hold_contest

    named = [name.strip() for given in systems for name in given.split(",") if name.strip()]
    invited = [name for given in players for name in given.split()]
    with progress("playing") as report:
        result = hold_contest(named, invited, games, seed, time=time, prepare=prepare, workers=workers, report=report)
    show(result, json_)


@cli.command()
@click.argument("papers", nargs=-1)
@click.option("--only", metavar="ID", help="One table, figure or claim.")
@click.option("--scale", type=click.Choice(["quick", "paper"]), default="quick", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="Write report.html and results.json into this folder.")
@seed_option
@as_json
def reproduce(papers: tuple[str, ...], only: str | None, scale: Any, out: Path | None, seed: int, json_: bool) -> None:
    """Run the results of PAPERS again (all of them by default): printed beside measured, with a verdict."""
    from fifthstreet.papers import PAPERS, paper_named
    from fifthstreet.papers.paper import FigureResult, TableResult
    from fifthstreet.papers.report import prepare, write_report
    from fifthstreet.papers.reproduce import reproduce as run_again

    chosen = [paper_named(name) for name in dict.fromkeys(papers)] or PAPERS
    if out:
        prepare(out)  # what cannot be written is said before anything is measured
    with progress("measuring") as report:
        found = run_again(chosen, only, scale, seed, lambda _, done, total: report(done, total))
        page = write_report(found, out) if out else None
    if json_:
        show_json(found.to_dict())
        return
    for outcome in found.outcomes:
        if isinstance(outcome.result, TableResult):
            title = f"{outcome.paper.title} — {outcome.title}"
            rows = [[*row, "✗" if i in outcome.result.wrong else ""] for i, row in enumerate(outcome.result.rows)]
            print_table(title, [*outcome.result.columns, ""], rows)
            click.echo(outcome.result.note + "\n")
        elif isinstance(outcome.result, FigureResult):
            click.secho(f"{outcome.paper.title} — {outcome.title}", bold=True)
            click.echo(outcome.result.note + "\n")
    rows = [
        [
            f"{claim.words} [{outcome.paper.name}, {claim.id}]",
            claim.printed,
            str(claim.where),
            str(result.measured),
            result.verdict.value,
        ]
        for outcome, claim, result in found.claims
    ]
    if rows:
        print_table("Claims", ["claim", "printed", "claimed to be", "measured", "verdict"], rows, right=None)
        click.echo(", ".join(f"{count} {verdict.value}" for verdict, count in found.tally().items()))
    if page:
        click.echo(f"report: {page}")


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--verify", is_flag=True, help="Check recorded results instead of showing the hands.")
@as_json
def replay(files: tuple[Path, ...], verify: bool, json_: bool) -> None:
    """Play recorded hands of hold'em again, from .phh, .phhs, ACPC .log or PokerStars text FILES."""
    from fifthstreet.histories.files import read_file, verify_files

    if verify:
        with progress("replaying") as report:
            found = verify_files(files, report)
        show(found, json_)
        return
    shown = []
    for path in files:
        for hand in read_file(path):
            if hand.trouble is not None and len(files) == 1 and path.suffix == ".phh":
                raise InputError(f"{str(path)!r}: {hand.trouble}")
            if json_:
                shown.append(hand.to_dict())
            else:
                click.echo(f"{hand}\n")
    if json_:
        show_json(shown)


@cli.command()
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


@cli.command()
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
def serve(host: str, port: int, store: Path | None, report: Path, no_browser: bool) -> None:
    """Play any game against any agent in the browser."""
    try:
        from fifthstreet.web.serve import serve as run
    except ImportError as error:
        raise InputError(f"the table needs more packages ({error.name}): pip install 'fifthstreet[web]'") from None
    run(host, port, store, report, not no_browser, click.echo)


def _line() -> str | None:
    """What is typed next, None at the end of the input."""
    if sys.stdin.isatty():
        click.echo("> ", nl=False)
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


@cli.command()
@click.argument("name", required=False)
@as_json
def bench(name: str | None, json_: bool) -> None:
    """Measure speed beside the peers that are installed (pip install fifthstreet[bench]), NAME or all."""
    from fifthstreet.benchmarks import run

    with progress("measuring") as report:
        measured = run(name, report)
    if json_:
        show_json([vars(row) for row in measured])
        return
    rows = [[m.benchmark, m.task, m.who, f"{m.figure:,.4g} {m.unit}", m.ratio] for m in measured]
    print_table("", ["benchmark", "task", "who", "figure", "ratio"], rows, right=3)


if __name__ == "__main__":
    main()
