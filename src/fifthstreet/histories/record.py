"""A recorded hand of hold'em as data, independent of the file format, and its replay by the rules.

Amounts are decimal numbers as recorded. A replay scales them to whole chips, without rounding.
"""

import functools
from dataclasses import dataclass, field
from decimal import Decimal

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

UNKNOWN_STACK = Decimal(10) ** 9  # stands for a stack that was recorded as infinite
STREETS = ("preflop", "flop", "turn", "river")


class HistoryError(InputError):
    """A hand that cannot be read or replayed; the message says where."""


class Incomplete(HistoryError):
    """A piece of a hand: the record lacks its beginning or its end."""


@dataclass(frozen=True)
class Board:
    """Cards dealt to the board."""

    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Move:
    """A seat's action: fold, call (or check), or raise (or bet) to a total on this street."""

    seat: int
    kind: str  # "fold", "call" or "raise"
    amount: Decimal = Decimal(0)


@dataclass(frozen=True)
class HandRecord:
    """A hand of hold'em. Seats are positions: seat 0 is to the left of the dealer, the last seat is the dealer's."""

    stacks: tuple[Decimal, ...]
    blinds: tuple[Decimal, ...]
    antes: tuple[Decimal, ...]
    least_bet: Decimal
    events: tuple[Board | Move, ...]
    hands: tuple[tuple[Card, ...], ...]  # each seat's hole cards, empty where they were never shown
    limit: Decimal = Decimal(0)  # in fixed-limit games, the bet on turn and river
    shared_antes: bool = False
    cap: int | None = None  # most bets and raises on a street; None: 4 in fixed-limit games, unlimited in others
    finishing_stacks: tuple[Decimal, ...] | None = None
    players: tuple[str, ...] = ()
    name: str = ""  # the hand's number or name in the file
    fields: dict[str, object] = field(default_factory=dict, compare=False)  # everything else in the file

    @functools.cached_property
    def scale(self) -> int:
        """The number of chips in one recorded unit that makes every amount a whole number of chips."""
        amounts = [*self.stacks, *self.blinds, *self.antes, self.least_bet, self.limit, *(self.finishing_stacks or ())]
        amounts += [event.amount for event in self.events if isinstance(event, Move)]
        digits = max((-int(a.as_tuple().exponent) for a in amounts if a.is_finite()), default=0)
        return int(10 ** max(0, min(digits, 6)))

    def chips(self) -> Chips:
        """Stacks, blinds, antes and limits in whole chips, as the rules take them."""
        scale = self.scale

        def whole(amount: Decimal) -> int:
            return int((amount if amount.is_finite() else UNKNOWN_STACK) * scale)

        stacks, blinds, antes = (tuple(map(whole, row)) for row in (self.stacks, self.blinds, self.antes))
        least, limit = whole(self.least_bet), whole(self.limit)
        cap = (4 if limit else 0) if self.cap is None else self.cap
        return Chips(stacks, blinds, antes, least, limit, cap, self.shared_antes)


def recorded(state: HoldemState) -> HandRecord:
    """The record of a hand played here, finished or not; its amounts are chips."""
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
class Step:
    """One step of a replayed hand, and the table after it."""

    street: str  # preflop, flop, turn or river
    kind: str  # post (antes and blinds), deal (hole cards), board, fold, check, call, bet or raise
    seat: int | None  # None for the board
    amount: Decimal  # what a post or call adds to the pot; the seat's total on this street after a bet or raise
    cards: tuple[Card, ...]  # empty for hole cards that were never shown
    pot: Decimal
    stacks: tuple[Decimal, ...]


@dataclass(frozen=True)
class Replayed:
    """A replayed hand."""

    record: HandRecord
    steps: tuple[Step, ...]
    finishing_stacks: tuple[Decimal, ...] | None  # before any rake; None if the cards that decide the hand are unknown
    won: tuple[Decimal, ...]  # what each seat took from the pot
    pot: Decimal

    def player(self, seat: int) -> str:
        """The player's name, or "seat 3" where the record has no names."""
        return self.record.players[seat] if self.record.players else f"seat {seat}"

    @property
    def lines(self) -> list[str]:
        """The hand in English: a line for each player, then a line for each street."""
        lines, streets = [], [["preflop"]]
        for step in self.steps:
            if step.kind == "deal" and step.seat is not None:
                stack = amount_text(self.record.stacks[step.seat])
                lines.append(f"{self.player(step.seat)}: {stack} {show(step.cards) or '????'}")
            elif step.kind == "board":
                streets.append([f"{step.street} {show(step.cards)}, pot {amount_text(step.pot)}"])
            elif step.kind != "post" and step.seat is not None:
                streets[-1].append(f"{self.player(step.seat)} {self._action(step)}")
        return lines + [" · ".join(street) for street in streets]

    def _action(self, step: Step) -> str:
        to = " to" if step.kind == "raise" else ""
        amount = f"{to} {amount_text(step.amount)}" if step.kind in ("call", "bet", "raise") else ""
        all_in = step.kind in ("call", "bet", "raise") and not step.stacks[step.seat or 0]
        return f"{step.kind}s{amount}{' all-in' if all_in else ''}"


def amount_text(amount: Decimal) -> str:
    """
    >>> amount_text(Decimal("2.50")), amount_text(Decimal("1E+3"))
    ('2.5', '1000')
    """
    return f"{amount.normalize():f}"


def replay_hand(record: HandRecord, words: bool = True) -> Replayed:
    """Replay the hand by the rules; HistoryError, with the number of the action, where it breaks them.

    With `words=False` the steps are left out, which is faster.
    """
    return _Replay(record, words).run()


class _Replay:
    def __init__(self, record: HandRecord, words: bool) -> None:
        self.record = record
        self.words = words
        self.scale = record.scale
        self.data: NDArray[np.int64] = holdem.start(record.chips().setup())
        self.steps: list[Step] = []
        self.on_board = 0
        self.bet_made = any(blind > 0 for blind in record.blinds)  # on this street, so that the next is a raise

    def run(self) -> Replayed:
        self._post()
        self._deal_hands()
        for number, event in enumerate(self.record.events, 1):
            try:
                if isinstance(event, Board):
                    self._deal_board(event)
                else:
                    self._move(event)
            except InputError as error:
                raise HistoryError(f"action {number}: {error}") from None
        if holdem.to_act(self.data) != OVER:
            raise Incomplete(f"the recorded actions end on the {self._street_name()}, before the hand is over")
        seats = len(self.record.stacks)
        pot = self.data[PAID : PAID + seats].sum() + self.data[ANTES : ANTES + seats].sum()
        won = self._won()
        finish = None
        if won is not None:
            finish = tuple(
                stack if not stack.is_finite() else self._amount(int(self.data[STACKS + seat])) + won[seat]
                for seat, stack in enumerate(self.record.stacks)
            )
        return Replayed(self.record, tuple(self.steps), finish, won or (), self._amount(int(pot)))

    def _amount(self, chips: int) -> Decimal:
        return Decimal(chips) / self.scale

    def _street_name(self) -> str:
        return STREETS[min(int(self.data[STREET]), 3)]

    def _step(self, kind: str, seat: int | None, amount: Decimal = Decimal(0), cards: tuple[Card, ...] = ()) -> None:
        """Note what just happened, with the table as it is now."""
        if self.words:
            table = HoldemState(self.data)
            stacks = (self._stack(seat, chips) for seat, chips in enumerate(table.stacks))
            street = STREETS[max(1, self.on_board - 2) if self.on_board else 0]
            self.steps.append(Step(street, kind, seat, amount, cards, self._amount(table.pot), tuple(stacks)))

    def _stack(self, seat: int, chips: int) -> Decimal:
        recorded = self.record.stacks[seat]
        return self._amount(chips) if recorded.is_finite() else recorded

    def _post(self) -> None:
        """Note antes and blinds, which the rules take all at once."""
        if self.words:
            for seat, chips in enumerate(HoldemState(self.data).paid):
                if chips:
                    self._step("post", seat, self._amount(chips))

    def _deal_hands(self) -> None:
        """Deal the known hole cards; seats whose cards are unknown get cards that appear nowhere else."""
        known = [card for hand in self.record.hands for card in hand]
        known += [card for event in self.record.events if isinstance(event, Board) for card in event.cards]
        if len(set(known)) != len(known):
            twice = next(card for i, card in enumerate(known) if card in known[:i])
            raise HistoryError(f"{twice} is dealt twice")
        spare = iter([card for card in range(52) if card not in set(known)])
        for hand in self.record.hands:
            for card in (*hand, *(next(spare) for _ in range(2 - len(hand)))):
                holdem.apply(self.data, int(card))
        for seat, hand in enumerate(self.record.hands):
            self._step("deal", seat, cards=hand)

    def _deal_board(self, event: Board) -> None:
        for card in event.cards:
            if holdem.to_act(self.data) != CHANCE:
                actor = holdem.to_act(self.data)
                what = "when the hand is over" if actor == OVER else f"while seat {actor} is to act"
                raise HistoryError(f"{card} is dealt to the board {what}")
            holdem.apply(self.data, int(card))
        self.on_board += len(event.cards)
        self.bet_made = False
        self._step("board", None, cards=event.cards)

    def _move(self, move: Move) -> None:
        actor = holdem.to_act(self.data)
        if actor != move.seat:
            if actor == CHANCE and move.kind == "call" and self._has_no_choice(move.seat):
                return  # some records let a player check who has nothing to decide
            who = {CHANCE: "cards are to be dealt", OVER: "the hand is over"}.get(actor, f"seat {actor} is to act")
            raise HistoryError(f"seat {move.seat} wants to {move.kind}, but {who}")
        cost = self._amount(int(to_call(self.data, actor))) if self.words else Decimal(0)
        action = FOLD if move.kind == "fold" else CALL if move.kind == "call" else int(move.amount * self.scale)
        if action == FOLD and self.data[HIGH] == self.data[STREET_BETS + actor]:
            holdem.give_up(self.data)  # folding where a check is free makes no sense, but it happens
        elif not holdem.allowed(self.data, action):
            cost, lowest, highest = (self._amount(int(x)) for x in holdem.limits(self.data, actor))
            may = f"raise to {lowest}–{highest}" if highest else "not raise"
            raise HistoryError(f"seat {actor} raises to {move.amount}, but may call {cost} or {may}")
        else:
            holdem.apply(self.data, action)
        if move.kind == "raise":
            self._step("raise" if self.bet_made else "bet", actor, move.amount)
            self.bet_made = True
        elif move.kind == "call":
            self._step("call" if cost else "check", actor, cost)
        else:
            self._step("fold", actor)

    def _has_no_choice(self, seat: int) -> bool:
        seats = range(len(self.record.stacks))
        able = sum(bool(self.data[FOLDED + other] == 0 and self.data[STACKS + other] > 0) for other in seats)
        return bool(self.data[STACKS + seat] == 0 or (able <= 1 and to_call(self.data, seat) == 0))

    def _won(self) -> tuple[Decimal, ...] | None:
        """What each seat wins. Hands that stayed in but were never shown have lost; None if no hand was shown."""
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


@dataclass(frozen=True)
class Check:
    """Whether a recorded result agrees with the rules."""

    agrees: bool
    rake: Decimal = Decimal(0)  # what the house took from the winners
    why: str = ""  # why it does not agree


def check(replayed: Replayed) -> Check:
    """Compare the recorded stacks with those by the rules; the winners may have paid a rake of up to a tenth."""
    wanted, got = replayed.record.finishing_stacks, replayed.finishing_stacks
    if wanted is None:
        return Check(False, why="no result recorded")
    if got is None:
        return Check(False, why="the cards that decide the hand are not known")
    off = [mine - theirs for mine, theirs in zip(got, wanted, strict=True)]
    if not any(off):
        return Check(True)
    rounding = Decimal(2) / replayed.record.scale  # a pot split three ways, or the rake on it, in whole cents
    if all(d >= -rounding for d in off) and all(won or not d for won, d in zip(replayed.won, off, strict=True)):
        if sum(off) <= replayed.pot / 10 + rounding:
            return Check(True, sum(off, Decimal(0)))
        return Check(False, why=f"{sum(off)} are missing from a pot of {replayed.pot}")
    return Check(False, why="other players won")
