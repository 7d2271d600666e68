"""The command line: words → arena → text or JSON. What is heavy is imported where it is used."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from fifthstreet import __version__
from fifthstreet.errors import InputError
from fifthstreet.terminal import Display, print_table, progress, show, show_json

as_json = click.option("--json", "json_", is_flag=True, help="Print JSON for programs.")
workers_option = click.option("--workers", type=click.IntRange(1, 64), help="Workers (default: all cores).")
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same result.")
store_option = click.option("--store", metavar="FILE", help="Keep what is played there; none keeps nothing.")

F = TypeVar("F", bound=Callable[..., Any])
HOW = ("workers", "engine", "cluster", "store", "quiet", "json_", "out", "keep", "memory")
"""Parameters that say how a result is reached or shown, not which."""


def played_by(command: F) -> F:
    """The options of a command that plays: by whom, and where it is kept."""
    for option in (
        click.option("--quiet", is_flag=True, help="No word of progress."),
        store_option,
        click.option("--cluster", metavar="ADDRESS", help="A Dask cluster, like tcp://host:8786."),
        click.option("--engine", type=click.Choice(["threads", "processes"]), default="threads", show_default=True),
        workers_option,
    ):
        command = option(command)
    return command


@contextmanager
def working(what: str) -> Iterator[tuple[Display, Callable[[Any], None]]]:
    """Do what the present command asks for in a laboratory, with progress; whoever stops is told how to go on.

    Gives the display, and a way to keep the result.
    """
    from fifthstreet.arena.laboratory import laboratory

    context = click.get_current_context()
    how = {name: context.params[name] for name in HOW if name in context.params}
    given = {name: value for name, value in context.params.items() if name not in how}
    engine = (how["store"], how["engine"], how["workers"], how["cluster"])
    with (
        progress(what, how["quiet"], how["json_"]) as display,
        laboratory(*engine, command=context.info_name or "", given=given) as lab,
    ):

        def keep(result: Any) -> None:
            if lab.store and lab.run is not None:
                lab.store.end(lab.run, {"text": str(result), "data": result.to_dict()})

        try:
            yield display, keep
        except (KeyboardInterrupt, InputError) as error:
            hint = ""
            if lab.store is not None and lab.run is not None and lab.store.run(lab.run).done:
                place = f" --store {how['store']}" if how["store"] else ""
                hint = f"to go on: fifthstreet runs resume {lab.run}{place}"
            if isinstance(error, KeyboardInterrupt):
                raise Stopped(hint) from None
            raise InputError(f"{error} ({hint})" if hint else str(error)) from None


class Stopped(KeyboardInterrupt):
    """Somebody stopped a command while workers were busy; the words say how it can be taken up again, if it can."""


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
    except (click.Abort, KeyboardInterrupt) as stop:
        cause = stop.__cause__  # click wraps what stopped it
        sys.stderr.write(f"fifthstreet: stopped{f'; {cause}' if str(cause or '') else ''}\n")
        sys.stderr.flush()
        if isinstance(cause, Stopped):
            os._exit(130)  # nobody waits for what workers are in the middle of
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


@cli.command()
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


@cli.command()
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


@cli.command()
@click.option("--systems", multiple=True, required=True, help="Point systems, like american,english,random:7.")
@click.option("--agents", "players", multiple=True, required=True, help="Players, with spaces between them.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games of each system.")
@click.option("--time", type=float, default=30.0, show_default=True, help="Seconds of decisions in a game.")
@click.option("--prepare", type=float, default=300.0, show_default=True, help="Seconds to prepare for a system.")
@seed_option
@played_by
@as_json
def contest(
    systems: tuple[str, ...],
    players: tuple[str, ...],
    games: int,
    time: float,
    prepare: float,
    seed: int,
    json_: bool,
    **_: Any,
) -> None:
    """The Poker Squares contest: the same deals for all, many point systems, limited time.

    Systems and agents are given in one option or in several: --systems american,english --agents "narl expectimax".
    """
    from fifthstreet.arena.contest import contest as hold_contest

    named = [name.strip() for given in systems for name in given.split(",") if name.strip()]
    invited = [name for given in players for name in given.split()]
    with working("playing") as (display, keep):
        result = hold_contest(named, invited, games, seed, time=time, prepare=prepare, report=display)
        keep(result)
    show(result, json_)


@cli.command()
@click.argument("papers", nargs=-1)
@click.option("--only", metavar="ID", help="One table, figure or claim.")
@click.option("--scale", type=click.Choice(["quick", "paper"]), default="quick", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="Write the report, a small site, into this folder.")
@seed_option
@played_by
@as_json
def reproduce(
    papers: tuple[str, ...], only: str | None, scale: Any, out: Path | None, seed: int, json_: bool, **_: Any
) -> None:
    """Run the results of PAPERS again (all of them by default): printed beside measured, with a verdict."""
    from fifthstreet.papers import PAPERS, paper_named
    from fifthstreet.papers.paper import FigureResult, TableResult
    from fifthstreet.papers.report import prepare, write_report
    from fifthstreet.papers.reproduce import reproduce as run_again

    chosen = [paper_named(name) for name in dict.fromkeys(papers)] or PAPERS
    if out:
        prepare(out)  # what cannot be written is said before anything is measured
    with working("measuring") as (display, keep):
        found = run_again(chosen, only, scale, seed, display.about)
        keep(found)
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


@cli.group(invoke_without_command=True)
@store_option
@as_json
@click.pass_context
def runs(context: click.Context, store: str | None, json_: bool) -> None:
    """What was played before: a list of the runs in the store."""
    from fifthstreet.arena.store import Store

    context.obj = {"store": store}
    if context.invoked_subcommand:
        return
    with Store(_place_of(store), read_only=True) as kept:
        found = kept.runs()
    if json_:
        show_json([run.to_dict() for run in found])
        return
    rows = [
        [str(run.id), run.started.replace("T", " ")[:16], _typed(run), f"{run.done:,} of {run.wanted:,}", run.state]
        for run in found
    ]
    print_table("", ["run", "started (UTC)", "command", "played", ""], rows, right=None)


@runs.command("show")
@click.argument("number", type=int)
@store_option
@as_json
@click.pass_obj
def show_run(group: dict[str, Any], number: int, store: str | None, json_: bool) -> None:
    """A run: its agents with all their parameters, what it showed, and how far it came."""
    from fifthstreet.arena.runs import so_far
    from fifthstreet.arena.store import Store

    with Store(_place_of(store or group["store"]), read_only=True) as kept:
        run = kept.run(number)
        parts = so_far(kept, run)
    if json_:
        show_json({**run.to_dict(), "series": [part.to_dict() for part in parts], "result": run.result})
        return
    click.echo(f"run {run.id}, {run.state}: {_typed(run)}")
    click.echo(f"started {run.started}, code {run.code}" + (f", ended {run.ended}" if run.ended else ""))
    for part in parts:
        rows = [
            [agent["name"], ", ".join(f"{k}={v}" for k, v in agent.get("parameters", {}).items()), str(mean)]
            for agent, mean in zip(part.agents, part.means, strict=False)
        ]
        title = f"{part.game}, seed {part.series.about['seed']}: {part.series.done:,} of {part.series.wanted:,}"
        print_table(title, ["agent", "parameters", "mean"], rows, right=2)
    if run.result:
        click.echo(run.result["text"])


@runs.command("resume")
@click.argument("number", type=int)
@played_by
@as_json
@click.pass_context
def resume_run(context: click.Context, /, number: int, **how: Any) -> None:
    """Go on with a run where it was stopped; a finished one is shown at once."""
    from fifthstreet import cache
    from fifthstreet.arena.store import Store

    how["store"] = how["store"] or context.obj["store"]
    with Store(_place_of(how["store"]), read_only=True) as kept:
        run = kept.run(number)
    if run.code != cache.source_hash(kernels_only=True):
        sys.stderr.write(f"run {number} was played by other code ({run.code}), so it is played anew\n")
    command = cli.commands[run.command]
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in run.given.items()}
    wanted = {name: value for name, value in how.items() if name in {option.name for option in command.params}}
    others = {option.name: None for option in command.params if option.name in HOW and option.name not in wanted}
    with click.Context(command, info_name=run.command, parent=context.find_root()) as again:
        again.params = given | others | wanted
        again.invoke(command, **again.params)


@runs.command("export")
@click.argument("number", type=int)
@click.option("--csv", "kind", flag_value="csv", default="csv", help="Every number, a row each (the default).")
@click.option("--json", "kind", flag_value="json", help="The same as JSON.")
@click.option("--records", "kind", flag_value="records", help="The recorded games, a line of JSON each.")
@store_option
@click.pass_obj
def export_run(group: dict[str, Any], number: int, kind: str, store: str | None) -> None:
    """The numbers of a run, deal by deal, for other programs."""
    import csv

    from fifthstreet.arena.runs import COLUMNS, exported, records
    from fifthstreet.arena.store import Store

    with Store(_place_of(store or group["store"]), read_only=True) as kept:
        run = kept.run(number)
        if kind == "records":
            for record in records(kept, run):
                show_json(record)
        elif kind == "json":
            show_json({**run.to_dict(), "columns": COLUMNS, "rows": list(exported(kept, run))})
        else:
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(exported(kept, run))


def _place_of(store: str | None) -> Path:
    from fifthstreet.arena.store import usual_place

    return Path(store) if store else usual_place()


def _typed(run: Any) -> str:
    """The command of a run, much as it was typed."""
    words = [run.command]
    options = {option.name: option for option in cli.commands[run.command].params}
    for name, value in run.given.items():
        option = options.get(name)
        if option is None or value in (None, False) or value == option.default:
            continue
        values = value if isinstance(value, list) else [value]
        if isinstance(option, click.Argument):
            words += map(str, values)
        else:
            words += [option.opts[0]] if value is True else [word for v in values for word in (option.opts[0], str(v))]
    return " ".join(words)


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
