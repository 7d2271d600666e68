"""The games, and one line for each of them."""

from typing import Any

from fifthstreet.errors import InputError

# from fifthstreet.games.five_card_draw import FiveCardDraw
# from fifthstreet.games.five_o import FiveO
from fifthstreet.games.game import AnyGame, RuledGame
from fifthstreet.games.holdem import Holdem
from fifthstreet.games.kuhn import Kuhn
from fifthstreet.games.leduc import Leduc
from fifthstreet.games.poker_squares import PokerSquares
from fifthstreet.naming import build

GAMES: tuple[type[RuledGame[Any, Any, Any]], ...] = (
    Holdem,
    #    FiveCardDraw,
    #    FiveO,
    PokerSquares,
    Kuhn,
    Leduc,
)


def game_named(spec: str, seats: int | None = None) -> AnyGame:
    """The game that the text names, for so many seats where it leaves that open.

    >>> game_named("leduc").name
    'leduc'
    """
    name, _, given = spec.partition(":")
    for kind in GAMES:
        if kind.name == name:
            return build(kind, given, spec, **({} if seats is None else {"seats": seats}))
    raise InputError(f"{name!r} is not a game: there are {', '.join(kind.name for kind in GAMES)}")
