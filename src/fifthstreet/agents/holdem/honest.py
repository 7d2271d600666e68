"""A player that bets what its cards are worth."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.holdem.reading import share_against_random
from fifthstreet.errors import InputError, whole
from fifthstreet.games.betting import CALL
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.holdem import HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState


@kernel
def act_on(view: HoldemView, share: float, edge: float) -> int:
    """Raise with `edge` times a fair share, call at the right pot odds, otherwise check or fold."""
    if share * view.live > edge:
        return raise_by(view, share * view.pot)
    cost = view.to_call
    if share * (view.pot + cost) >= cost:
        return CALL
    return give_up(view)


@kernel
def honest(view: HoldemView, mind: Mind, rng: RngState) -> int:
    return act_on(view, share_against_random(view, view.live - 1, int(mind[0]), rng), mind[1])


@dataclass
class Honest(Agent):
    """Bets according to its equity against random hands: it never bluffs, and believes no bet.

    It raises by its share of the pot when that share is at least `edge` times a fair one, calls when the pot odds are
    right, and folds otherwise.
    """

    name: ClassVar[str] = "honest"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    plays = honest

    samples: int = 200
    edge: float = 1.5

    def __post_init__(self) -> None:
        self.samples = whole(self.samples, "samples", least=1, most=1_000_000)
        if not self.edge > 0:
            raise InputError(f"edge={self.edge!r}: it must be above 0")

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        view = turn.view
        cost, others = view.to_call, view.live - 1
        share = share_against_random(view, others, self.samples, turn.rng.state)
        price = cost / (view.pot + cost) if cost else 0.0
        return Decision(
            act_on(view, share, self.edge),
            reason=f"wins {100 * share:.0f} % against {others} random hands; the pot odds ask for {100 * price:.0f} %",
            figures={"share": share, "price": price},
        )

    def mind(self, game: AnyGame) -> Mind:
        return np.array([self.samples, self.edge])
