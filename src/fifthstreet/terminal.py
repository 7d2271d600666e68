"""Output of the command line: results as text or JSON, tables, and the progress of long work."""

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import click

from fifthstreet.estimate import Estimate

if TYPE_CHECKING:
    from rich.live import Live

Ranking = Sequence[tuple[str, Estimate]]
"""Names with mean payoffs, best first."""
_WIDTH = 130  # of tables, where neither a terminal nor COLUMNS says otherwise


class Result(Protocol):
    """A result that can be shown."""

    def to_dict(self) -> dict[str, Any]: ...


def show_json(value: object) -> None:
    """Print a value as one line of JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def show(result: Result, json_: bool) -> None:
    """Print a result as text, or as JSON."""
    if json_:
        show_json(result.to_dict())
    else:
        click.echo(str(result))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: int | None = 1) -> None:
    """Print a table; the cells from column number `right` on are aligned to the right, as numbers are.

    It is as wide as the terminal, or as $COLUMNS says.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if right is not None and i >= right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    text, at_terminal = io.StringIO(), sys.stdout.isatty()
    given = os.environ.get("COLUMNS", "")
    width = int(given) if given.isdecimal() and int(given) > 0 else None if at_terminal else _WIDTH
    Console(file=text, width=width, force_terminal=at_terminal).print(table)
    click.echo(text.getvalue(), nl=False)


@dataclass
class Display:
    """The progress of some work. Call `display(done, total)` whenever more is done.

    It shows nothing in the first second, so that quick work is not announced, and then updates from time to time.
    """

    what: str  # what is being done, like "playing"
    tell: Callable[["Display"], None]  # shows it
    pause: float  # seconds between two updates
    unit: str = ""  # what is counted, like "deals"; without it no rate is shown
    steady: bool = True  # whether the rest takes as long as what is done says, so that the time left can be told
    news: str = ""  # what else goes on, like compiling
    done: int = 0
    total: int = 0
    ranking: Callable[[], Ranking] | None = None  # returns the standings so far
    _begin: float = field(default_factory=lambda: time.monotonic())
    _already: int | None = (
        None  # done before the start: units from the store come at once, and are not part of the rate
    )
    _told: float = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Note that `done` of `total` is done, and show it if it is time."""
        now = time.monotonic()
        if self._already is None or now - self._begin < 0.2:
            self._already = done
        self.done, self.total, self.news = done, total, ""
        if now - (self._told or self._begin) >= (self.pause if self._told else 1) and done < total:
            self._told = now
            self.tell(self)

    def about(self, what: str, done: int, total: int) -> None:
        """Note progress, as a call does, and what is being done now."""
        self.what = what
        self(done, total)

    def follow(self, ranking: Callable[[], Ranking]) -> None:
        """Show standings too; `ranking` returns those so far, and is called only when they are shown."""
        self.ranking = ranking

    @property
    def rate(self) -> float:
        """How much is done per second."""
        return (self.done - (self._already or 0)) / max(time.monotonic() - self._begin, 1e-9)

    @property
    def speed(self) -> str:
        """The rate in words, like "1,810 deals/s"; "" if it is not known what is counted."""
        rate = f"{self.rate:,.0f}" if self.rate >= 100 else f"{self.rate:.3g}"
        return f"{rate} {self.unit}/s" if self.unit else ""

    @property
    def left(self) -> float | None:
        """Seconds left, or None if nobody knows."""
        return (self.total - self.done) / self.rate if self.steady and self.rate > 0 else None

    def tell_news(self, text: str) -> None:
        """Show what else goes on, until there is progress."""
        self.news = text
        self.tell(self)

    @property
    def standings(self) -> Ranking:
        """The standings so far; none if there are none to follow."""
        return self.ranking() if self.ranking else []

    def __str__(self) -> str:
        text = f"{self.what}: {100 * self.done // max(self.total, 1)} %"
        if self.unit:
            text += f", {self.speed}"
        if self.left is not None:
            text += f", {clock(self.left)} left"
        standings = [f"{name} {payoff}" for name, payoff in self.standings[:4]]
        return text + (f"; {', '.join(standings)}" if standings else "")

    def to_dict(self) -> dict[str, Any]:
        """The progress as an event for programs."""
        return {
            "event": "progress",
            "what": self.what,
            "done": self.done,
            "total": self.total,
            "rate": self.rate,
            "seconds_left": self.left,
            "standings": [{"name": name, "mean": payoff.to_dict()} for name, payoff in self.standings],
        }


def clock(seconds: float) -> str:
    """A time as minutes and seconds, with hours if there are any.

    >>> clock(75), clock(7384)
    ('1:15', '2:03:04')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress(
    what: str, quiet: bool = False, json_: bool = False, unit: str = "", steady: bool = True
) -> Iterator[Display]:
    """Show progress on stderr while the `with` lasts: live on a terminal, elsewhere as lines of text.

    what    what is being done, like "playing"
    quiet   show nothing
    json_   write JSON events, for programs
    unit    what is counted, like "deals"; without it no rate is shown
    steady  whether the time left can be told from what is done
    """
    if quiet:
        yield Display(what, lambda _: None, 3600)
    elif json_:
        yield Display(what, lambda display: _say(json.dumps(display.to_dict(), ensure_ascii=False)), 1, unit, steady)
    elif not sys.stderr.isatty():
        yield Display(what, lambda display: _say(str(display)), 5, unit, steady)
    else:
        from rich.console import Console
        from rich.live import Live

        from fifthstreet import cache

        with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:
            display = Display(what, lambda display: _draw(live, display), 0.2, unit, steady)
            before, cache.showing = cache.showing, display.tell_news
            try:
                yield display
            finally:
                cache.showing = before


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _draw(live: "Live", display: Display) -> None:
    """Update the live display: a progress bar, and the standings below it."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    bar = Table.grid(padding=(0, 1))
    left = f"{clock(display.left)} left" if display.left is not None else ""
    counts = f"{display.done:,} of {display.total:,}" if display.unit else ""
    bar.add_row(display.what, ProgressBar(display.total, display.done, 30), counts, display.speed, left)
    standings = Table.grid(padding=(0, 2))
    for place, (name, payoff) in enumerate(display.standings, 1):
        standings.add_row(str(place), name, str(payoff))
    live.update(Group(bar, standings, *[Text(display.news)] * bool(display.news)), refresh=True)
