"""Speed, measured."""

import click

from fifthstreet.cli.options import example, json_option
from fifthstreet.terminal import print_table, progress, show_json


@click.command(epilog=example("bench", "bench equity --json"))
@click.argument("name", required=False)
@json_option
def bench(name: str | None, as_json: bool) -> None:
    """Measure speed next to other libraries.

    Runs all benchmarks, or the one called NAME. pip install 'fifthstreet[bench]' installs the other libraries.
    """
    from fifthstreet.benchmarks import run

    with progress("measuring") as report:
        measured = run(name, report)
    if as_json:
        show_json([vars(row) for row in measured])
        return
    rows = [[m.benchmark, m.task, m.who, f"{m.figure:,.4g} {m.unit}", m.ratio] for m in measured]
    print_table("", ["benchmark", "task", "who", "figure", "ratio"], rows, right=3)
