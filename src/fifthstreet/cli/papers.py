"""The papers, run again."""

from pathlib import Path
from typing import Any

import click

from fifthstreet.cli.options import as_json, played_by, seed_option
from fifthstreet.cli.working import working
from fifthstreet.terminal import print_table, show_json


@click.command()
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
