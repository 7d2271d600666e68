"""Results that print themselves as a text table, and in a notebook as an HTML table and a plot."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from fifthstreet.errors import InputError
from fifthstreet.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TableOfText = tuple[Sequence[str], Sequence[Sequence[str]], str]
"""Column titles, rows, and a caption that says where the numbers come from."""


class Shown(ABC):
    """A result with a table, and with estimates that can be plotted."""

    @abstractmethod
    def table(self) -> TableOfText:
        """Column titles, rows of cells, and a caption."""

    @abstractmethod
    def plotted(self) -> Sequence[tuple[str, Estimate]]:
        """The estimates to plot, each with its name, best first."""

    def measured_in(self) -> str:
        """The unit of the plotted estimates, for the label of the axis."""
        return ""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result as values that JSON can hold."""

    def _repr_html_(self) -> str:
        columns, rows, caption = self.table()
        head = "".join(f"<th>{escape(column)}</th>" for column in columns)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>"

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Draw the result on these matplotlib axes, or on new ones, and return them."""
        axes = axes if axes is not None else new_axes()
        self._draw(axes)
        return axes

    def _draw(self, axes: "Axes") -> None:
        """Draw each estimate as a dot with its interval, best at the top."""
        names, numbers = zip(*reversed(list(self.plotted())), strict=True)
        axes.errorbar(
            [number.value for number in numbers],
            range(len(names)),
            xerr=[
                [number.value - number.low for number in numbers],
                [number.high - number.value for number in numbers],
            ],
            fmt="o",
            capsize=3,
        )
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(-0.5, len(names) - 0.5)
        axes.set_xlabel(self.measured_in())
        axes.set_title(self.table()[2], fontsize="small")


def aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a text table: the first column to the left, the others to the right.

    >>> aligned(["agent", "chips"], [["random", "-1"], ["eva", "+1"]])
    ['agent   chips', 'random     -1', 'eva        +1']
    """
    lines = [columns, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    return [
        "  ".join(
            [f"{line[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in lines
    ]


def new_axes() -> "Axes":
    """Axes of a new figure; InputError if matplotlib is not installed."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise InputError("a plot needs matplotlib: pip install fifthstreet[plot]") from None
    axes: Axes = pyplot.subplots(layout="constrained")[1]
    return axes
