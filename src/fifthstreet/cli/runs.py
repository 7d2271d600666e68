"""What was played before: listed, shown, taken up again, exported."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from fifthstreet.cli.options import HOW, as_json, played_by, store_option
from fifthstreet.terminal import print_table, show_json


@click.group(invoke_without_command=True)
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
    command = _commands()[run.command]
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
    options = {option.name: option for option in _commands()[run.command].params}
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


def _commands() -> Mapping[str, click.Command]:
    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)
    return root.commands
