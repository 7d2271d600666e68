"""Texas hold'em for 2 to 10 players, without limit or with fixed limits.

A game is one hand. Seats are positions: the last seat is the dealer's, the others sit to its left in order, so seat 0
has the small blind; between two, seat 1 is the dealer and posts the small blind, and acts first before the flop. Stacks
and blinds are whole chips.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card, show
from fifthstreet.errors import InputError, whole
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7
from fifthstreet.games import betting
from fifthstreet.games.betting import (
    ANTES,
    CALL,
    CAP,
    FACED,
    FOLD,
    FOLDED,
    HIGH,
    LIMIT,
    LIVE,
    MOST_SEATS,
    PAID,
    PLAYERS,
    RAISE,
    RAISES,
    SEAT,
    SEATS,
    SHARED_ANTES,
    STACKS,
    BettingGame,
    BettingState,
    BettingView,
    Move,
)
from fifthstreet.games.game import CHANCE, OVER, Choices, Ruled, Rules, Seat, is_whole
from fifthstreet.kernel import Kernel, kernel
from fifthstreet.rng import Stream, below

# Places in a state's or view's array, behind those of the betting.
STREET = SEAT + 1  # 0 before the flop, 3 the river, 4 when the hand is over
ACTOR = SEAT + 2  # −1, or where the search for the next begins, while cards are to be dealt
DEALT = SEAT + 3  # cards dealt so far
ACTIONS = SEAT + 4  # entries in the history
SMALL_BET, BIG_BET = SEAT + 5, SEAT + 6  # the least bet, or the fixed bets before and after the turn
FIRST = SEAT + 7  # who acts first before the flop
BLINDS = SEAT + 10  # by seat, what was asked for; a post by a newcomer is negative
CARDS = SEAT + 20  # two for each of ten seats, −1 where none was dealt or may be seen
BOARD = CARDS + 2 * MOST_SEATS
HISTORY = BOARD + 5  # (amount raised to) · 64 + seat · 4 + (0 fold, 1 call, 2 raise)
MOST_ACTIONS = 400
SIZE = HISTORY + MOST_ACTIONS

_NO_MORE_RAISES = 300  # so that every hand ends before the history is full
_ON_BOARD = (0, 3, 4, 5, 5)  # cards on the board by street


@kernel
def start(setup: Any) -> Any:
    """From the numbers of `Chips.setup`."""
    data = np.zeros(SIZE, np.int64)
    seats = setup[0]
    data[SEATS], data[SEAT], data[LIVE], data[FIRST] = seats, -1, seats, setup[6]
    data[ACTOR] = setup[6]
    data[SMALL_BET], data[BIG_BET], data[LIMIT], data[CAP] = setup[1], setup[2], setup[3], setup[4]
    data[RAISE], data[SHARED_ANTES] = setup[1], setup[5]
    data[FACED : FACED + MOST_SEATS] = -1
    data[CARDS:HISTORY] = -1
    for seat in range(seats):
        data[STACKS + seat] = setup[7 + seat]
        betting.ante(data, seat, setup[7 + seats + seat])
        data[BLINDS + seat] = blind = setup[7 + 2 * seats + seat]
        data[PLAYERS + seat] = setup[7 + 3 * seats + seat]
        betting.put(data, seat, abs(blind))
        # A short blind is still called in full; a post by a newcomer (negative) is live, but does not set the price.
        data[HIGH] = max(data[HIGH], blind)
    data[RAISES] = 1 if data[HIGH] > 0 else 0
    return data


@kernel
def to_be_dealt(data: Any) -> bool:
    return data[DEALT] < 2 * data[SEATS] + _ON_BOARD[data[STREET]]


@kernel
def to_act(data: Any) -> int:
    if data[STREET] == 4:
        return OVER
    return CHANCE if to_be_dealt(data) else data[ACTOR]


@kernel
def limits(data: Any, seat: int) -> Any:
    """What a call costs the seat, and the least and the most that it may raise to (0 and 0 if it may not)."""
    highest = 0 if data[ACTIONS] >= _NO_MORE_RAISES else betting.highest_raise(data, seat)
    return betting.to_call(data, seat), betting.lowest_raise(data, seat) if highest > 0 else 0, highest


@kernel
def choice_count(data: Any) -> int:
    if to_be_dealt(data):
        return 52 - data[DEALT]
    cost, lowest, highest = limits(data, data[ACTOR])
    return 1 + (cost > 0) + (highest - lowest + 1 if highest > 0 else 0)


@kernel
def choice(data: Any, i: int) -> int:
    if to_be_dealt(data):
        gone = np.uint64(0)
        for place in range(CARDS, HISTORY):
            if data[place] >= 0:
                gone |= np.uint64(1) << np.uint64(data[place])
        for card in range(52):
            if not (gone >> np.uint64(card)) & np.uint64(1):
                if i == 0:
                    return card
                i -= 1
    cost, lowest, _ = limits(data, data[ACTOR])
    i -= cost > 0
    return i if i <= 0 else lowest + i - 1


@kernel
def allowed(data: Any, action: int) -> bool:
    if data[STREET] == 4:
        return False
    if to_be_dealt(data):
        for place in range(CARDS, HISTORY):
            if data[place] == action:
                return False
        return 0 <= action < 52
    if action > CALL and data[ACTIONS] >= _NO_MORE_RAISES:
        return False
    return betting.is_legal(data, data[ACTOR], action)


@kernel
def apply(data: Any, action: int) -> None:
    """Deal a card or make a bet, in place."""
    if to_be_dealt(data):
        dealt = data[DEALT]
        hole = 2 * data[SEATS]
        data[CARDS + dealt if dealt < hole else BOARD + dealt - hole] = action
        data[DEALT] += 1
        if to_be_dealt(data):
            return
        data[ACTOR] = betting.next_to_act(data, data[ACTOR])
    else:
        seat = data[ACTOR]
        kind = 2 if action > CALL else 1 if action == CALL else 0
        data[HISTORY + data[ACTIONS]] = max(action, 0) * 64 + seat * 4 + kind
        data[ACTIONS] += 1
        betting.act(data, seat, action)
        following = seat + 1 if seat + 1 < data[SEATS] else 0
        data[ACTOR] = -1 if data[LIVE] == 1 else betting.next_to_act(data, following)
    if data[ACTOR] < 0:  # nobody has anything left to decide on this street
        data[STREET] = 4 if data[LIVE] == 1 else data[STREET] + 1
        if data[STREET] < 4:
            betting.next_street(data, data[SMALL_BET] if data[STREET] < 2 else data[BIG_BET])
            data[ACTOR] = 0


@kernel
def give_up(data: Any) -> None:
    """Fold where a check is free: nobody is offered this, but records hold it."""
    apply(data, FOLD)


@kernel
def entry(data: Any, i: int) -> Any:
    """Who did what as the i-th action of the hand."""
    number = data[HISTORY + i]
    kind = number & 3
    return (number >> 2) & 15, number >> 6 if kind == 2 else kind - 1


@kernel
def after(data: Any, action: int) -> Any:
    new = data.copy()
    apply(new, action)
    return new


@kernel
def turn(data: Any) -> Any:
    """Who acts, what a call costs (the cards left, where chance acts), and the least and most that may be raised to."""
    seat = to_act(data)
    if seat < 0:
        return seat, 52 - data[DEALT], 0, 0
    cost, lowest, highest = limits(data, seat)
    return seat, cost, lowest, highest


@kernel
def checked_after(data: Any, action: int) -> Any:
    """What follows, and its turn; nothing follows from what is not allowed."""
    if not allowed(data, action):
        return data[:0], turn(data)
    new = after(data, action)
    return new, turn(new)


@kernel
def show_to(data: Any, seat: int, out: Any) -> None:
    """What this seat may know: everything but the cards of others, until a showdown shows those who stayed in."""
    for place in range(HISTORY + data[ACTIONS]):
        out[place] = data[place]
    out[SEAT] = seat
    showdown = data[STREET] == 4 and data[LIVE] > 1
    for other in range(data[SEATS]):
        if other != seat and not (showdown and data[FOLDED + other] == 0):
            out[CARDS + 2 * other] = out[CARDS + 2 * other + 1] = -1


@kernel
def view(data: Any, seat: int) -> Any:
    out = np.zeros_like(data)
    show_to(data, seat, out)
    return out


@kernel
def rewound(view: Any) -> Any:
    """The hand as it was before the first card, to be played again with `apply`."""
    seats = view[SEATS]
    setup = np.empty(7 + 4 * seats, np.int64)
    setup[0], setup[1], setup[2], setup[4] = seats, view[SMALL_BET], view[BIG_BET], view[CAP]
    setup[3] = view[SMALL_BET] if view[LIMIT] > 0 else 0
    setup[5], setup[6] = view[SHARED_ANTES], view[FIRST]
    for seat in range(seats):
        setup[7 + seat] = view[STACKS + seat] + view[PAID + seat] + view[ANTES + seat]
        setup[7 + seats + seat] = view[ANTES + seat]
        setup[7 + 2 * seats + seat] = view[BLINDS + seat]
        setup[7 + 3 * seats + seat] = view[PLAYERS + seat]
    return start(setup)


@kernel
def strengths(data: Any) -> Any:
    """The strength of every hand that stayed in, with the whole board; 0 for all if only one did."""
    out = np.zeros(data[SEATS], np.int64)
    if data[LIVE] > 1:
        key, bits = EMPTY, np.uint64(0)
        for place in range(BOARD, BOARD + 5):
            key += KEY[data[place]]
            bits |= BIT[data[place]]
        for seat in range(data[SEATS]):
            if data[FOLDED + seat] == 0:
                a, b = data[CARDS + 2 * seat], data[CARDS + 2 * seat + 1]
                out[seat] = strength_7(key + KEY[a] + KEY[b], bits | BIT[a] | BIT[b])
    return out


@kernel
def divided(data: Any, ranks: Any) -> Any:
    """What each seat takes from the table if the hands are worth this, its own uncalled bets included."""
    won = np.empty(data[SEATS], np.int64)
    betting.share_out(data, ranks, won)
    return won


@kernel
def winnings(data: Any) -> Any:
    """What each seat takes from the table at the end."""
    return divided(data, strengths(data))


@kernel
def payoff(data: Any, seat: int) -> float:
    return float(winnings(data)[seat] - data[PAID + seat] - data[ANTES + seat])


@kernel
def any_choice(view: Any, mind: Any, words: Any) -> int:
    """Every legal action, every amount, with the same probability."""
    cost, lowest, highest = limits(view, view[SEAT])
    may_fold = cost > 0
    pick = below(words, 1 + may_fold + (highest - lowest + 1 if highest > 0 else 0)) - may_fold
    return pick if pick <= 0 else lowest + pick - 1


@kernel
def play_out(
    setup: Any, policies: Any, lessons: Any, minds: Any, agents: Any, dealer: Any, words: Any, payoffs: Any
) -> bool:
    data, seen = start(setup), np.empty(SIZE, np.int64)
    deck, left = np.arange(52), 52
    seat = to_act(data)
    while seat != OVER:
        if seat == CHANCE:
            place = below(dealer, left)
            action = deck[place]
            left -= 1
            for later in range(place, left):  # what is left stays in order, so that this is the card `choice` names
                deck[later] = deck[later + 1]
        else:
            agent = agents[seat]
            show_to(data, seat, seen)
            action = policies[agent](seen, minds[agent], words[agent])
            if not allowed(data, action):
                return False
        apply(data, action)
        seat = to_act(data)
    won = winnings(data)
    for place in range(data[SEATS]):
        payoffs[place] = won[place] - data[PAID + place] - data[ANTES + place]
        agent = agents[place]
        if minds[agent].size > 0:
            show_to(data, place, seen)
            lessons[agent](seen, payoffs[place], minds[agent])
    return True


class HoldemState(BettingState):
    """A hand in play."""

    __slots__ = ("_turn",)

    def __init__(self, data: NDArray[np.int64], turn: tuple[int, int, int, int] | None = None) -> None:
        super().__init__(data)
        self._turn = turn

    @property
    def turn(self) -> tuple[int, int, int, int]:
        """What the kernel `turn` says of it, asked once."""
        if self._turn is None:
            self._turn = turn(self.data)
        return self._turn

    @property
    def street(self) -> int:
        """0 before the flop, 3 on the river, 4 when the hand is over."""
        return int(self.data[STREET])

    @property
    def actions(self) -> "list[tuple[int, Move]]":
        """Who did what, in order."""
        done = (entry(self.data, i) for i in range(self.data[ACTIONS]))
        return [(int(seat), Move(action)) for seat, action in done]

    @property
    def board(self) -> list[Card]:
        return [Card(card) for card in self.data[BOARD : BOARD + 5].tolist() if card >= 0]

    def hand(self, seat: int) -> list[Card]:
        return [Card(card) for card in self.data[CARDS + 2 * seat : CARDS + 2 * seat + 2].tolist() if card >= 0]

    def __repr__(self) -> str:
        hands = " ".join(show(self.hand(seat)) or "??" for seat in range(self.seats))
        return f"<{hands} | {show(self.board)} | stacks {self.stacks}, paid {self.paid}>"


class HoldemView(BettingView, HoldemState):
    """What a seat knows of a hand."""

    __slots__ = ()

    def __str__(self) -> str:
        """The table as this seat sees it."""
        lines = []
        for seat in range(self.seats):
            cards = show(self.hand(seat)) or "▒▒▒▒"
            done = [str(move) for who, move in self.actions if who == seat]
            you = " (you)" if seat == self.seat else ""
            lines.append(f"seat {seat + 1}{you}: {cards}  {self.stacks[seat]} behind  {', '.join(done)}".rstrip())
        lines.append(f"board: {show(self.board) or '–'}  pot: {self.pot}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Chips:
    """What is at stake in a hand, by seat. A negative blind is posted by a newcomer and does not set the price."""

    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]
    least_bet: int  # with fixed limits, the bet before the turn
    limit: int = 0  # 0, or the bet from the turn on, with fixed limits
    cap: int = 0  # the most bets and raises in a street, blinds included; 0 for as many as one likes
    shared_antes: bool = False  # antes belong to the first pot, whoever paid them
    players: tuple[int, ...] = ()  # who sits there, where that is not the number of the seat

    def __post_init__(self) -> None:
        seats = len(self.stacks)
        if not 2 <= seats <= 10:
            raise InputError(f"{seats} seats: hold'em has 2 to 10")
        if len(self.blinds) != seats or len(self.antes) != seats:
            raise InputError(f"{len(self.blinds)} blinds and {len(self.antes)} antes for {seats} seats")
        for name, values in (("a stack", self.stacks), ("a blind", self.blinds), ("an ante", self.antes)):
            for value in values:
                whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
                if not whole or (value < 0 and name != "a blind") or abs(value) > 10**15:
                    raise InputError(f"{name} of {value!r}: chips are whole numbers from 0 to 10^15")
        if self.players and (len(self.players) != seats or len({*self.players} & {*range(MOST_SEATS)}) != seats):
            raise InputError(f"players {self.players}: each of {seats} seats has a number of its own from 0 to 9")
        if not 0 < self.least_bet <= 10**15 or self.limit < 0 or self.cap < 0:
            raise InputError(
                f"a least bet of {self.least_bet!r}, limit {self.limit!r} and cap {self.cap!r}: whole numbers, the "
                "first at least 1 and the others at least 0"
            )
        if sum(stack > 0 for stack in self.stacks) < 2:
            raise InputError(f"stacks {self.stacks}: at least 2 players need chips")

    def first_to_act(self) -> int:
        """The seat to the left of the last blind or straddle."""
        highest = max(self.blinds)
        if highest <= 0:
            return 0
        last = max(seat for seat, blind in enumerate(self.blinds) if blind == highest)
        return (last + 1) % len(self.blinds)

    def setup(self) -> NDArray[np.int64]:
        """Seats, small bet, big bet, limit, cap, shared antes, first to act; by seat stacks, antes, blinds, players."""
        big_bet = self.limit or self.least_bet
        limit = self.least_bet if self.limit else 0
        numbers = [len(self.stacks), self.least_bet, big_bet, limit, self.cap, self.shared_antes, self.first_to_act()]
        players = self.players or range(len(self.stacks))
        return np.array([*numbers, *self.stacks, *self.antes, *self.blinds, *players], np.int64)


@dataclass(frozen=True)
class Holdem(BettingGame[HoldemState, HoldemView]):
    """Two to ten players, two cards each, a board of five."""

    name: ClassVar[str] = "holdem"
    rules: ClassVar[Rules] = Rules(
        start, to_act, choice_count, choice, allowed, after, view, payoff, any_choice, play_out
    )
    action_type: ClassVar[type[int]] = Move
    chance_type: ClassVar[type[int]] = Card
    winnings: ClassVar[Kernel[..., Any]] = winnings

    seats: int = 6
    stack: int = 200
    small_blind: int = 1
    big_blind: int = 2
    straddle: int = 0
    ante: int = 0
    ante_by: Literal["all", "big-blind", "button"] = "all"
    limit: bool = False
    cap: int | None = None
    chips: Chips | None = field(default=None, kw_only=True, repr=False)  # all of the above, seat by seat

    def __post_init__(self) -> None:
        for name in ("seats", "stack", "small_blind", "big_blind", "straddle", "ante"):
            whole(getattr(self, name), f"as {name}", least=-(10**15), most=10**15)
        if self.cap is not None:
            whole(self.cap, "as cap", least=0, most=10**9)
        if self.ante_by not in ("all", "big-blind", "button"):
            raise InputError(f"ante_by={self.ante_by!r}: all, big-blind or button")
        if self.chips is None:
            if not 2 <= self.seats <= 10:
                raise InputError(f"{self.seats} seats: hold'em has 2 to 10")
            object.__setattr__(self, "chips", self._chips((self.stack,) * self.seats, ()))
        else:
            object.__setattr__(self, "seats", len(self.chips.stacks))

    def seated(self, players: Sequence[int], stacks: Sequence[int]) -> "Holdem":
        """The next hand at this table: who sits where, from the left of the dealer, and with what."""
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
        )

    def setup(self) -> NDArray[np.int64]:
        assert self.chips is not None
        return self.chips.setup()

    def as_state(self, raw: NDArray[np.int64]) -> HoldemState:
        return HoldemState(raw)

    def as_view(self, raw: NDArray[np.int64]) -> HoldemView:
        return HoldemView(raw)

    def to_act(self, state: HoldemState) -> Seat | None:
        seat = state.turn[0]
        return None if seat == OVER else Seat(seat)

    def after(self, state: HoldemState, action: Any) -> HoldemState:
        if is_whole(action):
            new, following = checked_after(state.data, int(action))
            if new.size:
                return HoldemState(new, following)
        return super().after(state, action)  # which says what is wrong

    def choices(self, state: HoldemState) -> Choices[Any]:
        seat, cost, lowest, highest = state.turn
        if seat == OVER:
            return Choices(())
        if seat == CHANCE:
            return Choices(Ruled(self.rules, state.data, Card, cost))
        least: Sequence[Any] = _FOLD_OR_CALL if cost > 0 else _CHECK
        return Choices(least, range(lowest, highest + 1)) if highest > 0 else Choices(least)

    def imagine(self, view: HoldemView, rng: Stream) -> HoldemState:
        data = view.data.copy()
        data[SEAT] = -1
        left = [card for card in range(52) if card not in set(data[CARDS:HISTORY].tolist())]
        rng.shuffle(left)
        for place in range(CARDS, CARDS + min(int(data[DEALT]), 2 * self.seats)):
            if data[place] < 0:
                data[place] = left.pop()
        return HoldemState(data)


_FOLD_OR_CALL, _CHECK = (Move(FOLD), Move(CALL)), (Move(CALL),)
