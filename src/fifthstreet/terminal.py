"""What a terminal shows: results, tables, and how far long work has come."""

import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.live import Live

    from fifthstreet.arena.match import Ranking

Report = Callable[[int, int], None]


def show_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def show(result: Any, json_: bool) -> None:
    """A result as it prints itself, or as JSON."""
    if json_:
        show_json(result.to_dict())
    else:
        click.echo(str(result))


def print_table(title: str, columns: list[str], rows: list[list[str]], right: int | None = 1) -> None:
    """A table; from column `right` on, cells are numbers and stand to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if right is not None and i >= right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    text = io.StringIO()
    Console(file=text, width=None if sys.stdout.isatty() else 130, force_terminal=sys.stdout.isatty()).print(table)
    click.echo(text.getvalue(), nl=False)


@dataclass
class Display:
    """How far work has come: `display(done, total)` tells it, `follow` gives it a way to ask for the standings.

    It speaks after the first second, and then from time to time; what is over at once is not announced.
    """

    what: str
    tell: Callable[["Display"], None]
    pause: float  # seconds between two words
    done: int = 0
    total: int = 0
    ranking: "Callable[[], Ranking] | None" = None
    _begin: float = field(default_factory=lambda: time.monotonic())
    _already: int | None = None  # what was done before: kept units come in a moment, and would spoil the rate
    _told: float = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._already is None or now - self._begin < 0.2:
            self._already = done
        self.done, self.total = done, total
        if now - (self._told or self._begin) >= (self.pause if self._told else 1) and done < total:
            self._told = now
            self.tell(self)

    def about(self, what: str, done: int, total: int) -> None:
        """Like a call, with another word for what is done."""
        self.what = what
        self(done, total)

    def follow(self, ranking: "Callable[[], Ranking]") -> None:
        self.ranking = ranking

    @property
    def rate(self) -> float:
        """How much is done in a second."""
        return (self.done - (self._already or 0)) / max(time.monotonic() - self._begin, 1e-9)

    @property
    def left(self) -> float | None:
        """Seconds to go."""
        return (self.total - self.done) / self.rate if self.rate > 0 else None

    @property
    def standings(self) -> "Ranking":
        return self.ranking() if self.ranking else []

    def __str__(self) -> str:
        text = f"{self.what}: {100 * self.done // max(self.total, 1)} %"
        if self.left is not None:
            text += f", {self.rate:,.3g} a second, {clock(self.left)} left"
        standings = [f"{name} {payoff}" for name, payoff in self.standings[:4]]
        return text + (f"; {', '.join(standings)}" if standings else "")

    def to_dict(self) -> dict[str, Any]:
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
    """
    >>> clock(75), clock(7384)
    ('1:15', '2:03:04')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress(what: str, quiet: bool = False, json_: bool = False) -> Iterator[Display]:
    """A live display on a terminal, plain lines elsewhere, JSON events for programs, or nothing."""
    if quiet:
        yield Display(what, lambda _: None, 3600)
    elif json_:
        yield Display(what, lambda display: _say(json.dumps(display.to_dict(), ensure_ascii=False)), 1)
    elif not sys.stderr.isatty():
        yield Display(what, lambda display: _say(str(display)), 5)
    else:
        from rich.console import Console
        from rich.live import Live

        with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:
            yield Display(what, lambda display: _draw(live, display), 0.2)


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _draw(live: "Live", display: Display) -> None:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    bar = Table.grid(padding=(0, 1))
    left = f"{clock(display.left)} left" if display.left is not None else ""
    counts = f"{display.done:,} of {display.total:,}"
    bar.add_row(display.what, ProgressBar(display.total, display.done, 30), counts, f"{display.rate:,.3g}/s", left)
    standings = Table.grid(padding=(0, 2))
    for place, (name, payoff) in enumerate(display.standings, 1):
        standings.add_row(str(place), name, str(payoff))
    live.update(Group(bar, standings), refresh=True)
