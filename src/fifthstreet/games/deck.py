"""A deck inside a state, so that Python and compiled loops deal the same cards.

Chance is a player of these games whose choices are the cards not dealt yet: `undealt_count` and `undealt` list them,
`draw` takes one out.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import numpy as np

from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record, Row
from fifthstreet.rng import Stream

CARDS = 52
CARD = Field(np.int8, low=-1, high=CARDS - 1)  # −1 where no card lies or it may not be seen


class WithDeck(Record):
    """The part of a state that deals cards; `dealt` may be declared, and seen, in the view as well."""

    dealt: Annotated[int, Field(np.int64, low=0, high=CARDS)]  # cards dealt so far
    deck: Annotated[Row, Field(np.int8, shape=CARDS, low=0, high=CARDS - 1)]  # those not dealt yet come first

    def contradiction(self) -> str:
        return deck_contradiction(self) or super().contradiction()


@kernel(changes="state")
def new_deck(state: WithDeck) -> None:
    """Put all cards back."""
    state.dealt = 0
    for card in range(CARDS):
        state.deck[card] = card


@kernel
def undealt_count(state: WithDeck) -> int:
    """How many cards are not dealt yet."""
    return CARDS - state.dealt


@kernel
def undealt(state: WithDeck, i: int) -> int:
    """The i-th of the cards that are not dealt yet."""
    return np.int64(state.deck[i])  # type: ignore[return-value]  # as wide as actions are, or they compile twice


@kernel
def is_undealt(state: WithDeck, card: int) -> bool:
    found = False
    for i in range(CARDS - state.dealt):
        found |= state.deck[i] == card
    return found


@kernel(changes="state")
def draw(state: WithDeck, card: int) -> None:
    """Take this card out of those not dealt yet; the others stay in order."""
    left = CARDS - state.dealt
    place = 0
    while state.deck[place] != card:
        place += 1
    for i in range(place, left - 1):
        state.deck[i] = state.deck[i + 1]
    state.deck[left - 1] = card
    state.dealt += 1


def deck_contradiction(state: WithDeck) -> str:
    """What is wrong with the deck of a state from outside; empty if nothing is."""
    return "" if sorted(state.deck) == list(range(CARDS)) else "a card is in its deck twice"


def deal_hidden(state: WithDeck, seen: Iterable[int], rows: Any, hidden: Sequence[Any], rng: Stream) -> None:
    """Fill the hidden places of `rows` at random with cards that are not seen, and put the deck of `state` in order."""
    known = {card for card in seen if card >= 0}
    left = [card for card in range(CARDS) if card not in known]
    rng.shuffle(left)
    for place in hidden:
        rows[place] = left.pop()
    state.deck[:] = [*sorted(left), *(card for card in range(CARDS) if card not in left)]  # type: ignore[assignment]
