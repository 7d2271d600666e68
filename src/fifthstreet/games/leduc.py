"""Leduc hold'em (Southey et al., 2005): six cards, two betting rounds. Best play loses the first player 0.0856 a deal.

Two jacks, two queens, two kings. Each player antes 1 and is dealt one card; after a betting round one card is dealt to
the board, and a second round follows. Bets are 2, then 4; a round has at most two raises (the bet counts as the first).
A pair with the board wins, then the higher card; equal cards split the pot. Seat 0 acts first in both rounds.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from fifthstreet.games.game import CHANCE, OVER, RuledGame, Rules, word
from fifthstreet.kernel import kernel
from fifthstreet.rng import Stream, below


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


class LeducState(NamedTuple):
    first: int  # the card of seat 0, −1 before the deal
    second: int
    board: int
    paid_first: int
    paid_second: int
    round: int  # 0, 1, or 2 when both rounds are over
    raises: int  # in this round
    acted: int  # moves in this round
    folded: int  # the seat that gave up, or −1
    history: int  # all moves so far, read in base 4 as move + 1


class LeducView(NamedTuple):
    seat: int
    card: int
    shown: int  # the opponent's card after a showdown, else −1
    dealt: int
    board: int
    paid_first: int
    paid_second: int
    round: int
    raises: int
    acted: int
    folded: int
    history: int


MOST_RAISES = 2


@kernel
def start(setup: Any) -> LeducState:
    return LeducState(-1, -1, -1, 1, 1, 0, 0, 0, -1, 0)


@kernel
def to_act(state: LeducState) -> int:
    if state.first < 0 or state.second < 0:
        return CHANCE
    if state.folded >= 0 or state.round == 2:
        return OVER
    if state.round == 1 and state.board < 0:
        return CHANCE
    return state.acted & 1


@kernel
def first_choice(paid_first: int, paid_second: int) -> int:
    """Folding is a choice only against a bet."""
    return 0 if paid_first != paid_second else 1


@kernel
def choice_count(state: LeducState) -> int:
    if to_act(state) == CHANCE:
        return 6 - (state.first >= 0) - (state.second >= 0)
    return 2 + (state.raises < MOST_RAISES) - first_choice(state.paid_first, state.paid_second)


@kernel
def choice(state: LeducState, i: int) -> int:
    if to_act(state) == CHANCE:
        low, high = min(state.first, state.second), max(state.first, state.second)
        if low >= 0 and i >= low:  # pass over the cards that are gone
            i += 1
        if high >= 0 and i >= high:
            i += 1
        return i
    return i + first_choice(state.paid_first, state.paid_second)


@kernel
def allowed(state: LeducState, action: int) -> bool:
    if to_act(state) == CHANCE:
        return 0 <= action <= 5 and action != state.first and action != state.second
    lowest = first_choice(state.paid_first, state.paid_second)
    return to_act(state) != OVER and lowest <= action < lowest + choice_count(state)


@kernel
def after(state: LeducState, action: int) -> LeducState:
    first, second, board, paid_first, paid_second, stage, raises, acted, folded, history = state
    if first < 0:
        return LeducState(action, second, board, paid_first, paid_second, stage, raises, acted, folded, history)
    if second < 0:
        return LeducState(first, action, board, paid_first, paid_second, stage, raises, acted, folded, history)
    if stage == 1 and board < 0:
        return LeducState(first, second, action, paid_first, paid_second, stage, raises, acted, folded, history)
    seat = acted & 1
    history = history * 4 + action + 1
    stake = max(paid_first, paid_second)
    if action == 0:
        return LeducState(first, second, board, paid_first, paid_second, stage, raises, acted + 1, seat, history)
    if action == 2:
        stake += 2 if stage == 0 else 4
        raises += 1
    if seat == 0:
        paid_first = stake
    else:
        paid_second = stake
    acted += 1
    if action == 1 and acted > 1:  # a call, or a second check, ends the round
        return LeducState(first, second, board, paid_first, paid_second, stage + 1, 0, 0, folded, history)
    return LeducState(first, second, board, paid_first, paid_second, stage, raises, acted, folded, history)


@kernel
def view(state: LeducState, seat: int) -> LeducView:
    mine, other = (state.first, state.second) if seat == 0 else (state.second, state.first)
    shown = other if state.round == 2 else -1
    dealt = (state.first >= 0) + (state.second >= 0)
    return LeducView(
        seat,
        mine,
        shown,
        dealt,
        state.board,
        state.paid_first,
        state.paid_second,
        state.round,
        state.raises,
        state.acted,
        state.folded,
        state.history,
    )


@kernel
def worth(card: int, board: int) -> int:
    """A hand's rank: a pair beats every single card."""
    return card // 2 + (3 if card // 2 == board // 2 else 0)


@kernel
def payoff(state: LeducState, seat: int) -> float:
    if state.folded >= 0:
        sign = 1 if state.folded == 1 else -1
    else:
        mine, other = worth(state.first, state.board), worth(state.second, state.board)
        sign = (mine > other) - (mine < other)
    stake = float(min(state.paid_first, state.paid_second))
    return stake * sign if seat == 0 else -stake * sign


@kernel
def any_choice(view: LeducView, mind: Any, words: Any) -> int:
    lowest = first_choice(view.paid_first, view.paid_second)
    return lowest + below(words, 2 + (view.raises < MOST_RAISES) - lowest)


@kernel
def play_out(
    setup: Any, policies: Any, lessons: Any, minds: Any, agents: Any, dealer: Any, words: Any, payoffs: Any
) -> bool:
    state = start(setup)
    seat = to_act(state)
    while seat != OVER:
        if seat == CHANCE:
            action = choice(state, below(dealer, choice_count(state)))
        else:
            agent = agents[seat]
            action = policies[agent](view(state, seat), minds[agent], words[agent])
            if not allowed(state, action):
                return False
        state = after(state, action)
        seat = to_act(state)
    for seat in range(2):
        payoffs[seat] = payoff(state, seat)
        if minds[agents[seat]].size > 0:
            lessons[agents[seat]](view(state, seat), payoffs[seat], minds[agents[seat]])
    return True


def _rank(card: int) -> str:
    return word(LeducCard(card)).split()[0]


class Leduc(RuledGame[LeducState, LeducView, Any]):
    """Six cards, a board card, two rounds: the smallest poker with a draw."""

    name = "leduc"
    rules = Rules(start, to_act, choice_count, choice, allowed, after, view, payoff, any_choice, play_out)
    action_type = LeducMove
    chance_type = LeducCard

    def drawing(self, view: LeducView) -> str:
        theirs, board = (_rank(card) if card >= 0 else "▒▒" for card in (view.shown, view.board))
        mine, paid = (view.paid_first, view.paid_second) if view.seat == 0 else (view.paid_second, view.paid_first)
        return f"you: {_rank(view.card)}, opponent: {theirs}, board: {board}\npaid: you {mine}, opponent {paid}"

    def imagine(self, view: LeducView, rng: Stream) -> LeducState:
        seat, card, shown, dealt, board = view[:5]
        gone = {card, board}
        if dealt == 2:
            other = shown if shown >= 0 else rng.choice([c for c in range(6) if c not in gone])
        else:  # seat 0 is dealt first
            other = rng.below(6) if dealt == 1 and seat == 1 else -1
        first, second = (card, other) if seat == 0 else (other, card)
        return LeducState(first, second, *view[4:])
