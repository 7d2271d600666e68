"""The face of each game: how it is drawn, what may be chosen in it, and how an action is described."""

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Face
from fifthstreet.web.drawing.five_card_draw import DrawFace
from fifthstreet.web.drawing.five_o import FiveOFace
from fifthstreet.web.drawing.holdem import HoldemFace
from fifthstreet.web.drawing.poker_squares import SquaresFace

FACES: dict[str, Face] = {
    "holdem": HoldemFace(
        "Texas hold’em",
        (2, 10),
        against=("tight-aggressive", "eva:ranking=expectation,risk=0.1,sure=0.9", "honest:edge=1.3"),
    ),
    "five-card-draw": DrawFace("Five-card draw", (2, 6), against=("loose-aggressive",) * 5, options={"stack": 200}),
    "five-o": FiveOFace("Five-O", (2, 2), "games", against=("exact",)),
    "poker-squares": SquaresFace("Poker Squares", (1, 4), "points", against=("narl",)),
}
"""By the name of the game: its title, how many chairs a table has, what payoffs are counted in, and the usual table.

At the usual tables of games with betting most hands see a bet, and nobody plays nearly all hands or nearly none;
`tests/web/test_usual_tables.py` measures it.
"""


def face_of(game: AnyGame) -> Face:
    if game.name not in FACES:
        raise InputError(f"{game.name!r} is not played at a table: there are {', '.join(FACES)}")
    return FACES[game.name]
