"""What happened in a hand of hold'em, as data, whatever it was read from; and its replay by the rules.

Amounts are decimal numbers as recorded. A replay scales them to whole chips, exactly.
"""

import functools
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card, show
from fifthstreet.errors import InputError
from fifthstreet.games import holdem
from fifthstreet.games.betting import (
    ANTES,
    CALL,
    CAP,
    FOLD,
    FOLDED,
    HIGH,
    LIMIT,
    LIVE,
    PAID,
    SHARED_ANTES,
    STACKS,
    STREET_BETS,
    to_call,
)
from fifthstreet.games.game import CHANCE, OVER
from fifthstreet.games.holdem import (
    ACTIONS,
    BIG_BET,
    BLINDS,
    BOARD,
    CARDS,
    DEALT,
    SMALL_BET,
    STREET,
    Chips,
    HoldemState,
)

UNKNOWN_STACK = Decimal(10) ** 9  # what a stack counts as that was recorded as infinite
STREETS = ("preflop", "flop", "turn", "river")


class HistoryError(InputError):
    """A history that cannot be read or replayed; the message says where."""


@dataclass(frozen=True)
class Board:
    """Cards dealt to the board."""

    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Move:
    """What a seat did: fold, call (or check), or raise to an amount on this street."""

    seat: int
    kind: str  # "fold", "call" or "raise"
    amount: Decimal = Decimal(0)


@dataclass(frozen=True)
class HandRecord:
    """A hand of hold'em by position: seat 0 is to the left of the dealer, the last seat is the dealer's."""

    stacks: tuple[Decimal, ...]
    blinds: tuple[Decimal, ...]
    antes: tuple[Decimal, ...]
    least_bet: Decimal
    events: tuple[Board | Move, ...]
    hands: tuple[tuple[Card, ...], ...]  # what is known of each seat's cards, from the deal or the showdown
    limit: Decimal = Decimal(0)  # the bet from the turn on, where limits are fixed
    shared_antes: bool = False
    cap: int | None = None  # bets and raises in a street; as usual, unless it is given
    finishing_stacks: tuple[Decimal, ...] | None = None
    players: tuple[str, ...] = ()
    name: str = ""  # the hand's number or name where it was recorded
    fields: dict[str, Any] = field(default_factory=dict, compare=False)  # everything else that stood there

    @functools.cached_property
    def scale(self) -> int:
        """How many chips make one unit, so that every amount is whole."""
        amounts = [*self.stacks, *self.blinds, *self.antes, self.least_bet, self.limit, *(self.finishing_stacks or ())]
        amounts += [event.amount for event in self.events if isinstance(event, Move)]
        digits = max((-int(a.as_tuple().exponent) for a in amounts if a.is_finite()), default=0)
        return int(10 ** max(0, min(digits, 6)))

    def chips(self) -> Chips:
        scale = self.scale

        def whole(amount: Decimal) -> int:
            return int((amount if amount.is_finite() else UNKNOWN_STACK) * scale)

        stacks, blinds, antes = (tuple(map(whole, row)) for row in (self.stacks, self.blinds, self.antes))
        least, limit = whole(self.least_bet), whole(self.limit)
        cap = (4 if limit else 0) if self.cap is None else self.cap
        return Chips(stacks, blinds, antes, least, limit, cap, self.shared_antes)


def recorded(state: HoldemState) -> HandRecord:
    """The record of a hand that was played here, as far as it has come; its amounts are chips."""
    end, data, seats = state.data, holdem.rewound(state.data), state.seats
    start = data.copy()
    deck = [*end[CARDS : CARDS + 2 * seats].tolist(), *end[BOARD : BOARD + 5].tolist()]
    events: list[Board | Move] = []
    while data[DEALT] < end[DEALT] or data[ACTIONS] < end[ACTIONS]:
        if holdem.to_be_dealt(data):
            street, first = data[STREET], data[DEALT]
            while data[STREET] == street and data[DEALT] < end[DEALT] and holdem.to_be_dealt(data):
                holdem.apply(data, deck[data[DEALT]])
            if street > 0:
                events.append(Board(tuple(map(Card, deck[first : data[DEALT]]))))
        else:
            seat, action = holdem.entry(end, data[ACTIONS])
            kind = ("fold", "call", "raise")[min(action, 1) + 1]
            events.append(Move(seat, kind, Decimal(max(action, 0))))
            holdem.apply(data, action)

    def decimals(chips: NDArray[np.int64]) -> tuple[Decimal, ...]:
        return tuple(map(Decimal, chips[:seats].tolist()))

    return HandRecord(
        decimals(sum(start[place : place + seats] for place in (STACKS, PAID, ANTES))),
        decimals(start[BLINDS:]),
        decimals(start[ANTES:]),
        Decimal(int(start[SMALL_BET])),
        tuple(events),
        tuple(tuple(state.hand(seat)) for seat in range(seats)),
        Decimal(int(start[BIG_BET]) if start[LIMIT] else 0),
        bool(start[SHARED_ANTES]),
        int(start[CAP]),
        decimals(end[STACKS : STACKS + seats] + holdem.winnings(end)) if end[STREET] == 4 else None,
    )


@dataclass(frozen=True)
class Replayed:
    """A hand played again. `finishing_stacks` is None if cards that decide it are not known."""

    record: HandRecord
    lines: tuple[str, ...]  # the hand street by street, in words
    finishing_stacks: tuple[Decimal, ...] | None
    won: tuple[Decimal, ...]  # what each seat took from the table
    pot: Decimal


def replay_hand(record: HandRecord, words: bool = True) -> Replayed:
    """Play the recorded hand by the rules; HistoryError with the place where it breaks them."""
    return _Replay(record, words).run()


class _Replay:
    def __init__(self, record: HandRecord, words: bool) -> None:
        self.record = record
        self.words = words
        self.scale = record.scale
        self.data: NDArray[np.int64] = holdem.start(record.chips().setup())
        self.lines: list[str] = []
        self.street: list[str] = []

    def run(self) -> Replayed:
        self._deal_hands()
        for number, event in enumerate(self.record.events, 1):
            try:
                if isinstance(event, Board):
                    self._deal_board(event)
                else:
                    self._move(event)
            except InputError as error:
                raise HistoryError(f"action {number}: {error}") from None
        self._next_line()
        if holdem.to_act(self.data) != OVER:
            raise HistoryError(f"the recorded actions end on the {self._street_name()}, before the hand is over")
        seats = len(self.record.stacks)
        pot = self.data[PAID : PAID + seats].sum() + self.data[ANTES : ANTES + seats].sum()
        won = self._won()
        finish = None
        if won is not None:
            finish = tuple(
                stack if not stack.is_finite() else self._amount(int(self.data[STACKS + seat])) + won[seat]
                for seat, stack in enumerate(self.record.stacks)
            )
        return Replayed(self.record, tuple(self.lines), finish, won or (), self._amount(int(pot)))

    def _amount(self, chips: int) -> Decimal:
        return Decimal(chips) / self.scale

    def _street_name(self) -> str:
        return STREETS[min(int(self.data[STREET]), 3)]

    def _deal_hands(self) -> None:
        """Known cards as they are; for the others some cards that are not otherwise seen."""
        known = [card for hand in self.record.hands for card in hand]
        known += [card for event in self.record.events if isinstance(event, Board) for card in event.cards]
        if len(set(known)) != len(known):
            twice = next(card for i, card in enumerate(known) if card in known[:i])
            raise HistoryError(f"{twice} is dealt twice")
        spare = iter([card for card in range(52) if card not in set(known)])
        for hand in self.record.hands:
            for card in (*hand, *(next(spare) for _ in range(2 - len(hand)))):
                holdem.apply(self.data, int(card))
        if self.words:
            names = self.record.players or tuple(f"seat {seat}" for seat in range(len(self.record.stacks)))
            self.lines += [
                f"{name}: {stack} {show(hand) or '????'}"
                for name, stack, hand in zip(names, self.record.stacks, self.record.hands, strict=False)
            ]
            self.street = ["preflop"]

    def _deal_board(self, event: Board) -> None:
        self._next_line()
        for card in event.cards:
            if holdem.to_act(self.data) != CHANCE:
                actor = holdem.to_act(self.data)
                what = "when the hand is over" if actor == OVER else f"while seat {actor} is to act"
                raise HistoryError(f"{card} is dealt to the board {what}")
            holdem.apply(self.data, int(card))
        if self.words:
            self.street = [f"board {show(event.cards)}"]

    def _move(self, move: Move) -> None:
        actor = holdem.to_act(self.data)
        if actor != move.seat:
            if actor == CHANCE and move.kind == "call" and self._has_no_choice(move.seat):
                return  # some records let a player check who has nothing to decide
            who = {CHANCE: "cards are to be dealt", OVER: "the hand is over"}.get(actor, f"seat {actor} is to act")
            raise HistoryError(f"seat {move.seat} wants to {move.kind}, but {who}")
        action = FOLD if move.kind == "fold" else CALL if move.kind == "call" else int(move.amount * self.scale)
        if action == FOLD and self.data[HIGH] == self.data[STREET_BETS + actor]:
            holdem.give_up(self.data)  # not sensible where a check is free, but it happens
        elif not holdem.allowed(self.data, action):
            cost, lowest, highest = (self._amount(int(x)) for x in holdem.limits(self.data, actor))
            may = f"raise to {lowest}–{highest}" if highest else "not raise"
            raise HistoryError(f"seat {actor} raises to {move.amount}, but may call {cost} or {may}")
        else:
            holdem.apply(self.data, action)
        if self.words:
            told = f"raises to {move.amount}" if move.kind == "raise" else f"{move.kind}s"
            self.street.append(f"{self.record.players[actor] if self.record.players else f'seat {actor}'} {told}")

    def _has_no_choice(self, seat: int) -> bool:
        seats = range(len(self.record.stacks))
        able = sum(bool(self.data[FOLDED + other] == 0 and self.data[STACKS + other] > 0) for other in seats)
        return bool(self.data[STACKS + seat] == 0 or (able <= 1 and to_call(self.data, seat) == 0))

    def _next_line(self) -> None:
        if self.street:
            self.lines.append(" · ".join(self.street))
        self.street = []

    def _won(self) -> tuple[Decimal, ...] | None:
        """Hands that stayed in but were never shown have lost; if none was shown, nobody can tell."""
        data = self.data
        seats = len(self.record.stacks)
        if data[LIVE] > 1:
            live = [seat for seat in range(seats) if not data[FOLDED + seat]]
            hidden = [seat for seat in live if len(self.record.hands[seat]) < 2]
            if len(hidden) == len(live):
                return None
            ranks = holdem.strengths(data)
            ranks[hidden] = 0
            return tuple(self._amount(int(chips)) for chips in holdem.divided(data, ranks))
        return tuple(self._amount(int(chips)) for chips in holdem.winnings(data))


def check(replayed: Replayed) -> tuple[bool, str]:
    """Whether the recorded result agrees, and how: exactly, or less what the house took from the winners."""
    wanted, got = replayed.record.finishing_stacks, replayed.finishing_stacks
    if wanted is None or got is None:
        return False, "no result recorded" if wanted is None else "the cards that decide the hand are not known"
    off = [mine - theirs for mine, theirs in zip(got, wanted, strict=True)]
    if not any(off):
        return True, "exact"
    rounding = Decimal(2) / replayed.record.scale  # a pot split three ways, or the rake on it, in whole cents
    if all(d >= -rounding for d in off) and all(won or not d for won, d in zip(replayed.won, off, strict=True)):
        if sum(off) <= replayed.pot / 10 + rounding:
            return True, "less the rake"
        return False, f"{sum(off)} are missing from a pot of {replayed.pot}"
    return False, "other players won"
