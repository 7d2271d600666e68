"""What the table asks of the drawing of a game. Seats here are positions, as the rules have them."""

from typing import Any, Protocol

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame

Json = dict[str, Any]


class Face(Protocol):
    title: str
    seats: tuple[int, int]  # the fewest and the most who sit down
    unit: str  # what payoffs are counted in

    def phases(self, game: AnyGame) -> tuple[str, ...]:
        """The parts of a game, in order, the end excepted."""

    def phase(self, game: AnyGame, state: Any) -> int:
        """Which of them it is."""

    def picture(self, game: AnyGame, seen: Any) -> tuple[Json, list[Json]]:
        """What lies on the table, and what there is at each seat, to somebody who sees this view (or state)."""

    def choices(self, game: AnyGame, view: Any) -> Json:
        """What the seat whose view it is may do now."""

    def action(self, game: AnyGame, view: Any, given: Json) -> int:
        """The action that somebody asks for; InputError if it is none."""

    def told(self, game: AnyGame, state: Any, action: int) -> str:
        """The action as everybody sees it, hidden cards left out."""

    def label(self, game: AnyGame, view: Any, action: int) -> str:
        """The action in a few words, for the seat that may choose it."""


def only(given: Json, *keys: str) -> None:
    """Refuse what has other keys."""
    if set(given) != set(keys):
        wanted = " and ".join(f"{key!r}" for key in keys)
        raise InputError(f"an action with {sorted(given)} is not known here: it has {wanted}")


def number(given: Any, what: str) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or abs(given) > 10**15:
        raise InputError(f"{what} {short(given)} is not a whole number")
    return given


def short(given: Any) -> str:
    """What was given, quoted, as far as one cares to read."""
    text = repr(given)
    return text if len(text) <= 60 else text[:59] + "…"
