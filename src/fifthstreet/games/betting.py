"""Betting as in card rooms: blinds, calls, raises, all-ins, side pots.

Everything is in one array of whole numbers, `data`, which kernels take and change in place: a few numbers about the
table, then ten places for each thing that every seat has. A game keeps its own numbers behind them. What hands with
betting are to Python stands at the end.

Seats act in turn from the left of the dealer; the last seat is the dealer's. A bet is named by what it is raised to on
this street. A full raise is at least as large as the one before it; less is possible only by going all-in, and such a
short raise does not give those who have already acted a new right to raise, unless short raises together add up to a
full one (rule 47 of the Tournament Directors Association).
"""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np

from fifthstreet.games.game import ArrayState, RuledGame
from fifthstreet.kernel import Kernel, kernel

MOST_SEATS = 10

FOLD, CALL = -1, 0  # a check is a call of nothing; any higher number is a raise to that amount

SEATS = 0
HIGH = 1  # the highest bet of this street
RAISE = 2  # the size of the last full raise, which the next must reach
RAISES = 3  # raises on this street, the opening bet included
LIVE = 4  # players who have not folded
LIMIT = 5  # the fixed size of a bet, 0 without limit
CAP = 6  # the most raises in a street, 0 for as many as one likes
SHARED_ANTES = 7  # 1 if antes belong to the first pot, whoever paid them

# By seat, at these places and the nine behind them:
STACKS = 10  # chips behind, not yet bet
STREET_BETS = 20  # bet on this street
PAID = 30  # bet over the whole hand, antes apart
ANTES = 40
FACED = 50  # the highest bet when the seat last acted on this street, −1 if it has not
FOLDED = 60  # 1 for those who gave up
PLAYERS = 70  # who sits there: a number that stays with the player when the button moves on

SEAT = 80  # whose view it is, −1 in a state


@kernel
def put(data: Any, seat: int, amount: int) -> None:
    """Move chips from a stack to the bets of this street, as far as they go."""
    amount = min(amount, data[STACKS + seat])
    data[STACKS + seat] -= amount
    data[STREET_BETS + seat] += amount
    data[PAID + seat] += amount


@kernel
def ante(data: Any, seat: int, amount: int) -> None:
    amount = min(amount, data[STACKS + seat])
    data[STACKS + seat] -= amount
    data[ANTES + seat] += amount


@kernel
def to_call(data: Any, seat: int) -> int:
    """What a call costs."""
    return min(data[HIGH] - data[STREET_BETS + seat], data[STACKS + seat])


@kernel
def highest_raise(data: Any, seat: int) -> int:
    """The most that this seat may raise to, or 0 if it may not raise."""
    everything = data[STREET_BETS + seat] + data[STACKS + seat]
    if everything <= data[HIGH]:
        return 0
    answered = False  # somebody must be able to put in more than there is to call
    for other in range(data[SEATS]):
        more = data[STREET_BETS + other] + data[STACKS + other] > data[HIGH]
        answered |= other != seat and data[FOLDED + other] == 0 and more
    if not answered:
        return 0
    if data[CAP] > 0 and data[RAISES] >= data[CAP]:
        return 0
    enough = data[RAISE]
    if data[LIMIT] > 0:
        enough = (enough + 1) // 2  # with fixed limits half a bet reopens the betting
        everything = min(everything, lowest_raise(data, seat))
    if data[FACED + seat] >= 0 and data[HIGH] - data[FACED + seat] < enough:
        return 0
    return everything


@kernel
def lowest_raise(data: Any, seat: int) -> int:
    """The least that this seat may raise to: a full raise, or everything it has if that is less."""
    return min(data[HIGH] + data[RAISE], data[STREET_BETS + seat] + data[STACKS + seat])


@kernel
def is_legal(data: Any, seat: int, action: int) -> bool:
    if action == FOLD:
        return data[HIGH] > data[STREET_BETS + seat]
    if action == CALL:
        return True
    return action >= lowest_raise(data, seat) and action <= highest_raise(data, seat)


@kernel
def act(data: Any, seat: int, action: int) -> None:
    if action == FOLD:
        data[FOLDED + seat] = 1
        data[LIVE] -= 1
    elif action == CALL:
        put(data, seat, data[HIGH] - data[STREET_BETS + seat])
    else:
        put(data, seat, action - data[STREET_BETS + seat])
        size = action - data[HIGH]
        if size >= data[RAISE] or (data[LIMIT] > 0 and 2 * size >= data[RAISE]):
            data[RAISES] += 1
            if data[LIMIT] == 0:
                data[RAISE] = size
        data[HIGH] = action
    data[FACED + seat] = data[HIGH]


@kernel
def next_to_act(data: Any, first: int) -> int:
    """The first seat, from this one on, that has something to decide on this street, or −1."""
    seats = data[SEATS]
    able = 0
    for seat in range(seats):
        able += data[FOLDED + seat] == 0 and data[STACKS + seat] > 0
    seat = first
    for _ in range(seats):
        if data[FOLDED + seat] == 0 and data[STACKS + seat] > 0:
            behind = data[STREET_BETS + seat] < data[HIGH]
            if behind or (data[FACED + seat] < 0 and able > 1):
                return seat
        seat = seat + 1 if seat + 1 < seats else 0
    return -1


@kernel
def next_street(data: Any, bet: int) -> None:
    """Clear the bets for a new street, on which a bet is at least (or, with limits, exactly) this large."""
    for seat in range(data[SEATS]):
        data[STREET_BETS + seat] = 0
        data[FACED + seat] = -1
    data[HIGH], data[RAISES], data[RAISE] = 0, 0, bet
    if data[LIMIT] > 0:
        data[LIMIT] = bet


@kernel
def pot_of(data: Any) -> int:
    """All chips that have been put in."""
    total = 0
    for seat in range(data[SEATS]):
        total += data[PAID + seat] + data[ANTES + seat]
    return total


@kernel
def share_out(data: Any, strengths: Any, won: Any) -> None:
    """Give the pots to the best hands; `won` is what each seat takes from the table, its own uncalled bets included.

    Pots are layers: up to each amount that somebody still in has paid. Odd chips go one by one to the winners nearest
    to the left of the dealer. Shared antes belong to the first pot; otherwise a seat that was short of the ante
    competes only for the part that it matched.
    """
    seats = data[SEATS]
    won[:] = 0
    if data[LIVE] == 1:
        for seat in range(seats):
            won[seat] = pot_of(data) if data[FOLDED + seat] == 0 else 0
        return
    paid = np.empty(seats, np.int64)
    antes, reached = 0, 0
    for seat in range(seats):
        paid[seat] = data[PAID + seat]
        if data[SHARED_ANTES]:
            antes += data[ANTES + seat]
        else:
            paid[seat] += data[ANTES + seat]
    bets = 0  # the most that somebody still in has paid
    for seat in range(seats):
        if data[FOLDED + seat] == 0:
            bets = max(bets, paid[seat])
    if bets == 0:  # nobody has: what others paid before they folded goes with the antes
        for seat in range(seats):
            antes += paid[seat]
            paid[seat] = 0
    for seat in range(seats):
        if antes > 0 and data[FOLDED + seat] == 0 and paid[seat] == 0:  # somebody is in for the antes alone
            _split(data, paid, 0, strengths, antes, won)
            antes = 0
    while True:
        level, last = 0, True
        for seat in range(seats):
            if data[FOLDED + seat] == 0 and paid[seat] > reached and (level == 0 or paid[seat] < level):
                level = paid[seat]
        if level == 0:
            return
        for seat in range(seats):
            last &= data[FOLDED + seat] == 1 or paid[seat] <= level
        pot, antes = antes, 0
        for seat in range(seats):
            most = paid[seat] if last else min(paid[seat], level)  # what folded hands paid beyond is in the last pot
            pot += max(0, most - reached)
        _split(data, paid, level, strengths, pot, won)
        reached = level


@kernel
def _split(data: Any, paid: Any, level: int, strengths: Any, pot: int, won: Any) -> None:
    """Divide a pot between the best hands of those who have paid up to its level."""
    best, winners = -1, 0
    for seat in range(paid.size):
        if data[FOLDED + seat] == 0 and paid[seat] >= level:
            if strengths[seat] > best:
                best, winners = strengths[seat], 1
            elif strengths[seat] == best:
                winners += 1
    odd = pot % winners
    for seat in range(paid.size):
        if data[FOLDED + seat] == 0 and paid[seat] >= level and strengths[seat] == best:
            won[seat] += pot // winners + (odd > 0)
            odd -= odd > 0


class Move(int):
    """In a betting round: fold (−1), call or check (0), or raise to an amount."""

    __slots__ = ()

    def __str__(self) -> str:
        return "fold" if self == FOLD else "call" if self == CALL else f"raise to {int(self)}"

    __repr__ = __str__


class BettingState(ArrayState):
    """A hand in play: what every seat has put in, and what is left to it."""

    __slots__ = ()

    @property
    def seats(self) -> int:
        return int(self.data[SEATS])

    @property
    def stacks(self) -> list[int]:
        return self._by_seat(STACKS)

    @property
    def paid(self) -> list[int]:
        """What each seat has put in, antes included."""
        return [bets + antes for bets, antes in zip(self._by_seat(PAID), self._by_seat(ANTES), strict=True)]

    @property
    def pot(self) -> int:
        """All chips that have been put in."""
        return sum(self.paid)

    def _by_seat(self, place: int) -> list[int]:
        return self.data[place : place + self.seats].tolist()


class BettingView(BettingState):
    """What a seat knows of a hand."""

    __slots__ = ()

    @property
    def seat(self) -> int:
        return int(self.data[SEAT])

    @property
    def cost(self) -> int:
        """What a call costs this seat."""
        return int(to_call(self.data, self.seat))

    @property
    def players(self) -> list[int]:
        """Who sits in each seat, by a number that stays when the deal moves on."""
        return self._by_seat(PLAYERS)


_State = TypeVar("_State", bound=BettingState)
_View = TypeVar("_View", bound=BettingView)


class BettingGame(RuledGame[_State, _View, Any]):
    """One hand, which ends when what each seat takes from the table is known."""

    winnings: ClassVar[Kernel[..., Any]]  # by seat, of a hand that is over

    def raw(self, value: _State | _View) -> Any:
        return value.data

    def payoffs(self, state: _State) -> Sequence[float]:
        return [float(won - paid) for won, paid in zip(self._won(state), state.paid, strict=True)]

    def finishing_stacks(self, state: _State) -> list[int]:
        """What each seat has after the hand."""
        return [stack + won for stack, won in zip(state.stacks, self._won(state), strict=True)]

    def _won(self, state: _State) -> list[int]:
        self.refuse_unless_over(state)
        won: list[int] = self.winnings(state.data).tolist()
        return won
