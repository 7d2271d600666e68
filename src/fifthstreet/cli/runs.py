"""Earlier runs: listed, shown, resumed, exported, checked."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from fifthstreet.cli import papers, playing
from fifthstreet.cli.options import Options, example, json_option, plays, store_option
from fifthstreet.errors import InputError
from fifthstreet.terminal import print_table, show_json

if TYPE_CHECKING:
    from fifthstreet.arena.store import KeptRun

RESUMABLE: dict[str, click.Command] = {
    "match": playing.match,
    "session": playing.session,
    "tournament": playing.tournament,
    "contest": playing.contest,
    "reproduce": papers.reproduce,
}
"""The commands whose runs are kept, by name."""


@click.group(invoke_without_command=True, epilog=example("runs", "runs --store experiment.sqlite"))
@store_option
@json_option
@click.pass_context
def runs(context: click.Context, store: str | None, as_json: bool) -> None:
    """List the runs in the store; show, resume or export one, or check them all."""
    from fifthstreet.arena.store import Store

    if context.invoked_subcommand:
        if store:  # `runs --store FILE show 3` means the same as `runs show 3 --store FILE`
            context.default_map = {name: {"store": store} for name in runs.commands}
        return
    with Store(_path(store), read_only=True) as kept:
        found = kept.runs()
    if as_json:
        show_json([run.to_dict() for run in found])
        return
    rows = [
        [
            str(run.id),
            run.started.replace("T", " ")[:16],
            _command_line(run),
            f"{run.done:,} of {run.wanted:,}",
            run.state,
        ]
        for run in found
    ]
    print_table("", ["run", "started (UTC)", "command", "played", ""], rows, right=None)


@runs.command("show", epilog=example("runs show 3"))
@click.argument("number", type=int)
@store_option
@json_option
def show_run(number: int, store: str | None, as_json: bool) -> None:
    """Show run NUMBER: its agents with all parameters, the result so far, and how much has been played."""
    from fifthstreet.arena.runs import so_far
    from fifthstreet.arena.store import Store

    with Store(_path(store), read_only=True) as kept:
        run = kept.run(number)
        parts = so_far(kept, run)
    if as_json:
        show_json({**run.to_dict(), "series": [part.to_dict() for part in parts], "result": run.result})
        return
    click.echo(f"run {run.id}, {run.state}: {_command_line(run)}")
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


@runs.command("resume", epilog=example("runs resume 3"))
@click.argument("number", type=int)
@plays()
def resume_run(options: Options, number: int) -> None:
    """Resume run NUMBER where it was stopped; the result of a finished run is shown at once."""
    from fifthstreet import cache
    from fifthstreet.arena.store import Store

    with Store(_path(options.store), read_only=True) as kept:
        run = kept.run(number)
    command = RESUMABLE.get(run.command)
    if command is None or command.callback is None:
        raise InputError(f"run {number} cannot be resumed: it was not started by a command")
    if run.code != cache.source_hash(kernels_only=True):
        sys.stderr.write(f"run {number} was played by another version of the code ({run.code}), so it starts again\n")
    parsed = command.make_context(run.command, _words(run)).params
    # The store knows a run by its parameters in the order in which they were typed.
    command.callback(**dict.fromkeys(run.given) | parsed | options.parameters())


@runs.command("export", epilog=example("runs export 3 > deals.csv", "runs export 3 --json"))
@click.argument("number", type=int)
@click.option("--csv", "kind", flag_value="csv", default="csv", help="CSV with one row per number (the default).")
@click.option("--json", "kind", flag_value="json", help="The same as JSON.")
@click.option("--records", "kind", flag_value="records", help="The recorded games, one line of JSON each.")
@store_option
def export_run(number: int, kind: Literal["csv", "json", "records"], store: str | None) -> None:
    """Print the numbers of run NUMBER, deal by deal, for other programs."""
    import csv

    from fifthstreet.arena.runs import COLUMNS, exported, records
    from fifthstreet.arena.store import Store

    with Store(_path(store), read_only=True) as kept:
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


@runs.command("check", epilog=example("runs check", "runs check --repair"))
@click.option("--repair", is_flag=True, help="Drop what is damaged, so that it is played again.")
@store_option
@json_option
def check_runs(repair: bool, store: str | None, as_json: bool) -> None:
    """Count the good and the damaged units of the store; exit with 1 if anything is still damaged."""
    from fifthstreet.arena.salvage import mend
    from fifthstreet.arena.store import DamagedStore, Health, Store

    path = _path(store)
    if repair:
        Store(path, read_only=True).close()  # a store that does not exist is refused, not made
    aside: Path | None = None
    try:
        with Store(path, read_only=not repair) as opened:
            found = opened.check(repair)
            left = opened.check() if repair else found
    except DamagedStore as error:
        if not repair:
            raise
        found = left = Health(0, 0, 0, str(error))
    if repair and left.structure:
        aside = mend(path, Store)
        with Store(path) as opened:
            opened.check(repair)
            left = opened.check()
    if as_json:
        show_json(found.to_dict() | {"repaired": repair and left.sound, "kept": aside})
    else:
        click.echo(f"{found.good:,} good units, {found.damaged:,} damaged")
        if found.others:
            click.echo(f"{found.others:,} damaged runs, series or records")
        if left.structure:
            click.echo(f"the file itself is damaged: {left.structure}")
        if aside:
            click.echo(f"{left.good:,} good units were copied to a new file; the damaged one is kept as {str(aside)!r}")
        if repair and not found.sound and left.sound:
            click.echo("what was damaged is dropped; resume the runs to play it again")
    if not left.sound:
        sys.exit(1)


def _path(store: str | None) -> Path:
    from fifthstreet.arena.store import usual_place

    return Path(store) if store else usual_place()


def _words(run: "KeptRun") -> list[str]:
    """The parameters of a run as they are typed after the command's name, without defaults."""
    command = RESUMABLE.get(run.command)
    known = {param.name: param for param in command.params} if command else {}
    options: list[str] = []
    arguments: list[str] = []
    for name, value in run.given.items():
        param = known.get(name)
        if param is None or value in (None, False) or value == param.default:
            continue
        values = [str(each) for each in (value if isinstance(value, list) else [value])]
        if isinstance(param, click.Argument):
            arguments += values
        elif value is True:
            options.append(param.opts[0])
        else:
            options += [word for each in values for word in (param.opts[0], each)]
    dashes = ["--"] if any(word.startswith("-") for word in arguments) else []
    return [*options, *dashes, *arguments]


def _command_line(run: "KeptRun") -> str:
    return shlex.join([run.command, *_words(run)])
