"""The games, and one line for each of them."""

from typing import Any

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame, RuledGame
from fifthstreet.games.kuhn import Kuhn
from fifthstreet.games.leduc import Leduc

GAMES: tuple[type[RuledGame[Any, Any, Any]], ...] = (Kuhn, Leduc)


def game_named(name: str) -> AnyGame:
    """The game of this name."""
    for kind in GAMES:
        if kind.name == name:
            return kind()
    raise InputError(f"{name!r} is not a game: there are {', '.join(kind.name for kind in GAMES)}")
