"""The face of Texas hold'em, and its hand histories."""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

from fifthstreet.cards import Card
from fifthstreet.games.betting import CALL, FOLD
from fifthstreet.games.game import AnyGame
from fifthstreet.games.holdem import Chips, Holdem, HoldemState, HoldemTable, HoldemView
from fifthstreet.histories.record import Board, HandRecord, Move, recorded
from fifthstreet.web.drawing import betting
from fifthstreet.web.drawing.face import Json, Picture
from fifthstreet.web.drawing.heads_up import heads_up

BOARD_SIZES = (0, 3, 4, 5)  # community cards by phase


class HoldemHistories:
    def game(self, stakes: Json) -> AnyGame:
        chips: Any = {key: tuple(value) if isinstance(value, list) else value for key, value in stakes.items()}
        return Holdem(chips=Chips(**chips))

    def after(self, game: Any, state: HoldemState, action: int) -> HoldemState:
        """Records hold folds where a check is free, which is not a choice at the table."""
        folds_for_free: bool = action == FOLD and state.actor >= 0 and state.to_call == 0
        following: HoldemState = game.muck(state) if folds_for_free else game.after(state, action)
        return following

    def record(self, state: HoldemState) -> HandRecord:
        return recorded(state)

    def stakes(self, record: HandRecord) -> Json:
        chips = dataclasses.asdict(record.chips())
        return {key: list(value) if isinstance(value, tuple) else value for key, value in chips.items()}

    def deck(self, record: HandRecord) -> list[int]:
        board = [int(card) for event in record.events if isinstance(event, Board) for card in event.cards]
        known = {int(card) for hand in record.hands for card in hand} | set(board)
        spare = iter([card for card in range(52) if card not in known])
        hole = [int(card) for hand in record.hands for card in (*hand, *(next(spare) for _ in range(2 - len(hand))))]
        return [*hole, *board, *spare]

    def unknown(self, record: HandRecord) -> list[int]:
        return [seat for seat, hand in enumerate(record.hands) if len(hand) < 2]

    def actions(self, record: HandRecord) -> list[tuple[int, int]]:
        moves = [event for event in record.events if isinstance(event, Move)]
        return [(move.seat, _action(move, record.scale)) for move in moves]


def _action(move: Move, scale: int) -> int:
    return FOLD if move.kind == "fold" else CALL if move.kind == "call" else int(move.amount * scale)


class HoldemFace(betting.BettingFace):
    histories = HoldemHistories()

    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("preflop", "flop", "turn", "river")

    def phase(self, game: AnyGame, state: HoldemState) -> int:
        return min(state.street, 3)

    def picture(self, game: AnyGame, view: HoldemTable) -> Picture:
        seats, board = betting.at_seats(view), view.board_cards
        dealt = view.dealt >= 2 * view.seats
        for seat, shown in enumerate(seats):
            cards = view.hand(seat)
            face_down: list[str | None] = [None, None] if dealt and not shown["folded"] else []
            shown["cards"] = [str(card) for card in cards] or face_down
            known = len(cards) == 2 and not shown["folded"]
            shown |= named(tuple(cards), tuple(board)) if known else NAMELESS
        return Picture({"board": [str(card) for card in board], "pot": view.pot, "pots": betting.pots(view)}, seats)

    def board(self, seen: HoldemTable, phase: int) -> list[str]:
        return [str(card) for card in seen.board_cards[: BOARD_SIZES[phase]]]

    def choices(self, game: AnyGame, view: HoldemView) -> Json:
        return betting.choices(view)

    def action(self, game: AnyGame, view: HoldemView, given: Json) -> int:
        return betting.action(given, view)

    def choice(self, game: AnyGame, view: HoldemView, action: int) -> Json:
        return betting.choice(action)

    def logged(self, game: AnyGame, state: HoldemState, action: int) -> Json:
        return betting.logged(state, action)

    def label(self, game: AnyGame, view: HoldemView, action: int) -> str:
        return betting.label(view, action)

    def spot(self, states: Sequence[HoldemState], actions: Sequence[int]) -> Json | None:
        return heads_up(states, actions)

    def holding(self, view: HoldemView, cards: Sequence[int]) -> HoldemView:
        held = view.thaw()
        for place, card in enumerate(cards):
            held.cards[view.seat, place] = card
        return held.freeze()


NAMELESS = {"hand_name": None, "hand_kind": None}


@functools.lru_cache(maxsize=4096)
def named(cards: tuple[Card, ...], board: tuple[Card, ...]) -> Json:
    """What the cards make: the best hand from the flop on, and a pocket pair before it."""
    if len(board) >= 3:
        return betting.made_hand([*cards, *board])
    return {"hand_name": "a pair", "hand_kind": "pair"} if cards[0].rank == cards[1].rank else NAMELESS
