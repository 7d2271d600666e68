"""What the table asks of a game: how it is drawn, what a person may choose, and how an action is described.

`Face` itself is enough for a game without a drawing of its own: its board is the text that the game draws, and its
choices are buttons. Seats here are positions as the rules count them; the rest of the web layer speaks of chairs.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame
from fifthstreet.histories.record import HandRecord
from fifthstreet.rng import stream

Json = dict[str, Any]

MOST_CHOICES = 60  # buttons on a plain board; a game with more choices needs a face of its own


class Picture(NamedTuple):
    """What one viewer sees: the middle of the table, and what lies at each seat."""

    table: Json
    seats: list[Json]


class Histories(Protocol):
    """What a face adds for a game whose hands are read from and written to hand history files."""

    def game(self, stakes: Json) -> AnyGame:
        """The rules of a recorded hand, whose stakes are set seat by seat."""

    def after(self, game: AnyGame, state: Any, action: int) -> Any:
        """The state after a recorded action; records may hold actions that nobody is offered at the table."""

    def record(self, state: Any) -> HandRecord:
        """The record of a hand played here."""

    def stakes(self, record: HandRecord) -> Json: ...

    def deck(self, record: HandRecord) -> list[int]:
        """The recorded cards in the order they are dealt, with others in place of those that nobody knows."""

    def unknown(self, record: HandRecord) -> list[int]:
        """The seats whose cards nobody knows."""

    def actions(self, record: HandRecord) -> list[tuple[int, int]]:
        """Seat and action, in order."""


class Face:
    histories: Histories | None = None  # for games that can be exported and imported
    sitting_out: ClassVar[Json] = {}  # what is shown at a chair that is not in the hand

    def __init_subclass__(cls) -> None:
        """A face with a picture of its own must say what it hides, or spectators would see a seat's cards."""
        if cls.picture is not Face.picture and cls.cover is Face.cover:
            raise TypeError(f"{cls.__name__} has a picture of its own, so it also needs `cover`")

    def __init__(
        self,
        title: str,
        seats: tuple[int, int],
        unit: str = "chips",
        against: Sequence[str] = (),
        options: Json | None = None,
    ) -> None:
        self.title = title
        self.seats = seats  # the fewest and the most chairs at a table
        self.unit = unit  # of payoffs
        self.against = tuple(against)  # whom a person plays if nothing else is chosen
        self.options = options or {}  # and with which options of the game

    def phases(self, game: AnyGame) -> tuple[str, ...]:
        """The names of the parts of a game, in order."""
        return ("play",)

    def phase(self, game: AnyGame, state: Any) -> int:
        """The index of the part that is being played."""
        return 0

    def picture(self, game: AnyGame, view: Any) -> Picture:
        """What the seat that has this view sees."""
        return Picture({"text": game.drawing(view)}, [{} for _ in range(game.seats)])

    def open_picture(self, game: AnyGame, state: Any) -> Picture:
        """The table with all cards face up."""
        texts = [f"Seat {seat + 1}\n{game.drawing(game.view(state, seat))}" for seat in range(game.seats)]
        return Picture({"text": "\n\n".join(texts)}, [{} for _ in range(game.seats)])

    def cover(self, picture: Picture, seat: int) -> None:
        """Remove from the picture what only this seat knows, for a viewer who is not in the hand."""
        picture.table["text"] = ""

    def at_the_end(self, game: AnyGame, state: Any) -> list[Json]:
        """What is added at each seat when the hand is over."""
        return [{} for _ in range(game.seats)]

    def awards(self, game: AnyGame, state: Any) -> list[Json]:
        """The pots of a hand that is over, and how many chips of each went `to` which seat; none in games without."""
        return []

    def takes_part(self, state: Any, seat: int) -> bool:
        """Whether this seat may still have something to decide."""
        return True

    def board(self, seen: Any, phase: int) -> list[str]:
        """The community cards in this phase."""
        return []

    def choices(self, game: AnyGame, view: Any) -> Json:
        """What the seat that has this view may do now."""
        state = fitting(game, view)
        legal = game.choices(state)[:MOST_CHOICES]
        return {"actions": [{"action": int(action), "label": game.label(state, action)} for action in legal]}

    def action(self, game: AnyGame, view: Any, given: Json) -> int:
        """The action that a message asks for; InputError if it is not one of the choices."""
        only(given, "action")
        wanted, legal = number(given["action"], "action"), game.choices(fitting(game, view))
        if wanted not in legal:
            raise InputError(f"action {wanted} is not allowed now: {legal!r} are")
        return wanted

    def choice(self, game: AnyGame, view: Any, action: int) -> Json:
        """The message that asks for this action: the inverse of `action`."""
        return {"action": int(action)}

    def logged(self, game: AnyGame, state: Any, action: int) -> Json:
        """The action as the log shows it to everybody, without hidden cards: its `kind`, its figures, and a `text`."""
        return {"kind": "act", "text": game.label(state, action)}

    def disclosed(self, state: Any, seat: int, entry: Json) -> Json:
        """An entry of the log once the hand is over: with the card that was hidden then."""
        return entry

    def label(self, game: AnyGame, view: Any, action: int) -> str:
        """The action in a few words, for the seat that may choose it."""
        return game.label(fitting(game, view), action)

    def fallback(self, choices: Sequence[int]) -> int:
        """What a seat does when its agent fails."""
        return int(choices[0])

    def value_of(self, values: Mapping[int, float], action: int) -> float | None:
        """How an agent that gave these values rates an action; None if that is unknown."""
        return float(values[action]) if action in values else None

    def unit_of(self, values: Mapping[int, float]) -> str:
        """The unit of an agent's values: chips, points, chance (from 0 to 1) or value (a scale of its own)."""
        return self.unit

    def spot(self, states: Sequence[Any], actions: Sequence[int]) -> Json | None:
        """The last of these states as a spot between two players that can be solved, and None where there is none.

        `actions` are what was done in the states before it.
        """
        return None

    def holding(self, view: Any, cards: Sequence[int]) -> Any:
        """The same view with these cards in hand, in games with spots."""
        raise NotImplementedError

    def reasoning(self, figures: Mapping[str, object], values: Mapping[int, float]) -> Json:
        """What is drawn of an agent's reasoning in this game only."""
        return {}


def fitting(game: AnyGame, view: Any) -> Any:
    """A state that fits the view: the legal actions, and their names, are the same in all of them."""
    return game.imagine(view, stream(0, "face"))


def only(given: Json, *keys: str) -> None:
    """Refuse an action that has other keys than these."""
    if set(given) != set(keys):
        wanted = " and ".join(f"{key!r}" for key in keys)
        raise InputError(f"an action with {sorted(given)} is not known here: it has {wanted}")


def number(given: object, what: str) -> int:
    """The number given, if it is a whole one; `what` names it in the error."""
    if not isinstance(given, int) or isinstance(given, bool) or abs(given) > 10**15:
        raise InputError(f"{what} {short(given)} is not a whole number")
    return given


def short(given: object) -> str:
    """What was given, quoted, cut to 60 characters."""
    text = repr(given)
    return text if len(text) <= 60 else text[:59] + "…"


def rounded(value: object) -> float | None:
    """A number for JSON with four decimals, and no −0; None if it is not finite, or no number."""
    return round(float(value), 4) + 0.0 if isinstance(value, int | float) and math.isfinite(value) else None
