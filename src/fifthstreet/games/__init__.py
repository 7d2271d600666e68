"""The games, and one line for each of them."""

from typing import Any

from fifthstreet.errors import InputError, quoted
from fifthstreet.games.five_card_draw import FiveCardDraw
from fifthstreet.games.five_o import FiveO
from fifthstreet.games.game import AnyGame, RuledGame
from fifthstreet.games.holdem import Holdem
from fifthstreet.games.kuhn import Kuhn
from fifthstreet.games.leduc import Leduc
from fifthstreet.games.poker_squares import PokerSquares
from fifthstreet.naming import build, did_you_mean, from_file, is_path

GAMES: tuple[type[RuledGame[Any, Any, Any]], ...] = (
    Holdem,
    FiveCardDraw,
    FiveO,
    PokerSquares,
    Kuhn,
    Leduc,
)


def game_named(spec: str, seats: int | None = None) -> AnyGame:
    """The game that the text names, by name or by path, for this many seats where the text does not say.

    >>> game_named("leduc").name
    'leduc'
    """
    kind, given = _kind_named(spec)
    return build(kind, given, spec, **({} if seats is None else {"seats": seats}))


def _kind_named(spec: str) -> tuple[type[RuledGame[Any, Any, Any]], str]:
    """The class of the game and the text of its parameters."""
    if is_path(spec):
        kind, given = from_file(spec, RuledGame, "game")  # type: ignore[type-abstract]
        if not isinstance(getattr(kind, "name", None), str):
            raise InputError(f"{quoted(spec, 100)} names no game: {kind.__name__} has no name")
        return kind, given
    name, _, given = spec.partition(":")
    for kind in GAMES:
        if kind.name == name:
            return kind, given
    names = [kind.name for kind in GAMES]
    raise InputError(
        f"{quoted(name)} is not a game{did_you_mean(name, names)}: "
        f"there are {', '.join(names)}, or a path like ./mine.py:Mine"
    )
