"""A deck inside a state, so that Python and compiled loops deal the same cards.

Chance is a player of these games whose choices are the cards not dealt yet: `undealt_count` and `undealt` list them,
`draw` takes one out.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import numpy as np

from fifthstreet.bits import ones, place_of_one
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record
from fifthstreet.rng import RngState, Stream, below_32

CARDS = 52
CARD = Field(np.int8, low=-1, high=CARDS - 1)  # −1 where no card lies or it may not be seen
FULL_DECK = (1 << CARDS) - 1  # as a set of cards: bit c stands for card c


class WithDeck(Record):
    """The part of a state that deals cards; `dealt` may be declared, and seen, in the view as well."""

    dealt: Annotated[int, Field(np.int64, low=0, high=CARDS)]  # cards dealt so far
    deck: Annotated[int, Field(np.int64, low=0, high=FULL_DECK)]  # those not dealt yet, as a set

    def contradiction(self) -> str:
        left = self.deck.bit_count()
        return super().contradiction() if left + self.dealt == CARDS else f"{left} cards are left of {self.dealt} dealt"


@kernel(changes="state")
def new_deck(state: WithDeck) -> None:
    """Put all cards back."""
    state.dealt, state.deck = 0, FULL_DECK


@kernel
def undealt_count(state: WithDeck) -> int:
    """How many cards are not dealt yet."""
    return ones(state.deck)


@kernel
def undealt(state: WithDeck, i: int) -> int:
    """The i-th of the cards that are not dealt yet."""
    return place_of_one(state.deck, i)


@kernel
def is_undealt(state: WithDeck, card: int) -> bool:
    return 0 <= card < CARDS and (state.deck >> card) & 1 == 1


@kernel(changes="state")
def draw(state: WithDeck, card: int) -> None:
    """Take this card out of those not dealt yet."""
    state.deck &= ~(1 << card)
    state.dealt += 1


DEALING = (undealt_count, undealt)  # what chance chooses from, for `Rules`


@kernel(changes="state")
def deal_one(state: WithDeck, rng: RngState) -> int:
    """Draw a random card, and return it."""
    card = undealt(state, below_32(rng, undealt_count(state)))
    draw(state, card)
    return card


def deal_hidden(state: WithDeck, seen: Iterable[int], rows: Any, hidden: Sequence[Any], rng: Stream) -> None:
    """Fill the hidden places of `rows` at random with cards that are not seen; the deck of `state` gets the others."""
    known = {card for card in seen if card >= 0}
    left = [card for card in range(CARDS) if card not in known]
    rng.shuffle(left)
    for place in hidden:
        rows[place] = left.pop()
    state.deck = sum(1 << card for card in left)
