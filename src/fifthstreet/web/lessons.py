"""Learning at a table: agents learn from every finished hand, and after a restart from all of them again."""

import asyncio
import contextlib
from collections.abc import Iterator, Sequence

from fifthstreet.web.drawing.face import Json
from fifthstreet.web.finished_hands import hand_from
from fifthstreet.web.hand_in_play import Hand
from fifthstreet.web.players import Player

Players = Sequence[Player | None]


def learners(players: Players) -> list[tuple[int, Player]]:
    return [(chair, player) for chair, player in enumerate(players) if player is not None and player.agent.learns]


async def learn_from(players: Players, hand: Hand) -> None:
    """Let the learning agents learn from a finished hand, once; nobody learns from branches."""
    if hand.learned or hand.deal.branch is not None:
        return
    hand.learned = True
    payoffs = hand.payoffs()
    for chair, player in learners(players):
        if chair in payoffs:
            with contextlib.suppress(Exception):  # an agent that fails to learn plays on as before
                await player.learn(hand, chair, payoffs[chair])


async def learn_again(players: Players, bodies: Iterator[Json]) -> None:
    """Learn from earlier hands of the table, which are read as they are needed."""

    def following() -> Hand | None:
        body = next(bodies, None)
        return None if body is None else hand_from(body)

    while learners(players) and (hand := await asyncio.to_thread(following)) is not None:
        await learn_from(players, hand)
