"""Texas hold'em for 2 to 10 players, no-limit or with fixed limits.

A game is one hand. Seats are positions: the last seat is the dealer's, the others sit to its left in order, so seat 0
has the small blind; heads-up, seat 1 is the dealer, posts the small blind and acts first before the flop. Stacks and
blinds are whole chips.
"""

import dataclasses
import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

import numpy as np

from fifthstreet.cards import Card, show
from fifthstreet.errors import InputError, whole
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7
from fifthstreet.games import betting
from fifthstreet.games.betting import FOLD, MOST_CHIPS, MOST_SEATS, BettingGame, BettingTable, ChipsBySeat, Move
from fifthstreet.games.deck import CARD, DEALING, FULL_DECK, WithDeck, deal_hidden, draw, is_undealt, new_deck
from fifthstreet.games.game import CHANCE, OVER, Rules
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Grid, Row, copy_bytes
from fifthstreet.rng import Stream

PREFLOP, FLOP, TURN, RIVER, DONE = range(5)  # the streets

_NO_MORE_RAISES = 300  # actions, so that every hand ends before its history of 400 is full
_ON_BOARD = (0, 3, 4, 5, 5)  # cards on the board by street


class HoldemTable(BettingTable):
    """What a state and a view of a hand have in common."""

    first: Annotated[int, Field(np.int64, low=0, high=MOST_SEATS - 1)]  # who acts first before the flop
    small_bet: betting.Count  # the least bet, or the fixed bet before the turn
    big_bet: betting.Count  # the least bet, or the fixed bet from the turn on
    blinds: ChipsBySeat  # what was asked for; a post by a newcomer is negative
    cards: Annotated[Grid, CARD._replace(shape=(MOST_SEATS, 2))]  # −1 where none is dealt or it may not be seen
    board: Annotated[Row, CARD._replace(shape=5)]  # −1 where none is dealt

    @property
    def board_cards(self) -> list[Card]:
        return [Card(card) for card in self.board if card >= 0]

    @property
    def places(self) -> list[int]:
        """The cards of the seats and of the board in the order in which they are dealt, −1 where none is seen."""
        return [*(self.cards[place // 2, place % 2] for place in range(2 * self.seats)), *self.board]

    def contradiction(self) -> str:
        to_come = 2 * self.seats + _ON_BOARD[self.street] - self.dealt
        early = self.actor == OVER and self.live == 1  # everybody folded, and no more cards are dealt
        if not early and (to_come < 0 or (self.actor == CHANCE) != (to_come > 0)):
            return f"{self.dealt} cards are dealt to {self.seats} players on street {self.street}"
        if (self.actor == OVER) != (self.street == DONE):
            return f"seat {self.actor} acts on street {self.street}"
        known = [card for card in self.places if card >= 0]
        if len({*known}) < len(known) or any(card >= 0 for card in self.places[self.dealt :]):
            return f"the cards {show([Card(card) for card in known])} with {self.dealt} dealt"
        return super().contradiction()

    def hand(self, seat: int) -> list[Card]:
        """The known cards of a seat."""
        return [Card(card) for card in (self.cards[seat, 0], self.cards[seat, 1]) if card >= 0]

    def __repr__(self) -> str:
        hands = " ".join(show(self.hand(seat)) or "??" for seat in range(self.seats))
        return f"<{hands} | {show(self.board_cards)} | stacks {[*self.stacks][: self.seats]}, paid {self.paid}>"


_SHARED = HoldemTable.head  # bytes


class HoldemState(HoldemTable, WithDeck):
    """A hand in play."""

    def contradiction(self) -> str:
        if sum(1 << card for card in self.places if card >= 0) != FULL_DECK & ~self.deck:
            return "cards on the table are in the deck"
        return super().contradiction()


class HoldemView(HoldemTable):
    """What a seat knows of a hand."""

    seat: Annotated[int, Field(np.int64, low=0, high=MOST_SEATS - 1)]  # whose view it is

    def contradiction(self) -> str:
        seen = [2 * self.seat, 2 * self.seat + 1, *range(2 * self.seats, 2 * self.seats + 5)]
        if self.seat >= self.seats or any((self.places[place] >= 0) != (place < self.dealt) for place in seen):
            return f"seat {self.seat} sees {show([Card(card) for card in self.places if card >= 0])}"
        return super().contradiction()

    def __str__(self) -> str:
        """The table as this seat sees it."""
        hands = [show(self.hand(seat)) or "▒▒▒▒" for seat in range(self.seats)]
        lines = betting.seat_lines(self, self.seat, hands)
        return "\n".join([*lines, f"board: {show(self.board_cards) or '–'}  pot: {self.pot}"])


@kernel(changes="state")
def begin(state: HoldemState) -> None:
    """Start a hand from what is at stake: full stacks, and the antes and blinds that are asked for."""
    state.street, state.actor, state.live, state.history_length = PREFLOP, CHANCE, state.seats, 0
    state.to_call, state.min_raise, state.max_raise, state.pot, state.high_bet, state.passes_made = 0, 0, 0, 0, 0, 0
    state.last_raise = betting.least_raise(state, state.small_bet)
    state.bets[:] = 0
    state.wagered[:] = 0
    state.faced[:] = -1
    state.folded[:] = 0
    state.strengths[:] = 0
    state.won[:] = 0
    state.cards[:] = -1
    state.board[:] = -1
    new_deck(state)
    for seat in range(state.seats):
        asked = state.antes[seat]
        state.antes[seat] = 0
        betting.ante(state, seat, asked)
        betting.post(state, seat, state.blinds[seat])
    state.raises = 1 if state.high_bet > 0 else 0


@kernel(changes="state")
def rewind(table: HoldemTable, state: HoldemState) -> None:
    """Fill `state` with the hand as it was before the first card, to be played again with `apply`."""
    copy_bytes(table, state, _SHARED)
    for seat in range(table.seats):
        state.stacks[seat] += table.wagered[seat] + table.antes[seat]
    if table.fixed_bet > 0:
        state.fixed_bet = table.small_bet
    begin(state)


@kernel
def to_act(table: HoldemTable) -> int:
    return table.actor


@kernel
def allowed(state: HoldemState, action: int) -> bool:
    if state.actor == CHANCE:
        return is_undealt(state, action)
    return state.actor != OVER and betting.is_legal_bet(state, action)


@kernel(changes="state")
def apply(state: HoldemState, action: int) -> None:
    """Deal a card or make a bet."""
    if state.actor == CHANCE:
        following = deal(state, action)
    else:
        following = state.actor + 1
        betting.bet(state, action)
    if following >= 0:
        next_turn(state, following)
    if state.actor == OVER:
        show_down(state)


@kernel
def deal(state: HoldemState, card: int) -> int:
    """Deal the next card: two to each seat, then the board; return the first seat to bet, −1 if more cards come."""
    place, hole = state.dealt, 2 * state.seats
    if place < hole:
        state.cards[place // 2, place % 2] = card
    else:
        state.board[place - hole] = card
    draw(state, card)
    if state.dealt < hole + _ON_BOARD[state.street]:
        return -1
    return state.first if state.street == PREFLOP else 0


@kernel
def next_turn(state: HoldemState, seat: int) -> None:
    """Give the turn to the next seat, from this one on, that has something to decide; otherwise go to the next street.

    If no player can bet any more, the board is dealt out street by street.
    """
    seat = betting.next_to_bet(state, seat)
    if seat >= 0:
        raising = betting.count_pass(state, seat, state.first if state.street == PREFLOP else 0)
        betting.give_turn(state, seat, raising and state.history_length < _NO_MORE_RAISES)
        return
    state.street = DONE if state.live == 1 else state.street + 1
    state.actor = OVER if state.street == DONE else CHANCE
    state.to_call = state.min_raise = state.max_raise = 0
    if state.street < DONE:
        betting.next_street(state, state.small_bet if state.street < TURN else state.big_bet)


@kernel(changes="view")
def observe(state: HoldemState, seat: int, view: HoldemView) -> None:
    """Everything but the cards of others, until a showdown shows the hands of those who stayed in."""
    copy_bytes(state, view, _SHARED)
    betting.copy_history(state, view)
    view.seat = seat
    for other in range(state.seats):
        if not betting.sees(state, seat, other):
            view.cards[other, 0] = view.cards[other, 1] = -1


@kernel
def show_down(state: HoldemState) -> None:
    """Write down the strength of every hand that stayed in, and divide the pots."""
    if state.live > 1:
        key, bits = EMPTY, np.uint64(0)
        for card in state.board:
            key += KEY[card]
            bits |= BIT[card]
        for seat in range(state.seats):
            if state.folded[seat] == 0:
                a, b = state.cards[seat, 0], state.cards[seat, 1]
                state.strengths[seat] = strength_7(key + KEY[a] + KEY[b], bits | BIT[a] | BIT[b])
    betting.share_out(state)


@dataclass(frozen=True)
class Chips:
    """What is at stake in a hand, by seat. A negative blind is posted by a newcomer and does not set the price."""

    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    least_bet: int  # with fixed limits, the bet before the turn
    limit: int = 0  # 0, or the bet from the turn on, with fixed limits
    cap: int = 0  # the most bets and raises on a street, blinds included; 0 for no cap
    shared_antes: bool = False  # all antes belong to the main pot
    players: tuple[int, ...] = ()  # who sits there, where that is not the number of the seat
    raising_passes: int = 0  # after this many passes around the table nobody may raise; 0 for no limit
    minimum_raise: bool = True  # whether a raise is at least as large as the one before it

    def __post_init__(self) -> None:
        seats = len(self.stacks)
        betting.check_stakes(self.stacks, self.players or range(seats), MOST_SEATS, "hold'em")
        if len(self.blinds) != seats or len(self.antes) != seats:
            raise InputError(f"{len(self.blinds)} blinds and {len(self.antes)} antes for {seats} seats")
        for blind, ante in zip(self.blinds, self.antes, strict=True):
            whole(blind, "as a blind", least=-MOST_CHIPS, most=MOST_CHIPS)
            whole(ante, "as an ante", least=0, most=MOST_CHIPS)
        whole(self.least_bet, "as the least bet", least=1, most=MOST_CHIPS)
        whole(self.limit, "as the limit", least=0, most=MOST_CHIPS)
        whole(self.cap, "as the cap", least=0, most=betting.MOST_CAP)
        whole(self.raising_passes, "as raising_passes", least=0, most=betting.MOST_PASSES)
        if self.limit and not self.minimum_raise:
            raise InputError(f"a limit of {self.limit} fixes the size of raises: minimum_raise=False contradicts it")

    def first_to_act(self) -> int:
        """The seat to the left of the last blind or straddle."""
        highest = max(self.blinds)
        if highest <= 0:
            return 0
        last = max(seat for seat, blind in enumerate(self.blinds) if blind == highest)
        return (last + 1) % len(self.blinds)


@functools.lru_cache(maxsize=256)  # a table asks for it hand after hand
def opening(chips: Chips) -> HoldemState:
    """The hand before the first card, blinds and antes posted."""
    state, seats = HoldemState.blank(), len(chips.stacks)
    state.seats, state.first, state.cap, state.shared_antes = seats, chips.first_to_act(), chips.cap, chips.shared_antes
    state.small_bet, state.big_bet = chips.least_bet, chips.limit or chips.least_bet
    state.fixed_bet = chips.least_bet if chips.limit else 0
    state.raising_passes, state.free_raises = chips.raising_passes, not chips.minimum_raise
    for seat, player in enumerate(chips.players or range(seats)):
        state.players[seat], state.stacks[seat] = player, chips.stacks[seat]
        state.antes[seat], state.blinds[seat] = chips.antes[seat], chips.blinds[seat]
    begin(state)
    return state.freeze()


@dataclass(frozen=True)
class Holdem(BettingGame[HoldemState, HoldemView]):
    """Two to ten players, two cards each, a board of five."""

    name: ClassVar[str] = "holdem"
    rules: ClassVar[Rules] = Rules(
        HoldemState,
        HoldemView,
        to_act,
        *DEALING,
        betting.bet_count,
        betting.bet_choice,
        apply,
        observe,
        betting.payoffs,
        allowed,
    )
    action_type: ClassVar[type[int]] = Move
    chance_type: ClassVar[type[int]] = Card

    seats: int = 6
    stack: int = 200
    small_blind: int = 1
    big_blind: int = 2
    straddle: int = 0
    ante: int = 0
    ante_by: Literal["all", "big-blind", "button"] = "all"
    limit: bool = False
    cap: int | None = None
    raising_passes: int = 0
    minimum_raise: bool = True
    chips: Chips | None = field(default=None, kw_only=True, repr=False)  # all of the above, seat by seat

    def __post_init__(self) -> None:
        for name in ("seats", "stack", "small_blind", "big_blind", "straddle", "ante", "raising_passes"):
            whole(getattr(self, name), f"as {name}", least=-MOST_CHIPS, most=MOST_CHIPS)
        if self.cap is not None:
            whole(self.cap, "as cap", least=0, most=betting.MOST_CAP)
        if self.ante_by not in ("all", "big-blind", "button"):
            raise InputError(f"ante_by={self.ante_by!r}: all, big-blind or button")
        if self.chips is None:
            if not 2 <= self.seats <= MOST_SEATS:
                raise InputError(f"{self.seats} seats: hold'em has 2 to 10")
            object.__setattr__(self, "chips", self._chips((self.stack,) * self.seats, ()))
        else:
            object.__setattr__(self, "seats", len(self.chips.stacks))

    def seated(self, players: Sequence[int], stacks: Sequence[int]) -> "Holdem":
        """The next hand at this table: who sits where, from the left of the dealer, and with what stack."""
        if self.chips != self._chips((self.stack,) * self.seats, ()):
            raise InputError("this table has chips of its own, seat by seat: a session needs one stack for all")
        return dataclasses.replace(self, seats=len(players), chips=self._chips(tuple(stacks), tuple(players)))

    def _chips(self, stacks: tuple[int, ...], players: tuple[int, ...]) -> Chips:
        seats = len(stacks)
        if not 0 <= self.small_blind <= self.big_blind or self.big_blind < 1:
            raise InputError(
                f"blinds {self.small_blind} and {self.big_blind}: the small one is at most the big one, "
                "which is at least 1"
            )
        if self.straddle and self.straddle <= self.big_blind:
            raise InputError(f"a straddle of {self.straddle}: it is more than the big blind of {self.big_blind}")
        blinds, antes = [0] * seats, [0] * seats
        small, big = (1, 0) if seats == 2 else (0, 1)
        blinds[small], blinds[big] = self.small_blind, self.big_blind
        if self.straddle:
            blinds[2 % seats if seats > 2 else 1] = self.straddle
        payers = {"all": range(seats), "big-blind": [big], "button": [seats - 1]}[self.ante_by]
        for seat in payers:
            antes[seat] = self.ante
        return Chips(
            stacks,
            tuple(blinds),
            tuple(antes),
            max(self.big_blind, self.straddle),
            2 * self.big_blind if self.limit else 0,
            (4 if self.limit else 0) if self.cap is None else self.cap,
            self.ante_by != "all",
            players,
            self.raising_passes,
            self.minimum_raise,
        )

    def start(self) -> HoldemState:
        assert self.chips is not None
        return opening(self.chips).thaw().freeze()  # a copy: agents can reach it, and their kernels could write to it

    def muck(self, state: HoldemState) -> HoldemState:
        """Fold where a check is free: not offered as a choice, but recorded hands contain it."""
        new = self._checked(state).thaw()
        apply(new, FOLD)
        return new.freeze()

    def imagine(self, view: HoldemView, rng: Stream) -> HoldemState:
        """Deal the hidden cards from those not in sight."""
        state = HoldemState.blank()
        copy_bytes(view, state, _SHARED)
        betting.copy_history(view, state)
        dealt = [(place // 2, place % 2) for place in range(min(view.dealt, 2 * view.seats))]
        seen = [*(view.cards[place] for place in dealt), *view.board]
        deal_hidden(state, seen, state.cards, [place for place in dealt if view.cards[place] < 0], rng)
        return state.freeze()
