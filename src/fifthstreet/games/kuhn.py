"""Kuhn poker (H. W. Kuhn, 1950): three cards, two players, one bet. Best play loses the first player 1/18 a deal.

Each player antes 1 and is dealt one of jack, queen, king. In turn a player passes or bets 1. Two passes, or two bets,
lead to a showdown; a pass after a bet gives up the pot.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from fifthstreet.games.game import CHANCE, OVER, RuledGame, Rules, word
from fifthstreet.kernel import kernel
from fifthstreet.rng import Stream, below


class KuhnCard(IntEnum):
    JACK = 0
    QUEEN = 1
    KING = 2


class KuhnMove(IntEnum):
    PASS = 0
    BET = 1


class KuhnState(NamedTuple):
    first: int  # the card of seat 0, −1 before the deal
    second: int
    moves: int  # how many moves were made
    bets: int  # bit i is set if move i was a bet


class KuhnView(NamedTuple):
    seat: int
    card: int
    shown: int  # the opponent's card after a showdown, else −1
    dealt: int
    moves: int
    bets: int


@kernel
def start(setup: Any) -> KuhnState:
    return KuhnState(-1, -1, 0, 0)


@kernel
def to_act(state: KuhnState) -> int:
    if state.first < 0 or state.second < 0:
        return CHANCE
    if state.moves == 3 or (state.moves == 2 and state.bets != 2):  # 2 is pass, then bet
        return OVER
    return state.moves & 1


@kernel
def choice_count(state: KuhnState) -> int:
    return 3 if state.first < 0 else 2


@kernel
def choice(state: KuhnState, i: int) -> int:
    if state.first >= 0 and state.second < 0:
        return i + (i >= state.first)  # the cards that are left
    return i


@kernel
def allowed(state: KuhnState, action: int) -> bool:
    if state.second < 0:
        return 0 <= action <= 2 and action != state.first
    return (action == 0 or action == 1) and to_act(state) != OVER


@kernel
def after(state: KuhnState, action: int) -> KuhnState:
    if state.first < 0:
        return KuhnState(action, -1, 0, 0)
    if state.second < 0:
        return KuhnState(state.first, action, 0, 0)
    return KuhnState(state.first, state.second, state.moves + 1, state.bets | action << state.moves)


@kernel
def view(state: KuhnState, seat: int) -> KuhnView:
    mine, other = (state.first, state.second) if seat == 0 else (state.second, state.first)
    shown = other if showdown(state) else -1
    dealt = (state.first >= 0) + (state.second >= 0)
    return KuhnView(seat, mine, shown, dealt, state.moves, state.bets)


@kernel
def showdown(state: KuhnState) -> bool:
    """Whether the game has ended with both hands shown: two passes, or as many bets as it takes to call."""
    passes = state.moves == 2 and state.bets == 0
    calls = (state.moves == 2 and state.bets == 3) or (state.moves == 3 and state.bets == 6)
    return passes or calls


@kernel
def payoff(state: KuhnState, seat: int) -> float:
    if showdown(state):
        stake = 1.0 if state.bets == 0 else 2.0
        first_wins = state.first > state.second
    else:  # the player who passed last gave up
        stake = 1.0
        first_wins = state.moves == 2
    return stake if first_wins == (seat == 0) else -stake


@kernel
def any_choice(view: KuhnView, mind: Any, words: Any) -> int:
    return below(words, 2)


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


class Kuhn(RuledGame[KuhnState, KuhnView, Any]):
    """Three cards, one bet: the smallest poker with bluffing."""

    name = "kuhn"
    rules = Rules(start, to_act, choice_count, choice, allowed, after, view, payoff, any_choice, play_out)
    action_type = KuhnMove
    chance_type = KuhnCard

    def drawing(self, view: KuhnView) -> str:
        moves = [word(KuhnMove(view.bets >> i & 1)) for i in range(view.moves)]
        theirs = word(KuhnCard(view.shown)) if view.shown >= 0 else "▒▒"
        return f"you: {word(KuhnCard(view.card))}, opponent: {theirs}\nso far: {', '.join(moves) or 'nothing'}"

    def imagine(self, view: KuhnView, rng: Stream) -> KuhnState:
        seat, card, shown, dealt, moves, bets = view
        if dealt == 0:
            return KuhnState(-1, -1, 0, 0)
        if dealt == 1:
            return KuhnState(card if seat == 0 else rng.below(3), -1, 0, 0)
        other = shown if shown >= 0 else rng.choice([c for c in range(3) if c != card])
        return KuhnState(card, other, moves, bets) if seat == 0 else KuhnState(other, card, moves, bets)
