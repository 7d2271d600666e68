"""The rules of a game compiled off the event loop, before the first table needs them."""

from fifthstreet.games import game_named
from fifthstreet.games.game import AnyGame
from fifthstreet.rng import stream
from fifthstreet.web.deck import new_seed
from fifthstreet.web.drawing import FACES
from fifthstreet.web.hand import Deal, Hand
from fifthstreet.web.snapshot import EVERYTHING, scene
from fifthstreet.web.thinkers import Thinkers

_warm: set[str] = set()


async def warm(thinkers: Thinkers, game: AnyGame) -> None:
    if game.name not in _warm:
        await thinkers.do(lambda: play_through(game.name))
        _warm.add(game.name)


def play_through(name: str) -> None:
    """A game at random, drawn at every step: whatever the table asks of the rules is then compiled."""
    seats = max(1, min(3, FACES[name].seats[1] if FACES[name].unit != "points" else 1))
    game = game_named(name, seats)
    stacks = (game.stack,) * game.seats if hasattr(game, "stack") else ()
    rng = stream(0, "warm")
    for _ in range(3):
        hand = Hand(Deal(name, tuple(range(game.seats)), stacks, new_seed()))
        while not hand.over:
            chair = hand.to_act
            assert chair is not None
            scene(hand, [""] * game.seats, chair)
            hand.face.choices(hand.game, hand.view(chair))
            hand.game.lies_open(hand.view(chair))
            choices = hand.game.choices(hand.state)
            hand.act(choices[rng.below(min(len(choices), 5))])
        scene(hand, [""] * game.seats, EVERYTHING)
