"""The face of Poker Squares."""

from collections.abc import Mapping

from fifthstreet.cards import Card
from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame
from fifthstreet.games.point_systems import CATEGORIES
from fifthstreet.games.poker_squares import CELLS, SIDE, SquaresState, SquaresTable, SquaresView
from fifthstreet.web.drawing.face import Face, Json, Picture, number, only, rounded


class SquaresFace(Face):
    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("placing",)

    def phase(self, game: AnyGame, state: SquaresState) -> int:
        return 0

    def picture(self, game: AnyGame, view: SquaresTable) -> Picture:
        scores = view.line_scores()
        drawn = {
            "cells": [None if card is None else str(card) for row in view.rows for card in row],
            "rows": scores[:SIDE],
            "columns": scores[SIDE:],
            "total": sum(score or 0 for score in scores),
            "next": str(Card(view.next_card)) if view.next_card >= 0 else None,
            "placed": view.placed,
            "system": [{"hand": hand, "points": points} for hand, points in zip(CATEGORIES, view.points, strict=True)],
        }
        return Picture({"squares": drawn}, [{}])

    def open_picture(self, game: AnyGame, state: SquaresState) -> Picture:
        return self.picture(game, state)

    def cover(self, picture: Picture, seat: int) -> None:
        """Nothing is hidden in this game."""

    def choices(self, game: AnyGame, view: SquaresView) -> Json:
        return {"cells": [cell for cell, card in enumerate(view.grid) if card < 0]}

    def action(self, game: AnyGame, view: SquaresView, given: Json) -> int:
        only(given, "cell")
        cell = number(given["cell"], "cell")
        if not 0 <= cell < CELLS:
            raise InputError(f"cell {cell}: there are cells 0 to {CELLS - 1}, row by row")
        if cell not in self.choices(game, view)["cells"]:
            raise InputError(f"cell {cell} is taken")
        return cell

    def choice(self, game: AnyGame, view: SquaresView, action: int) -> Json:
        return {"cell": int(action)}

    def logged(self, game: AnyGame, state: SquaresState, action: int) -> Json:
        card = str(Card(state.next_card))
        return {"kind": "place", "card": card, "cell": int(action), "text": f"puts {card} in {_where(action)}"}

    def label(self, game: AnyGame, view: SquaresView, action: int) -> str:
        return _where(action)

    def reasoning(self, figures: Mapping[str, object], values: Mapping[int, float]) -> Json:
        """The expected score of each cell, row by row; None where it is taken or not rated."""
        return {"cells": [rounded(values.get(cell)) for cell in range(CELLS)]}


def _where(cell: int) -> str:
    return f"row {cell // SIDE + 1}, column {cell % SIDE + 1}"
