"""Poker Squares' players: the abstraction of lines, what is learned, and the searches, each against a slow twin."""

import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Decision, Turn
from fifthstreet.agents.squares import champion, greedy, narl
from fifthstreet.agents.squares import lines as squares
from fifthstreet.agents.squares.champion import counted
from fifthstreet.agents.squares.greedy import corrections_of, expected_scores, mind_of, values_of
from fifthstreet.agents.squares.leaves import TRIED, leaves
from fifthstreet.agents.squares.lines import Position, alike, empty_grid, new_position
from fifthstreet.agents.squares.narl import (
    ALWAYS,
    Evaluation,
    by_score,
    cost,
    greedy_games,
    learn,
    learned,
    lessons_for,
)
from fifthstreet.agents.squares.searches import Breadth, Plan, averages, new_scratch, shares, simulations
from fifthstreet.agents.squares.tree_search import tree_search
from fifthstreet.arena.match import match
from fifthstreet.cards import Card, parse_cards
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import value
from fifthstreet.evaluation.strength import category_number, evaluate_5
from fifthstreet.games.point_systems import AMERICAN, contest_deal, points
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE, PokerSquares, SquaresView, cell_of
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order
from fifthstreet.rng import Stream, below, fork, seeded, stream, uniform

RULES = PokerSquares()
Array = NDArray[Any]

STRAIGHTS = [{12, 0, 1, 2, 3}, *({low, low + 1, low + 2, low + 3, low + 4} for low in range(9))]
DECKS = {
    "all": list(range(52)),
    "high": [card for card in range(52) if card >> 2 >= 6],
    "two suits": [card for card in range(52) if card & 3 < 2],
    "pairs": [card for card in range(52) if card >> 2 in (0, 3, 4, 8, 9, 10, 12)],
}


def positions(seed: int, deck: str = "all", system: str = "american") -> Iterator[SquaresView]:
    """A game of one deck, before each card is drawn; some cards go to a row of their suit or a column of their rank."""
    rng, view = stream(seed, "positions", deck), start(system)
    for card in rng.sample(DECKS[deck], CELLS):
        yield view
        free = free_cells(view)
        same = [cell for cell in free if (cell // SIDE == card & 3 if seed % 2 else cell % SIDE == (card >> 2) % SIDE)]
        where = same if same and rng.random() < 0.7 else free
        view = after(drawn(view, card), where[rng.below(len(where))])


def start(system: str = "american") -> SquaresView:
    rules = PokerSquares(system=system)
    return rules.view(rules.start(), 0)


def drawn(view: SquaresView, card: int) -> SquaresView:
    new = view.thaw()
    new.next_card = card
    return new.freeze()


def after(view: SquaresView, cell: int, card: int = -1) -> SquaresView:
    """The view with its next card in this cell, and another one drawn."""
    new = view.thaw()
    new.grid[cell], new.order[new.placed], new.next_card = new.next_card, cell, card
    new.placed += 1
    return new.freeze()


def at(placed: int, seed: int, system: str = "american") -> SquaresView:
    """A grid with this many cards, and one to place."""
    *_, view = (view for view in positions(seed, system=system) if view.placed <= placed)
    undealt = sorted(undealt_of(view))
    return drawn(view, undealt[stream(seed, "next").below(len(undealt))])


def read(view: SquaresView, fine: bool = False) -> Position:
    position = Position.blank()
    squares.read_grid(view, fine, position)
    return position


def cards_of(view: SquaresView, line: int) -> list[Card]:
    found = (view.grid[cell_of(line, i)] for i in range(SIDE))
    return [Card(card) for card in found if card >= 0]


def undealt_of(view: SquaresView) -> set[int]:
    return set(range(52)) - {*view.grid, view.next_card}


def described(played: int, line: int, cards: list[Card], undealt: set[int], fine: bool = False) -> str:
    """A line in the notation of the paper, like 14|1(3)1(2)1(2)f(8)s; a fine one says s(2)S for two straights to hope
    for, one of them a straight flush."""
    counts = Counter(int(card.rank) for card in cards)
    pairs = sorted(((n, sum(card >> 2 == rank for card in undealt)) for rank, n in counts.items()), reverse=True)
    text = f"{played}{'-' if line < SIDE else '|'}" + "".join(f"{n}({left})" for n, left in pairs)
    suits = {int(card.suit) for card in cards}
    if len(suits) == 1:
        suited = [card for card in undealt if card & 3 in suits]
        if len(cards) + len(suited) >= SIDE:
            text += f"f({len(suited)})"
    ranks_left = {card >> 2 for card in undealt}
    fitting = [straight for straight in STRAIGHTS if set(counts) <= straight and len(counts) == len(cards)]
    straights = sum(straight - set(counts) <= ranks_left for straight in fitting)
    if straights:
        text += f"s({min(straights, 5)})" if fine else "s"
    if len(suits) == 1:
        suit = min(suits)
        made = [straight for straight in fitting if {4 * rank + suit for rank in straight} <= undealt | set(cards)]
        if STRAIGHTS[-1] in made:
            text += "r"
        elif made and fine:
            text += "S"
    return text


def category_by_hand(cards: list[Card]) -> int:
    """What up to five cards make; fewer make no straight and no flush."""
    if len(cards) == SIDE:
        found = value(cards)[0]
        return 9 if found == 8 and min(card.rank for card in cards) == 8 else int(found)
    counts = sorted(Counter(card.rank for card in cards).values(), reverse=True)
    return {(4,): 7, (3,): 3, (2, 2): 2, (2,): 1}.get(tuple(n for n in counts if n > 1), 0)


def test_the_example_of_the_paper() -> None:
    """A column after 14 cards with three ranks, eight cards of its suit undealt, and room for a straight."""
    cards = parse_cards("5h6h8h")
    dealt = parse_cards("5h6h8h 6d8d 2h4h KcKdKs 2c2d 3s Qc")
    assert len(dealt) == 14
    undealt = set(range(52)) - set(dealt)
    assert described(14, 7, cards, undealt) == "14|1(3)1(2)1(2)f(8)s"


@pytest.mark.parametrize("fine", [False, True])
def test_two_lines_have_one_number_exactly_if_they_have_one_description(fine: bool) -> None:
    numbers: dict[str, int] = {}
    descriptions: dict[int, str] = {}
    for deck in DECKS:
        for seed in range(40):
            for view in positions(seed, deck):
                played, undealt = view.placed, undealt_of(view)
                position = read(view, fine)
                for i in range(LINES):
                    if position.lines[i].length == SIDE:
                        continue
                    text = described(played, i, cards_of(view, i), undealt, fine)
                    number = squares.number_of(position, squares.stage_of(played, i), position.lines[i])
                    assert 0 <= number < squares.ABSTRACTIONS
                    assert numbers.setdefault(text, number) == number
                    assert descriptions.setdefault(number, text) == text
    assert len(numbers) > 3_000
    seen = {re.sub(r"^\d+[-|]", "", text) for text in numbers}
    assert {"4(0)", "3(0)1(2)", "2(0)2(0)", "s(5)" if fine else "s"} <= seen
    for ending in (")f(4)", "s(3)r", "s(1)S", "s(5)S") if fine else (")f(4)", ")f(12)sr", ")s", ")"):
        assert any(text.endswith(ending) for text in seen)
    assert all("f" in text and "s" in text for text in seen if "r" in text)


@pytest.mark.parametrize(
    ("held", "gone", "flush", "straight", "royal"),
    [
        ("AhKh", "", True, True, True),
        ("AhKh", "Th", True, True, False),
        ("AhKh", "TcTdThTs", True, False, False),
        ("Ah9h", "", True, False, False),
        ("AhKd", "", False, True, False),
        ("5h", "", True, True, False),
        ("Ah5h", "", True, True, False),
        ("Ah5h", "3c3d3h3s", True, False, False),
        ("AhAd", "", False, False, False),
        ("2h3h4h5h", "AcAdAhAs", True, True, False),
        ("2h3h4h5h", "AcAdAhAs6c6d6h6s", True, False, False),
        ("2h3h4h5h", "6h7h8h9hThJhQhKhAh", False, True, False),
        ("2h3h4h", "7h8h9hThJhQhKhAh", True, True, False),
        ("2h3h4h", "6h7h8h9hThJhQhKhAh", False, True, False),
        ("", "", False, True, False),
        ("", "5c5d5h5sTcTdThTs", False, False, False),
    ],
)
def test_what_can_still_be_made(held: str, gone: str, flush: bool, straight: bool, royal: bool) -> None:
    view = start().thaw()
    for i, card in enumerate(parse_cards(held)):
        view.grid[i] = card
    for i, card in enumerate(parse_cards(gone)):
        view.grid[SIDE + i] = card
    position = read(view)
    number = squares.number_of(position, 0, position.lines[0])
    flushes, hope = divmod(number % squares.REST, squares.HOPES)
    assert (flushes > 0, hope >= 3, hope % 3 == 2) == (flush, straight, royal)
    text = described(0, 0, parse_cards(held), undealt_of(view))
    assert ("f" in text, "s" in text, "r" in text) == (flush, straight, royal)


def test_every_collection_of_ranks_has_its_own_pattern() -> None:
    kinds = [(count, left) for count in range(1, 5) for left in range(5 - count)]
    sums = {}
    for size in range(5):
        for some in combinations_with_replacement(kinds, size):
            if sum(count for count, _ in some) <= 4:
                sums[some] = sum(int(squares.WEIGHT[8 * count + left]) for count, left in some)
    assert len(sums) == len(set(sums.values())) == squares.PATTERNS == 132
    assert sorted(squares.PATTERN[total] for total in sums.values()) == list(range(132))


def test_what_is_kept_card_by_card_is_what_is_read_from_the_grid() -> None:
    for deck in DECKS:
        for seed in range(20):
            before, added = start(), Position.blank().lines[0]
            position = read(before)
            for view in [*positions(seed, deck)][1:]:
                cell = next(cell for cell in range(CELLS) if view.grid[cell] != before.grid[cell])
                card = view.grid[cell]
                squares.deal(position, card)
                assert read(drawn(before, card)) == position
                stage = squares.stage_of(view.placed, 0)
                for i in (cell // SIDE, SIDE + cell % SIDE):
                    line = position.lines[i]
                    assert squares.category_with(line, card) == category_by_hand(cards_of(view, i))
                    if line.length < SIDE - 1:
                        squares.copy_line(line, added)
                        squares.put(position, added, card)
                        wanted = squares.number_of(position, stage, added)
                        assert squares.number_with(position, stage, line, card) == wanted
                squares.place(position, cell, card)
                assert read(view) == position
                undealt = Counter(card >> 2 for card in undealt_of(view))
                for i in range(LINES):
                    counts = Counter(int(card.rank) for card in cards_of(view, i))
                    total = sum(int(squares.WEIGHT[8 * n + undealt[rank]]) for rank, n in counts.items())
                    assert position.lines[i].total == total
                    assert position.lines[i].length == sum(counts.values())
                    assert squares.category_of_line(position.lines[i]) == category_by_hand(cards_of(view, i))
                before = view


@kernel
def disagreements(position: Position) -> int:
    """The number of hands of five cards whose category differs from what the evaluator says."""
    lines, found = position.lines, 0
    for a in range(52):
        squares.clear_line(lines[0])
        squares.put(position, lines[0], a)
        for b in range(a):
            squares.copy_line(lines[0], lines[1])
            squares.put(position, lines[1], b)
            for c in range(b):
                squares.copy_line(lines[1], lines[2])
                squares.put(position, lines[2], c)
                for d in range(c):
                    squares.copy_line(lines[2], lines[3])
                    squares.put(position, lines[3], d)
                    for e in range(d):
                        squares.copy_line(lines[3], lines[4])
                        squares.put(position, lines[4], e)
                        wanted = category_number(evaluate_5(a, b, c, d, e))
                        if wanted == 8 and e >> 2 == 8:
                            wanted = 9
                        found += squares.category_of_line(lines[4]) != wanted
                        found += squares.category_with(lines[3], e) != wanted
    return found


def test_all_hands_are_what_the_evaluator_says() -> None:
    assert disagreements(Position.blank()) == 0


@pytest.mark.parametrize("system", ["american", "random:7"])
def test_the_score_so_far_is_the_points_of_the_partial_hands(system: str) -> None:
    given = points(system)
    found = by_score(given)
    assert found.sizes.size == 0
    assert len(found.values) == squares.ABSTRACTIONS
    seen = set()
    for deck in DECKS:
        for seed in range(10):
            for view in positions(seed, deck, system):
                position = read(view)
                played, wanted = view.placed, [given[category_by_hand(cards_of(view, i))] for i in range(LINES)]
                for i in range(LINES):
                    seen.add(category_by_hand(cards_of(view, i)))
                    if position.lines[i].length < SIDE:
                        number = squares.number_of(position, squares.stage_of(played, i), position.lines[i])
                        assert found.values[number] == wanted[i]
                assert squares.value_of(position, played, found.values, found.sizes) == sum(wanted)
    assert seen >= {0, 1, 2, 3, 7}


def arbitrary(seed: int = 0, sizes: bool = False) -> Evaluation:
    """Values that mean nothing, and are all different."""
    rng = np.random.default_rng(seed)
    corrections = rng.normal(0, 20, squares.SIZES if sizes else 0).astype(np.float32)
    return Evaluation(rng.normal(0, 20, squares.ABSTRACTIONS).astype(np.float32), corrections)


def sizes_by_hand(view: SquaresView) -> int:
    """The distribution of lengths: how many lines have one card, two, … as digits of a number to base 11."""
    return sum(11 ** (size - 1) for i in range(LINES) if (size := len(cards_of(view, i))))


def worth(view: SquaresView, found: Evaluation) -> float:
    """The value of a grid with no card to place, from its cards alone."""
    position = read(view)
    total = float(found.sizes[sizes_by_hand(view)]) if found.sizes.size else 0.0
    for i in range(LINES):
        cards = cards_of(view, i)
        if len(cards) == SIDE:
            total += float(view.points[category_by_hand(cards)])
        else:
            number = squares.number_of(position, squares.stage_of(view.placed, i), position.lines[i])
            total += float(found.values[number])
    return total


def free_cells(view: SquaresView) -> list[int]:
    return [cell for cell in range(CELLS) if view.grid[cell] < 0]


def first_best(options: dict[int, float]) -> int:
    return max(options, key=lambda cell: (options[cell], -cell))


def known(means: Array) -> dict[int, float]:
    return {cell: float(mean) for cell, mean in enumerate(means) if not np.isnan(mean)}


def promised(view: SquaresView, found: Evaluation) -> tuple[int, dict[int, float]]:
    """The best cell according to an evaluation, and the expected score of every free cell."""
    out = np.full(CELLS, np.nan)
    best = expected_scores(view, found.values, found.sizes, new_position(), out)
    return best, known(out)


both = pytest.mark.parametrize("sizes", [False, True])


@both
def test_expected_scores_are_the_values_of_the_grids_that_follow(sizes: bool) -> None:
    found = arbitrary(1, sizes)
    for placed in range(CELLS):
        view = at(placed, placed, "random:3")
        best, promise = promised(view, found)
        wanted = {cell: worth(after(view, cell), found) for cell in free_cells(view)}
        assert promise == pytest.approx(wanted)
        assert best == first_best(wanted)


def test_of_equal_cells_the_first_is_taken_or_any_with_the_same_probability() -> None:
    view, found = at(0, 3), by_score(AMERICAN)
    assert promised(view, found)[0] == 0
    position = read(view)
    squares.gains(position, view.next_card, found.values)
    rng = stream(0, "ties").state
    chosen = Counter(squares.best_cell(position, found.sizes, rng) for _ in range(25_000))
    assert set(chosen) == set(range(CELLS))
    assert all(800 < count < 1_200 for count in chosen.values())  # 1,000 on average, with a deviation of 31


@both
def test_a_mind_holds_the_evaluation(sizes: bool) -> None:
    found = arbitrary(2, sizes)
    mind = mind_of(found, 3.0, 4.5)
    assert mind[:3].tolist() == [3.0, 4.5, 0.0]
    assert np.array_equal(values_of(mind), found.values)
    assert np.array_equal(corrections_of(mind)[: len(found.sizes)], found.sizes)
    assert (corrections_of(mind).size > 0) == sizes


class Lessons:
    """What `learn` does, in plain Python: means by description, and by distribution of lengths."""

    def __init__(self, system: str) -> None:
        self.points = points(system)
        self.scores: dict[str, list[int]] = defaultdict(list)
        self.surprises: dict[int, list[float]] = defaultdict(list)

    def promise(self, text: str, cards: list[Card]) -> float:
        if len(cards) == SIDE or text not in self.scores:
            return self.points[category_by_hand(cards)]
        return float(np.mean(self.scores[text]))

    def game(self, rng: Stream, deck: list[int]) -> None:
        view = start(" ".join(map(str, self.points)))
        passed: list[tuple[str, int]] = []
        promised: list[tuple[int, float]] = []
        for played in range(CELLS):
            pick = played + below(rng.state, 52 - played)
            deck[played], deck[pick] = deck[pick], deck[played]
            uniform(rng.state)
            free = free_cells(view)
            view = after(drawn(view, deck[played]), free[below(rng.state, len(free))])
            undealt, total = undealt_of(view), 0.0
            for i in range(LINES):
                cards = cards_of(view, i)
                text = described(played + 1, i, cards, undealt)
                total += self.promise(text, cards)
                if len(cards) < SIDE:
                    passed.append((text, i))
            promised.append((sizes_by_hand(view), total))
        scores = [self.points[category_by_hand(cards_of(view, i))] for i in range(LINES)]
        for text, i in passed:
            self.scores[text].append(scores[i])
        for number, total in promised:
            self.surprises[number].append(sum(scores) - total)


def taught(
    system: str, found: Evaluation, games: int, explored: float, rng: Array, counts: Array | None = None
) -> tuple[Array, ...]:
    """Values, their counts, corrections and their counts after lessons that start from an evaluation."""
    values, corrections = found.values.copy(), found.sizes.copy()
    counts = np.zeros(len(values), np.int32) if counts is None else counts.copy()
    size_counts = np.zeros(len(corrections), np.int32)
    learn(empty_grid(points(system)), values, counts, corrections, size_counts, games, explored, rng)
    return values, counts, corrections, size_counts


@both
def test_random_lessons_give_each_description_the_mean_of_its_scores(sizes: bool) -> None:
    """Every card goes anywhere, so the games are known; values, counts and corrections by another way."""
    games, system = 120, "-3 2 5 10 15 20 25 50 75 100"
    by_hand, rng, deck = Lessons(system), stream(5, "lessons"), list(range(52))
    for _ in range(games):
        by_hand.game(rng, deck)
    start = by_score(points(system)).values
    before, again = Evaluation(start, np.zeros(squares.SIZES if sizes else 0, np.float32)), stream(5, "lessons")
    values, counts, corrections, size_counts = taught(system, before, games, 2.0, again.state)
    assert np.array_equal(again.state, rng.state)
    met = np.flatnonzero(counts)
    assert len(met) == len(by_hand.scores)
    assert sorted(counts[met]) == sorted(map(len, by_hand.scores.values()))
    by_count = sorted((int(counts[i]), float(values[i])) for i in met)
    wanted = sorted((len(scores), float(np.mean(scores))) for scores in by_hand.scores.values())
    assert np.allclose(by_count, wanted, atol=1e-3)
    assert counts.max() > 100
    assert np.array_equal(values[counts == 0], start[counts == 0])
    if sizes:
        assert {int(i): int(size_counts[i]) for i in np.flatnonzero(size_counts)} == {
            number: len(found) for number, found in by_hand.surprises.items()
        }
        for number, found in by_hand.surprises.items():
            assert corrections[number] == pytest.approx(np.mean(found), abs=1e-2)


@both
def test_lessons_without_exploration_follow_the_values(sizes: bool) -> None:
    """One game by values that are all different: the greedy choices, found from the grids, pass the same lines."""
    for seed in range(5):
        found = arbitrary(seed, sizes)
        rng = stream(seed, "greedy").state
        view, deck, passed = start(), list(range(52)), set()
        for played in range(CELLS):
            pick = played + below(rng, 52 - played)
            deck[played], deck[pick] = deck[pick], deck[played]
            view = drawn(view, deck[played])
            uniform(rng)
            view = after(view, first_best({cell: worth(after(view, cell), found) for cell in free_cells(view)}))
            position = read(view)
            for i in range(LINES):
                if position.lines[i].length < SIDE:
                    stage = squares.stage_of(played + 1, i)
                    passed.add(squares.number_of(position, stage, position.lines[i]))
        counts = taught("american", found, 1, 0.0, stream(seed, "greedy").state)[1]
        assert set(np.flatnonzero(counts)) == passed
        end = RULES.imagine(view, stream(0, "end"))
        assert list(greedy_scores(found, "american", [deck[:CELLS]])) == list(RULES.payoffs(end))


def greedy_scores(found: Evaluation, system: str, deals: Sequence[Sequence[int]]) -> Array:
    scores = np.zeros(len(deals))
    greedy_games(empty_grid(points(system)), found.values, found.sizes, False, np.array(deals), scores)
    return scores


@pytest.mark.parametrize(("system", "gap"), [("american", 15), ("english", 5), ("single:4", 1)])
def test_what_is_learned_plays_far_better_than_the_score_so_far(system: str, gap: float) -> None:
    given, deals = points(system), [contest_deal(seed)[:CELLS] for seed in range(500)]
    naive = greedy_scores(by_score(given), system, deals)
    gained = greedy_scores(narl.learned_anew(given, 0.5, False, 10_000, 0), system, deals) - naive
    assert gained.mean() > max(gap, 8 * float(gained.std()) / math.sqrt(500))


@both
def test_what_is_learned_does_not_depend_on_the_workers(sizes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for workers in (1, 2, 3):
        monkeypatch.setattr(narl, "in_order", functools.partial(in_order, workers=workers))
        found.append(narl.learned_anew(AMERICAN, 0.5, sizes, 6_000, 3))
    for other in found[1:]:
        assert np.array_equal(found[0].values, other.values)
        assert np.array_equal(found[0].sizes, other.sizes)
    other = narl.learned_anew(AMERICAN, 0.5, sizes, 6_000, 4)
    assert not np.array_equal(found[0].values, other.values)


def test_two_learners_are_joined_by_how_often_each_met_a_line() -> None:
    """Two rounds, of 4,000 games and 1,000: what each learner adds to the sums and counts, one after the other."""
    found = learned(AMERICAN, 0.5, False, 5_000)
    assert found.sizes.size == 0
    assert found.values.min() >= 0
    assert found.values.max() <= 100
    now, base = by_score(AMERICAN), seeded(0, "narl")
    counts = np.zeros(squares.ABSTRACTIONS, np.int32)
    for number, games, before in ((0, 4_000, 0), (1, 1_000, 4_000)):
        sums, total = now.values.astype(float) * counts, counts.copy()
        for learner in range(2):
            own = np.empty(4, np.uint64)
            fork(base, 2 * number + learner, own)
            values, seen, _, _ = taught("american", now, games // 2, 0.5 * 0.999975**before, own, counts)
            sums += values.astype(float) * seen - now.values.astype(float) * counts
            total += seen - counts
        joined = now.values.copy()
        joined[total > 0] = sums[total > 0] / total[total > 0]
        now, counts = Evaluation(joined, now.sizes), total
    assert np.allclose(found.values, now.values, atol=1e-3)
    assert np.array_equal(found.values[counts == 0], by_score(AMERICAN).values[counts == 0])


def test_the_distribution_of_sizes_learns_corrections() -> None:
    found = learned(AMERICAN, 0.5, True, 4_000)
    assert len(found.sizes) == squares.SIZES
    reached = np.flatnonzero(found.sizes)
    assert len(reached) > 100
    for number in reached:
        digits = [int(number) // 11**i % 11 for i in range(5)]
        if number == 10 * 11**4:
            digits = [0, 0, 0, 0, 10]
        assert sum(digits) <= LINES
        cards = sum((i + 1) * digit for i, digit in enumerate(digits))
        assert cards % 2 == 0  # every card lies in two lines
        assert 2 <= cards <= 2 * CELLS
    plain = learned(AMERICAN, 0.5, False, 4_000)
    assert not np.array_equal(plain.values, found.values)


def test_equal_time_buys_more_games_the_more_of_them_are_random() -> None:
    given = [lessons_for(10_000, explored) for explored in (0.0, 0.1, 0.5, ALWAYS)]
    assert given == sorted(set(given))
    assert given[0] == 10_000
    assert given[-1] == 21_000
    assert lessons_for(10_000, 0.5, sizes=True) < given[2]
    for explored, sizes in ((0.1, False), (0.5, True), (ALWAYS, False)):
        lessons = lessons_for(10_000, explored, sizes)
        assert cost(lessons, explored, sizes) <= 10_000 < cost(lessons + 1, explored, sizes)
    by_hand = 300 - sum(0.5 * 0.999975**game for game in range(300)) * (1 - 1 / 2.1)
    assert cost(300, 0.5) == pytest.approx(by_hand)


def test_unseen_lines_are_worth_their_score_or_the_most() -> None:
    score, best = (narl.learned_anew(AMERICAN, 0.5, False, 200, 0, unseen) for unseen in ("score", "best"))
    assert (score.values == by_score(AMERICAN).values).mean() > 0.9  # 200 games meet few abstractions
    assert (best.values == 100).mean() > 0.9
    assert best.values.max() == 100
    assert 0 <= best.values.min() < 100


def test_runs_of_learning_differ_by_their_seed() -> None:
    minds = [agent_named(f"narl:lessons=500{more}", "poker-squares").mind(RULES) for more in ("", ",learning_seed=0")]
    assert np.array_equal(minds[0], minds[1])
    assert not np.array_equal(minds[0], agent_named("narl:lessons=500,learning_seed=1", "poker-squares").mind(RULES))


def test_learning_from_random_play_alone_never_follows_the_values() -> None:
    assert math.isinf(greedy.EXPLORED["narl-random"] * 0.999975**1_000_000)  # ε after a million games
    random = agent_named("narl:evaluation=narl-random,lessons=1000", "poker-squares").mind(RULES)
    assert np.array_equal(values_of(random), learned(AMERICAN, math.inf, False, 1_000).values)


def test_evaluations_by_name() -> None:
    fewer = agent_named("narl:evaluation=narl-0.1,lessons=2000", "poker-squares").mind(RULES)
    assert np.array_equal(values_of(fewer), learned(AMERICAN, 0.1, False, 2_000).values)
    score = agent_named("narl:evaluation=score", "poker-squares").mind(RULES)
    assert np.array_equal(score, agent_named("greedy", "poker-squares").mind(RULES))
    english = agent_named("greedy", "poker-squares").mind(PokerSquares(system="english"))
    assert np.array_equal(values_of(english), by_score(points("english")).values)


def averaged(view: SquaresView, cards: int, cells: int, found: Evaluation, rng: Array, means: Array) -> int:
    return averages(view, Breadth(cards, cells), *found, new_scratch(), rng, means)


def simulated(view: SquaresView, plan: Plan, found: Evaluation, rng: Array, means: Array) -> int:
    return simulations(view, plan, *found, new_scratch(), rng, means)


@both
def test_expectimax_averages_over_every_card_placed_best(sizes: bool) -> None:
    found = arbitrary(4, sizes)
    for placed in (14, 19, 22, 23):
        view = at(placed, placed, "random:5")
        wanted = {}
        for cell in free_cells(view):
            best = []
            for card in sorted(undealt_of(view)):
                then = after(view, cell, card)
                best.append(max(worth(after(then, other), found) for other in free_cells(then)))
            wanted[cell] = float(np.mean(best))
        means = np.full(CELLS, np.nan)
        rng = stream(1, "expectimax").state
        assert averaged(view, 52, CELLS, found, rng, means) == first_best(wanted)
        assert known(means) == pytest.approx(wanted)
        assert np.array_equal(rng, stream(1, "expectimax").state)  # nothing is left to chance


def turn_of(rules: PokerSquares, view: SquaresView, rng: Stream, mind: Array) -> Turn[SquaresView]:
    return Turn(rules, view, rules.choices(rules.imagine(view, rng)), rng, mind)


def decide(spec: str, view: SquaresView, number: int = 0) -> Decision:
    agent = agent_named(spec, "poker-squares")
    return agent.decide(turn_of(RULES, view, stream(number, "t"), agent.mind(RULES)))


def test_sampling_everything_is_expectimax() -> None:
    for placed in (0, 7, 18, 23, 24):
        view = at(placed, placed)
        wanted = decide("expectimax:lessons=2000", view)
        for spec in ("action-sampled:cards=52,cells=25,lessons=2000", "chance-sampled:cards=52,lessons=2000"):
            found = decide(spec, view)
            assert found.action == wanted.action
            assert found.values == pytest.approx(wanted.values)


def test_samples_of_cards_are_true_to_the_average_and_of_cells_are_the_first() -> None:
    view, found = at(12, 2), arbitrary(6)
    exact, (_, promise) = np.full(CELLS, np.nan), promised(view, found)
    averaged(view, 52, CELLS, found, stream(0, "x").state, exact)
    ranked = sorted(free_cells(view), key=lambda cell: -promise[cell])
    means, rng = [], stream(0, "samples").state
    for _ in range(2_000):
        out = np.full(CELLS, np.nan)
        best = averaged(view, 6, 4, found, rng, out)
        assert set(known(out)) == set(ranked[:4])
        assert best == first_best(known(out))
        means.append(out[ranked[:4]])
    spread = np.std(means, axis=0)
    assert spread.min() > 0
    assert np.all(np.abs(np.mean(means, axis=0) - exact[ranked[:4]]) < 5 * spread / math.sqrt(2_000))


@both
@pytest.mark.parametrize("term", [0.0, 20.0])
def test_simulations_of_no_depth_are_greedy(sizes: bool, term: float) -> None:
    found = arbitrary(3, sizes)
    for placed in range(CELLS):
        view = at(placed, placed)
        means = np.full(CELLS, np.nan)
        best = simulated(view, Plan(0, term, 100.0), found, stream(0, "sim").state, means)
        greedy, promise = promised(view, found)
        assert best == greedy
        assert known(means) == pytest.approx(promise)


@pytest.mark.parametrize("term", [0.0, 20.0])
def test_simulations_of_the_last_two_cards_come_near_the_exact_means(term: float) -> None:
    found = by_score(points("random:11"))
    for seed in range(5):
        view = at(23, seed, "random:11")
        wanted, spreads = {}, {}
        for cell in free_cells(view):
            ends = []
            for card in undealt_of(view):
                then = after(view, cell, card)
                end = after(then, free_cells(then)[0])
                ends.append(sum(end.points[category_by_hand(cards_of(end, i))] for i in range(LINES)))
            wanted[cell], spreads[cell] = float(np.mean(ends)), float(np.std(ends))
        means = np.full(CELLS, np.nan)
        best = simulated(view, Plan(5, term, 40_000.0), found, stream(seed, "sim").state, means)
        assert best == first_best(known(means))
        tries = 20_000 if term == 0 else 10_000  # the better of two cells is tried more often
        assert means[best] == pytest.approx(wanted[best], abs=6 * spreads[best] / math.sqrt(tries) + 1e-9)
        if max(wanted.values()) - min(wanted.values()) > 5:
            assert best == first_best(wanted)


def test_simulations_play_on_greedily_to_their_depth() -> None:
    """One placement deep, with every card as likely: the mean of the best placements of the next card."""
    found = arbitrary(8)
    view = at(20, 8)
    exact, means = np.full(CELLS, np.nan), np.full(CELLS, np.nan)
    averaged(view, 52, CELLS, found, stream(0, "x").state, exact)
    simulated(view, Plan(1, 0.0, 100_000.0), found, stream(0, "sim").state, means)
    assert set(known(means)) == set(free_cells(view))
    assert known(means) == pytest.approx(known(exact), abs=2)  # 20,000 tries of values that deviate by some 30


@both
def test_monte_carlo_of_no_depth_at_the_leaves_is_expectimax(sizes: bool) -> None:
    """With every next card once, what it finds for a cell is what expectimax finds."""
    found = arbitrary(5, sizes)
    for placed in (1, 9, 16, 21, 22):
        view = at(placed, placed)
        exact, means = np.full(CELLS, np.nan), np.full(CELLS, np.nan)
        best = averaged(view, 52, CELLS, found, stream(0, "x").state, exact)
        tried = min(TRIED, len({alike(read(view), cell) for cell in free_cells(view)}))
        plan = Plan(0, 0.0, float(tried * (51 - placed)))
        assert leaves(view, plan, *found, new_scratch(), stream(1, "leaves").state, means) == alike(read(view), best)
        assert len(known(means)) == tried
        for cell, mean in known(means).items():
            assert mean == pytest.approx(exact[cell], abs=1e-3)


@pytest.mark.parametrize("search", [leaves, tree_search])
def test_searches_come_near_perfect_play_at_the_end(search: Any) -> None:
    """Three free cells, with nothing learned, against the enumeration of all orders of the cards."""
    found, system = by_score(points("random:11")), "random:11"
    for seed in range(5):
        view = at(22, seed, system)
        exact, means = np.full(CELLS, np.nan), np.full(CELLS, np.nan)
        counted(view, champion.new_scratch(), exact)
        best = search(view, Plan(5, 2.0, 60_000.0), *found, new_scratch(), stream(seed, "search").state, means)
        spread = max(known(exact).values()) - min(known(exact).values())
        assert exact[best] >= max(known(exact).values()) - 0.1 * spread - 1
        if search is tree_search:
            assert means[best] == pytest.approx(exact[best], abs=5)  # 20,000 games that deviate by about 100


def test_the_tree_finds_what_greedy_play_on_cannot() -> None:
    """The tree's estimate of its cell is nearer to perfect play than that of simulations that go on greedily."""
    found, system, gaps = by_score(points("random:11")), "random:11", []
    for seed in range(8):
        view = at(21, seed, system)
        exact = np.full(CELLS, np.nan)
        counted(view, champion.new_scratch(), exact)
        row = []
        for search in (tree_search, simulations):
            means = np.full(CELLS, np.nan)
            best = search(view, Plan(5, 2.0, 60_000.0), *found, new_scratch(), stream(seed, "search").state, means)
            row.append(abs(means[best] - exact[best]))
        gaps.append(row)
    tree, greedily = np.mean(gaps, axis=0)
    assert tree < greedily


def test_searching_helps() -> None:
    rules = PokerSquares(system="english")
    greedy, searched = (match(rules, [f"{name}:lessons=2000"], 100, 1).by_deal[:, 0] for name in ("narl", "expectimax"))
    assert np.mean(searched - greedy) > 3 * float(np.std(searched - greedy)) / math.sqrt(100)


def test_shares_of_time() -> None:
    for management, b, c in (("uniform", 8.0, 10.0), ("gaussian", 8.0, 10.0), ("gaussian", 20.0, 2.0)):
        found = shares(management, b, c)  # type: ignore[arg-type]
        assert len(found) == CELLS
        assert found.sum() == pytest.approx(1)
        assert found[0] == found[-1] == 0
        assert found[1:-1].min() > 0
    assert shares("uniform", 1.0, 1.0)[1:-1] == pytest.approx(1 / 23)
    curve = shares("gaussian", 8.0, 3.0)
    assert int(np.argmax(curve)) == 7  # the eighth card
    assert curve[10] / curve[7] == pytest.approx(math.exp(-0.5))
    assert curve[4] == pytest.approx(curve[10])


@pytest.mark.parametrize("name", ["greedy-monte-carlo", "ucb", "expectimax-monte-carlo", "mcts"])
def test_no_time_is_no_search(name: str) -> None:
    spec = f"{name}:evaluation=score"
    for placed in (0, 10, 24):
        view = at(placed, placed)
        for none in ("plies=0", "time=0"):
            assert decide(f"{spec},{none}", view).values == decide("greedy", view).values
    first = at(0, 0)
    assert decide(f"{spec},plies=5000", first).action == decide("greedy", first).action
    middle = at(10, 1)
    assert decide(f"{spec},plies=5000", middle).values != decide("greedy", middle).values
    assert decide(f"{spec},plies=5000", middle, 1).values != decide(f"{spec},plies=5000", middle, 2).values


@pytest.mark.parametrize(
    "spec",
    [
        "narl:evaluation=narl-sizes,lessons=2000",
        "greedy-monte-carlo:evaluation=narl-sizes,lessons=2000,plies=1000,management=gaussian",
        "ucb:evaluation=score,plies=1000,depth=25",
        "expectimax-monte-carlo:evaluation=narl-sizes,lessons=2000,plies=1000,learning_seed=3",
        "mcts:evaluation=score,plies=2000,depth=3",
        "action-sampled:evaluation=narl-sizes,lessons=2000,cards=5,cells=3",
    ],
)
def test_policies_decide_as_their_agents_do(spec: str) -> None:
    agent = agent_named(spec, "poker-squares")
    rules = PokerSquares(system="hypercorner:4")
    mind, policy = agent.mind(rules), agent.policy(rules)
    assert policy is not None
    for placed in range(CELLS):
        view = at(placed, placed, "hypercorner:4")
        first, second = stream(placed, "p"), stream(placed, "p")
        decision = agent.decide(turn_of(rules, view, first, mind))
        assert policy(view, mind, second.state) == decision.action
        assert np.array_equal(first.state, second.state)
        assert decision.values[decision.action] == decision.figures["score"]
        if agent.name != "mcts":  # which takes the cell that it tried most often
            assert decision.figures["score"] == max(decision.values.values())
        assert set(decision.values) <= set(free_cells(view))
        assert decision.reason.startswith(f"cell {decision.action // 5 + 1}{decision.action % 5 + 1} ")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("narl", "lessons=0"),
        ("narl", "lessons=many"),
        ("narl", "evaluation=best"),
        ("narl", "unseen=zero"),
        ("narl", "learning_seed=-1"),
        ("mcts", "plies=-1"),
        ("mcts", "unseen=zero"),
        ("expectimax-monte-carlo", "depth=26"),
        ("expectimax", "lessons=-1"),
        ("expectimax", "evaluation=narl-0.2"),
        ("expectimax", "cards=3"),
        ("chance-sampled", "cards=0"),
        ("chance-sampled", "cards=53"),
        ("action-sampled", "cards=0"),
        ("action-sampled", "cells=0"),
        ("action-sampled", "cells=26"),
        ("ucb", "time=-1"),
        ("ucb", "time=nan"),
        ("ucb", "time=3601"),
        ("ucb", "plies=-1"),
        ("ucb", "plies=1.5"),
        ("greedy-monte-carlo", "depth=-1"),
        ("greedy-monte-carlo", "depth=26"),
        ("greedy-monte-carlo", "c=0"),
        ("greedy-monte-carlo", "c=nan"),
        ("greedy-monte-carlo", "management=gauss"),
        ("greedy-monte-carlo", "term=1"),
        ("greedy", "lessons=1"),
    ],
)
def test_wrong_parameters_are_quoted(name: str, wrong: str) -> None:
    with pytest.raises(InputError) as found:
        agent_named(f"{name}:{wrong}", "poker-squares")
    assert wrong.partition("=")[2] in str(found.value)
    assert wrong.partition("=")[0] in str(found.value)
    with pytest.raises(InputError):
        agent_named(name, "kuhn")
