"""The report of a reproduction: one self-contained HTML page, readable on a phone, in the dark and on paper."""

import io
import json
import tempfile
from html import escape
from pathlib import Path

from fifthstreet.errors import InputError
from fifthstreet.papers.paper import FigureResult, Paper, TableResult, Verdict
from fifthstreet.papers.reproduce import Outcome, Reproduction

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #1a7f37; --bad: #c0362c; --open: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --good: #4ac26b; --bad: #ff7b72; --open: #d4a72c; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .3rem .6rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
.numbers th + th, .numbers td + td { text-align: right; }
.scroll { overflow-x: auto; } .differs { background: var(--soft); } .differs td:last-child::after { content: " ✗"; }
.reproduced { color: var(--good); } .not-reproduced { color: var(--bad); } .undecided { color: var(--open); }
.verdict { font-weight: 600; white-space: nowrap; } .note { opacity: .8; font-size: .92rem; }
figure { margin: 1rem 0; background: white; border-radius: 6px; padding: .5rem; }
figure svg { width: 100%; height: auto; }
dt { float: left; clear: left; width: 8rem; opacity: .8; } dd { margin-left: 8rem; }
"""


def write_report(reproduction: Reproduction, folder: Path) -> Path:
    """Write report.html and results.json into the folder; returns the page."""
    prepare(folder)
    page, results = folder / "report.html", json.dumps(reproduction.to_dict(), indent=1)
    try:
        (folder / "results.json").write_text(results, encoding="utf-8")
        page.write_text(_page(reproduction), encoding="utf-8")
    except OSError as error:
        raise _cannot_write(folder, error) from None
    return page


def prepare(folder: Path) -> None:
    """Make the folder, and make sure that it can be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise _cannot_write(folder, error) from None


def _cannot_write(folder: Path, error: OSError) -> InputError:
    return InputError(f"the report cannot be written to {str(folder)!r}: {error.strerror or error}")


def _page(reproduction: Reproduction) -> str:
    tally = ", ".join(f"{count} {verdict.value}" for verdict, count in reproduction.tally().items())
    method = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in reproduction.method().items())
    papers = "".join(_paper(paper, reproduction) for paper in reproduction.papers)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>fifthstreet: the papers, run again</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head><body>'
        "<h1>The papers, run again</h1>"
        f"<p>{len(reproduction.claims)} claims: {escape(tally)}.</p>{_scorecard(reproduction)}{papers}"
        f"<h2>How this was made</h2><dl>{method}</dl></body></html>\n"
    )


def _scorecard(reproduction: Reproduction) -> str:
    rows = "".join(
        f"<tr><td>{escape(outcome.paper.title)}</td><td>{escape(claim.words)}"
        f"{_note(result.note)}</td><td>{escape(claim.printed)}</td><td>{escape(str(claim.where))}</td>"
        f"<td>{escape(str(result.measured))}</td>{_verdict(result.verdict)}</tr>"
        for outcome, claim, result in reproduction.claims
    )
    head = (
        "<tr><th>paper</th><th>claim</th><th>printed</th><th>claimed to be</th><th>measured</th><th>verdict</th></tr>"
    )
    return f'<div class="scroll"><table>{head}{rows}</table></div>' if rows else ""


def _verdict(verdict: Verdict) -> str:
    return f'<td class="verdict {verdict.value.replace(" ", "-")}">{verdict.value}</td>'


def _paper(paper: Paper, reproduction: Reproduction) -> str:
    parts = [_item(outcome) for outcome in reproduction.outcomes if outcome.paper is paper]
    readings = "".join(f"<li>{escape(reading)}</li>" for reading in paper.readings)
    readings = f"<h3>Readings taken</h3><ul>{readings}</ul>" if readings else ""
    return f"<section><h2>{escape(paper.title)}</h2><p>{escape(paper.authors)}</p>{''.join(parts)}{readings}</section>"


def _item(outcome: Outcome) -> str:
    result = outcome.result
    if isinstance(result, TableResult):
        return f"<h3>{escape(outcome.title)}</h3>{_table(result)}"
    if isinstance(result, FigureResult):
        return (
            f"<h3>{escape(outcome.title)}</h3>{_picture(result)}{_note(result.note)}"
            f"<details><summary>the numbers</summary>{_table(result.data)}</details>"
        )
    return ""


def _table(table: TableResult) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    rows = ""
    for i, row in enumerate(table.rows):
        mark = ' class="differs"' if i in table.wrong else ""
        rows += f"<tr{mark}>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
    return f'<div class="scroll"><table class="numbers"><tr>{head}</tr>{rows}</table></div>{_note(table.note)}'


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>' if text else ""


def _picture(figure: FigureResult) -> str:
    """The figure as SVG, or its description where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        return f"<p>{escape(figure.alternative)} (For the picture: pip install fifthstreet[plot].)</p>"
    canvas = Canvas(figsize=(8, 4), layout="constrained")
    figure.draw(canvas.subplots())
    text = io.StringIO()
    canvas.savefig(text, format="svg", metadata={"Date": None})
    drawing = text.getvalue()
    label = escape(figure.alternative, quote=True)
    return f'<figure role="img" aria-label="{label}">{drawing[drawing.index("<svg") :]}</figure>'
