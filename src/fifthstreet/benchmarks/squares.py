"""Poker Squares: greedy games, learning, and decisions of the searches. No peer plays this game."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from fifthstreet.agents.squares import champion, clairvoyant, crossings, narl, searches
from fifthstreet.agents.squares.lines import empty_grid
from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.games.point_systems import AMERICAN, contest_deal
from fifthstreet.games.poker_squares import CELLS, SquaresView
from fifthstreet.parallel import in_order
from fifthstreet.rng import stream

NAME = "squares"
GAMES, LESSONS, PLIES = 10_000, 50_000, 100_000


def measure() -> Iterator[list[Measurement]]:
    rng, grid = stream(1, "bench").state, empty_grid(AMERICAN)
    found = narl.learned(AMERICAN, 0.5, False, LESSONS)
    decks = np.array([contest_deal(seed) for seed in range(GAMES)], np.int64)
    scores = np.empty(GAMES)
    taken = seconds(partial(narl.greedy_games, grid, found.values, found.sizes, False, decks, scores))
    yield compare(NAME, "greedy games with learned values", "games/s", GAMES, {HERE: taken}, True)

    def learn(_: int) -> None:
        values, counts = found.values.copy(), np.zeros(len(found.values), np.int32)
        own = stream(1, "bench").state
        narl.learn(empty_grid(AMERICAN), values, counts, found.sizes, np.zeros(0, np.int32), GAMES, 0.1, own)

    one = seconds(partial(learn, 0))
    two = seconds(lambda: list(in_order(learn, range(2)))) / 2
    yield compare(NAME, "learning", "games/s", GAMES, {HERE: one, f"{HERE}, two cores": two}, True)
    means, (values, sizes) = np.empty(CELLS), found
    empty = _view([])  # all 25 cells are free, 51 cards are unseen
    scratch = searches.new_scratch()
    breadth = searches.Breadth(52, CELLS)
    taken = seconds(partial(searches.averages, empty, breadth, values, sizes, scratch, rng, means))
    yield compare(NAME, "expectimax to depth 2, empty grid", "ms", 1000, {HERE: taken}, False)
    half, nearly = _view(range(0, 4 * (CELLS // 2), 4)), _view(range(CELLS - 4))
    network, memory = np.zeros((crossings.VECTORS + 1, crossings.WIDTH), np.float32), champion.new_scratch()
    prepared = champion.Prepared(values, values, network)
    taken = seconds(partial(champion.rollouts, half, float(PLIES), prepared, memory, rng, means))
    yield compare(NAME, "the champion's simulated placements", "placements/s", PLIES, {HERE: taken}, True)
    taken = seconds(partial(champion.counted, nearly, memory, means))
    yield compare(NAME, "four free cells enumerated", "ms", 1000, {HERE: taken}, False)
    taken = seconds(partial(clairvoyant.anneal, grid, decks[0], 10_000, rng))
    yield compare(NAME, "annealing with all cards known", "steps/s", 10_000 * clairvoyant.STARTS, {HERE: taken}, True)


def _view(cards: Sequence[int]) -> SquaresView:
    """A grid with these cards, row by row, and the ace of spades to place."""
    return SquaresView.filled(AMERICAN, dict(enumerate(cards)), 51)
