"""The players of Table III, by the text of the Five-O paper and as in its authors' program."""

from typing import NamedTuple

from fifthstreet.papers.paper import Run

PLAYERS = {
    "reflex 1": "reflex-1",
    "reflex 2": "reflex-2",
    "reflex 3": "reflex-3",
    "greedy 1": "greedy-1",
    "greedy 2": "greedy-2",
    "MonteCarlo": "monte-carlo",
    "MinMax Greedy": "expectiminimax:evaluation=greedy-2",
    "MinMax fastGreedy": "expectiminimax",
}
NAMES = tuple(PLAYERS)
REFLEX, WHOLE_STATE = NAMES[:3], NAMES[3:]


class Interpretation(NamedTuple):
    """How Table III is played: the game, and the settings of each kind of player."""

    game: str
    quick: str  # of the players that look one placement ahead
    monte_carlo: str
    search: str

    def agent(self, name: str) -> str:
        """The agent that plays for a player of Table III."""
        agent, _, given = PLAYERS[name].partition(":")
        settings = {"monte-carlo": self.monte_carlo, "expectiminimax": self.search}.get(agent, self.quick)
        settings = ",".join(filter(None, (given, settings)))
        return f"{agent}:{settings}" if settings else agent


def by_text(run: Run) -> Interpretation:
    """As the text has it: a game with equal columns is a draw, and searches look three plies deep."""
    if run.scale == "paper":
        return Interpretation("five-o", "", "samples=10000", "decks=100")
    return Interpretation("five-o", "", "samples=300", "decks=10")


def by_program(run: Run) -> Interpretation:
    """As in the authors' program, which played the printed games.

    Hands are valued as there, the search places two cards before the opponent replies and looks three plies beyond its
    first, the Monte Carlo player takes 1,000 samples, and a game in which nobody has three columns goes to the second
    player.
    """
    samples, decks = (1000, 100) if run.scale == "paper" else (300, 10)
    search = f"values=program,reply=no,depth=4,decks={decks}"
    return Interpretation("five-o:draws=second", "values=program", f"samples={samples}", search)
