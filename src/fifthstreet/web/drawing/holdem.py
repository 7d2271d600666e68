"""Hold'em as it is drawn."""

import functools
from typing import Any

from fifthstreet.cards import Card
from fifthstreet.evaluation.hand import describe, strength
from fifthstreet.games.game import AnyGame
from fifthstreet.games.holdem import HoldemTable
from fifthstreet.web.drawing import betting
from fifthstreet.web.drawing.face import Json


class HoldemFace:
    title = "Texas hold'em"
    seats = (2, 10)
    unit = "chips"

    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("preflop", "flop", "turn", "river")

    def phase(self, game: AnyGame, state: Any) -> int:
        return min(int(state.street), 3)

    def picture(self, game: AnyGame, seen: HoldemTable) -> tuple[Json, list[Json]]:
        seats, board = betting.at_seats(seen), seen.board_cards
        dealt = seen.dealt >= 2 * seen.seats
        for seat, shown in enumerate(seats):
            cards = seen.hand(seat)
            face_down: list[str | None] = [None, None] if dealt and not shown["folded"] else []
            shown["cards"] = [str(card) for card in cards] or face_down
            known = len(cards) == 2 and not shown["folded"]
            shown["hand_name"] = named(tuple(cards), tuple(board)) if known else None
        return {"board": [str(card) for card in board], "pot": seen.pot, "pots": betting.pots(seen)}, seats

    def choices(self, game: AnyGame, view: Any) -> Json:
        return betting.choices(view)

    def action(self, game: AnyGame, view: Any, given: Json) -> int:
        return betting.action(given, view)

    def told(self, game: AnyGame, state: HoldemTable, action: int) -> str:
        return betting.told(state, action)

    def label(self, game: AnyGame, view: Any, action: int) -> str:
        return betting.label_in(view, action)


@functools.lru_cache(maxsize=4096)
def named(cards: tuple[Card, ...], board: tuple[Card, ...]) -> str | None:
    """What the cards make: from the flop on the best hand, before it a pair."""
    if len(board) >= 3:
        return describe(strength([*cards, *board]))
    return "a pair" if cards[0].rank == cards[1].rank else None
