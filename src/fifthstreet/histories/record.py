"""A recorded hand of hold'em as data, independent of the file format, and its replay by the rules.

Amounts are decimal numbers as recorded. A replay scales them to whole chips, without rounding.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from operator import add
from typing import Literal, get_args

from fifthstreet.cards import Card, show
from fifthstreet.errors import InputError, quoted
from fifthstreet.games import holdem
from fifthstreet.games.betting import CALL, FOLD, share_out
from fifthstreet.games.game import CHANCE, OVER
from fifthstreet.games.holdem import DONE, Chips, Holdem, HoldemState

UNKNOWN_STACK = Decimal(10) ** 9  # stands for a stack that was recorded as infinite
MOST_RECORDED = 10**17  # chips in any amount: more than a full table of the deepest stacks has
STREETS = ("preflop", "flop", "turn", "river")


Posts = Literal["live", "dead"]
"""What a newcomer's post is: a bet that can be raised from, or money in the pot that counts towards no bet."""


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
    raising_passes: int = 0  # as in Chips
    minimum_raise: bool = True
    winnings: tuple[Decimal, ...] | None = None  # what each seat took from the pot, where a file says that

    def __post_init__(self) -> None:
        most = Decimal(MOST_RECORDED) / self.scale
        for amount in self._amounts():
            if amount.copy_abs() > most:
                raise HistoryError(f"{quoted(amount)} is not an amount: at most {most:,f} can be replayed")

    def _amounts(self) -> list[Decimal]:
        """Every amount in the record that is not infinite."""
        amounts = [*self.stacks, *self.blinds, *self.antes, self.least_bet, self.limit, *(self.finishing_stacks or ())]
        amounts += self.winnings or ()
        amounts += [event.amount for event in self.events if isinstance(event, Move)]
        return [amount for amount in amounts if amount.is_finite()]

    @functools.cached_property
    def scale(self) -> int:
        """The number of chips in one recorded unit that makes every amount a whole number of chips."""
        digits = max((-int(amount.as_tuple().exponent) for amount in self._amounts()), default=0)
        return int(10 ** max(0, min(digits, 6)))

    def chips(self, posts: Posts = "live") -> Chips:
        """Stacks, blinds, antes and limits in whole chips, as the rules take them; dead posts are like antes."""
        scale = self.scale

        def whole(amount: Decimal) -> int:
            return int((amount if amount.is_finite() else UNKNOWN_STACK) * scale)

        stacks, blinds, antes = (tuple(map(whole, row)) for row in (self.stacks, self.blinds, self.antes))
        if posts == "dead":
            antes = tuple(ante + max(0, -blind) for ante, blind in zip(antes, blinds, strict=True))
            blinds = tuple(max(0, blind) for blind in blinds)
        least, limit = whole(self.least_bet), whole(self.limit)
        cap = (4 if limit else 0) if self.cap is None else self.cap
        passes, minimum = self.raising_passes, self.minimum_raise
        return Chips(
            stacks, blinds, antes, least, limit, cap, self.shared_antes, raising_passes=passes, minimum_raise=minimum
        )


def recorded(end: HoldemState) -> HandRecord:
    """The record of a hand played here, finished or not; its amounts are chips."""
    seats, state = end.seats, HoldemState.blank()
    holdem.rewind(end, state)
    deck = [card for seat in range(seats) for card in (end.cards[seat, 0], end.cards[seat, 1])] + list(end.board)
    events: list[Board | Move] = []
    while state.dealt < end.dealt or state.history_length < end.history_length:
        if state.actor == CHANCE:
            street, first = state.street, state.dealt
            while state.actor == CHANCE and state.street == street and state.dealt < end.dealt:
                holdem.apply(state, deck[state.dealt])
            if street > 0:
                events.append(Board(tuple(map(Card, deck[first : state.dealt]))))
        else:
            done = end.actions[state.history_length]
            events.append(Move(done.seat, ("fold", "call", "call", "raise", "raise")[done.kind], Decimal(done.amount)))
            holdem.apply(state, done.action)

    def decimals(chips: Iterable[int]) -> tuple[Decimal, ...]:
        return tuple(map(Decimal, chips))[:seats]

    return HandRecord(
        decimals(stack + paid for stack, paid in zip(end.stacks, end.paid, strict=False)),
        decimals(end.blinds),
        decimals(end.antes),
        Decimal(end.small_bet),
        tuple(events),
        tuple(tuple(end.hand(seat)) for seat in range(seats)),
        Decimal(end.big_bet if end.fixed_bet else 0),
        bool(end.shared_antes),
        end.cap,
        decimals(map(add, end.stacks, end.won)) if end.street == DONE else None,
        raising_passes=end.raising_passes,
        minimum_raise=not end.free_raises,
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
    uncalled: tuple[Decimal, ...] = ()  # of `won`, what nobody called and so came back

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


def replay_hand(record: HandRecord, words: bool = True, posts: Posts = "live") -> Replayed:
    """Replay the hand by the rules; HistoryError, with the number of the action, where it breaks them.

    With `words=False` the steps are left out, which is faster. `posts` says what newcomers' posts are.
    """
    if posts not in get_args(Posts):
        raise InputError(f"posts {quoted(posts)}: they are live or dead")
    return _Replay(record, words, posts).run()


class _Replay:
    def __init__(self, record: HandRecord, words: bool, posts: Posts) -> None:
        self.record = record
        self.words = words
        self.scale = record.scale
        self.state = holdem.opening(record.chips(posts)).thaw()
        self.rules = Holdem.rules.entries
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
        if self.state.actor != OVER:
            raise Incomplete(f"the recorded actions end on the {self._street_name()}, before the hand is over")
        won = self._won()
        finish = None
        if won is not None:
            finish = tuple(
                stack if not stack.is_finite() else self._amount(self.state.stacks[seat]) + won[seat]
                for seat, stack in enumerate(self.record.stacks)
            )
        return Replayed(
            self.record, tuple(self.steps), finish, won or (), self._amount(self.state.pot), self._uncalled()
        )

    def _uncalled(self) -> tuple[Decimal, ...]:
        """What each seat put in beyond everybody else."""
        paid = [self.state.paid[seat] for seat in range(self.state.seats)]
        second = sorted(paid)[-2]
        return tuple(self._amount(max(0, chips - second)) for chips in paid)

    def _amount(self, chips: int) -> Decimal:
        return Decimal(chips) / self.scale

    def _street_name(self) -> str:
        return STREETS[min(self.state.street, 3)]

    def _step(self, kind: str, seat: int | None, amount: Decimal = Decimal(0), cards: tuple[Card, ...] = ()) -> None:
        """Note what just happened, with the table as it is now."""
        if self.words:
            stacks = (self._stack(seat, self.state.stacks[seat]) for seat in range(self.state.seats))
            street = STREETS[max(1, self.on_board - 2) if self.on_board else 0]
            self.steps.append(Step(street, kind, seat, amount, cards, self._amount(self.state.pot), tuple(stacks)))

    def _stack(self, seat: int, chips: int) -> Decimal:
        recorded = self.record.stacks[seat]
        return self._amount(chips) if recorded.is_finite() else recorded

    def _post(self) -> None:
        """Note antes and blinds, which the rules take all at once."""
        if self.words:
            for seat, chips in enumerate(self.state.paid):
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
                self.rules.apply(self.state, int(card))
        for seat, hand in enumerate(self.record.hands):
            self._step("deal", seat, cards=hand)

    def _deal_board(self, event: Board) -> None:
        for card in event.cards:
            actor = self.state.actor
            if actor != CHANCE:
                what = "when the hand is over" if actor == OVER else f"while seat {actor} is to act"
                raise HistoryError(f"{card} is dealt to the board {what}")
            self.rules.apply(self.state, int(card))
        self.on_board += len(event.cards)
        self.bet_made = False
        self._step("board", None, cards=event.cards)

    def _move(self, move: Move) -> None:
        actor = self.state.actor
        if actor != move.seat:
            if actor == CHANCE and move.kind == "call" and self._has_no_choice(move.seat):
                return  # some records let a player check who has nothing to decide
            who = {CHANCE: "cards are to be dealt", OVER: "the hand is over"}.get(actor, f"seat {actor} is to act")
            raise HistoryError(f"seat {move.seat} wants to {move.kind}, but {who}")
        cost = self._amount(self.state.to_call) if self.words else Decimal(0)
        action = FOLD if move.kind == "fold" else CALL if move.kind == "call" else int(move.amount * self.scale)
        senseless = action == FOLD and self.state.to_call == 0  # folding where a check is free, but it happens
        if not senseless and not self.rules.allowed(self.state, action):
            limits = self.state.to_call, self.state.min_raise, self.state.max_raise
            cost, lowest, highest = map(self._amount, limits)
            may = f"raise to {lowest}–{highest}" if highest else "not raise"
            raise HistoryError(f"seat {actor} raises to {move.amount}, but may call {cost} or {may}")
        self.rules.apply(self.state, action)
        if move.kind == "raise":
            self._step("raise" if self.bet_made else "bet", actor, move.amount)
            self.bet_made = True
        elif move.kind == "call":
            self._step("call" if cost else "check", actor, cost)
        else:
            self._step("fold", actor)

    def _has_no_choice(self, seat: int) -> bool:
        state = self.state
        able = sum(not state.folded[other] and state.stacks[other] > 0 for other in range(state.seats))
        return state.stacks[seat] == 0 or (able <= 1 and state.high_bet == state.bets[seat])

    def _won(self) -> tuple[Decimal, ...] | None:
        """What each seat wins. Hands that stayed in but were never shown have lost; None if no hand was shown."""
        state = self.state
        if state.live > 1:
            live = [seat for seat in range(state.seats) if not state.folded[seat]]
            hidden = [seat for seat in live if len(self.record.hands[seat]) < 2]
            if len(hidden) == len(live):
                return None
            for seat in hidden:
                state.strengths[seat] = 0
            share_out(state)
        return tuple(self._amount(state.won[seat]) for seat in range(state.seats))


@dataclass(frozen=True)
class Check:
    """Whether a recorded result agrees with the rules."""

    agrees: bool
    by: Literal["stacks", "winnings", "winners", "nothing"] = "stacks"  # what was compared
    rake: Decimal = Decimal(0)  # what the house took from the winners
    why: str = ""  # why it does not agree


def check(replayed: Replayed) -> Check:
    """Compare the recorded stacks with those by the rules, or where there are none, the winnings.

    The winners may have paid a rake of up to a tenth.
    """
    wanted, got = replayed.record.finishing_stacks, replayed.finishing_stacks
    if wanted is None:
        return _check_winnings(replayed)
    if got is None:
        return Check(False, why="the cards that decide the hand are not known")
    return _compared(replayed, got, wanted)


def _check_winnings(replayed: Replayed) -> Check:
    """Compare who won and, where that fits, how much. Some sites count a bet that nobody called, and some do not."""
    wanted = replayed.record.winnings
    if wanted is None or not any(wanted) or replayed.finishing_stacks is None:
        return Check(False, "nothing", why="no result recorded")
    called = tuple(won - more for won, more in zip(replayed.won, replayed.uncalled, strict=True))
    for got in (called, replayed.won):
        found = _compared(replayed, got, wanted)
        if found.agrees:
            return replace(found, by="winnings")
    same = [amount > 0 for amount in called] == [amount > 0 for amount in wanted]
    return Check(same, "winners", why="" if same else "other players won")


def _compared(replayed: Replayed, got: Sequence[Decimal], wanted: Sequence[Decimal]) -> Check:
    off = [mine - theirs for mine, theirs in zip(got, wanted, strict=True)]
    if not any(off):
        return Check(True)
    rounding = Decimal(2) / replayed.record.scale  # a pot split three ways, or the rake on it, in whole cents
    if all(d >= -rounding for d in off) and all(won or not d for won, d in zip(replayed.won, off, strict=True)):
        if sum(off) <= replayed.pot / 10 + rounding:
            return Check(True, rake=sum(off, Decimal(0)))
        return Check(False, why=f"{sum(off)} are missing from a pot of {replayed.pot}")
    return Check(False, why="other players won")
