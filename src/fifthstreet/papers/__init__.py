"""All reproduced papers, one module each."""

from fifthstreet.errors import InputError
from fifthstreet.naming import did_you_mean
from fifthstreet.papers import adaptive_draw, eva_holdem, five_o, holdem_simulator, poker_squares
from fifthstreet.papers.paper import Paper

PAPERS: tuple[Paper, ...] = (
    five_o.PAPER,
    holdem_simulator.PAPER,
    eva_holdem.PAPER,
    poker_squares.PAPER,
    adaptive_draw.PAPER,
)


def paper_named(name: str) -> Paper:
    """Return the paper with this name."""
    for found in PAPERS:
        if found.name == name:
            return found
    names = [found.name for found in PAPERS]
    raise InputError(f"{name!r} is not a paper{did_you_mean(name, names)}: choose from {', '.join(names)}")
