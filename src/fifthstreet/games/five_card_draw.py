"""Five-card draw for 2 to 6 players: five cards each, a betting round, an exchange, a betting round, a showdown.

A game is one hand. Seats are positions as in hold'em: the last seat is the dealer's, seat 0 is to its left and acts
first in both rounds and in the exchange. Every player pays the ante; a bet or a raise is at least that much more,
whatever was raised before. A betting round goes around the table at most three times, so on the last pass nobody may
raise.

In the exchange a player names the cards to discard, and gets as many new ones at once. Everybody sees how many they
are, nobody else sees which. An action there is a set of cards: bit c stands for card c.
"""

import dataclasses
import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np

from fifthstreet.bits import ones
from fifthstreet.cards import Card, cards, show
from fifthstreet.errors import InputError, whole
from fifthstreet.evaluation.hand import describe
from fifthstreet.evaluation.strength import evaluate_5
from fifthstreet.games import betting
from fifthstreet.games.betting import MOST_CHIPS, TRADES, BettingGame, BettingTable, Entry, Move
from fifthstreet.games.deck import CARD, DEALING, FULL_DECK, WithDeck, deal_hidden, draw, is_undealt
from fifthstreet.games.game import CHANCE, OVER, Choices, IllegalAction, ListedChoices, Rules, is_whole
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Grid, Row, copy_bytes
from fifthstreet.rng import Stream

MOST_PLAYERS, HAND, MOST_PASSES = 6, 5, 5

FIRST_ROUND, EXCHANGE, SECOND_ROUND, DONE = range(4)  # the streets

_MOST_ACTIONS = (2 * MOST_PASSES + 1) * MOST_PLAYERS
_PLACES = 1 << HAND  # sets of places in a hand

_SeatCount = Annotated[int, Field(low=0, high=MOST_PLAYERS)]
_Hands = Annotated[Grid, CARD._replace(shape=(MOST_PLAYERS, HAND))]


class DrawTable(BettingTable):
    """What a state and a view of a hand have in common."""

    seats: _SeatCount
    actor: Annotated[int, Field(low=OVER, high=MOST_PLAYERS - 1)]
    street: Annotated[int, Field(low=FIRST_ROUND, high=DONE)]
    live: _SeatCount
    history_length: Annotated[int, Field(np.int64, low=0, high=_MOST_ACTIONS)]
    history: Annotated[Sequence[Entry], Field(Entry, shape=_MOST_ACTIONS)]

    least_bet: betting.Count  # what a bet or a raise adds at least
    most_traded: Annotated[int, Field(low=0, high=HAND)]  # cards that a player may exchange
    passes: Annotated[int, Field(low=1, high=MOST_PASSES)]  # of the table in a betting round
    to_come: Annotated[int, Field(low=0, high=HAND * MOST_PLAYERS)]  # cards to deal before a player acts
    receiver: Annotated[int, Field(low=0, high=MOST_PLAYERS - 1)]  # who gets the last of them
    turns: Annotated[Row, Field(np.int8, shape=MOST_PLAYERS, low=0, high=MOST_PASSES)]  # taken in this round
    traded: Annotated[Row, Field(np.int8, shape=MOST_PLAYERS, low=-1, high=HAND)]  # cards, −1 before a seat is asked
    cards: _Hands  # −1 where none is dealt or it may not be seen
    discards: _Hands

    def is_dealt(self, seat: int, place: int) -> bool:
        """Whether there is a card at this place of the seat's hand."""
        end = HAND * (self.receiver + 1)
        return not end - self.to_come <= HAND * seat + place < end

    @property
    def known(self) -> list[int]:
        """All cards that are seen, in hands and among the discards."""
        places = [(seat, i) for seat in range(MOST_PLAYERS) for i in range(HAND)]
        return [card for row in (self.cards, self.discards) for place in places if (card := row[place]) >= 0]

    def contradiction(self) -> str:
        if (self.actor == CHANCE) != (self.to_come > 0) or self.to_come > HAND * (self.receiver + 1):
            return f"{self.to_come} cards are to come, and seat {self.actor} acts"
        if (self.actor == OVER) != (self.street == DONE) or self.receiver >= self.seats:
            return f"seat {self.actor} acts on street {self.street}"
        if len({*self.known}) < len(self.known):
            return "a card is on the table twice"
        return super().contradiction()

    def hand(self, seat: int) -> list[Card]:
        """The known cards of a seat, from the highest."""
        return _from_highest(self.cards[seat])

    def discarded(self, seat: int) -> list[Card]:
        """The known discards of a seat, from the highest."""
        return _from_highest(self.discards[seat])

    def __repr__(self) -> str:
        hands = " ".join(show(self.hand(seat)) or "??" for seat in range(self.seats))
        stacks, traded = [*self.stacks][: self.seats], [*self.traded][: self.seats]
        return f"<{hands} | stacks {stacks}, paid {self.paid}, traded {traded}>"


def _from_highest(found: Iterable[int]) -> list[Card]:
    return [Card(card) for card in sorted(found, reverse=True) if card >= 0]


_SHARED = DrawTable.head  # bytes


class DrawState(DrawTable, WithDeck):
    """A hand in play."""

    def contradiction(self) -> str:
        for seat in range(MOST_PLAYERS):
            for i in range(HAND):
                if (self.cards[seat, i] >= 0) != (seat < self.seats and self.is_dealt(seat, i)):
                    return f"the hand of seat {seat} is {show(self.hand(seat))}"
        if sum(1 << card for card in self.known) != FULL_DECK & ~self.deck:
            return "cards on the table are in the deck"
        return super().contradiction()


class DrawView(DrawTable):
    """What a seat knows of a hand."""

    seat: Annotated[int, Field(low=0, high=MOST_PLAYERS - 1)]  # whose view it is

    def contradiction(self) -> str:
        own = [(self.cards[self.seat, i] >= 0) == self.is_dealt(self.seat, i) for i in range(HAND)]
        return super().contradiction() if all(own) else f"the hand of seat {self.seat} is {show(self.hand(self.seat))}"

    def __str__(self) -> str:
        """The table as this seat sees it."""
        hands = [show(self.hand(seat)) or "▒▒" * HAND for seat in range(self.seats)]
        lines = betting.seat_lines(self, self.seat, hands)
        if len(self.hand(self.seat)) == HAND:
            lines.append(f"you have {describe(strength_of(self, self.seat))}")
        cost = min(self.high_bet - self.bets[self.seat], self.stacks[self.seat])
        return "\n".join([*lines, f"pot: {self.pot}  to call: {cost}"])


@kernel
def to_act(table: DrawTable) -> int:
    return table.actor


@kernel
def choice_count(table: DrawTable) -> int:
    return trade_count(table.most_traded) if table.street == EXCHANGE else betting.bet_count(table)


@kernel
def choice(table: DrawTable, i: int) -> int:
    return trade(table, table.actor, i) if table.street == EXCHANGE else betting.bet_choice(table, i)


@kernel
def trade_count(most: int) -> int:
    """How many sets of at most this many of five cards there are."""
    count, sets = 1, 1
    for size in range(most):
        sets = sets * (HAND - size) // (size + 1)
        count += sets
    return count


@kernel
def trade(table: DrawTable, seat: int, i: int) -> int:
    """The i-th set of cards that the seat may exchange."""
    for places in range(_PLACES):
        if ones(places) <= table.most_traded:
            if i == 0:
                return set_at(table, seat, places)
            i -= 1
    return 0


@kernel
def set_at(table: DrawTable, seat: int, places: int) -> int:
    """The seat's cards at these of the five places (bit i stands for place i), as a set of cards."""
    found = 0
    for i in range(HAND):
        if (places >> i) & 1:
            found |= 1 << table.cards[seat, i]
    return found


@kernel
def allowed(state: DrawState, action: int) -> bool:
    if state.actor == CHANCE:
        return state.to_come > 0 and is_undealt(state, action)
    if state.actor == OVER:
        return False
    if state.street == EXCHANGE:
        held = set_at(state, state.actor, _PLACES - 1)
        return action >= 0 and not action & ~held and ones(action) <= state.most_traded
    return betting.is_legal_bet(state, action)


@kernel(changes="state")
def apply(state: DrawState, action: int) -> None:
    """Deal a card, exchange cards or make a bet."""
    seat = state.actor
    if seat == CHANCE:
        seat = state.receiver
        deal(state, action)
    elif state.street == EXCHANGE:
        exchange(state, action)
    else:
        betting.bet(state, action)
        state.last_raise = state.least_bet
        state.turns[seat] += 1
    if state.to_come == 0:
        next_turn(state, seat + 1)


@kernel
def deal(state: DrawState, card: int) -> None:
    """Deal the next card: five to each seat in turn; in the exchange, behind the cards that the seat has kept."""
    place = HAND * (state.receiver + 1) - state.to_come
    state.cards[place // HAND, place % HAND] = card
    draw(state, card)
    state.to_come -= 1


@kernel
def exchange(state: DrawState, going: int) -> None:
    """Move these cards from the hand to the seat's discards; the cards kept move up."""
    seat, kept, gone = state.actor, 0, 0
    for i in range(HAND):
        card = state.cards[seat, i]
        state.cards[seat, i] = -1
        if (going >> card) & 1:
            state.discards[seat, gone] = card
            gone += 1
        else:
            state.cards[seat, kept] = card
            kept += 1
    betting.note(state, TRADES, gone)
    state.traded[seat] = gone
    state.actor, state.receiver, state.to_come = CHANCE, seat, gone


@kernel
def next_turn(state: DrawState, seat: int) -> None:
    """Give the turn to the next seat, from this one on, that has something to decide; otherwise go on by a street."""
    while state.street < DONE:
        seat = next_to_trade(state, seat) if state.street == EXCHANGE else betting.next_to_bet(state, seat)
        if seat >= 0:
            betting.give_turn(state, seat, state.street != EXCHANGE and state.turns[seat] < state.passes - 1)
            return
        seat = 0
        state.street = DONE if state.live == 1 else state.street + 1
        if state.street < DONE:
            betting.next_street(state, state.least_bet)
            state.turns[:] = 0
    state.actor = OVER
    state.to_call = state.min_raise = state.max_raise = 0
    show_down(state)


@kernel
def next_to_trade(state: DrawState, seat: int) -> int:
    """The first seat, from this one on, that has not folded, or −1."""
    for other in range(seat, state.seats):
        if state.folded[other] == 0:
            return other
    return -1


@kernel(changes="view")
def observe(state: DrawState, seat: int, view: DrawView) -> None:
    """Everything but the cards of others, until a showdown shows the hands of those who stayed in."""
    copy_bytes(state, view, _SHARED)
    betting.copy_history(state, view)
    view.seat = seat
    for other in range(state.seats):
        for i in range(HAND):
            if other != seat:
                view.discards[other, i] = -1
            if not betting.sees(state, seat, other):
                view.cards[other, i] = -1


@kernel
def strength_of(table: DrawTable, seat: int) -> int:
    """The strength of the seat's five cards, which must be known."""
    cards = table.cards
    return int(evaluate_5(cards[seat, 0], cards[seat, 1], cards[seat, 2], cards[seat, 3], cards[seat, 4]))


@kernel
def show_down(state: DrawState) -> None:
    """Write down the strength of every hand that stayed in, and divide the pots."""
    for seat in range(state.seats):
        if state.live > 1 and state.folded[seat] == 0:
            state.strengths[seat] = strength_of(state, seat)
    betting.share_out(state)


class Trade(int):
    """In the exchange: the set of cards that go; bit c stands for card c.

    >>> Trade.of("7h 2c"), Trade.of("2c7h") == Trade.of("7h2c"), Trade.of("")
    (trade 7h2c, True, stand pat)
    """

    __slots__ = ()

    @classmethod
    def of(cls, given: str | Iterable[int]) -> "Trade":
        return cls(sum(1 << card for card in cards(given)))

    @classmethod
    def parse(cls, words: str) -> "Trade":
        """From what a person types: `trade 7h 2c`, in any order, or `stand pat`."""
        words = words.removeprefix("trade")
        return cls.of("" if words.strip() in ("stand pat", "stand", "nothing") else words)

    @property
    def cards(self) -> list[Card]:
        """From the highest."""
        return [Card(card) for card in range(self.bit_length() - 1, -1, -1) if self >> card & 1]

    def __str__(self) -> str:
        if not 0 <= self < 1 << 52:
            return f"trade {int(self)}"
        return f"trade {show(self.cards)}" if self else "stand pat"

    __repr__ = __str__


@dataclass(frozen=True)
class Stakes:
    """Who sits down to a hand, from the left of the dealer, and with how many chips."""

    stacks: tuple[int, ...]
    players: tuple[int, ...]

    def __post_init__(self) -> None:
        betting.check_stakes(self.stacks, self.players, MOST_PLAYERS, "five-card draw")


@dataclass(frozen=True)
class FiveCardDraw(BettingGame[DrawState, DrawView]):
    """Five cards each, a betting round, an exchange of up to two cards, a betting round."""

    name: ClassVar[str] = "five-card-draw"
    rules: ClassVar[Rules] = Rules(
        DrawState, DrawView, to_act, *DEALING, choice_count, choice, apply, observe, betting.payoffs, allowed
    )
    action_type: ClassVar[type[int]] = Move
    chance_type: ClassVar[type[int]] = Card

    seats: int = 5
    stack: int = 10_000
    ante: int = 1
    trade: int = 2
    passes: int = 3
    stakes: Stakes | None = field(default=None, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        whole(self.ante, "as the ante", least=0, most=MOST_CHIPS)
        whole(self.trade, "cards to trade", least=0, most=HAND)
        whole(self.passes, "passes of the table", least=1, most=MOST_PASSES)
        if self.stakes is None:
            seats = whole(self.seats, f"seats: five-card draw has 2 to {MOST_PLAYERS}", least=2, most=MOST_PLAYERS)
            object.__setattr__(self, "stakes", Stakes((self.stack,) * seats, tuple(range(seats))))
        else:
            object.__setattr__(self, "seats", len(self.stakes.stacks))
        if self.seats * (HAND + self.trade) > 52:
            raise InputError(
                f"{self.seats} seats with up to {self.trade} cards to trade: that is more than the deck's 52"
            )

    def seated(self, players: Sequence[int], stacks: Sequence[int]) -> "FiveCardDraw":
        """The next hand at this table: who sits where, from the left of the dealer, and with what stack."""
        return dataclasses.replace(self, seats=len(players), stakes=Stakes(tuple(stacks), tuple(players)))

    def start(self) -> DrawState:
        return opening(self).thaw().freeze()  # a copy, as in hold'em

    def choices(self, state: DrawState | DrawView) -> Choices[Any]:
        if self._known(state).street == EXCHANGE and state.actor >= 0:
            return Choices(ListedChoices(state, Trade, trade_count(state.most_traded), choice, self.rules))
        return super().choices(state)

    def after(self, state: DrawState, action: Any) -> DrawState:
        if isinstance(action, (Move, Trade)) and self._checked(state).actor >= 0:
            exchange = state.street == EXCHANGE
            if isinstance(action, Move) == exchange:
                now = "cards are to be exchanged" if exchange else "it is a betting round"
                raise IllegalAction(f"'{action}' is not allowed now: {now}, and seat {state.actor} is to act")
        try:
            return super().after(state, action)
        except IllegalAction:
            if is_whole(action) and state.street == EXCHANGE and state.actor >= 0:
                raise self._wrong_trade(state, action) from None
            raise

    def _wrong_trade(self, state: DrawState, action: int) -> IllegalAction:
        """What is wrong with an exchange, in words."""
        seat = state.actor
        wanted, hand = Trade(action), state.hand(seat)
        what = f"'{wanted}' is not allowed"
        if not 0 <= wanted < 1 << 52:
            return IllegalAction(f"{what}: it is no set of cards")
        missing = [card for card in wanted.cards if card not in hand]
        if missing:
            return IllegalAction(f"{what}: seat {seat} holds {show(hand)}, and not {show(missing)}")
        return IllegalAction(f"{what}: these are {len(wanted.cards)} cards, and at most {self.trade} may go")

    def label(self, state: DrawState, action: Any) -> str:
        if self._checked(state).actor == CHANCE:
            return f"deal {Card(action)}"
        return str(Trade(action) if state.street == EXCHANGE else Move(action))

    def imagine(self, view: DrawView, rng: Stream) -> DrawState:
        """Deal the hidden cards from those not in sight."""
        state = DrawState.blank()
        copy_bytes(view, state, _SHARED)
        betting.copy_history(view, state)
        rows = np.array([*view.cards, *view.discards])
        places = [(seat, i) for seat in range(view.seats) for i in range(HAND) if view.is_dealt(seat, i)]
        places += [(MOST_PLAYERS + seat, i) for seat in range(view.seats) for i in range(view.traded[seat])]
        deal_hidden(state, view.known, rows, [place for place in places if rows[place] < 0], rng)
        state.cards, state.discards = rows[:MOST_PLAYERS], rows[MOST_PLAYERS:]
        return state.freeze()


@functools.lru_cache(maxsize=256)  # a table asks for it hand after hand
def opening(game: FiveCardDraw) -> DrawState:
    """The hand before the first card, antes paid."""
    assert game.stakes is not None
    state = DrawState.of(
        **dict.fromkeys(("seats", "live"), game.seats),
        **dict.fromkeys(("least_bet", "last_raise"), max(1, game.ante)),
        **dict.fromkeys(("actor", "faced", "traded", "cards", "discards"), -1),  # chance acts, nothing is known
        most_traded=game.trade,
        passes=game.passes,
        to_come=HAND * game.seats,
        receiver=game.seats - 1,
        stacks=betting.padded(game.stakes.stacks),
        players=betting.padded(game.stakes.players),
        deck=FULL_DECK,
    ).thaw()
    for seat in range(game.seats):
        betting.ante(state, seat, game.ante)
    return state.freeze()
