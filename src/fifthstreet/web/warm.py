"""Compiles the rules of a game in a thread, before the first table needs them."""

from fifthstreet.arena.session import Seated
from fifthstreet.games import game_named
from fifthstreet.games.game import AnyGame
from fifthstreet.rng import stream
from fifthstreet.web.deck import new_seed
from fifthstreet.web.hand_in_play import Deal, Hand
from fifthstreet.web.snapshot import EVERYTHING, scene
from fifthstreet.web.thinkers import Thinkers

_warm: set[str] = set()


async def warm(thinkers: Thinkers, game: AnyGame) -> None:
    if game.name not in _warm:
        await thinkers.do(lambda: play_through(game.name))
        _warm.add(game.name)


def play_through(name: str) -> None:
    """Play a few games at random and draw every step, so that everything a table needs gets compiled."""
    game = game_named(name)
    stacks = (game.stack,) * game.seats if isinstance(game, Seated) else ()
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
