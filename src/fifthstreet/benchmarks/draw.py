"""Five-card draw on one core: the paper's five players, learning curves, and exact discards."""

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from fifthstreet.agents import agent_named
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.units import Players, Seating
from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.evaluation.discards import discards
from fifthstreet.games.five_card_draw import FiveCardDraw

NAME = "draw"
PLAYERS = ("adaptive", "loose-aggressive", "loose-passive", "tight-aggressive", "tight-passive")
HANDS, FEW, CURVE, REPETITIONS = 50_000, 200, 5_000, 20
HAND = "Ah Kd Qh 7h 2c"


def measure() -> Iterator[list[Measurement]]:
    times = {HERE: _hands(PLAYERS, HANDS, compiled=True)}
    yield compare(NAME, "five-handed hands, four styles and the adaptive player", "hands/s", HANDS, times, True)
    times = {HERE: _hands(("random",) * 5, FEW, compiled=False), **dict(_pokerkit())}
    yield compare(NAME, "random five-handed hands through the protocol", "hands/s", FEW, times, True)
    taken = seconds(_curves) * 1_000 / REPETITIONS
    yield compare(NAME, "1,000 learning curves of 5,000 hands", "s", 1, {HERE: taken}, False)
    yield compare(NAME, "all 32 discards of a hand", "ms", 1000, {HERE: seconds(partial(discards, HAND))}, False)


def _seatings() -> list[Seating]:
    game, turns = FiveCardDraw(), [np.roll(np.arange(5), -turn) for turn in range(5)]
    return [(game.seated(turn.tolist(), [game.stack] * 5), turn) for turn in turns]


def _hands(names: tuple[str, ...], hands: int, compiled: bool) -> float:
    game = FiveCardDraw()
    players = Players(game, [agent_named(name, game.name) for name in names], compiled)
    seatings, seeds, won = _seatings(), Seeds.of(1, 5), np.zeros((hands, 5))
    return seconds(lambda: players.play(seatings, seeds, 0, won))


def _curves() -> None:
    game, seatings = FiveCardDraw(), _seatings()
    agents = [agent_named(name, game.name) for name in PLAYERS]
    for number in range(REPETITIONS):
        Players(game, agents, True).play(seatings, Seeds.of(number, 5), 0, np.zeros((CURVE, 5)))


def _pokerkit() -> Iterator[tuple[str, float]]:
    """Time the same hands in a peer: all legal actions and amounts equally likely, up to two random discards."""
    try:
        import pokerkit
    except ImportError:
        return
    import random

    kit: Any = pokerkit
    rng, position = random.Random(1), kit.Opening.POSITION
    streets = (
        kit.Street(False, (False,) * 5, 0, False, position, 1, None),
        kit.Street(False, (), 0, True, position, 1, None),
    )

    def hand() -> object:
        table = kit.State(
            tuple(kit.Automation),
            kit.Deck.STANDARD,
            (kit.StandardHighHand,),
            streets,
            kit.BettingStructure.NO_LIMIT,
            True,
            1,
            0,
            0,
            10_000,
            5,
        )
        while table.status:
            seat = table.stand_patter_or_discarder_index
            if seat is not None:
                going = rng.sample(list(table.hole_cards[seat]), rng.randint(0, 2))
                table.stand_pat_or_discard("".join(map(repr, going)))
                continue
            lowest, raises = 0, 0
            if table.can_complete_bet_or_raise_to():
                lowest = table.min_completion_betting_or_raising_to_amount
                raises = table.max_completion_betting_or_raising_to_amount - lowest + 1
            fold = table.checking_or_calling_amount > 0
            pick = rng.randrange(1 + fold + raises) - fold
            if pick < 0:
                table.fold()
            elif pick == 0:
                table.check_or_call()
            else:
                table.complete_bet_or_raise_to(lowest + pick - 1)
        return table

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield "pokerkit", seconds(lambda: [hand() for _ in range(20)]) / 20 * FEW
