"""The champion of Poker Squares: its counting against brute force; and the ceiling that known cards give."""

import functools
from typing import Any

import numpy as np
import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Turn
from fifthstreet.agents.squares import champion, clairvoyant, crossings, foresight, narl, temporal
from fifthstreet.agents.squares.champion import Prepared, at_once, counted, counted_further, new_scratch, prepared
from fifthstreet.agents.squares.foresight import foresee
from fifthstreet.agents.squares.lines import (
    ABSTRACTIONS,
    Position,
    alike,
    clear,
    deal,
    empty_grid,
    place,
    put,
    read_grid,
)
from fifthstreet.agents.squares.lines import value_of as line_values
from fifthstreet.agents.squares.luck import luck_reduction
from fifthstreet.arena.match import match
from fifthstreet.cards import parse_cards
from fifthstreet.estimate import mean
from fifthstreet.games.point_systems import AMERICAN, ENGLISH, contest_deal
from fifthstreet.games.poker_squares import CELLS, PokerSquares, SquaresView, scored
from fifthstreet.parallel import in_order
from fifthstreet.rng import stream

RULES = PokerSquares()


def nearly_full(free: int, number: int) -> SquaresView:
    """A grid with this many free cells, and a card to place."""
    rng, cells, cards = stream(number, "grid"), list(range(CELLS)), list(range(52))
    rng.shuffle(cells)
    rng.shuffle(cards)
    return SquaresView.filled(AMERICAN, {cell: cards.pop() for cell in cells[free:]}, cards.pop())


def free_cells(view: SquaresView) -> list[int]:
    return [cell for cell in range(CELLS) if view.grid[cell] < 0]


def undealt(view: SquaresView) -> list[int]:
    return [card for card in range(52) if card not in view.grid and card != view.next_card]


def after(view: SquaresView, cell: int, card: int = -1) -> SquaresView:
    """The view with its next card in this cell, and another one drawn."""
    new = view.thaw()
    new.grid[cell], new.next_card = new.next_card, card
    new.placed += 1
    return new.freeze()


def best_value(view: SquaresView) -> float:
    """The expected final score of best play, one order of cards after the other."""
    return max(value_of(view, cell) for cell in free_cells(view))


def value_of(view: SquaresView, cell: int) -> float:
    if view.placed == CELLS - 1:
        return scored("american", [*after(view, cell).grid])
    return float(np.mean([best_value(after(view, cell, card)) for card in undealt(view)]))


def best_counted(view: SquaresView) -> float:
    means = np.full(CELLS, -np.inf)
    return float(means[counted(view, new_scratch(), means)])


@pytest.mark.parametrize(("free", "number"), [(1, 0), (2, 1), (2, 2), (3, 3), (3, 4)])
def test_the_last_cells_are_counted_as_one_by_one(free: int, number: int) -> None:
    view, means = nearly_full(free, number), np.full(CELLS, np.nan)
    best = counted(view, new_scratch(), means)
    cells = free_cells(view)
    assert [means[cell] for cell in cells] == pytest.approx([value_of(view, cell) for cell in cells])
    assert means[best] == np.nanmax(means)


def test_four_cells_are_the_mean_of_the_best_of_three() -> None:
    view, means = nearly_full(4, 5), np.full(CELLS, np.nan)
    counted(view, new_scratch(), means)
    for cell in free_cells(view):
        assert means[cell] == pytest.approx(np.mean([best_counted(after(view, cell, card)) for card in undealt(view)]))


def test_five_cells_are_the_mean_of_the_best_of_four() -> None:
    view, means = nearly_full(5, 6), np.full(CELLS, np.nan)
    best = counted_further(view.thaw(), new_scratch(), means)
    cells = free_cells(view)
    assert means[best] == np.nanmax(means)
    assert np.isfinite(means).sum() == len(cells) == 5
    values = [best_counted(after(view, cells[2], card)) for card in undealt(view)]
    assert means[cells[2]] == pytest.approx(np.mean(values))


@pytest.mark.parametrize(("spec", "narrower"), [("champion:plies=0,lessons=10000", 0.5), ("greedy", 1.0)])
def test_luck_taken_out_leaves_the_mean_and_narrows_the_interval(spec: str, narrower: float) -> None:
    plain = match("poker-squares", [spec], 500, seed=3).by_deal[:, 0]
    fair = match("poker-squares", [spec], 500, seed=3, reduce_variance=True, value_lessons=10_000).by_deal[:, 0]
    luck = mean(plain - fair)
    assert abs(luck.value) < 2 * luck.half_width  # four standard errors
    assert luck.half_width > 0.5 * mean(plain).half_width
    assert mean(fair).half_width < narrower * mean(plain).half_width


def test_luck_is_what_each_card_promises_less_the_mean_of_all() -> None:
    """A random game, card by card: the best expected score with the card, less that over all cards undealt."""
    rng, state, total = stream(8, "luck"), RULES.start(), 0.0
    adjust, values = luck_reduction(RULES, lessons=2_000)
    position, none = empty_grid(AMERICAN), np.zeros(0, np.float32)
    clear(position, True)
    while RULES.to_act(state) is not None:
        if state.next_card >= 0:
            cells = RULES.choices(state)
            cell = cells[rng.below(len(cells))]
            deal(position, state.next_card)
            place(position, int(cell), state.next_card)
            state = RULES.after(state, cell)
            continue
        promises = {}
        for card in RULES.choices(state):
            found = []
            for cell in free_cells(RULES.view(state, 0)):
                then = position.thaw()
                deal(then, int(card))
                place(then, cell, int(card))
                found.append(line_values(then, then.played, values, none))
            promises[card] = max(found)
        card = RULES.choices(state)[rng.below(len(promises))]
        total += promises[card] - float(np.mean([*promises.values()]))
        state = RULES.after(state, card)
    payoffs = np.array(RULES.payoffs(state))
    adjust(state, values, payoffs)
    assert RULES.payoffs(state)[0] - payoffs[0] == pytest.approx(total, abs=1e-2)


def test_every_free_cell_has_a_value_and_cells_that_are_alike_the_same() -> None:
    agent = agent_named("champion:plies=3000,lessons=2000", "poker-squares")
    rng, state = stream(3, "alike"), RULES.start()
    for placed in range(4):
        state = RULES.after(state, RULES.choices(state)[rng.below(52 - placed)])
        state = RULES.after(state, RULES.choices(state)[0 if placed < 3 else 7])
    state = RULES.after(state, RULES.choices(state)[0])
    view, position = RULES.view(state, 0), Position.blank()
    decision = agent.decide(Turn(RULES, view, RULES.choices(state), stream(0, "t"), agent.mind(RULES)))
    assert set(decision.values) == set(map(int, RULES.choices(state)))
    read_grid(view, True, position)
    assert len({alike(position, cell) for cell in decision.values}) < len(decision.values)
    for cell, value in decision.values.items():
        assert value == decision.values[alike(position, cell)]
    assert decision.values[decision.action] == max(
        value for cell, value in decision.values.items() if alike(position, cell) == alike(position, decision.action)
    )


@pytest.mark.parametrize(("points", "gap"), [(AMERICAN, 15), (ENGLISH, 5)])
def test_lines_that_learn_from_the_grid_play_far_better_than_the_score_so_far(points: Any, gap: float) -> None:
    decks, scores = np.array([contest_deal(seed) for seed in range(1_000)], np.int64), np.empty((2, 1_000))
    grid, none = empty_grid(points), np.zeros(0, np.float32)
    narl.greedy_games(grid, temporal.self_taught(points, 40_000, 1_000), none, True, decks, scores[0])
    narl.greedy_games(grid, narl.by_score(points).values, none, True, decks, scores[1])
    lead = scores[0] - scores[1]
    assert lead.mean() > max(gap, 8 * lead.std() / len(lead) ** 0.5)


@pytest.mark.parametrize(("learn", "games"), [(temporal.learn, 20_000), (temporal.learn_without_luck, 10_000)])
def test_where_all_hands_score_the_same_every_grid_comes_to_promise_it(learn: Any, games: int) -> None:
    position, values = empty_grid([7] * 10), np.zeros(ABSTRACTIONS, np.float32)
    learn(position, values, games, 1.0, stream(5, "same").state)
    clear(position, True)
    card = stream(6, "same").below(52)
    deal(position, card)
    place(position, 0, card)
    assert line_values(position, 1, values, np.zeros(0, np.float32)) == pytest.approx(70, abs=0.5)


@pytest.mark.parametrize("free", [1, 2, 5, 12, 20, 24, 25])
def test_what_all_next_cards_promise_is_what_each_promises_when_it_is_placed(free: int) -> None:
    view = nearly_full(free, free).thaw()
    view.next_card = -1
    played = CELLS - free
    values, none = np.random.default_rng(free).normal(0, 9, ABSTRACTIONS).astype(np.float32), np.zeros(0, np.float32)
    position, by_card = Position.blank(), np.full(52, np.nan)
    read_grid(view, True, position)
    before = position.freeze()
    mean_of_all = foresee(position, values, foresight.new_scratch(), by_card)
    assert before == position
    for card in range(52):
        if card not in undealt(view):
            assert np.isnan(by_card[card])
            continue
        promises = []
        for cell in free_cells(view):
            new = position.thaw()
            deal(new, card)
            place(new, cell, card)
            promises.append(line_values(new, played + 1, values, none))
        assert by_card[card] == pytest.approx(max(promises), abs=1e-3)
    assert mean_of_all == pytest.approx(np.nanmean(by_card))


def test_lines_learn_from_few_games_without_luck_what_as_many_with_it_do_not_teach() -> None:
    position, decks = empty_grid(AMERICAN), np.array([contest_deal(seed) for seed in range(4_000)], np.int64)
    begun, scores, none = temporal.self_taught(AMERICAN, 100_000, 0), np.empty((2, 4_000)), np.zeros(0, np.float32)
    for number, learn in enumerate((temporal.learn_without_luck, temporal.learn)):
        values = begun.copy()
        learn(position, values, 4_000, 0.5, stream(7, "few").state)
        narl.greedy_games(position, values, none, True, decks, scores[number])
    lead = scores[0] - scores[1]
    assert lead.mean() > 3 * lead.std() / len(lead) ** 0.5


def test_what_it_learns_does_not_depend_on_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for workers in (1, 2, 3):
        monkeypatch.setattr(temporal, "in_order", functools.partial(in_order, workers=workers))
        lines = temporal.self_taught(AMERICAN, 3_000, 300)
        found.append((lines, *crossings.self_taught(AMERICAN, lines, 30.0, 300)))
    for other in found[1:]:
        assert all(map(np.array_equal, found[0], other))


@pytest.mark.parametrize(("score", "lessons"), [(-1000.0, 101), (np.nan, 102)])
def test_a_network_that_plays_worse_than_the_lines_or_has_lost_its_way_is_left_out(
    monkeypatch: pytest.MonkeyPatch, score: float, lessons: int
) -> None:
    monkeypatch.setattr(champion, "network_scores", lambda *_: np.full(1, score))
    found = prepared(AMERICAN, lessons)
    assert not found.network.any()
    assert np.array_equal(found.values, found.placing)


def test_the_network_says_of_a_placement_what_it_says_of_the_grid_after_it() -> None:
    weights = np.random.default_rng(0).normal(0, 0.3, (crossings.VECTORS + 1, crossings.WIDTH)).astype(np.float32)
    values = narl.learned(AMERICAN, 0.5, False, 2_000).values
    for free in (2, 5, 9, 16, 24):
        view, out, scratch = nearly_full(free, free), np.full(CELLS, np.nan), new_scratch()
        at_once(view, Prepared(values, values, weights), scratch, out)
        for cell in free_cells(view):
            position = Position.blank()
            read_grid(after(view, cell), True, position)
            promise = line_values(position, position.played, values, np.zeros(0, np.float32))
            promise += crossings.correction(position, weights, scratch.network)
            assert out[cell] == pytest.approx(promise, abs=1e-3)


def test_rows_and_columns_that_wait_for_the_same_cards_cross_in_a_cell_of_its_own() -> None:
    hands, known, position = ("3h4h5h", "3c4d5h", "8s9sTs"), {}, Position.blank()
    clear(position, True)
    for i, hand in enumerate(hands):
        for card in parse_cards(hand):
            put(position, position.lines[i], int(card))
        known[hand] = np.zeros(crossings.KNOWN, np.int64)
        crossings.know(position, position.lines[i], known[hand])
    numbers = {(a, b): crossings.crossing(position, known[a], known[b]) for a in hands for b in hands}
    assert len({numbers["3h4h5h", other] for other in hands}) == 3  # same ranks and suit; same ranks; neither
    assert known["3h4h5h"][crossings.WAITS] == 0xF000_000F_F000F  # A, 7, 6 and 2, four bits each
    assert crossings.live(position, int(known["3h4h5h"][crossings.WAITS])) == 16


def test_a_network_learns_to_play_better_than_its_lines() -> None:
    found, none = prepared(ENGLISH, 10_000), np.zeros(0, np.float32)
    position, scores = empty_grid(ENGLISH), np.empty((2, 6_000))
    decks = np.array([contest_deal(seed) for seed in range(6_000)], np.int64)
    crossings.greedy_games(position, found.values, found.network, decks, scores[0])
    narl.greedy_games(position, found.placing, none, True, decks, scores[1])
    lead = scores[0] - scores[1]
    assert lead.mean() > 3 * lead.std() / len(lead) ** 0.5


def test_known_cards_are_a_ceiling() -> None:
    deals = [contest_deal(seed) for seed in range(12)]
    known = clairvoyant.ceilings(AMERICAN, deals, steps=20_000)
    found, scores = narl.learned(AMERICAN, 0.5, False, 2_000), np.empty(len(deals))
    decks = np.array(deals, np.int64)
    narl.greedy_games(empty_grid(AMERICAN), found.values, found.sizes, False, decks, scores)
    assert (known > scores).all()
    assert (known == clairvoyant.ceilings(AMERICAN, deals, steps=20_000)).all()


def test_known_cards_of_four_royal_flushes_are_put_together() -> None:
    royals = [4 * rank + suit for suit in range(4) for rank in range(8, 13)]
    rest = [4 * rank for rank in (0, 2, 4, 5, 7)]
    known = clairvoyant.ceilings(AMERICAN, [royals + rest], steps=200_000)
    # The fifth row is a flush of clubs, and every column four of a kind.
    assert known[0] == 4 * 100 + 20 + 5 * 50 == scored("american", [*royals, *rest])
