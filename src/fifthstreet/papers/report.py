"""The report of a reproduction: a small site of self-contained pages, with every number as CSV beside them.

The front page has the findings and the scorecard of all claims. Every paper has a page with its tables and figures, and
one page describes the methods.
"""

import csv
import io
import json
import tempfile
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from fifthstreet import cache
from fifthstreet.errors import InputError
from fifthstreet.papers.drawing import drawn
from fifthstreet.papers.paper import Claim, ClaimResult, FigureResult, Paper, TableResult, Verdict
from fifthstreet.papers.reproduce import Outcome, Reproduction, in_words

CLAIM_COLUMNS = (
    *("paper", "claim", "words", "printed", "claimed to be", "measured", "low", "high", "count", "verdict"),
    *("beyond the paper", "played"),
)


def write_report(reproduction: Reproduction, folder: Path) -> Path:
    """Write the site into the folder; return the path of its front page."""
    prepare(folder)
    pages = {"index.html": _front(reproduction), "methods.html": _methods(reproduction)}
    pages |= {f"{paper.name}.html": _paper(paper, reproduction) for paper in reproduction.papers}
    data = {"results.json": json.dumps(reproduction.to_dict(), indent=1), "claims.csv": _claims_csv(reproduction)}
    data |= {name: _csv((table.columns, *table.rows)) for name, table in _tables(reproduction)}
    try:
        (folder / "data").mkdir(exist_ok=True)
        for name, text in ({f"data/{name}": text for name, text in data.items()} | pages).items():
            with cache.replacing(folder / name) as file:
                file.write(text.encode())
    except OSError as error:
        raise _cannot_write(folder, error) from None
    return folder / "index.html"


def prepare(folder: Path) -> None:
    """Create the folder and check that it is writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise _cannot_write(folder, error) from None


def _cannot_write(folder: Path, error: OSError) -> InputError:
    return InputError(f"the report cannot be written to {str(folder)!r}: {error.strerror or error}")


# Data files.


def _tables(reproduction: Reproduction) -> Iterable[tuple[str, TableResult]]:
    for outcome in reproduction.outcomes:
        if isinstance(outcome.result, TableResult):
            yield _file_of(outcome), outcome.result
        elif isinstance(outcome.result, FigureResult):
            yield _file_of(outcome), outcome.result.data


def _file_of(outcome: Outcome) -> str:
    return f"{outcome.paper.name}-{outcome.item.id}.csv"


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _claims_csv(reproduction: Reproduction) -> str:
    rows = [
        (
            outcome.paper.name,
            claim.id,
            claim.words,
            claim.printed,
            str(claim.where),
            result.measured.value,
            result.measured.low,
            result.measured.high,
            result.measured.count,
            result.verdict.value,
            "yes" if claim.beyond else "no",
            result.played,
        )
        for outcome, claim, result in reproduction.claims
    ]
    return _csv([CLAIM_COLUMNS, *rows])


# Pages.


def _page(title: str, body: str, reproduction: Reproduction, here: str) -> str:
    style = files("fifthstreet.papers").joinpath("report.css").read_text(encoding="utf-8")
    places = {"index.html": "Scorecard"} | {f"{paper.name}.html": paper.name for paper in reproduction.papers}
    places["methods.html"] = "Methods"
    links = "".join(
        f'<a href="{place}"{" aria-current=page" if place == here else ""}>{escape(name)}</a>'
        for place, name in places.items()
    )
    method = reproduction.method()
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)} · fifthstreet</title>"
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head><body>'
        f'<header><nav aria-label="Pages">{links}</nav></header><main>{body}</main>'
        f"<footer><p>Made by fifthstreet {escape(method['fifthstreet'])}, {escape(method['started'][:10])}; "
        f"scale “{escape(reproduction.scale)}”, seed {reproduction.seed}.</p></footer></body></html>\n"
    )


def _front(reproduction: Reproduction) -> str:
    own, beyond = reproduction.tally(beyond=False), reproduction.tally(beyond=True)
    numbers = "".join(f"<li><b>{count}</b>{_verdict(verdict)}</li>" for verdict, count in own.items())
    papers = "".join(
        f'<tr><th scope="row"><a href="{paper.name}.html">{escape(paper.title)}</a></th>'
        f"<td>{escape(paper.authors)}</td><td>{_bar(reproduction, paper)}</td></tr>"
        for paper in reproduction.papers
    )
    more = f"<p>Beyond the papers: {in_words(beyond)}.</p>" if any(beyond.values()) else ""
    body = (
        "<h1>The papers, reproduced</h1>"
        f"{_findings(reproduction)}"
        "<h2>Scorecard</h2>"
        "<p>Every measurable claim of these papers: the printed number, the measured one with its interval, and "
        "whether the claim holds. A claim is undecided if the interval lies partly inside and partly outside the "
        "claimed range.</p>"
        f'<ul class="tally">{numbers}</ul>{more}'
        f'<div class="scroll"><table class="cards"><thead><tr><th>paper</th><th>authors</th>'
        f"<th>verdicts</th></tr></thead><tbody>{papers}</tbody></table></div>"
        f"<h2>Claims</h2>{_scorecard(reproduction, reproduction.papers)}"
        '<p class="note">Raw results: <a href="data/claims.csv">claims.csv</a>, '
        '<a href="data/results.json">results.json</a>; the data of every table and figure is linked on its page.</p>'
    )
    return _page("The papers, reproduced", body, reproduction, "index.html")


def _findings(reproduction: Reproduction) -> str:
    texts = "".join(
        f'<p><a href="{paper.name}.html"><b>{escape(paper.title)}.</b></a> '
        f"{escape(reproduction.findings[paper.name])}</p>"
        for paper in reproduction.papers
        if paper.name in reproduction.findings
    )
    return f"<h2>Findings</h2>{texts}" if texts else ""


def _claims_of(reproduction: Reproduction, paper: Paper) -> list[tuple[Outcome, Claim, ClaimResult]]:
    return [entry for entry in reproduction.claims if entry[0].paper is paper]


def _bar(reproduction: Reproduction, paper: Paper) -> str:
    """Return the verdicts on a paper as a bar with a caption."""
    verdicts = [result.verdict for _, _, result in _claims_of(reproduction, paper)]
    if not verdicts:
        return "no claims measured"
    counts = {verdict: verdicts.count(verdict) for verdict in Verdict if verdict in verdicts}
    parts = "".join(f'<i class="{_class(verdict)}" style="flex:{count}"></i>' for verdict, count in counts.items())
    words = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items())
    return f'<div class="bar" aria-hidden="true">{parts}</div>{words}'


def _scorecard(reproduction: Reproduction, papers: Sequence[Paper]) -> str:
    several = len(papers) > 1
    rows = ""
    for paper in papers:
        for _, claim, result in _claims_of(reproduction, paper):
            where = f'<td data-label="paper"><a href="{paper.name}.html">{escape(paper.title)}</a></td>'
            rows += (
                f'<tr id="{paper.name}-{claim.id}"><th scope="row">{escape(claim.words)}{_note(result.note)}</th>'
                f"{where if several else ''}"
                f'<td data-label="printed">{escape(claim.printed)}</td>'
                f'<td data-label="claimed to be">{escape(str(claim.where))}</td>'
                f'<td data-label="measured">{_measured(result)}{_note(result.played)}</td>'
                f'<td data-label="verdict">{_verdict(result.verdict)}</td></tr>'
            )
    titles = ("claim", *(["paper"] if several else []), "printed", "claimed to be", "measured", "verdict")
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    if not rows:
        return "<p>No claims were measured.</p>"
    return f'<div class="scroll"><table class="cards"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _measured(result: ClaimResult) -> str:
    """Return the number and its interval, which moves to its own line on narrow screens."""
    value, bracket, interval = str(result.measured).partition(" [")
    return f"{escape(value)} <span>{escape(bracket.strip() + interval)}</span>" if bracket else escape(value)


def _class(verdict: Verdict) -> str:
    return verdict.value.replace(" ", "-")


def _verdict(verdict: Verdict) -> str:
    return f'<span class="verdict {_class(verdict)}">{verdict.value}</span>'


def _paper(paper: Paper, reproduction: Reproduction) -> str:
    items = "".join(_item(outcome) for outcome in reproduction.outcomes if outcome.paper is paper)
    finding = reproduction.findings.get(paper.name)
    body = (
        f'<h1>{escape(paper.title)}</h1><p class="lead">{escape(paper.authors)}</p>'
        f"{f'<h2>Findings</h2><p>{escape(finding)}</p>' if finding else ''}"
        f"<h2>Claims</h2>{_scorecard(reproduction, [paper])}{_other_readings(paper, reproduction)}{_unmeasured(paper)}"
        f"<h2>Tables and figures</h2>{items or '<p>None were requested.</p>'}{_readings(paper)}"
    )
    return _page(paper.title, body, reproduction, f"{paper.name}.html")


def _other_readings(paper: Paper, reproduction: Reproduction) -> str:
    """The verdicts under other interpretations of the paper, as a table."""
    rows = [
        (claim.words, reading.name, str(reading.measured), reading.verdict.value)
        for _, claim, result in _claims_of(reproduction, paper)
        for reading in result.readings
    ]
    if not rows:
        return ""
    table = TableResult(("claim", "interpretation", "measured", "verdict"), tuple(rows))
    return f"<h3>The same claims under other interpretations</h3>{_table(table)}"


def _unmeasured(paper: Paper) -> str:
    rows = "".join(f"<li>{escape(words)} <i>{escape(why)}</i></li>" for words, why in paper.unmeasured)
    return f"<h3>Claims that are not measured, and why</h3><ul>{rows}</ul>" if rows else ""


def _readings(paper: Paper) -> str:
    rows = "".join(f"<li>{escape(reading)}</li>" for reading in paper.readings)
    return f"<h2>Interpretations</h2><ul>{rows}</ul>" if rows else ""


def _item(outcome: Outcome) -> str:
    result = outcome.result
    if isinstance(result, ClaimResult):
        return ""
    link = f'<p class="note"><a href="data/{_file_of(outcome)}">data as CSV</a></p>'
    title = f'<h3 id="{escape(outcome.item.id)}">{escape(outcome.title)}</h3>'
    if isinstance(result, TableResult):
        return f"{title}{_table(result)}{link}"
    picture = drawn(result)
    label = escape(result.alternative, quote=True)
    figure = f'<figure><div role="img" aria-label="{label}">{picture}</div></figure>' if picture else ""
    words = f"<p>{escape(result.alternative)} (To see the picture: pip install fifthstreet[plot].)</p>"
    return (
        f"{title}{figure or words}{_note(result.note)}"
        f"<details><summary>data</summary>{_table(result.data)}</details>{link}"
    )


def _table(table: TableResult) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    rows = ""
    for i, (first, *others) in enumerate(table.rows):
        mark = ' class="differs"' if i in table.wrong else ""
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in others)
        rows += f'<tr{mark}><th scope="row">{escape(first)}{" ✗" if mark else ""}</th>{cells}</tr>'
    differs = _note("✗: the printed and the measured value differ by more than chance.") if table.wrong else ""
    return (
        f'<div class="scroll"><table class="numbers"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
        f"{differs}{_note(table.note)}"
    )


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>' if text else ""


def _methods(reproduction: Reproduction) -> str:
    method = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in reproduction.method().items())
    times = "".join(
        f'<tr><th scope="row">{escape(outcome.paper.title)}: {escape(outcome.title)}</th><td>{outcome.kind}</td>'
        f"<td>{outcome.seconds:,.1f}</td></tr>"
        for outcome in reproduction.outcomes
    )
    readings = "".join(
        f"<h3>{escape(paper.title)}</h3><ul>{''.join(f'<li>{escape(r)}</li>' for r in paper.readings)}</ul>"
        for paper in reproduction.papers
        if paper.readings
    )
    body = (
        "<h1>Methods</h1>"
        '<p class="lead">Every deal is played from every seating, so that card luck cancels. Intervals are 95 %: '
        "by deal if deals are independent, by run or unit if an agent learns. All randomness comes from the seed, so "
        "the same command gives the same numbers, except for players with a time limit.</p>"
        "<p>What is played for a claim is doubled until the claim is decided or the experiment has reached its largest "
        "size. A claim is looked at after each doubling. Its error rate of 5 % is divided equally among all planned "
        "looks, so its interval is wider than the plain 95 % intervals in the tables.</p>"
        f"<h2>This run</h2><dl>{method}</dl>"
        "<h2>Interpretations</h2><p>How each paper was read where it is silent or contradicts itself.</p>"
        f"{readings}"
        '<h2>Running times</h2><p class="note">In seconds. Measurements shared by several items are counted with the '
        'first of them.</p><div class="scroll"><table class="numbers"><thead><tr><th>item</th><th>kind</th>'
        f"<th>seconds</th></tr></thead><tbody>{times}</tbody></table></div>"
    )
    return _page("Methods", body, reproduction, "methods.html")
