"""Five-O as it is drawn."""

from fifthstreet.cards import Card
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import describe
from fifthstreet.games.five_o import (
    COLUMNS,
    PLACEMENTS,
    FiveOState,
    FiveOTable,
    FiveOView,
    column_strength,
    is_open,
    row_of,
)
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Json, number, only


class FiveOFace:
    title = "Five-O"
    seats = (2, 2)
    unit = "games"

    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("second row", "third row", "fourth row", "last row")

    def phase(self, game: AnyGame, state: FiveOTable) -> int:
        return min(row_of(state.placed) - 1, 3)

    def picture(self, game: AnyGame, seen: FiveOTable) -> tuple[Json, list[Json]]:
        over = seen.placed == PLACEMENTS
        sides = [[seen.column(seat, column) for column in range(COLUMNS)] for seat in range(2)]
        drawn: Json = {
            "next": None if seen.next_card < 0 else str(Card(seen.next_card)),
            "hidden_row": seen.hidden,
            "placed": seen.placed,
            "won": [_winner(seen, column) for column in range(COLUMNS)] if over else None,
        }
        seats: list[Json] = [
            {
                "columns": [[None if card is None else str(card) for card in column] for column in sides[seat]],
                "names": [describe(column_strength(seen, seat, column)) for column in range(COLUMNS)] if over else None,
            }
            for seat in range(2)
        ]
        return {"five_o": drawn}, seats

    def choices(self, game: AnyGame, view: FiveOView) -> Json:
        return {"columns": [column for column in range(COLUMNS) if is_open(view, column)]}

    def action(self, game: AnyGame, view: FiveOView, given: Json) -> int:
        only(given, "column")
        column = number(given["column"], "column")
        if not 0 <= column < COLUMNS or not is_open(view, column):
            opened = ", ".join(map(str, self.choices(game, view)["columns"]))
            raise InputError(f"column {column} is not open: {opened} are (counted from 0)")
        return column

    def told(self, game: AnyGame, state: FiveOState, action: int) -> str:
        hidden = row_of(state.placed) == state.hidden
        return f"{'a card' if hidden else Card(state.next_card)} to column {action + 1}"

    def label(self, game: AnyGame, view: FiveOView, action: int) -> str:
        return f"column {action + 1}"


def _winner(seen: FiveOTable, column: int) -> int | None:
    """The seat with the better column, None for a tie."""
    first, second = (column_strength(seen, seat, column) for seat in range(2))
    return None if first == second else 0 if first > second else 1
