"""Five-card draw for 2 to 6 players: five cards each, a betting round, an exchange, a betting round, a showdown.

A game is one hand. Seats are positions as in hold'em: the last seat is the dealer's, seat 0 is to its left and acts
first in both rounds and in the exchange. Everybody pays the ante; a bet or a raise is at least as much more, whatever
was raised before. A round passes the table at most three times, so on the last pass nobody may raise: what has been bet
is called or not.

In the exchange a player names the cards that go, and gets as many others at once. Everybody sees how many they are,
nobody else sees which. An action there is a set of cards: bit c stands for card c.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card, cards, show
from fifthstreet.errors import InputError, whole
from fifthstreet.evaluation.hand import describe
from fifthstreet.evaluation.strength import evaluate_5
from fifthstreet.games import betting
from fifthstreet.games.betting import (
    ANTES,
    CALL,
    FACED,
    FOLD,
    FOLDED,
    LIVE,
    MOST_SEATS,
    PAID,
    PLAYERS,
    RAISE,
    SEAT,
    SEATS,
    STACKS,
    BettingGame,
    BettingState,
    BettingView,
    Move,
)
from fifthstreet.games.game import CHANCE, OVER, Choices, IllegalAction, Ruled, Rules, is_whole
from fifthstreet.kernel import Kernel, kernel
from fifthstreet.rng import Stream, below

MOST_PLAYERS, HAND, MOST_PASSES = 6, 5, 5

FIRST_ROUND, EXCHANGE, SECOND_ROUND, DONE = range(4)  # the streets

# Places in a state's or view's array, behind those of the betting.
STREET = SEAT + 1
ACTOR = SEAT + 2
DEALT = SEAT + 3  # cards dealt so far
OWED = SEAT + 4  # cards that are to be dealt in all, as far as is known
ACTIONS = SEAT + 5  # entries in the history
LEAST_BET = SEAT + 6
MOST_TRADED = SEAT + 7
PASSES = SEAT + 8
TURNS = SEAT + 10  # by seat, how often it has acted in this round
TRADED = TURNS + MOST_PLAYERS  # by seat, how many cards it has exchanged, −1 if it has not been asked
CARDS = TRADED + MOST_PLAYERS  # five for each seat, −1 where none lies or may be seen
DISCARDS = CARDS + HAND * MOST_PLAYERS  # five for each seat
HISTORY = DISCARDS + HAND * MOST_PLAYERS  # (raised to, or cards exchanged) · 64 + seat · 4 + kind
SIZE = HISTORY + 2 * MOST_PASSES * MOST_PLAYERS + MOST_PLAYERS

FULL_DECK = (1 << 52) - 1  # as a set of cards

FOLDS, CALLS, RAISES_TO, TRADES = range(4)  # kinds of entries in the history


@kernel
def start(setup: Any) -> Any:
    """From the numbers of `FiveCardDraw.setup`."""
    data = np.zeros(SIZE, np.int64)
    seats = setup[0]
    data[SEATS], data[LIVE], data[SEAT], data[ACTOR] = seats, seats, -1, 0
    data[LEAST_BET] = data[RAISE] = setup[1]
    data[MOST_TRADED], data[PASSES], data[OWED] = setup[3], setup[4], HAND * seats
    for place in range(FACED, FACED + MOST_SEATS):
        data[place] = -1
    for place in range(TRADED, HISTORY):
        data[place] = -1
    for seat in range(seats):
        data[STACKS + seat] = setup[5 + seat]
        data[PLAYERS + seat] = setup[5 + seats + seat]
        betting.ante(data, seat, setup[2])
    return data


@kernel
def to_be_dealt(data: Any) -> bool:
    return data[DEALT] < data[OWED]


@kernel(allocates=False)
def to_act(data: Any) -> int:
    if data[STREET] == DONE:
        return OVER
    return CHANCE if to_be_dealt(data) else data[ACTOR]


@kernel
def limits(data: Any, seat: int) -> Any:
    """What a call costs the seat, and the least and the most that it may raise to (0 and 0 if it may not)."""
    last_pass = data[TURNS + seat] >= data[PASSES] - 1
    highest = 0 if last_pass else betting.highest_raise(data, seat)
    return betting.to_call(data, seat), betting.lowest_raise(data, seat) if highest > 0 else 0, highest


@kernel
def ones(number: int) -> int:
    """How many bits are set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@kernel
def card_at(deck: int, i: int) -> int:
    """The i-th card of a set of cards, found by halves."""
    card = 0
    for width in (32, 16, 8, 4, 2, 1):
        below_it = ones((deck >> card) & ((1 << width) - 1))
        if i >= below_it:
            i -= below_it
            card += width
    return card


@kernel
def choice_count(data: Any) -> int:
    if to_be_dealt(data):
        return 52 - data[DEALT]
    if data[STREET] == EXCHANGE:
        return trade_count(data[MOST_TRADED])
    cost, lowest, highest = limits(data, data[ACTOR])
    return 1 + (cost > 0) + (highest - lowest + 1 if highest > 0 else 0)


@kernel
def trade_count(most: int) -> int:
    """How many sets of up to so many of five cards there are."""
    count, sets = 1, 1
    for size in range(most):
        sets = sets * (HAND - size) // (size + 1)
        count += sets
    return count


@kernel
def trade(data: Any, seat: int, i: int) -> int:
    """The i-th set of cards that the seat may exchange."""
    places = 0
    while ones(places) > data[MOST_TRADED] or i > 0:
        i -= ones(places) <= data[MOST_TRADED]
        places += 1
    return set_at(data, seat, places)


@kernel
def set_at(data: Any, seat: int, places: int) -> int:
    """The seat's cards at these of the five places, as a set of cards."""
    found = 0
    for i in range(HAND):
        if (places >> i) & 1:
            found |= 1 << data[CARDS + HAND * seat + i]
    return found


@kernel
def choice(data: Any, i: int) -> int:
    if to_be_dealt(data):
        deck = FULL_DECK
        for place in range(CARDS, HISTORY):
            if data[place] >= 0:
                deck ^= 1 << data[place]
        return card_at(deck, i)
    if data[STREET] == EXCHANGE:
        return trade(data, data[ACTOR], i)
    cost, lowest, _ = limits(data, data[ACTOR])
    i -= cost > 0
    return i if i <= 0 else lowest + i - 1


@kernel
def allowed(data: Any, action: int) -> bool:
    seat, fits = data[ACTOR], False
    if to_be_dealt(data):
        fits = 0 <= action < 52
        for place in range(CARDS, HISTORY):
            fits &= data[place] != action
    elif data[STREET] == EXCHANGE:
        fits = action >= 0 and not action & ~set_at(data, seat, 31) and ones(action) <= data[MOST_TRADED]
    elif data[STREET] != DONE:
        last_pass = data[TURNS + seat] >= data[PASSES] - 1
        fits = not (action > CALL and last_pass) and betting.is_legal(data, seat, action)
    return fits


@kernel(allocates=False)
def apply(data: Any, action: int) -> None:
    """Deal a card, exchange cards or make a bet, in place."""
    if to_be_dealt(data):
        deal(data, action)
    elif data[STREET] == EXCHANGE:
        exchange(data, action)
    else:
        bet(data, action)


@kernel(allocates=False)
def deal(data: Any, card: int) -> None:
    """The next card: five to each seat in turn, later to the seat that exchanges."""
    place = data[DEALT]
    if data[STREET] == EXCHANGE:  # behind what stayed
        place = HAND * (data[ACTOR] + 1) - (data[OWED] - data[DEALT])
    data[CARDS + place] = card
    data[DEALT] += 1
    if not to_be_dealt(data):
        after_the_last_card(data)


@kernel
def after_the_last_card(data: Any) -> None:
    if data[STREET] == EXCHANGE:
        ask_to_trade(data, data[ACTOR] + 1)
    else:
        ask_to_bet(data, 0)


@kernel(allocates=False)
def exchange(data: Any, going: int) -> None:
    """Move these cards from the hand to the seat's discards; what stays moves up."""
    seat, kept, gone = data[ACTOR], 0, 0
    for i in range(HAND * seat, HAND * seat + HAND):
        card = data[CARDS + i]
        data[CARDS + i] = -1
        if (going >> card) & 1:
            data[DISCARDS + HAND * seat + gone] = card
            gone += 1
        else:
            data[CARDS + HAND * seat + kept] = card
            kept += 1
    note(data, TRADES, gone)
    data[TRADED + seat] = gone
    data[OWED] += gone
    if gone == 0:
        ask_to_trade(data, seat + 1)


@kernel(allocates=False)
def bet(data: Any, action: int) -> None:
    seat = data[ACTOR]
    note(data, RAISES_TO if action > CALL else CALLS if action == CALL else FOLDS, max(action, 0))
    data[TURNS + seat] += 1
    betting.act(data, seat, action)
    data[RAISE] = data[LEAST_BET]
    ask_to_bet(data, seat + 1 if seat + 1 < data[SEATS] else 0)


@kernel
def note(data: Any, kind: int, amount: int) -> None:
    """Write what was done into the history."""
    data[HISTORY + data[ACTIONS]] = amount * 64 + data[ACTOR] * 4 + kind
    data[ACTIONS] += 1


@kernel
def ask_to_bet(data: Any, seat: int) -> None:
    """Let the next who has something to decide do so, from this seat on; if there is none, the round is over."""
    data[ACTOR] = -1 if data[LIVE] == 1 else betting.next_to_act(data, seat)
    if data[ACTOR] < 0:
        if data[LIVE] == 1 or data[STREET] == SECOND_ROUND:
            data[STREET] = DONE
        else:
            data[STREET] = EXCHANGE
            betting.next_street(data, data[LEAST_BET])
            for place in range(TURNS, TURNS + MOST_PLAYERS):
                data[place] = 0
            ask_to_trade(data, 0)


@kernel
def ask_to_trade(data: Any, seat: int) -> None:
    """Ask the next who is still in, from this seat on, for an exchange; after the last the second round begins."""
    while seat < data[SEATS] and data[FOLDED + seat] == 1:
        seat += 1
    data[ACTOR] = seat
    if seat == data[SEATS]:
        data[STREET] = SECOND_ROUND
        data[ACTOR] = betting.next_to_act(data, 0)
        if data[ACTOR] < 0:
            data[STREET] = DONE


@kernel
def entry(data: Any, i: int) -> Any:
    """Who did what as the i-th action of the hand: seat, kind, and raised to or number of cards."""
    number = data[HISTORY + i]
    return (number >> 2) & 15, number & 3, number >> 6


@kernel
def after(data: Any, action: int) -> Any:
    new = data.copy()
    apply(new, action)
    return new


@kernel(allocates=False)
def show_to(data: Any, seat: int, out: Any) -> None:
    """What this seat may know: everything but the cards of others, until a showdown shows those who stayed in."""
    for place in range(CARDS):
        out[place] = data[place]
    for place in range(CARDS, HISTORY):
        out[place] = -1
    for place in range(HISTORY, HISTORY + data[ACTIONS]):
        out[place] = data[place]
    out[SEAT] = seat
    showdown = data[STREET] == DONE and data[LIVE] > 1
    for other in range(data[SEATS]):
        if other == seat or (showdown and data[FOLDED + other] == 0):
            for place in range(CARDS + HAND * other, CARDS + HAND * other + HAND):
                out[place] = data[place]
    for place in range(DISCARDS + HAND * seat, DISCARDS + HAND * seat + HAND):
        out[place] = data[place]


@kernel
def view(data: Any, seat: int) -> Any:
    out = np.zeros_like(data)
    show_to(data, seat, out)
    return out


@kernel(allocates=False)
def strength_of(data: Any, seat: int) -> int:
    """The strength of the seat's five cards, which must be known."""
    first = CARDS + HAND * seat
    return int(evaluate_5(data[first], data[first + 1], data[first + 2], data[first + 3], data[first + 4]))


@kernel
def winnings(data: Any) -> Any:
    """What each seat takes from the table at the end, its own uncalled bets included."""
    seats = data[SEATS]
    won, ranks = np.empty(seats, np.int64), np.zeros(seats, np.int64)
    if data[LIVE] > 1:
        for seat in range(seats):
            if data[FOLDED + seat] == 0:
                ranks[seat] = strength_of(data, seat)
    betting.share_out(data, ranks, won)
    return won


@kernel
def payoff(data: Any, seat: int) -> float:
    return float(winnings(data)[seat] - data[PAID + seat] - data[ANTES + seat])


@kernel
def any_choice(view: Any, mind: Any, words: Any) -> int:
    """Every legal action, every amount, with the same probability."""
    return choice(view, below(words, choice_count(view)))


@kernel
def play_out(
    setup: Any, policies: Any, lessons: Any, minds: Any, agents: Any, dealer: Any, words: Any, payoffs: Any
) -> bool:
    data, seen, deck = start(setup), np.empty(SIZE, np.int64), FULL_DECK
    while data[STREET] != DONE:
        if to_be_dealt(data):
            card = card_at(deck, below(dealer, 52 - data[DEALT]))
            deck ^= 1 << card
            deal(data, card)
        else:
            seat = data[ACTOR]
            agent = agents[seat]
            show_to(data, seat, seen)
            action = policies[agent](seen, minds[agent], words[agent])
            if action != 0 and not allowed(data, action):  # everybody may always call or stand pat
                return False
            if data[STREET] == EXCHANGE:
                exchange(data, action)
            else:
                bet(data, action)
    won = winnings(data)
    for place in range(data[SEATS]):
        payoffs[place] = won[place] - data[PAID + place] - data[ANTES + place]
        agent = agents[place]
        if minds[agent].size > 0:
            show_to(data, place, seen)
            lessons[agent](seen, payoffs[place], minds[agent])
    return True


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


class DrawState(BettingState):
    """A hand in play."""

    __slots__ = ()

    @property
    def street(self) -> int:
        """0 in the first round, 1 in the exchange, 2 in the second round, 3 when the hand is over."""
        return int(self.data[STREET])

    @property
    def traded(self) -> list[int | None]:
        """How many cards each seat has exchanged, None if it has not been asked."""
        return [None if count < 0 else count for count in self._by_seat(TRADED)]

    def hand(self, seat: int) -> list[Card]:
        """From the highest card."""
        return self._cards(CARDS, seat)

    def discards(self, seat: int) -> list[Card]:
        return self._cards(DISCARDS, seat)

    @property
    def actions(self) -> list[tuple[int, str]]:
        """Who did what, in order, as everybody saw it."""
        told = []
        for i in range(self.data[ACTIONS]):
            seat, kind, amount = (int(number) for number in entry(self.data, i))
            words = ("fold", "call", f"raise to {amount}", f"trade {amount}" if amount else "stand pat")[kind]
            told.append((seat, words))
        return told

    def _cards(self, place: int, seat: int) -> list[Card]:
        found = self.data[place + HAND * seat : place + HAND * seat + HAND].tolist()
        return [Card(card) for card in sorted(found, reverse=True) if card >= 0]

    def __repr__(self) -> str:
        hands = " ".join(show(self.hand(seat)) or "??" for seat in range(self.seats))
        return f"<{hands} | stacks {self.stacks}, paid {self.paid}, traded {self.traded}>"


class DrawView(BettingView, DrawState):
    """What a seat knows of a hand."""

    __slots__ = ()

    def __str__(self) -> str:
        """The table as this seat sees it."""
        lines = []
        for seat in range(self.seats):
            held = show(self.hand(seat)) or "▒▒" * HAND
            done = [words for who, words in self.actions if who == seat]
            you = " (you)" if seat == self.seat else ""
            lines.append(f"seat {seat + 1}{you}: {held}  {self.stacks[seat]} behind  {', '.join(done)}".rstrip())
        if len(self.hand(self.seat)) == HAND:
            lines.append(f"you have {describe(strength_of(self.data, self.seat))}")
        lines.append(f"pot: {self.pot}  to call: {self.cost}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Stakes:
    """Who sits down to a hand, from the left of the dealer, and with what."""

    stacks: tuple[int, ...]
    players: tuple[int, ...]

    def __post_init__(self) -> None:
        seats = len(self.stacks)
        if not 2 <= seats <= MOST_PLAYERS:
            raise InputError(f"{seats} seats: five-card draw has 2 to {MOST_PLAYERS}")
        for stack in self.stacks:
            whole(stack, "as a stack", least=0, most=10**15)
        if len(self.players) != seats or len({*self.players} & {*range(MOST_SEATS)}) != seats:
            raise InputError(f"players {self.players}: each of {seats} seats has a number of its own from 0 to 9")
        if sum(stack > 0 for stack in self.stacks) < 2:
            raise InputError(f"stacks {self.stacks}: at least 2 players need chips")


@dataclass(frozen=True)
class FiveCardDraw(BettingGame[DrawState, DrawView]):
    """Five cards each, a betting round, an exchange of up to two cards, a betting round."""

    name: ClassVar[str] = "five-card-draw"
    rules: ClassVar[Rules] = Rules(
        start, to_act, choice_count, choice, allowed, after, view, payoff, any_choice, play_out
    )
    action_type: ClassVar[type[int]] = Move
    chance_type: ClassVar[type[int]] = Card
    winnings: ClassVar[Kernel[..., Any]] = winnings

    seats: int = 5
    stack: int = 10_000
    ante: int = 1
    trade: int = 2
    passes: int = 3
    stakes: Stakes | None = field(default=None, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        whole(self.ante, "as the ante", least=0, most=10**15)
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
        """The next hand at this table: who sits where, from the left of the dealer, and with what."""
        return dataclasses.replace(self, seats=len(players), stakes=Stakes(tuple(stacks), tuple(players)))

    def setup(self) -> NDArray[np.int64]:
        assert self.stakes is not None
        numbers = [self.seats, max(1, self.ante), self.ante, self.trade, self.passes]
        return np.array([*numbers, *self.stakes.stacks, *self.stakes.players], np.int64)

    def as_state(self, raw: NDArray[np.int64]) -> DrawState:
        return DrawState(raw)

    def as_view(self, raw: NDArray[np.int64]) -> DrawView:
        return DrawView(raw)

    def kind_of_action(self, state: DrawState) -> type[int]:
        return Card if to_be_dealt(state.data) else Trade if state.street == EXCHANGE else Move

    def choices(self, state: DrawState) -> Choices[Any]:
        kind, data = self.kind_of_action(state), state.data
        if state.street == DONE:
            return Choices(())
        if kind is Card:
            return Choices(Ruled(self.rules, data, Card, choice_count(data)))
        if kind is Trade:
            return Choices([Trade(choice(data, i)) for i in range(choice_count(data))])
        cost, lowest, highest = limits(data, data[ACTOR])
        least = (Move(FOLD), Move(CALL)) if cost > 0 else (Move(CALL),)
        return Choices(least, range(lowest, highest + 1)) if highest > 0 else Choices(least)

    def after(self, state: DrawState, action: Any) -> DrawState:
        if is_whole(action) and not to_be_dealt(state.data) and state.street != DONE:
            self._refuse_wrong_trade(state, action)
        return super().after(state, action)

    def _refuse_wrong_trade(self, state: DrawState, action: int) -> None:
        """What is wrong with an exchange, or with a bet in place of one, in words."""
        seat, exchange = int(state.data[ACTOR]), state.street == EXCHANGE
        if isinstance(action, Move if exchange else Trade):
            now = "cards are to be exchanged" if exchange else "it is a betting round"
            raise IllegalAction(f"'{action}' is not allowed now: {now}, and seat {seat} is to act")
        if not exchange or allowed(state.data, int(action)):
            return
        wanted, hand = Trade(action), state.hand(seat)
        what = f"'{wanted}' is not allowed"
        if not 0 <= wanted < 1 << 52:
            raise IllegalAction(f"{what}: it is no set of cards")
        missing = [card for card in wanted.cards if card not in hand]
        if missing:
            raise IllegalAction(f"{what}: seat {seat} holds {show(hand)}, and not {show(missing)}")
        raise IllegalAction(f"{what}: these are {len(wanted.cards)} cards, and at most {self.trade} may go")

    def label(self, state: DrawState, action: Any) -> str:
        said = str(self.kind_of_action(state)(action))
        return f"deal {said}" if to_be_dealt(state.data) else said

    def imagine(self, view: DrawView, rng: Stream) -> DrawState:
        data = view.data.copy()
        data[SEAT] = -1
        seen = set(data[CARDS:HISTORY].tolist())
        left = [card for card in range(52) if card not in seen]
        rng.shuffle(left)
        hidden = list(range(CARDS, CARDS + min(int(data[DEALT]), HAND * self.seats)))
        if to_be_dealt(data) and data[STREET] == EXCHANGE:  # the last cards of who exchanges are not there yet
            end = CARDS + HAND * int(data[ACTOR]) + HAND
            hidden = [place for place in hidden if not end - (data[OWED] - data[DEALT]) <= place < end]
        for seat, count in enumerate(view.traded):
            hidden += range(DISCARDS + HAND * seat, DISCARDS + HAND * seat + (count or 0))
        for place in hidden:
            if data[place] < 0:
                data[place] = left.pop()
        return DrawState(data)
