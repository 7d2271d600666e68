"""The papers, run again."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from fifthstreet.cli.options import Options, example, json_option, plays, seed_option
from fifthstreet.cli.working import working
from fifthstreet.errors import InputError
from fifthstreet.parallel import threads
from fifthstreet.terminal import print_table, show_json

if TYPE_CHECKING:
    from fifthstreet.papers.published import Published
    from fifthstreet.papers.reproduce import Reproduction


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
@click.option(
    "--minutes",
    type=click.FloatRange(min=0),
    help="Processor time after which undecided claims are not played on, in place of the scale's (paper: no limit).",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the report, a small web site, into this folder.")
@seed_option
@plays("out")
def reproduce(
    options: Options,
    papers: tuple[str, ...],
    only: str | None,
    scale: Literal["quick", "paper"],
    minutes: float | None,
    out: Path | None,
    seed: int,
) -> None:
    """Run the experiments of PAPERS, or of all papers.

    Shows printed next to measured numbers, with a verdict for every claim: first each paper, then, after playing on for
    what is undecided, the scorecard.
    """
    from fifthstreet.papers import PAPERS, paper_named
    from fifthstreet.papers.published import published
    from fifthstreet.papers.report import prepare, write_report
    from fifthstreet.papers.reproduce import reproduce as run_again

    chosen = [paper_named(name) for name in dict.fromkeys(papers)] or PAPERS
    if out:
        prepare(out)  # a folder that cannot be written is refused before anything is measured
    known, missing = None, ""
    try:
        known = published() if scale == "quick" else None
    except InputError as error:
        missing = f"{error}; the verdicts are shown without them"

    detailed = only is not None or len(chosen) == 1
    before: dict[tuple[str, str], str] = {}  # the first verdicts

    def show(first: "Reproduction") -> None:
        if missing and not before and not (options.as_json or options.quiet):
            click.echo(missing, err=True)
        before.update(_verdicts(first))
        if not options.as_json:
            _show_paper(first, known, detailed)

    processes = threads(options.workers) if options.engine == "threads" and options.cluster is None else 1
    with working("measuring", options, steady=scale == "quick" or minutes is not None) as (display, keep):
        found = run_again(chosen, only, scale, seed, display.about, show, minutes, processes)
        keep(found)
        page = write_report(found, out) if out else None
    if options.as_json:
        show_json(found.to_dict())
        return
    now = _verdicts(found)
    _show_claims("Decided by playing on", found, known, {each for each in before if before[each] != now[each]})
    if found.claims:
        _show_scorecard(found)
    if page:
        click.echo(f"report: {page}")


def _verdicts(found: "Reproduction") -> dict[tuple[str, str], str]:
    return {(outcome.paper.name, claim.id): result.verdict.value for outcome, claim, result in found.claims}


def _show_paper(found: "Reproduction", known: "Published | None", detailed: bool) -> None:
    """Print what was found for a paper; in detail, with all its tables and the numbers of its figures."""
    from fifthstreet.papers.paper import FigureResult, TableResult

    (paper,) = found.papers
    click.secho(f"{paper.title}, by {paper.authors}", bold=True)
    if paper.name in found.findings:
        click.echo(found.findings[paper.name])
    for outcome in found.outcomes if detailed else ():
        table = outcome.result.data if isinstance(outcome.result, FigureResult) else outcome.result
        if isinstance(table, TableResult):
            rows = [[*row, "✗" if i in table.wrong else ""] for i, row in enumerate(table.rows)]
            print_table(outcome.title, [*table.columns, ""], rows)
            notes = [getattr(outcome.result, "note", ""), table.note]
            click.echo(" ".join(filter(None, dict.fromkeys(notes))) + "\n")
    _show_claims("", found, known, set(_verdicts(found)))


def _show_claims(
    title: str, found: "Reproduction", known: "Published | None", which: Collection[tuple[str, str]]
) -> None:
    """Print these claims, given by paper and id, next to what was published of them."""
    rows = [
        [
            f"{claim.words} [{claim.id}]",
            claim.printed,
            str(claim.where),
            str(result.measured),
            result.verdict.value,
            (known and known.verdict(outcome.paper.name, claim.id)) or "",
        ]
        for outcome, claim, result in found.claims
        if (outcome.paper.name, claim.id) in which
    ]
    columns = ["claim", "printed", "claimed to be", "measured", "verdict", "published"]
    if rows:
        shown = len(columns) if known else len(columns) - 1
        print_table(title, columns[:shown], [row[:shown] for row in rows], right=None)


def _show_scorecard(found: "Reproduction") -> None:
    from fifthstreet.papers.paper import Verdict

    def counts(name: str) -> list[str]:
        verdicts = [result.verdict for outcome, claim, result in found.claims if outcome.paper.name == name]
        return [str(verdicts.count(verdict)) for verdict in Verdict]

    rows = [[paper.title, *counts(paper.name)] for paper in found.papers]
    print_table("Scorecard", ["paper", *(verdict.value for verdict in Verdict)], rows)
    click.echo(str(found))


@click.command(epilog=example("scorecard", "scorecard --update"))
@click.option("--update", is_flag=True, help="Write docs/results/README.md and the scorecard in README.md again.")
@json_option
def scorecard(update: bool, as_json: bool) -> None:
    """Show the published verdicts on the papers' claims, and which were measured with older code."""
    from fifthstreet.papers import published as papers

    if update:
        papers.update(readme=papers.PLACE.parent.parent / "README.md")
    found = papers.published()
    if as_json:
        show_json({**found.data, "older": found.older()})
        return
    click.echo(papers.page(found))
