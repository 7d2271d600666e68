"""Kuhn poker (H. W. Kuhn, 1950): three cards, two players, one bet. Best play loses the first player 1/18 a deal.

Each player antes 1 and is dealt one of jack, queen, king. In turn a player passes or bets 1. Two passes, or two bets,
lead to a showdown; a pass after a bet gives up the pot.
"""

from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from fifthstreet.games.game import CHANCE, OVER, RuledGame, Rules, numbered, two_choices, word
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record, Row
from fifthstreet.rng import Stream


class KuhnCard(IntEnum):
    JACK = 0
    QUEEN = 1
    KING = 2


class KuhnMove(IntEnum):
    PASS = 0
    BET = 1


Card = Annotated[int, Field(np.int8, low=-1, high=2)]  # −1 where none is dealt or it may not be seen


class KuhnTable(Record):
    """What both players see."""

    dealt: Annotated[int, Field(np.int8, low=0, high=2)]  # cards dealt so far
    moves: Annotated[int, Field(np.int8, low=0, high=3)]  # moves made so far
    bets: Annotated[int, Field(np.int8, low=0, high=7)]  # bit i is set if move i was a bet


class KuhnState(KuhnTable):
    cards: Annotated[Row, Field(np.int8, shape=2, low=-1, high=2)]  # by seat

    def contradiction(self) -> str:
        known = [card for card in self.cards if card >= 0]
        return "" if len({*known}) == len(known) == self.dealt else f"the cards {[*self.cards]} with {self.dealt} dealt"


class KuhnView(KuhnTable):
    seat: Annotated[int, Field(np.int8, low=0, high=1)]
    card: Card  # the seat's own
    shown: Card  # the opponent's after a showdown


@kernel
def to_act(table: KuhnTable) -> int:
    if table.dealt < 2:
        return CHANCE
    if table.moves == 3 or (table.moves == 2 and table.bets != 2):  # 2 is pass, then bet
        return OVER
    return table.moves & 1


@kernel
def chance_count(state: KuhnState) -> int:
    return 3 - state.dealt


@kernel
def chance(state: KuhnState, i: int) -> int:
    return i + (state.dealt == 1 and i >= state.cards[0])  # the cards that are left


@kernel(changes="state")
def apply(state: KuhnState, action: int) -> None:
    if state.dealt < 2:
        state.cards[state.dealt] = action
        state.dealt += 1
    else:
        state.bets |= action << state.moves
        state.moves += 1


@kernel
def is_showdown(table: KuhnTable) -> bool:
    """Whether the game has ended with both hands shown: two passes, or a bet that was called."""
    passes = table.moves == 2 and table.bets == 0
    calls = (table.moves == 2 and table.bets == 3) or (table.moves == 3 and table.bets == 6)
    return passes or calls


@kernel(changes="view")
def observe(state: KuhnState, seat: int, view: KuhnView) -> None:
    view.dealt, view.moves, view.bets = state.dealt, state.moves, state.bets
    view.seat, view.card = seat, state.cards[seat]
    view.shown = state.cards[1 - seat] if is_showdown(state) else -1


@kernel
def payoffs(state: KuhnState, out: Any) -> None:
    if is_showdown(state):
        stake = 1.0 if state.bets == 0 else 2.0
        first_wins = state.cards[0] > state.cards[1]
    else:  # the player who passed last gave up
        stake = 1.0
        first_wins = state.moves == 2
    out[0] = stake if first_wins else -stake
    out[1] = -out[0]


def _name(card: int) -> str:
    return word(KuhnCard(card)) if card >= 0 else "▒▒"


class Kuhn(RuledGame[KuhnState, KuhnView, Any]):
    """Three cards, one bet: the smallest poker with bluffing."""

    name = "kuhn"
    rules = Rules(KuhnState, KuhnView, to_act, chance_count, chance, two_choices, numbered, apply, observe, payoffs)
    action_type = KuhnMove
    chance_type = KuhnCard

    def start(self) -> KuhnState:
        return KuhnState.of(cards=-1)

    def drawing(self, view: KuhnView) -> str:
        moves = [word(KuhnMove(view.bets >> i & 1)) for i in range(view.moves)]
        return f"you: {_name(view.card)}, opponent: {_name(view.shown)}\nso far: {', '.join(moves) or 'nothing'}"

    def imagine(self, view: KuhnView, rng: Stream) -> KuhnState:
        cards = [-1, -1]
        if view.card >= 0:
            cards[view.seat] = view.card
        if view.dealt == 2:
            others = [card for card in range(3) if card != view.card]
            cards[1 - view.seat] = view.shown if view.shown >= 0 else rng.choice(others)
        elif view.dealt == 1 and view.seat == 1:
            cards[0] = rng.below(3)
        return KuhnState.of(dealt=view.dealt, moves=view.moves, bets=view.bets, cards=cards)
