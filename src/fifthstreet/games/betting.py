"""Betting as in card rooms: blinds, calls, raises, all-ins, side pots.

Seats act in turn from the left of the dealer; the last seat is the dealer's. A raise is named by the amount it raises
to on this street. A full raise is at least as large as the one before it; less is possible only by going all-in, and
such a short raise does not let those who have already acted raise again, unless several short raises add up to a full
one (rule 47 of the Tournament Directors Association). A game may let players raise by any amount instead, and may
end the raising after a number of passes around the table.

`BettingTable` holds what every game with betting has. A game's state and view extend it.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card
from fifthstreet.errors import InputError, whole
from fifthstreet.games.deck import CARDS
from fifthstreet.games.game import CHANCE, OVER, Choices, ListedChoices, RuledGame, Seat
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record, Row

MOST_SEATS = 10
MOST_CHIPS = 10**15
MOST_CAP = 10**9  # bets and raises on a street
MOST_PASSES = 1000  # around the table

FOLD, CALL = -1, 0  # actions: a check is a call of nothing; any higher number is a raise to that amount
FOLDS, CHECKS, CALLS, BETS, RAISES, TRADES = range(6)  # kinds of entries in the history

_MOST_ADDED = 100 * MOST_CHIPS  # more than all chips of a table, and far from the end of int64
Chips = Annotated[int, Field(np.int64, low=-_MOST_ADDED, high=_MOST_ADDED)]
Count = Annotated[int, Field(np.int64, low=0)]
Passes = Annotated[int, Field(np.int64, low=0, high=MOST_PASSES)]
SeatCount = Annotated[int, Field(np.int64, low=0, high=MOST_SEATS)]
ChipsBySeat = Annotated[Row, Field(np.int64, shape=MOST_SEATS, low=-_MOST_ADDED, high=_MOST_ADDED)]
FlagsBySeat = Annotated[Row, Field(np.int8, shape=MOST_SEATS, low=0, high=1)]


class Entry(Record):
    """What a seat did."""

    amount: Chips  # of a bet, what a raise raises to, how many cards are traded, otherwise 0
    seat: Annotated[int, Field(np.int8, low=0, high=MOST_SEATS - 1)]
    kind: Annotated[int, Field(np.int8, low=FOLDS, high=TRADES)]


class Done(NamedTuple):
    """What a seat did, for Python: an entry of the history."""

    seat: int
    kind: int
    amount: int

    @property
    def action(self) -> int:
        """As it was chosen in a betting round."""
        return self.amount if self.kind >= BETS else CALL if self.kind >= CHECKS else FOLD

    def __str__(self) -> str:
        trade = f"trade {self.amount}" if self.amount else "stand pat"
        return ("fold", "check", "call", f"bet {self.amount}", f"raise to {self.amount}", trade)[self.kind]


class BettingTable(Record):
    """What a state and a view of a hand have in common."""

    last = ("history",)

    seats: SeatCount
    actor: Annotated[int, Field(np.int64, low=OVER, high=MOST_SEATS - 1)]  # who acts: a seat, CHANCE or OVER
    street: Annotated[int, Field(np.int64, low=0, high=4)]
    live: SeatCount  # players who have not folded
    dealt: Annotated[int, Field(np.int64, low=0, high=52)]  # cards dealt so far
    shared_antes: Annotated[int, Field(np.int64, low=0, high=1)]  # 1 if all antes belong to the main pot
    to_call: Chips  # what a call costs the seat that acts
    min_raise: Chips  # the least and the most that it may raise to, 0 and 0 if it may not raise
    max_raise: Chips
    pot: Chips  # all chips put in so far: bets of every street, blinds and antes
    high_bet: Chips  # the highest bet on this street
    last_raise: Chips  # the size of the last full raise, which the next one must reach
    raises: Count  # on this street, the opening bet and the blinds included
    fixed_bet: Chips  # the size of a bet with fixed limits, 0 in no-limit
    cap: Chips  # the most raises on a street, 0 for no cap
    raising_passes: Passes  # how often a round goes around the table before nobody may raise any more, 0 for no limit
    passes_made: Passes  # how often this round has gone around the table, counted only where that is limited
    free_raises: Annotated[int, Field(np.int64, low=0, high=1)]  # 1 if a raise may be smaller than the one before it
    history_length: Annotated[int, Field(np.int64, low=0, high=400)]  # a game with a shorter history narrows this
    stacks: ChipsBySeat  # chips behind, not yet bet
    bets: ChipsBySeat  # bet on this street
    wagered: ChipsBySeat  # bet over the whole hand, blinds included, antes not
    antes: ChipsBySeat
    faced: ChipsBySeat  # the highest bet when the seat last acted on this street, −1 if it has not acted
    folded: FlagsBySeat
    players: Annotated[Row, Field(np.int8, shape=MOST_SEATS, low=0, high=MOST_SEATS - 1)]
    # ^ who sits there: a number that stays with the player when the button moves on

    strengths: ChipsBySeat  # of the hands shown at the showdown, 0 for all others
    won: ChipsBySeat  # what each seat takes from the table at the end, its own uncalled bets included
    history: Annotated[Sequence[Entry], Field(Entry, shape=400)]

    def contradiction(self) -> str:
        if not 2 <= self.seats <= MOST_SEATS or self.actor >= self.seats:
            return f"seat {self.actor} of {self.seats} acts"
        if self.live != sum(1 - self.folded[seat] for seat in range(self.seats)) or self.live == 0:
            return f"{self.live} players are in, and {sum(self.folded)} of {self.seats} have folded"
        if self.actor >= 0 and (self.folded[self.actor] or self.live < 2):
            return f"seat {self.actor} acts, though it or everybody else has folded"
        sizes = self.min_raise, self.max_raise, self.pot, self.high_bet, self.last_raise, self.fixed_bet
        if min(*self.stacks, *self.bets, *self.wagered, *self.antes, *sizes) < 0:
            return "there are less than no chips"
        return super().contradiction()

    @property
    def paid(self) -> list[int]:
        """What each seat has put in, antes included."""
        return [self.wagered[seat] + self.antes[seat] for seat in range(self.seats)]

    @property
    def actions(self) -> list[Done]:
        """Who did what, in order."""
        entries = self.history[: self.history_length]
        return [Done(int(entry.seat), int(entry.kind), int(entry.amount)) for entry in entries]


@kernel(changes="table")
def put(table: BettingTable, seat: int, amount: int) -> None:
    """Move chips from a stack to the bets of this street, as far as they go."""
    amount = min(amount, table.stacks[seat])
    table.stacks[seat] -= amount
    table.bets[seat] += amount
    table.wagered[seat] += amount
    table.pot += amount


@kernel(changes="table")
def ante(table: BettingTable, seat: int, amount: int) -> None:
    amount = min(amount, table.stacks[seat])
    table.stacks[seat] -= amount
    table.antes[seat] += amount
    table.pot += amount


@kernel(changes="table")
def post(table: BettingTable, seat: int, blind: int) -> None:
    """Post a blind. A short blind is still called in full; one posted by a newcomer (negative) is live, but does not
    set the price."""
    put(table, seat, abs(blind))
    table.high_bet = max(table.high_bet, blind)


@kernel
def lowest_raise(table: BettingTable, seat: int) -> int:
    """The least that this seat may raise to: a full raise, or all its chips if that is less."""
    return min(table.high_bet + table.last_raise, table.bets[seat] + table.stacks[seat])


@kernel
def highest_raise(table: BettingTable, seat: int) -> int:
    """The most that this seat may raise to, or 0 if it may not raise."""
    everything = table.bets[seat] + table.stacks[seat]
    if everything <= table.high_bet or (table.cap > 0 and table.raises >= table.cap):
        return 0
    answered = False  # another player must be able to put in more than the highest bet
    for other in range(table.seats):
        more = table.bets[other] + table.stacks[other] > table.high_bet
        answered |= other != seat and table.folded[other] == 0 and more
    if not answered:
        return 0
    enough = table.last_raise
    if table.fixed_bet > 0:
        enough = (
            enough + 1
        ) // 2  # with fixed limits half a bet reopens the betting (TDA rule 47; pokerkit: a full bet)
        everything = min(everything, lowest_raise(table, seat))
    if table.faced[seat] >= 0 and table.high_bet - table.faced[seat] < enough:
        return 0
    return everything


@kernel(changes="table")
def count_pass(table: BettingTable, seat: int, first: int) -> bool:
    """Count the passes around the table, which start with the seat `first`, before this seat gets its turn.

    Returns whether it may still raise."""
    if table.raising_passes == 0:
        return True
    if table.actor >= 0:
        table.passes_made += (seat - first) % table.seats <= (table.actor - first) % table.seats
    return table.passes_made < table.raising_passes


@kernel(changes="table")
def give_turn(table: BettingTable, seat: int, may_raise: bool) -> None:
    """Make this seat the one to act, and write down what a call costs and how far it may raise."""
    table.actor = seat
    table.to_call = min(table.high_bet - table.bets[seat], table.stacks[seat])
    table.max_raise = highest_raise(table, seat) if may_raise else 0
    table.min_raise = lowest_raise(table, seat) if table.max_raise > 0 else 0


@kernel
def bet_count(table: BettingTable) -> int:
    """How many actions the seat that acts may choose from: fold, call, and every amount to raise to."""
    raises = table.max_raise - table.min_raise + 1 if table.max_raise > 0 else 0
    return 1 + (table.to_call > 0) + raises


@kernel
def bet_choice(table: BettingTable, i: int) -> int:
    """The i-th of these actions."""
    i -= table.to_call > 0
    return i if i <= 0 else table.min_raise + i - 1


@kernel
def is_legal_bet(table: BettingTable, action: int) -> bool:
    if action == FOLD:
        return table.to_call > 0
    return action == CALL or (action > CALL and table.min_raise <= action <= table.max_raise)


@kernel(changes="table")
def note(table: BettingTable, kind: int, amount: int) -> None:
    """Write what the seat that acts does into the history."""
    if table.history_length < len(table.history):  # it always is, except in a state made up outside
        entry = table.history[table.history_length]
        entry.seat, entry.kind, entry.amount = table.actor, kind, amount
        table.history_length += 1


@kernel
def action_of(entry: Entry) -> int:
    """The bet that an entry of the history records."""
    return entry.amount if entry.kind >= BETS else CALL if entry.kind >= CHECKS else FOLD


@kernel(changes="table")
def bet(table: BettingTable, action: int) -> None:
    """Let the seat that acts fold, call or raise."""
    seat = table.actor
    raised = BETS if table.high_bet == 0 else RAISES
    called = CHECKS if table.high_bet == table.bets[seat] else CALLS
    note(table, raised if action > CALL else called if action == CALL else FOLDS, max(action, 0))
    if action == FOLD:
        table.folded[seat] = 1
        table.live -= 1
    elif action == CALL:
        put(table, seat, table.high_bet - table.bets[seat])
    else:
        put(table, seat, action - table.bets[seat])
        size = action - table.high_bet
        if size >= table.last_raise or (table.fixed_bet > 0 and 2 * size >= table.last_raise):
            table.raises += 1
            if table.fixed_bet == 0 and not table.free_raises:
                table.last_raise = size
        table.high_bet = action
    table.faced[seat] = table.high_bet


@kernel
def next_to_bet(table: BettingTable, first: int) -> int:
    """The first seat, from this one on, that has something to decide on this street, or −1."""
    if table.live == 1:
        return -1
    seats, able = table.seats, 0
    for seat in range(seats):
        able += table.folded[seat] == 0 and table.stacks[seat] > 0
    seat = first if first < seats else 0
    for _ in range(seats):
        if table.folded[seat] == 0 and table.stacks[seat] > 0:
            behind = table.bets[seat] < table.high_bet
            if behind or (table.faced[seat] < 0 and able > 1):
                return seat
        seat = seat + 1 if seat + 1 < seats else 0
    return -1


@kernel
def least_raise(table: BettingTable, least_bet: int) -> int:
    """The size of the first raise of a street, if there is a least bet, and a single chip if raises are free."""
    return 1 if table.free_raises else least_bet


@kernel(changes="table")
def next_street(table: BettingTable, least_bet: int) -> None:
    """Clear the bets for a new street, on which a bet is at least (or, with limits, exactly) this large."""
    for seat in range(table.seats):
        table.bets[seat] = 0
        table.faced[seat] = -1
    table.high_bet, table.raises, table.passes_made = 0, 0, 0
    table.last_raise = least_raise(table, least_bet)
    if table.fixed_bet > 0:
        table.fixed_bet = least_bet


@kernel
def sees(table: BettingTable, seat: int, other: int) -> bool:
    """Whether a seat sees the cards of another: its own, and at a showdown those of everyone who stayed in."""
    return other == seat or (table.actor == OVER and table.live > 1 and table.folded[other] == 0)


@kernel(changes="out")
def copy_history(table: BettingTable, out: BettingTable) -> None:
    """Copy what has happened so far; the rest of a history is never read."""
    for i in range(table.history_length):
        entry, target = table.history[i], out.history[i]
        target.seat, target.kind, target.amount = entry.seat, entry.kind, entry.amount


@kernel
def at_stake(table: BettingTable, seat: int) -> int:
    """What a seat has paid towards the pots that it competes for; shared antes are counted apart."""
    return table.wagered[seat] if table.shared_antes else table.wagered[seat] + table.antes[seat]


@kernel(changes="table")
def share_out(table: BettingTable) -> None:
    """Give the pots to the best hands by `strengths`; `won` is what each seat takes, its own uncalled bets included.

    Pots are layers: up to each amount that a player still in has paid. Odd chips go one by one to the winners nearest
    to the left of the dealer. Shared antes belong to the main pot; otherwise a seat that was short of the ante competes
    only for the part that it matched.
    """
    seats, most, all_paid = table.seats, 0, 0
    for seat in range(seats):
        table.won[seat] = 0
        all_paid += at_stake(table, seat)
        if table.folded[seat] == 0:
            most = max(most, at_stake(table, seat))
    antes = table.pot - all_paid
    for seat in range(seats):
        if table.live == 1 and table.folded[seat] == 0:
            table.won[seat] = table.pot
            return
    if most == 0:  # no player still in has paid anything: what others paid before they folded goes with the antes
        _split(table, most, table.pot)
        return
    reached = 0
    for seat in range(seats):
        if antes > 0 and table.folded[seat] == 0 and at_stake(table, seat) == 0:  # a player is in for the antes alone
            _split(table, reached, antes)
            antes = 0
    while reached < most:
        level = most
        for seat in range(seats):
            paid = at_stake(table, seat)
            if table.folded[seat] == 0 and reached < paid < level:
                level = paid
        pot, antes = antes, 0
        for seat in range(seats):
            paid = at_stake(table, seat)
            top = paid if level == most else min(paid, level)  # what folded hands paid beyond is in the last pot
            pot += max(0, top - reached)
        _split(table, level, pot)
        reached = level


@kernel
def _split(table: BettingTable, level: int, pot: int) -> None:
    """Divide a pot between the best hands of those who have paid up to its level."""
    best, winners = -1, 0
    for seat in range(table.seats):
        if table.folded[seat] == 0 and at_stake(table, seat) >= level:
            if table.strengths[seat] > best:
                best, winners = table.strengths[seat], 1
            elif table.strengths[seat] == best:
                winners += 1
    odd = pot % winners
    for seat in range(table.seats):
        if table.folded[seat] == 0 and at_stake(table, seat) >= level and table.strengths[seat] == best:
            table.won[seat] += pot // winners + (odd > 0)
            odd -= odd > 0


@kernel
def payoffs(table: BettingTable, out: NDArray[np.float64]) -> None:
    """What each seat took from the table at the end, less what it paid."""
    for seat in range(table.seats):
        out[seat] = table.won[seat] - table.wagered[seat] - table.antes[seat]


class Move(int):
    """In a betting round: fold (−1), call or check (0), or raise to an amount."""

    __slots__ = ()

    def __str__(self) -> str:
        return "fold" if self == FOLD else "call" if self == CALL else f"raise to {int(self)}"

    __repr__ = __str__


def check_stakes(stacks: Sequence[int], players: Sequence[int], most_seats: int, game: str) -> None:
    """Refuse stacks and players that cannot sit down to a hand."""
    seats = len(stacks)
    if not 2 <= seats <= most_seats:
        raise InputError(f"{seats} seats: {game} has 2 to {most_seats}")
    for stack in stacks:
        whole(stack, "as a stack", least=0, most=MOST_CHIPS)
    if len(players) != seats or len({*players} & {*range(MOST_SEATS)}) != seats:
        raise InputError(f"players {tuple(players)}: each of {seats} seats has a number of its own from 0 to 9")
    if sum(stack > 0 for stack in stacks) < 2:
        raise InputError(f"stacks {tuple(stacks)}: at least 2 players need chips")


def padded(values: Sequence[int]) -> list[int]:
    """A value for each of ten seats, 0 for those that are not taken."""
    return [*values, *[0] * (MOST_SEATS - len(values))]


def seat_lines(table: BettingTable, you: int, hands: Sequence[str]) -> list[str]:
    """A line for each seat as text: its cards, its chips and what it did."""
    lines = []
    for seat, cards in enumerate(hands):
        done = ", ".join(str(entry) for entry in table.actions if entry.seat == seat)
        name = f"seat {seat + 1} (you)" if seat == you else f"seat {seat + 1}"
        lines.append(f"{name}: {cards}  {table.stacks[seat]} behind  {done}".rstrip())
    return lines


_State = TypeVar("_State", bound=BettingTable)
_View = TypeVar("_View", bound=BettingTable)


class BettingGame(RuledGame[_State, _View, Any]):
    """One hand, which ends when what each seat takes from the table is known."""

    def to_act(self, state: _State | _View) -> Seat | None:
        seat = self._known(state).actor
        return None if seat == OVER else Seat(seat)

    def choices(self, state: _State | _View) -> Choices[Any]:
        seat = self._known(state).actor
        if seat == OVER:
            return Choices(())
        if seat == CHANCE:
            return Choices(ListedChoices(state, Card, CARDS - state.dealt, self.rules.chance, self.rules))
        least = _FOLD_OR_CALL if state.to_call > 0 else _CHECK
        highest = state.max_raise
        return Choices(least, range(state.min_raise, highest + 1)) if highest > 0 else Choices(least)

    def finishing_stacks(self, state: _State) -> list[int]:
        """What each seat has after the hand."""
        self.payoffs(state)  # which refuses a hand that is not over
        return [state.stacks[seat] + state.won[seat] for seat in range(state.seats)]


_FOLD_OR_CALL, _CHECK = (Move(FOLD), Move(CALL)), (Move(CALL),)
