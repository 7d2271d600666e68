"""How each game is drawn, what a person may choose in it, and in what words a choice is told: one file a game."""

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Face
from fifthstreet.web.drawing.five_card_draw import DrawFace
from fifthstreet.web.drawing.five_o import FiveOFace
from fifthstreet.web.drawing.holdem import HoldemFace
from fifthstreet.web.drawing.poker_squares import SquaresFace

FACES: dict[str, Face] = {
    "holdem": HoldemFace(),
    "five-card-draw": DrawFace(),
    "five-o": FiveOFace(),
    "poker-squares": SquaresFace(),
}


def face_of(game: AnyGame) -> Face:
    if game.name not in FACES:
        raise InputError(f"{game.name!r} is not played at a table: there are {', '.join(FACES)}")
    return FACES[game.name]
