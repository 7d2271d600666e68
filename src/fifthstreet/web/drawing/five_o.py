"""Five-O as it is drawn."""

from typing import Any

from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import describe
from fifthstreet.games.five_o import COLUMNS, HIDDEN, PLACED, PLACEMENTS, FiveOState, column_strength, is_open, row_of
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Json, number, only


class FiveOFace:
    title = "Five-O"
    seats = (2, 2)
    unit = "games"

    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("second row", "third row", "fourth row", "last row")

    def phase(self, game: AnyGame, state: Any) -> int:
        return min(int(row_of(state.data)) - 1, 3)

    def picture(self, game: AnyGame, seen: FiveOState) -> tuple[Json, list[Json]]:
        over = seen.placed == PLACEMENTS
        sides = [[seen.column(seat, column) for column in range(COLUMNS)] for seat in range(2)]
        drawn: Json = {
            "next": None if seen.next_card is None else str(seen.next_card),
            "hidden_row": int(seen.data[HIDDEN]),
            "placed": int(seen.data[PLACED]),
            "won": [_winner(seen, column) for column in range(COLUMNS)] if over else None,
        }
        seats: list[Json] = [
            {
                "columns": [[None if card is None else str(card) for card in column] for column in sides[seat]],
                "names": [describe(int(column_strength(seen.data, seat, column))) for column in range(COLUMNS)]
                if over
                else None,
            }
            for seat in range(2)
        ]
        return {"five_o": drawn}, seats

    def choices(self, game: AnyGame, view: Any) -> Json:
        return {"columns": [column for column in range(COLUMNS) if is_open(view.data, column)]}

    def action(self, game: AnyGame, view: Any, given: Json) -> int:
        only(given, "column")
        column = number(given["column"], "column")
        if not 0 <= column < COLUMNS or not is_open(view.data, column):
            opened = ", ".join(map(str, self.choices(game, view)["columns"]))
            raise InputError(f"column {column} is not open: {opened} are (counted from 0)")
        return column

    def told(self, game: AnyGame, state: FiveOState, action: int) -> str:
        hidden = int(row_of(state.data)) == int(state.data[HIDDEN])
        return f"{'a card' if hidden else state.next_card} to column {action + 1}"

    def label(self, game: AnyGame, view: Any, action: int) -> str:
        return f"column {action + 1}"


def _winner(seen: FiveOState, column: int) -> int | None:
    """The seat with the better column, None for a tie."""
    first, second = (int(column_strength(seen.data, seat, column)) for seat in range(2))
    return None if first == second else 0 if first > second else 1
