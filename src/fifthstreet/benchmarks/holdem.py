"""Hold'em beside pokerkit: six players, a hundred big blinds, every legal action and amount as likely."""

import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from fifthstreet.agents.random_choice import RandomChoice
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.units import play_unit
from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.games.holdem import Holdem

NAME = "holdem"
HANDS = 20_000
FEW = 200


def measure() -> Iterator[list[Measurement]]:
    game, agents, order = Holdem(), [RandomChoice() for _ in range(6)], np.arange(6).reshape(1, -1)
    seeds = Seeds.of(1, 6)
    compiled = seconds(lambda: play_unit(game, agents, order, seeds, 0, HANDS, True)) / HANDS
    peer = dict(_pokerkit())
    yield compare(NAME, "random hands at a compiled table", "hands/s", 1, {HERE: compiled} | peer, True)
    protocol = seconds(lambda: play_unit(game, agents, order, seeds, 0, FEW, False)) / FEW
    yield compare(NAME, "random hands through the protocol", "hands/s", 1, {HERE: protocol} | peer, True)


def _pokerkit() -> Iterator[tuple[str, float]]:
    """Seconds for one of its hands, with the same stakes and the same way to choose."""
    try:
        import pokerkit
    except ImportError:
        return
    automatic = tuple(pokerkit.Automation)
    rng = random.Random(1)

    def hand() -> Any:
        table: Any = pokerkit.NoLimitTexasHoldem.create_state(automatic, True, 0, (1, 2), 2, 200, 6)
        while table.status:
            lowest, highest = 0, -1
            if table.can_complete_bet_or_raise_to():
                lowest = table.min_completion_betting_or_raising_to_amount
                highest = table.max_completion_betting_or_raising_to_amount
            fold = table.checking_or_calling_amount > 0
            pick = rng.randrange(1 + fold + highest - lowest + 1) - fold
            if pick < 0:
                table.fold()
            elif pick == 0:
                table.check_or_call()
            else:
                table.complete_bet_or_raise_to(lowest + pick - 1)
        return table

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield "pokerkit", seconds(lambda: [hand() for _ in range(20)]) / 20
