"""The face of Five-O."""

from collections.abc import Mapping

from fifthstreet.cards import Card
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import category, describe
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
from fifthstreet.web.drawing.face import Face, Json, Picture, number, only, rounded


class FiveOFace(Face):
    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("second row", "third row", "fourth row", "last row")

    def phase(self, game: AnyGame, state: FiveOTable) -> int:
        return min(row_of(state.placed) - 1, 3)

    def picture(self, game: AnyGame, view: FiveOTable) -> Picture:
        drawn = {
            "next": str(Card(view.next_card)) if view.next_card >= 0 else None,
            "hidden_row": view.hidden,
            "placed": view.placed,
        }
        return Picture({"five_o": drawn}, [_at_seat(view, seat) for seat in range(2)])

    def open_picture(self, game: AnyGame, state: FiveOState) -> Picture:
        return self.picture(game, state)

    def choices(self, game: AnyGame, view: FiveOView) -> Json:
        return {"columns": [column for column in range(COLUMNS) if is_open(view, column)]}

    def action(self, game: AnyGame, view: FiveOView, given: Json) -> int:
        only(given, "column")
        column = number(given["column"], "column")
        if not 0 <= column < COLUMNS or not is_open(view, column):
            opened = ", ".join(map(str, self.choices(game, view)["columns"]))
            raise InputError(f"column {column} is not open: {opened} are (counted from 0)")
        return column

    def choice(self, game: AnyGame, view: FiveOView, action: int) -> Json:
        return {"column": int(action)}

    def logged(self, game: AnyGame, state: FiveOState, action: int) -> Json:
        hidden = row_of(state.placed) == state.hidden
        return _placed(None if hidden else str(Card(state.next_card)), int(action))

    def disclosed(self, state: FiveOState, seat: int, entry: Json) -> Json:
        if entry["card"] is not None:
            return entry
        return _placed(str(state.column(seat, entry["column"])[state.hidden]), entry["column"])

    def cover(self, picture: Picture, seat: int) -> None:
        five_o = picture.table["five_o"]
        row = five_o["hidden_row"]
        for column in picture.seats[seat]["columns"]:
            column[row : row + 1] = [None] * len(column[row : row + 1])
        if row_of(five_o["placed"]) == row:
            five_o["next"] = None

    def label(self, game: AnyGame, view: FiveOView, action: int) -> str:
        return f"column {action + 1}"

    def unit_of(self, values: Mapping[int, float]) -> str:
        """Some agents rate a column by the chance to win the game, others on a scale of their own."""
        return "chance" if values and all(0 <= value <= 1 for value in values.values()) else "value"

    def reasoning(self, figures: Mapping[str, object], values: Mapping[int, float]) -> Json:
        """For each column, the chance to win it with the next card there (`put`) and elsewhere (`wait`)."""
        put, wait = figures.get("put"), figures.get("wait")
        if not isinstance(put, list) or not isinstance(wait, list):
            return {"columns": None}
        return {
            "columns": [{"put": rounded(now), "wait": rounded(later)} for now, later in zip(put, wait, strict=True)]
        }


def _placed(card: str | None, column: int) -> Json:
    text = f"puts {card or 'a card'} in column {column + 1}"
    return {"kind": "place", "card": card, "column": column, "text": text}


def _at_seat(seen: FiveOTable, seat: int) -> Json:
    """The cards of a player's columns and, at the end, what they make and which of them win."""
    columns = [[None if card is None else str(card) for card in seen.column(seat, i)] for i in range(COLUMNS)]
    if seen.placed < PLACEMENTS:
        return {"columns": columns, "made": None}
    own, other = ([column_strength(seen, each, i) for i in range(COLUMNS)] for each in (seat, 1 - seat))
    made = [
        {"name": describe(mine), "kind": str(category(mine)), "won": mine > theirs, "lost": mine < theirs}
        for mine, theirs in zip(own, other, strict=True)
    ]
    return {"columns": columns, "made": made}
