"""Figures as SVG in the text colour of the page, so that they suit light and dark themes."""

import io
from dataclasses import dataclass
from typing import Any

from fifthstreet.papers.paper import Axes, FigureResult

_INK = "#010203"  # used for text and axes only, and replaced by currentColor below
_LOOK: Any = {
    "svg.fonttype": "none",  # keep text as text
    "svg.hashsalt": "fifthstreet",  # the same figure is the same text
    "font.family": "sans-serif",
    "savefig.transparent": True,
    "axes.facecolor": "none",
    "legend.framealpha": 0,
    "axes.spines.top": False,
    "axes.spines.right": False,
} | dict.fromkeys(["text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"], _INK)


@dataclass(frozen=True)
class Picture:
    """In place of the function that draws a figure: what it drew in another process."""

    svg: str | None

    def __call__(self, axes: Axes) -> None:
        raise TypeError("this figure was drawn in another process, as SVG")


def drawn(figure: FigureResult) -> str | None:
    """Return the figure as SVG, or None if matplotlib is not installed."""
    if isinstance(figure.draw, Picture):
        return figure.draw.svg
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        return None
    text = io.StringIO()
    with rc_context(_LOOK):
        canvas = Canvas(figsize=(8, 4), layout="constrained")
        axes = canvas.subplots()
        figure.draw(axes)
        if axes.get_legend():  # above the plot, where it hides nothing
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False)
        canvas.savefig(text, format="svg", metadata={"Date": None})
    drawing = text.getvalue()
    return drawing[drawing.index("<svg") :].replace(_INK, "currentColor").replace("#000000", "currentColor")
