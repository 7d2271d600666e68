"""Poker Squares: greedy games, learning, and decisions of the searches. No peer plays this game."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from fifthstreet.agents.squares import champion, clairvoyant, crossings, narl, searches
from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.games.point_systems import AMERICAN, contest_deal
from fifthstreet.games.poker_squares import CELLS, GRID, NEXT, PLACED, PokerSquares
from fifthstreet.parallel import in_order
from fifthstreet.rng import stream

NAME = "squares"
GAMES, LESSONS, PLIES = 10_000, 50_000, 100_000


def measure() -> Iterator[list[Measurement]]:
    rng, points = stream(1, "bench").state, np.array(AMERICAN, np.float64)
    found = narl.learned(AMERICAN, 0.5, False, LESSONS)
    decks = np.array([contest_deal(seed) for seed in range(GAMES)], np.int64)
    scores = np.empty(GAMES)
    taken = seconds(partial(narl.greedy_games, points, found.values, found.sizes, False, decks, scores))
    yield compare(NAME, "greedy games with learned values", "games/s", GAMES, {HERE: taken}, True)

    def learn(_: int) -> None:
        values, counts = found.values.copy(), np.zeros(len(found.values), np.int32)
        own = stream(1, "bench").state
        narl.learn(points, values, counts, found.sizes, np.zeros(0, np.int32), GAMES, 0.1, own)

    one = seconds(partial(learn, 0))
    two = seconds(lambda: list(in_order(learn, range(2)))) / 2
    yield compare(NAME, "learning", "games/s", GAMES, {HERE: one, f"{HERE}, two cores": two}, True)
    data, means = PokerSquares().start().data, np.empty(CELLS)
    data[NEXT] = 51  # all 25 cells are free, 51 cards are unseen
    values, sizes = found.values, found.sizes
    taken = seconds(partial(searches.averages, data, 52, CELLS, values, sizes, rng, means))
    yield compare(NAME, "expectimax to depth 2, empty grid", "ms", 1000, {HERE: taken}, False)
    data[GRID : GRID + CELLS // 2], data[PLACED] = 4 * np.arange(CELLS // 2), CELLS // 2
    network = np.zeros((crossings.VECTORS + 1, crossings.WIDTH), np.float32)
    taken = seconds(partial(champion.rollouts, data, PLIES, values, values, network, rng, means))
    yield compare(NAME, "the champion's simulated placements", "placements/s", PLIES, {HERE: taken}, True)
    data[GRID : GRID + CELLS - 4], data[PLACED] = np.arange(CELLS - 4), CELLS - 4
    taken = seconds(partial(champion.counted, data, means))
    yield compare(NAME, "four free cells enumerated", "ms", 1000, {HERE: taken}, False)
    taken = seconds(partial(clairvoyant.anneal, decks[0], points, 10_000, rng))
    yield compare(NAME, "annealing with all cards known", "steps/s", 10_000 * clairvoyant.STARTS, {HERE: taken}, True)
