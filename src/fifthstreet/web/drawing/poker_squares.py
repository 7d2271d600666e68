"""Poker Squares as it is drawn."""

from typing import Any

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame
from fifthstreet.games.point_systems import CATEGORIES
from fifthstreet.games.poker_squares import CELLS, SIDE, SquaresTable, SquaresView
from fifthstreet.web.drawing.face import Json, number, only


class SquaresFace:
    title = "Poker Squares"
    seats = (1, 4)
    unit = "points"

    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("placing",)

    def phase(self, game: AnyGame, state: Any) -> int:
        return 0

    def picture(self, game: AnyGame, seen: SquaresTable) -> tuple[Json, list[Json]]:
        scores = seen.line_scores()
        drawn = {
            "cells": [None if card is None else str(card) for row in seen.rows for card in row],
            "rows": scores[:SIDE],
            "columns": scores[SIDE:],
            "total": sum(score or 0 for score in scores),
            "next": None if seen.next_card is None else str(seen.next_card),
            "placed": seen.placed,
            "system": [{"hand": hand, "points": points} for hand, points in zip(CATEGORIES, seen.points, strict=True)],
        }
        return {"squares": drawn}, [{}]

    def choices(self, game: AnyGame, view: SquaresView) -> Json:
        return {"cells": [cell for cell, card in enumerate(view.grid) if card < 0]}

    def action(self, game: AnyGame, view: Any, given: Json) -> int:
        only(given, "cell")
        cell = number(given["cell"], "cell")
        if not 0 <= cell < CELLS:
            raise InputError(f"cell {cell}: there are cells 0 to {CELLS - 1}, row by row")
        if cell not in self.choices(game, view)["cells"]:
            raise InputError(f"cell {cell} is taken")
        return cell

    def told(self, game: AnyGame, state: SquaresTable, action: int) -> str:
        return f"{state.next_card} to row {action // SIDE + 1}, column {action % SIDE + 1}"

    def label(self, game: AnyGame, view: Any, action: int) -> str:
        return f"row {action // SIDE + 1}, column {action % SIDE + 1}"
