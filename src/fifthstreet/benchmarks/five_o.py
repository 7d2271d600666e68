"""Five-O on one core: the building blocks of its players. No peer plays this game."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from fifthstreet.agents import agent_named
from fifthstreet.agents.five_o import champion, chances, expectiminimax, last_row
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.units import play_unit
from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.games.five_o import COLUMNS, FiveO, FiveOView, at_random
from fifthstreet.rng import stream

NAME = "five-o"
SAMPLES, GAMES = 1_000_000, 500
LESSONS = 20_000  # the network's speed does not depend on how much it learned


def _seen(placements: int) -> FiveOView:
    return at_random(placements, stream(1, "bench"))


def measure() -> Iterator[list[Measurement]]:
    rng = stream(1, "bench").state
    for row, placements in (("first", 0), ("third", 20)):
        taken = seconds(partial(chances.sampled_chance, _seen(placements), 0, True, 0.5, SAMPLES, rng))
        yield compare(NAME, f"simulated column deals, {row} round", "deals/s", SAMPLES, {HERE: taken}, True)
    put, wait = np.empty(COLUMNS), np.empty(COLUMNS)
    for row, placements in (("first", 0), ("second", 10), ("third", 20), ("last", 30)):
        taken = seconds(partial(chances.all_chances, _seen(placements), 0, 0.5, rng, put, wait))
        yield compare(NAME, f"exact chances of all columns, {row} round", "ms", 1000, {HERE: taken}, False)
    leaves, taken = expectiminimax.sample_searches(7, 100, "fast-greedy-2")
    yield compare(NAME, "alpha-beta with fastGreedyEval2", "leaves/s", leaves, {HERE: taken}, True)
    order, seeds = np.arange(2).reshape(1, -1), Seeds.of(1, 2)
    for name in ("greedy-2", "fast-greedy-2"):
        agents = [agent_named(name, "five-o")] * 2
        taken = seconds(partial(play_unit, FiveO(), agents, order, seeds, 0, GAMES, True)) / GAMES
        yield compare(NAME, f"a game of two {name} agents", "ms", 1000, {HERE: taken}, False)
    values, taken = np.empty(COLUMNS), 1 / champion.plies_a_second(LESSONS)
    yield compare(NAME, "the champion's simulated placements", "placements/s", 1, {HERE: taken}, True)
    for opened, placements in ((5, 30), (4, 32), (3, 34), (2, 36)):
        taken = seconds(partial(last_row.place_values, _seen(placements), rng, values))
        yield compare(NAME, f"the hidden row with {opened} open columns", "ms", 1000, {HERE: taken}, False)
