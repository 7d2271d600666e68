"""The champion of Poker Squares: its counting against brute force; and the ceiling that known cards give."""

import numpy as np
import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Turn
from fifthstreet.agents.squares import clairvoyant, narl
from fifthstreet.agents.squares.champion import alike, best_learned, candidates, counted, greedy_score
from fifthstreet.agents.squares.lines import FACTS, LEFT, read_grid
from fifthstreet.games.point_systems import AMERICAN, ENGLISH, contest_deal
from fifthstreet.games.poker_squares import (
    CELLS,
    GRID,
    LINES,
    NEXT,
    PLACED,
    PokerSquares,
    SquaresState,
    is_dealt,
    payoff,
    scored,
)
from fifthstreet.rng import stream

RULES = PokerSquares()


def nearly_full(free: int, number: int) -> SquaresState:
    """A grid with so many free cells, and a card to place."""
    rng, data = stream(number, "grid"), RULES.start().data
    cells, cards = list(range(CELLS)), list(range(52))
    rng.shuffle(cells)
    rng.shuffle(cards)
    for cell in cells[free:]:
        data[GRID + cell] = cards.pop()
    data[NEXT], data[PLACED] = cards.pop(), CELLS - free
    return SquaresState(data)


def best_value(state: SquaresState) -> float:
    """The expected final score of best play, one order of cards after the other."""
    return max(value_of(state, int(cell)) for cell in np.flatnonzero(state.data[GRID:] < 0))


def value_of(state: SquaresState, cell: int) -> float:
    data = state.data.copy()
    data[GRID + cell], data[NEXT] = data[NEXT], -1
    data[PLACED] += 1
    if data[PLACED] == CELLS:
        return payoff(data, 0)
    values = []
    for card in range(52):
        if not is_dealt(data, card):
            data[NEXT] = card
            values.append(best_value(SquaresState(data.copy())))
            data[NEXT] = -1
    return float(np.mean(values))


@pytest.mark.parametrize(("free", "number"), [(1, 0), (2, 1), (2, 2), (3, 3), (3, 4)])
def test_the_last_cells_are_counted_as_one_by_one(free: int, number: int) -> None:
    state, means = nearly_full(free, number), np.full(CELLS, np.nan)
    best = counted(state.data, means)
    cells = np.flatnonzero(state.data[GRID:] < 0)
    assert [means[cell] for cell in cells] == pytest.approx([value_of(state, int(cell)) for cell in cells])
    assert means[best] == np.nanmax(means)


def test_four_cells_are_the_mean_of_the_best_of_three() -> None:
    state, means = nearly_full(4, 5), np.full(CELLS, np.nan)
    counted(state.data, means)
    for cell in np.flatnonzero(state.data[GRID:] < 0):
        data = state.data.copy()
        data[GRID + cell], data[PLACED] = data[NEXT], CELLS - 3
        data[NEXT], values = -1, []
        for card in [card for card in range(52) if not is_dealt(data, card)]:
            data[NEXT], then = card, np.full(CELLS, -np.inf)
            values.append(then[counted(data, then)])
        assert means[cell] == pytest.approx(np.mean(values))


def test_every_free_cell_has_a_value_and_cells_that_are_alike_the_same() -> None:
    agent = agent_named("champion:plies=3000,lessons=2000", "poker-squares")
    rng, state = stream(3, "alike"), RULES.start()
    for placed in range(4):
        state = RULES.after(state, RULES.choices(state)[rng.below(52 - placed)])
        state = RULES.after(state, RULES.choices(state)[0 if placed < 3 else 7])
    state = RULES.after(state, RULES.choices(state)[0])
    decision = agent.decide(Turn(RULES, state, RULES.choices(state), stream(0, "t"), agent.mind(RULES)))
    assert set(decision.values) == set(map(int, RULES.choices(state)))
    lines, left = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64)
    read_grid(state.data, True, lines, left)
    assert len({alike(lines, cell) for cell in decision.values}) < len(decision.values)
    for cell, value in decision.values.items():
        assert value == decision.values[alike(lines, cell)]
    assert decision.values[decision.action] == max(
        value for cell, value in decision.values.items() if alike(lines, cell) == alike(lines, decision.action)
    )


def test_it_keeps_the_best_of_what_it_learned() -> None:
    found = best_learned(ENGLISH, 2_000)
    scores = [greedy_score(ENGLISH, evaluation) for evaluation in candidates(ENGLISH, 2_000)]
    assert len(set(scores)) > 10
    assert greedy_score(ENGLISH, found) == max(scores)


def test_known_cards_are_a_ceiling() -> None:
    deals = [contest_deal(seed) for seed in range(12)]
    known = clairvoyant.ceilings(AMERICAN, deals, steps=20_000)
    found, scores = narl.learned(AMERICAN, 0.5, False, 2_000), np.empty(len(deals))
    decks = np.array(deals, np.int64)
    narl.greedy_games(np.array(AMERICAN, np.float64), found.values, found.sizes, False, decks, scores)
    assert (known > scores).all()
    assert (known == clairvoyant.ceilings(AMERICAN, deals, steps=20_000)).all()


def test_known_cards_of_four_royal_flushes_are_put_together() -> None:
    royals = [4 * rank + suit for suit in range(4) for rank in range(8, 13)]
    rest = [4 * rank for rank in (0, 2, 4, 5, 7)]
    known = clairvoyant.ceilings(AMERICAN, [royals + rest], steps=200_000)
    # The fifth row is a flush of clubs, and every column four of a kind.
    assert known[0] == 4 * 100 + 20 + 5 * 50 == scored("american", [*royals, *rest])
