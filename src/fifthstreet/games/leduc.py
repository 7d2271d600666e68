"""Leduc hold'em (Southey et al., 2005): six cards, two betting rounds. Best play loses the first player 0.0856 a deal.

Two jacks, two queens, two kings. Each player antes 1 and is dealt one card; after a betting round one card is dealt to
the board, and a second round follows. Bets are 2, then 4; a round has at most two raises (the bet counts as the first).
A pair with the board wins, then the higher card; equal cards split the pot. Seat 0 acts first in both rounds.
"""

from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from fifthstreet.games.game import CHANCE, OVER, RuledGame, Rules
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record, Row, copy_bytes
from fifthstreet.rng import Stream


class LeducCard(IntEnum):
    JACK_1 = 0
    JACK_2 = 1
    QUEEN_1 = 2
    QUEEN_2 = 3
    KING_1 = 4
    KING_2 = 5


class LeducMove(IntEnum):
    FOLD = 0
    CALL = 1  # or check
    RAISE = 2  # or bet


FOLD, CALL, RAISE = range(3)
MOST_RAISES = 2
MOST_MOVES = 8  # check, bet, raise, call in each of two rounds
MOST_PAID = 1 + 2 * 2 + 2 * 4  # the ante, and two raises in each round

Card = Annotated[int, Field(np.int8, low=-1, high=5)]  # −1 where none is dealt or it may not be seen


class LeducTable(Record):
    """What both players see."""

    dealt: Annotated[int, Field(np.int8, low=0, high=2)]  # private cards dealt so far
    board: Card
    round: Annotated[int, Field(np.int8, low=0, high=2)]  # 2 when both rounds are over
    raises: Annotated[int, Field(np.int8, low=0, high=MOST_RAISES)]  # in this round
    acted: Annotated[int, Field(np.int8, low=0, high=MOST_MOVES)]  # moves in this round
    folded: Annotated[int, Field(np.int8, low=-1, high=1)]  # the seat that gave up, or −1
    paid: Annotated[Row, Field(np.int8, shape=2, low=0, high=MOST_PAID)]  # by seat
    move_count: Annotated[int, Field(np.int8, low=0, high=MOST_MOVES)]
    moves: Annotated[Row, Field(np.int8, shape=MOST_MOVES, low=FOLD, high=RAISE)]  # in order


class LeducState(LeducTable):
    cards: Annotated[Row, Field(np.int8, shape=2, low=-1, high=5)]  # by seat

    def contradiction(self) -> str:
        hands = [card for card in self.cards if card >= 0]
        known = [*hands, *([self.board] if self.board >= 0 else [])]
        if len({*known}) == len(known) and len(hands) == self.dealt:
            return ""
        return f"the cards {[*self.cards]} and {self.board} with {self.dealt} dealt"


class LeducView(LeducTable):
    seat: Annotated[int, Field(np.int8, low=0, high=1)]
    card: Card  # the seat's own
    shown: Card  # the opponent's after a showdown


@kernel
def to_act(table: LeducTable) -> int:
    if table.dealt < 2:
        return CHANCE
    if table.folded >= 0 or table.round == 2:
        return OVER
    if table.round == 1 and table.board < 0:
        return CHANCE
    return table.acted & 1


@kernel
def chance_count(state: LeducState) -> int:
    return 6 - state.dealt


@kernel
def chance(state: LeducState, i: int) -> int:
    low, high = min(state.cards[0], state.cards[1]), max(state.cards[0], state.cards[1])
    if low >= 0 and i >= low:  # pass over the cards that are gone
        i += 1
    if high >= 0 and i >= high:
        i += 1
    return i


@kernel
def first_choice(table: LeducTable) -> int:
    """Folding is a choice only against a bet."""
    return FOLD if table.paid[0] != table.paid[1] else CALL


@kernel
def choice_count(table: LeducTable) -> int:
    return 2 + (table.raises < MOST_RAISES) - first_choice(table)


@kernel
def choice(table: LeducTable, i: int) -> int:
    return i + first_choice(table)


@kernel(changes="state")
def apply(state: LeducState, action: int) -> None:
    if state.dealt < 2:
        state.cards[state.dealt] = action
        state.dealt += 1
    elif state.round == 1 and state.board < 0:
        state.board = action
    else:
        move(state, action)


@kernel
def move(state: LeducState, action: int) -> None:
    seat = state.acted & 1
    state.moves[min(state.move_count, MOST_MOVES - 1)] = action  # a state from outside may claim too many
    state.move_count += 1
    state.acted += 1
    if action == FOLD:
        state.folded = seat
        return
    state.paid[seat] = max(state.paid[0], state.paid[1])
    if action == RAISE:
        state.paid[seat] += 2 if state.round == 0 else 4
        state.raises += 1
    elif state.acted > 1:  # a call, or a second check, ends the round
        state.round += 1
        state.raises = state.acted = 0


@kernel(changes="view")
def observe(state: LeducState, seat: int, view: LeducView) -> None:
    copy_bytes(state, view, _SHARED)
    view.seat, view.card = seat, state.cards[seat]
    view.shown = state.cards[1 - seat] if state.round == 2 else -1


_SHARED = LeducTable.head


@kernel
def worth(card: int, board: int) -> int:
    """A hand's rank: a pair beats every single card."""
    return card // 2 + (3 if card // 2 == board // 2 else 0)


@kernel
def payoffs(state: LeducState, out: Any) -> None:
    if state.folded >= 0:
        sign = 1 if state.folded == 1 else -1
    else:
        first, second = worth(state.cards[0], state.board), worth(state.cards[1], state.board)
        sign = (first > second) - (first < second)
    out[0] = sign * min(state.paid[0], state.paid[1])
    out[1] = -out[0]


def _rank(card: int) -> str:
    return ("jack", "queen", "king")[card // 2] if card >= 0 else "▒▒"


class Leduc(RuledGame[LeducState, LeducView, Any]):
    """Six cards, a board card, two rounds: the smallest poker with a draw."""

    name = "leduc"
    rules = Rules(LeducState, LeducView, to_act, chance_count, chance, choice_count, choice, apply, observe, payoffs)
    action_type = LeducMove
    chance_type = LeducCard

    def start(self) -> LeducState:
        return LeducState.of(cards=-1, board=-1, folded=-1, paid=1)

    def drawing(self, view: LeducView) -> str:
        mine, paid = view.paid[view.seat], view.paid[1 - view.seat]
        cards = f"you: {_rank(view.card)}, opponent: {_rank(view.shown)}, board: {_rank(view.board)}"
        moves = [LeducMove(move).name.lower() for move in [*view.moves][: view.move_count]]
        return f"{cards}\npaid: you {mine}, opponent {paid}\nso far: {', '.join(moves) or 'nothing'}"

    def imagine(self, view: LeducView, rng: Stream) -> LeducState:
        cards = [-1, -1]
        cards[view.seat], other = view.card, view.shown
        if other < 0 and (view.dealt == 2 or (view.dealt == 1 and view.seat == 1)):
            other = rng.choice([card for card in range(6) if card not in (view.card, view.board)])
        cards[1 - view.seat] = other
        return LeducState.of(cards=cards, **{name: getattr(view, name) for name in LeducTable.fields})
