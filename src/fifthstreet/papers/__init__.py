"""The papers, one file and one line for each."""

from fifthstreet.errors import InputError
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
    for found in PAPERS:
        if found.name == name:
            return found
    raise InputError(f"{name!r} is not a paper here: there are {', '.join(found.name for found in PAPERS)}")
