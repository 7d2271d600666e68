"""Results show themselves in a notebook."""

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from matplotlib.figure import Figure

from fifthstreet import match, session, tournament
from fifthstreet.arena.contest import contest
from fifthstreet.papers import paper_named
from fifthstreet.papers.reproduce import reproduce
from fifthstreet.shown import Shown

RESULTS: dict[str, Callable[[], Shown]] = {
    "match": lambda: match("kuhn", ["equilibrium", "random"], 200),
    "tournament": lambda: tournament("kuhn", ["equilibrium", "random", "equilibrium:bluff=0.1"], 200),
    "session": lambda: session("holdem:seats=2", ["call-station", "random"], 50, runs=2),
    "contest": lambda: contest(["american"], ["greedy", "random"], games=3),
    "reproduction": lambda: reproduce([paper_named("five-o")], only="table-1-pair"),
}


class Balanced(HTMLParser):
    """Counts rows and cells, and refuses tags that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("kind", RESULTS)
def test_as_html_as_a_plot_and_as_plain_values(kind: str) -> None:
    result = RESULTS[kind]()
    columns, rows, caption = result.table()
    parser = Balanced()
    parser.feed(result._repr_html_())
    assert not parser.open
    assert parser.seen.count("td") == len(columns) * len(rows)
    assert caption
    axes = result.plot(Figure().subplots())
    assert axes.get_title() == caption
    assert axes.lines
    assert isinstance(result.to_dict(), dict)
