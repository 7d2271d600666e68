"""Speed, measured."""

import click

from fifthstreet.cli.options import as_json
from fifthstreet.terminal import print_table, progress, show_json


@click.command()
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
