"""Results that show themselves in a notebook: as a table, and as a plot."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from typing import Any

from fifthstreet.errors import InputError
from fifthstreet.estimate import Estimate


class Shown(ABC):
    """A result with a table of words, and figures with intervals to draw."""

    @abstractmethod
    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], str]:
        """Column titles, rows, and a line on where they come from."""

    @abstractmethod
    def plotted(self) -> Sequence[tuple[str, Estimate]]:
        """What is drawn: a name and a number each, the best first."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]: ...

    def _repr_html_(self) -> str:
        columns, rows, caption = self.table()
        head = "".join(f"<th>{escape(column)}</th>" for column in columns)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>"

    def plot(self, axes: Any = None) -> Any:
        """Draw it on these matplotlib axes, or on new ones, which are returned."""
        axes = axes if axes is not None else new_axes()
        self._draw(axes)
        return axes

    def _draw(self, axes: Any) -> None:
        """The figures with their intervals, the best at the top."""
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
        axes.set_title(self.table()[2], fontsize="small")


def new_axes() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise InputError("a plot needs matplotlib: pip install fifthstreet[plot]") from None
    return pyplot.subplots(layout="constrained")[1]
