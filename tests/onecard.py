"""One-card poker: both ante 1 chip and are dealt a card; the first may bet 1, the second may call; high card wins."""

from enum import IntEnum
from typing import Annotated

from fifthstreet import Agent
from fifthstreet.games.deck import CARD, DEALING, FULL_DECK, WithDeck, draw
from fifthstreet.games.game import CHANCE, OVER, Mind, RuledGame, Rules, numbered, two_choices
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record, Row
from fifthstreet.rng import RngState, uniform

Move = IntEnum("Move", "PASS BET", start=0)


class Table(Record):
    dealt: Annotated[int, Field(low=0, high=2)]  # cards dealt so far
    moves: Annotated[int, Field(low=0, high=2)]  # passes and bets made so far
    bets: Annotated[int, Field(low=0, high=2)]  # of these, bets; a call is the second
    cards: Annotated[Row, CARD._replace(shape=2)]  # by seat; −1 where none is dealt or it is hidden


class State(Table, WithDeck): ...


class View(Table):
    seat: Annotated[int, Field(low=0, high=1)]


@kernel
def to_act(table: Table) -> int:
    over = table.moves > table.bets or table.moves == 2
    return CHANCE if table.dealt < 2 else OVER if over else table.moves


@kernel(changes="state")
def apply(state: State, action: int) -> None:
    if state.dealt < 2:
        state.cards[state.dealt] = action
        draw(state, action)
    else:
        state.moves, state.bets = state.moves + 1, state.bets + action


@kernel(changes="view")
def observe(state: State, seat: int, view: View) -> None:
    view.seat, view.dealt, view.moves, view.bets = seat, state.dealt, state.moves, state.bets
    for other in range(2):  # both cards are shown at the end
        view.cards[other] = state.cards[other] if other == seat or to_act(state) == OVER else -1


@kernel
def payoffs(state: State, out: Mind) -> None:
    first, second = state.cards[0] // 4, state.cards[1] // 4  # ranks
    folded, stake = state.moves > state.bets > 0, 1 + state.bets // 2
    out[0] = 1 if folded else stake * ((first > second) - (first < second))
    out[1] = -out[0]


class OneCard(RuledGame[State, View, Move]):
    """One card each, one bet."""

    name = "one-card"
    rules = Rules(State, View, to_act, *DEALING, two_choices, numbered, apply, observe, payoffs)
    action_type = Move

    def start(self) -> State:
        return State.of(deck=FULL_DECK, cards=-1)


@kernel
def bluff(view: View, mind: Mind, rng: RngState) -> int:
    return 1 if view.cards[view.seat] >= 32 or uniform(rng) < 0.1 else 0


class Bluffer(Agent):
    """Bets and calls with a ten or better, and with one other card in ten."""

    plays = bluff
