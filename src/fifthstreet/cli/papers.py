"""The papers, run again."""

from pathlib import Path
from typing import Literal

import click

from fifthstreet.cli.options import Options, example, plays, seed_option
from fifthstreet.cli.working import working
from fifthstreet.terminal import print_table, show_json


@click.command(epilog=example("reproduce five-o --only table-1", "reproduce --out report"))
@click.argument("papers", nargs=-1)
@click.option("--only", metavar="ID", help="Run only this table, figure or claim.")
@click.option(
    "--scale",
    type=click.Choice(["quick", "paper"]),
    default="quick",
    show_default=True,
    help="How much to play: a few minutes for everything, or at least as much as the papers did.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the report, a small web site, into this folder.")
@seed_option
@plays("out")
def reproduce(
    options: Options,
    papers: tuple[str, ...],
    only: str | None,
    scale: Literal["quick", "paper"],
    out: Path | None,
    seed: int,
) -> None:
    """Run the experiments of PAPERS, or of all papers.

    Shows printed next to measured numbers, with a verdict for every claim.
    """
    from fifthstreet.papers import PAPERS, paper_named
    from fifthstreet.papers.paper import FigureResult, TableResult
    from fifthstreet.papers.report import prepare, write_report
    from fifthstreet.papers.reproduce import reproduce as run_again

    chosen = [paper_named(name) for name in dict.fromkeys(papers)] or PAPERS
    if out:
        prepare(out)  # a folder that cannot be written is refused before anything is measured
    with working("measuring", options) as (display, keep):
        found = run_again(chosen, only, scale, seed, display.about)
        keep(found)
        page = write_report(found, out) if out else None
    if options.as_json:
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
