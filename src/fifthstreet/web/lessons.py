"""What agents learn at a table: from every hand when it is over, and from all of them again after a restart."""

import asyncio
import contextlib
from collections.abc import Iterable, Sequence

from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand import Hand
from fifthstreet.web.hands import hand_from
from fifthstreet.web.players import Player

Players = Sequence[Player | None]


def learners(players: Players) -> list[tuple[int, Player]]:
    return [(chair, player) for chair, player in enumerate(players) if player is not None and player.agent.learns]


async def learn_from(players: Players, hand: Hand) -> None:
    """Let everybody who learns make something of a hand that is over, once; branches teach nothing."""
    if hand.learned or hand.deal.branch is not None:
        return
    hand.learned = True
    payoffs = hand.payoffs()
    for chair, player in learners(players):
        if chair in payoffs:
            with contextlib.suppress(Exception):  # who cannot learn plays on as before
                await player.prepare()
                await player.aside(player.learn, hand, chair, payoffs[chair])


async def learn_again(players: Players, bodies: Iterable[Json]) -> None:
    """Go through earlier hands of the table once more."""
    if learners(players):
        for body in bodies:
            await learn_from(players, await asyncio.to_thread(hand_from, body))
