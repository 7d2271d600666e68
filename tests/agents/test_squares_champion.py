"""The champion of Poker Squares: its counting against brute force; and the ceiling that known cards give."""

import functools
from typing import Any

import numpy as np
import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Turn
from fifthstreet.agents.squares import champion, clairvoyant, crossings, narl, temporal
from fifthstreet.agents.squares.champion import at_once, counted, counted_further, prepared
from fifthstreet.agents.squares.foresight import foresee, foresights
from fifthstreet.agents.squares.lines import ABSTRACTIONS, FACTS, LEFT, alike, deal, no_cards, place, put, read_grid
from fifthstreet.agents.squares.lines import value_of as line_values
from fifthstreet.agents.squares.luck import WithoutLuck
from fifthstreet.arena.match import match
from fifthstreet.cards import parse_cards
from fifthstreet.estimate import mean
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
from fifthstreet.parallel import in_order
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


def test_five_cells_are_the_mean_of_the_best_of_four() -> None:
    state, means = nearly_full(5, 6), np.full(CELLS, np.nan)
    best = counted_further(state.data, means)
    cells = np.flatnonzero(state.data[GRID:] < 0)
    assert means[best] == np.nanmax(means)
    assert np.isfinite(means).sum() == len(cells) == 5
    cell, values = int(cells[2]), []
    for card in [card for card in range(52) if not is_dealt(state.data, card)]:
        data, then = state.data.copy(), np.full(CELLS, -np.inf)
        data[GRID + cell], data[NEXT], data[PLACED] = data[NEXT], card, CELLS - 4
        values.append(then[counted(data, then)])
    assert means[cell] == pytest.approx(np.mean(values))


def test_luck_taken_out_leaves_the_mean_and_narrows_the_interval() -> None:
    agents, deals = ["champion:plies=0,lessons=10000", "greedy"], 500
    plain = match("poker-squares", agents, deals, seed=3)
    fair = match(WithoutLuck(lessons=10_000), agents, deals, seed=3)
    for agent in range(2):
        luck = mean(plain.by_deal[:, agent] - fair.by_deal[:, agent])
        assert abs(luck.value) < 2 * luck.half_width  # four standard errors
        assert luck.half_width > 0.5 * plain.standings[agent].payoff.half_width
    learned = [found.standings[0].payoff.half_width for found in (plain, fair)]
    assert learned[1] < 0.5 * learned[0]


def test_a_game_without_luck_is_played_like_any_other() -> None:
    game, agent = WithoutLuck(lessons=2_000), agent_named("greedy", "poker-squares")
    assert game.start().data.tolist() == RULES.start().data.tolist()
    turn = game.after(game.start(), game.choices(game.start())[7])
    assert agent.decide(Turn(game, turn, game.choices(turn), stream(0, "t"), agent.mind(game))).action in range(CELLS)


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


@pytest.mark.parametrize(("points", "gap"), [(AMERICAN, 15), (ENGLISH, 5)])
def test_lines_that_learn_from_the_grid_play_far_better_than_the_score_so_far(points: Any, gap: float) -> None:
    decks, scores = np.array([contest_deal(seed) for seed in range(1_000)], np.int64), np.empty((2, 1_000))
    given, none = np.array(points, np.float64), np.zeros(0, np.float32)
    narl.greedy_games(given, temporal.self_taught(points, 40_000, 1_000), none, True, decks, scores[0])
    narl.greedy_games(given, narl.by_score(points).values, none, True, decks, scores[1])
    lead = scores[0] - scores[1]
    assert lead.mean() > max(gap, 8 * lead.std() / len(lead) ** 0.5)


@pytest.mark.parametrize(("learn", "games"), [(temporal.learn, 20_000), (temporal.learn_without_luck, 10_000)])
def test_where_all_hands_score_the_same_every_grid_comes_to_promise_it(learn: Any, games: int) -> None:
    points, values = np.full(10, 7.0), np.zeros(ABSTRACTIONS, np.float32)
    learn(points, values, games, 1.0, stream(5, "same").state)
    rng, state = stream(6, "same"), PokerSquares(system=" ".join(["7"] * 10)).start()
    lines, left = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64)
    state.data[GRID], state.data[PLACED] = rng.below(52), 1
    read_grid(state.data, True, lines, left)
    assert line_values(1, lines, left, points, values, np.zeros(0, np.float32)) == pytest.approx(70, abs=0.5)


@pytest.mark.parametrize("free", [1, 2, 5, 12, 20, 24, 25])
def test_what_all_next_cards_promise_is_what_each_promises_when_it_is_placed(free: int) -> None:
    data = nearly_full(free, free).data
    data[NEXT] = -1
    points, grid, played = np.array(AMERICAN, np.float64), data[GRID:], CELLS - free
    values, none = np.random.default_rng(free).normal(0, 9, ABSTRACTIONS).astype(np.float32), np.zeros(0, np.float32)
    lines, left, by_card = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.full(52, np.nan)
    read_grid(data, True, lines, left)
    before = lines.copy(), left.copy()
    mean_of_all = foresee(played, grid, lines, left, points, values, foresights(), by_card)
    assert np.array_equal(before[0], lines)
    assert np.array_equal(before[1], left)
    for card in range(52):
        if is_dealt(data, card):
            assert np.isnan(by_card[card])
            continue
        promises = []
        for cell in np.flatnonzero(grid < 0):
            new, rest = lines.copy(), left.copy()
            deal(new, rest, card)
            place(new, int(cell), card, rest)
            promises.append(line_values(played + 1, new, rest, points, values, none))
        assert by_card[card] == pytest.approx(max(promises), abs=1e-3)
    assert mean_of_all == pytest.approx(np.nanmean(by_card))


def test_lines_learn_from_few_games_without_luck_what_as_many_with_it_do_not_teach() -> None:
    points, decks = np.array(AMERICAN, np.float64), np.array([contest_deal(seed) for seed in range(4_000)], np.int64)
    begun, scores, none = temporal.self_taught(AMERICAN, 100_000, 0), np.empty((2, 4_000)), np.zeros(0, np.float32)
    for number, learn in enumerate((temporal.learn_without_luck, temporal.learn)):
        values = begun.copy()
        learn(points, values, 4_000, 0.5, stream(7, "few").state)
        narl.greedy_games(points, values, none, True, decks, scores[number])
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
    values, points = narl.learned(AMERICAN, 0.5, False, 2_000).values, np.array(AMERICAN, np.float64)
    for free in (2, 5, 9, 16, 24):
        state, out, room = nearly_full(free, free), np.full(CELLS, np.nan), crossings.rooms()
        at_once(state.data, values, weights, out)
        for cell in np.flatnonzero(state.data[GRID:] < 0):
            data, played = state.data.copy(), CELLS - free + 1
            data[GRID + cell], data[NEXT] = data[NEXT], -1
            lines, left = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64)
            read_grid(data, True, lines, left)
            promise = line_values(played, lines, left, points, values, np.zeros(0, np.float32))
            promise += crossings.correction(played, data[GRID:], lines, left, weights, room)
            assert out[cell] == pytest.approx(promise, abs=1e-3)


def test_rows_and_columns_that_wait_for_the_same_cards_cross_in_a_cell_of_its_own() -> None:
    hands, known, left = ("3h4h5h", "3c4d5h", "8s9sTs"), {}, np.zeros(LEFT, np.int64)
    no_cards(np.zeros((LINES, FACTS), np.int64), left, True)
    for hand in hands:
        line = np.zeros(FACTS, np.int64)
        for card in parse_cards(hand):
            put(line, int(card), left)
        known[hand] = np.zeros(crossings.KNOWN, np.int64)
        crossings.know(line, left, known[hand])
    numbers = {(a, b): crossings.crossing(known[a], known[b], left) for a in hands for b in hands}
    assert len({numbers["3h4h5h", other] for other in hands}) == 3  # same ranks and suit; same ranks; neither
    assert known["3h4h5h"][crossings.WAITS] == 0xF000_000F_F000F  # A, 7, 6 and 2, four bits each
    assert crossings.live(known["3h4h5h"][crossings.WAITS], left) == 16


def test_a_network_learns_to_play_better_than_its_lines() -> None:
    found, none = prepared(ENGLISH, 10_000), np.zeros(0, np.float32)
    points, scores = np.array(ENGLISH, np.float64), np.empty((2, 6_000))
    decks = np.array([contest_deal(seed) for seed in range(6_000)], np.int64)
    crossings.greedy_games(points, found.values, found.network, decks, scores[0])
    narl.greedy_games(points, found.placing, none, True, decks, scores[1])
    lead = scores[0] - scores[1]
    assert lead.mean() > 3 * lead.std() / len(lead) ** 0.5


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
