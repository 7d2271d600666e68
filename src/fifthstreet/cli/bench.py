"""Speed, measured."""

import click

from fifthstreet.cli.options import example, json_option
from fifthstreet.terminal import print_table, progress, show_json


@click.command(epilog=example("bench", "bench equity --json", "bench soak --minutes 30"))
@click.argument("name", required=False)
@click.option("--minutes", type=click.FloatRange(0.1, 10_000), default=10, show_default=True, help="How long to soak.")
@json_option
def bench(name: str | None, minutes: float, as_json: bool) -> None:
    """Measure speed next to other libraries.

    Runs all benchmarks, or the one called NAME. pip install 'fifthstreet[bench]' installs the other libraries.

    `bench soak` measures no speed: people, some of them hostile, play at many tables for so many minutes, while the
    server is killed every minute and its disk fills up; it counts what is lost.
    """
    from fifthstreet.benchmarks import run

    with progress("measuring") as report:
        if name == "soak":
            from fifthstreet.benchmarks import soak

            measured = soak.measure(minutes, report)
        else:
            measured = run(name, report)
    if as_json:
        show_json([vars(row) for row in measured])
        return
    rows = [[m.benchmark, m.task, m.who, f"{m.figure:,.4g} {m.unit}", m.ratio] for m in measured]
    print_table("", ["benchmark", "task", "who", "figure", "ratio"], rows, right=3)
