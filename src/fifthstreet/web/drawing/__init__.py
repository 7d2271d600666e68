"""The face of each game: how it is drawn, what may be chosen in it, and how an action is described."""

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Face
from fifthstreet.web.drawing.five_card_draw import DrawFace
from fifthstreet.web.drawing.five_o import FiveOFace
from fifthstreet.web.drawing.holdem import HoldemFace
from fifthstreet.web.drawing.poker_squares import SquaresFace

FACES: dict[str, Face] = {
    "holdem": HoldemFace("Texas hold’em", (2, 10)),
    "five-card-draw": DrawFace("Five-card draw", (2, 6)),
    "five-o": FiveOFace("Five-O", (2, 2), "games"),
    "poker-squares": SquaresFace("Poker Squares", (1, 4), "points"),
}
"""By the name of the game: its title, how many chairs a table has, and what payoffs are counted in."""


def face_of(game: AnyGame) -> Face:
    if game.name not in FACES:
        raise InputError(f"{game.name!r} is not played at a table: there are {', '.join(FACES)}")
    return FACES[game.name]
