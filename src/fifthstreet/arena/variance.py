"""Variance reduction: payoffs without the luck of the cards, for every game with a value function.

Each card that is dealt changes what the game is worth. That change, minus its mean over all cards that could have come
instead, is luck: it averages zero, no matter who plays. A payoff minus all luck therefore has the same mean and a much
smaller variance, however rough the value function is, so fewer deals tell two agents apart. (Burch, Schmid, Moravčík,
Morrill and Bowling, "AIVAT", AAAI 2018; only its chance terms.)

Luck is a function of a finished game. So it works for every agent, compiled or not, and agents never see it: they learn
from the payoffs as the rules give them.
"""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError, whole
from fifthstreet.games.game import Adjustment, AnyGame


class Reduction(NamedTuple):
    """How luck is taken out of the payoffs of a game."""

    adjust: Adjustment  # takes it out of the payoffs of a finished state
    knowledge: NDArray[np.float32]  # the value function's parameters
    lessons: int  # how many games it learned from

    def payoffs(self, state: Any, payoffs: tuple[float, ...]) -> tuple[float, ...]:
        """The payoffs of a finished state without luck."""
        found = np.array(payoffs)
        self.adjust(state, self.knowledge, found)
        return tuple(found.tolist())


@runtime_checkable
class Valued(Protocol):
    """A game that brings a value function of its own."""

    def luck_reduction(self, lessons: int | None) -> tuple[Adjustment, NDArray[np.float32], int]:
        """The kernel that takes luck out of payoffs, what it has to know, and how many games that was learned from."""


def _five_o(game: Any, lessons: int | None) -> tuple[Adjustment, NDArray[np.float32], int]:
    from fifthstreet.agents.five_o.luck import LESSONS, luck_reduction

    return *luck_reduction(game, lessons or LESSONS), lessons or LESSONS


def _poker_squares(game: Any, lessons: int | None) -> tuple[Adjustment, NDArray[np.float32], int]:
    from fifthstreet.agents.squares.luck import LESSONS, luck_reduction

    return *luck_reduction(game, lessons or LESSONS), lessons or LESSONS


_BY_NAME = {"five-o": _five_o, "poker-squares": _poker_squares}


def reduction(game: AnyGame, lessons: int | None = None) -> Reduction:
    """How to take luck out of the payoffs of this game; its value function learns from `lessons` games first."""
    if lessons is not None:
        lessons = whole(lessons, "lessons for the value function", least=1)
    if isinstance(game, Valued):
        return Reduction(*game.luck_reduction(lessons))
    if game.name not in _BY_NAME:
        known = " and ".join(_BY_NAME)
        raise InputError(f"{game.name!r} has no value function to reduce variance with: {known} have one")
    return Reduction(*_BY_NAME[game.name](game, lessons))
