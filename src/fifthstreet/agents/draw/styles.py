"""The four playing styles of the paper's Tables 1 to 4.

A row of a table says what to do with a range of hands; a raise has a largest pot, above which it becomes a call.

Where the paper leaves questions open. A player who would fold checks where that is free; `papers/adaptive_draw.py`
shows that the paper's players must have done so. A hand between two rows (a straight to the five, a seven-high flush)
belongs to the upper one; the ace-high straight flush is the royal flush, so the row below ends at the king. The tables
do not say what is traded: see `reading.sensible_trade`.
"""

import functools
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.draw.hands import CLASSES, NAMES, class_named
from fifthstreet.agents.draw.reading import (
    COUNTS,
    HANDS,
    PLAYED,
    WON,
    class_before,
    class_now,
    count,
    in_second_round,
    sensible_trade,
)
from fifthstreet.games.betting import CALL
from fifthstreet.games.five_card_draw import EXCHANGE, FIRST_ROUND, DrawView, Trade
from fifthstreet.games.game import AnyGame, Lesson, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState


class Row(NamedTuple):
    """What to do with a range of hands: raise by `amount` (0: call, −1: fold) up to a largest pot."""

    hand_from: str
    hand_to: str
    amount: int
    largest_pot: int = 0


class Style(NamedTuple):
    first_round: tuple[Row, ...]
    second_round: tuple[Row, ...]


def rows(text: str) -> tuple[Row, ...]:
    """The rows of a table: `Pair A's – 2 Pairs A High: raise 5 up to 100`."""
    found = []
    for line in text.strip().splitlines():
        hands, _, action = line.partition(":")
        hand_from, _, hand_to = (part.strip() for part in hands.partition(" – "))
        words = action.split()
        amount, largest = (int(words[1]), int(words[4])) if words[0] == "raise" else (-(words[0] == "fold"), 0)
        found.append(Row(hand_from, hand_to or hand_from, amount, largest))
    return tuple(found)


LOOSE_AGGRESSIVE = Style(
    rows("""
    0 – Pair 8's:                           fold
    Pair 9's – Pair K's:                    call
    Pair A's – 2 Pairs A High:              raise 5 up to 100
    Three 2's – Three 4's:                  raise 10 up to 150
    Three 5's – Three J's:                  raise 15 up to 200
    Three Q's – Three A's:                  raise 20 up to 250
    Straight – Royal Flush:                 raise 25 up to 300
    """),
    rows("""
    0 – Pair 8's:                           fold
    Pair 9's – Three 6's:                   call
    Three 7's – Three A's:                  raise 5 up to 150
    Straight 6 High – Straight A High:      raise 10 up to 200
    Flush 6 High – Full House A High:       raise 15 up to 250
    Four 2's – Four A's:                    raise 20 up to 300
    Straight Flush 6 High – Royal Flush:    raise 25 up to 400
    """),
)
LOOSE_PASSIVE = Style(
    rows("""
    0 – Pair 8's:                           fold
    Pair 9's – Three J's:                   call
    Three Q's – Flush A High:               raise 5 up to 100
    Full House 2 High – Royal Flush:        raise 10 up to 150
    """),
    rows("""
    0 – Pair 8's:                           fold
    Pair 9's – Three A's:                   call
    Straight 6 High – Straight A High:      raise 5 up to 100
    Flush 6 High – Four 5's:                raise 10 up to 150
    Four 6's – Royal Flush:                 raise 15 up to 200
    """),
)
TIGHT_AGGRESSIVE = Style(
    rows("""
    0 – Pair A's:                           fold
    2 Pairs 3 High – Three 4's:             call
    Three 5's – Three J's:                  raise 5 up to 150
    Three Q's – Three A's:                  raise 15 up to 200
    Straight 6 High – Royal Flush:          raise 25 up to 300
    """),
    rows("""
    0 – Pair A's:                           fold
    2 Pairs 3 High – Three 10's:            call
    Three J's – Three A's:                  raise 5 up to 150
    Straight 6 High – Straight A High:      raise 10 up to 200
    Flush 6 High – Full House A High:       raise 15 up to 250
    Four 2's – Four A's:                    raise 20 up to 300
    Straight Flush 6 High – Royal Flush:    raise 25 up to 400
    """),
)
TIGHT_PASSIVE = Style(
    rows("""
    0 – Pair A's:                           fold
    2 Pairs 3 High – Straight A High:       call
    Flush 6 High – Four 5's:                raise 5 up to 100
    Four 6's – Straight Flush K High:       raise 10 up to 150
    Royal Flush:                            raise 15 up to 200
    """),
    rows("""
    0 – 2 Pairs A High:                     fold
    Three 2's – Three A's:                  call
    Straight 6 High – Flush A High:         raise 5 up to 100
    Full House 2 High – Four A's:           raise 10 up to 150
    Straight Flush 6 High – Royal Flush:    raise 15 up to 250
    """),
)


FIRST_TABLE = COUNTS  # places in the mind
SECOND_TABLE = FIRST_TABLE + 2 * CLASSES


@functools.cache
def mind_of(style: Style) -> Mind:
    """Counts of hands, then by round and class of hand the amount and the largest pot."""
    numbers = np.zeros((2, CLASSES, 2))
    for number, table in enumerate(style):
        place = 0
        for row in table:
            end = class_named(row.hand_to) + 1
            numbers[number, place:end] = row.amount, row.largest_pot
            place = end
    return np.concatenate([np.zeros(COUNTS), numbers.ravel()])


@kernel(allocates=False)
def by_table(view: DrawView, mind: Mind, rng: RngState) -> int:
    if view.street == EXCHANGE:
        return sensible_trade(view, view.seat)
    place = 2 * class_now(view) + (FIRST_TABLE if view.street == FIRST_ROUND else SECOND_TABLE)
    amount, largest_pot = int(mind[place]), mind[place + 1]
    if amount < 0:
        return give_up(view)
    return raise_by(view, amount) if amount > 0 and view.pot <= largest_pot else CALL


@kernel
def meant_first(view: DrawView, mind: Mind) -> bool:
    """Whether it meant to call or raise in the first round."""
    return mind[FIRST_TABLE + 2 * class_before(view)] >= 0


@kernel
def meant(view: DrawView, mind: Mind) -> bool:
    """Whether it meant to call or raise in either round, even where a check was free."""
    return meant_first(view, mind) or (in_second_round(view) and mind[SECOND_TABLE + 2 * class_now(view)] >= 0)


@kernel(allocates=False)
def keep_count(view: DrawView, payoff: float, mind: Mind) -> None:
    count(mind, meant(view, mind), payoff)


def decide_trade(view: DrawView) -> Decision:
    """A sensible exchange, with a reason."""
    going = Trade(sensible_trade(view, view.seat))
    return Decision(going, reason="it keeps what may become a hand" if going else "the hand is made")


def counted(mind: Mind) -> list[dict[str, Any]]:
    """The counts in a player's mind, for people to read."""
    return [{"hands": int(mind[HANDS]), "played": int(mind[PLAYED]), "won": int(mind[WON])}]


@dataclass
class _ByTable(Agent):
    games: ClassVar[tuple[str, ...]] = ("five-card-draw",)
    style: ClassVar[Style]
    plays = by_table

    counts: bool = field(default=False, kw_only=True)  # of hands played and won, for people to read

    def decide(self, turn: Turn[DrawView]) -> Decision:
        view = turn.view
        if view.street == EXCHANGE:
            return decide_trade(view)
        held = class_now(view)
        for row in self.style[view.street != FIRST_ROUND]:
            if held <= class_named(row.hand_to):
                break
        wish = "fold" if row.amount < 0 else "call" if row.amount == 0 else f"raise {row.amount}"
        limit = f" up to a pot of {row.largest_pot}" if row.amount > 0 else ""
        return Decision(
            by_table(view, turn.mind, turn.rng.state),
            reason=f"{row.hand_from} to {row.hand_to}: {wish}{limit}, and the pot is {view.pot}",
            figures={"hand": NAMES[held], "pot": view.pot},
        )

    def mind(self, game: AnyGame) -> Mind:
        return mind_of(self.style).copy()

    def lesson(self, game: AnyGame) -> Lesson | None:
        return keep_count if self.counts else None

    @property
    def learns(self) -> bool:
        """The counts do not change how it plays."""
        return False

    def memory(self, mind: Mind) -> list[dict[str, Any]]:
        return counted(mind) if self.counts else []


class LooseAggressive(_ByTable):
    """Overestimates its hand, and raises often."""

    name: ClassVar[str] = "loose-aggressive"
    source: ClassVar[str] = "adaptive-draw table 1"
    style: ClassVar[Style] = LOOSE_AGGRESSIVE


class LoosePassive(_ByTable):
    """Overestimates its hand, and lets others raise."""

    name: ClassVar[str] = "loose-passive"
    source: ClassVar[str] = "adaptive-draw table 2"
    style: ClassVar[Style] = LOOSE_PASSIVE


class DrawTightAggressive(_ByTable):
    """Plays few hands, and raises with them."""

    name: ClassVar[str] = "tight-aggressive"
    source: ClassVar[str] = "adaptive-draw table 3"
    style: ClassVar[Style] = TIGHT_AGGRESSIVE


class TightPassive(_ByTable):
    """Plays few hands, and lets others raise."""

    name: ClassVar[str] = "tight-passive"
    source: ClassVar[str] = "adaptive-draw table 4"
    style: ClassVar[Style] = TIGHT_PASSIVE
