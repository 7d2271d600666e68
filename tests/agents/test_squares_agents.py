"""Poker Squares' players: the abstraction of lines, what is learned, and the searches, against plain words for each."""

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
from fifthstreet.agents.squares import lines as squares
from fifthstreet.agents.squares import narl
from fifthstreet.agents.squares.greedy import corrections_of, mind_of, promises, values_of
from fifthstreet.agents.squares.narl import Evaluation, by_score, greedy_games, learn, learned
from fifthstreet.agents.squares.searches import averages, shares, simulations
from fifthstreet.arena.match import match
from fifthstreet.cards import Card, parse_cards
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import value
from fifthstreet.evaluation.strength import category_number, evaluate_5
from fifthstreet.games.point_systems import AMERICAN, contest_deal, points
from fifthstreet.games.poker_squares import (
    CELLS,
    GRID,
    LINES,
    NEXT,
    PLACED,
    POINTS,
    SIDE,
    PokerSquares,
    SquaresState,
    apply,
    cell_of,
    is_dealt,
)
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


def positions(seed: int, deck: str = "all", system: str = "american") -> Iterator[Array]:
    """A game of one deck, before each card is drawn; some cards go to a row of their suit or a column of their rank."""
    rng, data = stream(seed, "positions", deck), PokerSquares(system=system).start().data
    for card in rng.sample(DECKS[deck], CELLS):
        yield data.copy()
        free = [cell for cell in range(CELLS) if data[GRID + cell] < 0]
        same = [cell for cell in free if (cell // SIDE == card & 3 if seed % 2 else cell % SIDE == (card >> 2) % SIDE)]
        where = same if same and rng.random() < 0.7 else free
        data[NEXT] = card
        apply(data, where[rng.below(len(where))])


def at(placed: int, seed: int, system: str = "american") -> Array:
    """A grid with so many cards, and one to place."""
    *_, data = (data for data in positions(seed, system=system) if data[PLACED] <= placed)
    undealt = [card for card in range(52) if not is_dealt(data, card)]
    data[NEXT] = undealt[stream(seed, "next").below(len(undealt))]
    return data


def read(data: Array, fine: bool = False) -> tuple[Array, Array]:
    lines, left = np.zeros((LINES, squares.FACTS), np.int64), np.zeros(squares.LEFT, np.int64)
    squares.read_grid(data, fine, lines, left)
    return lines, left


def cards_of(data: Array, line: int) -> list[Card]:
    found = (data[GRID + cell_of(line, i)] for i in range(SIDE))
    return [Card(int(card)) for card in found if card >= 0]


def undealt_of(data: Array) -> set[int]:
    return {card for card in range(52) if not is_dealt(data, card)}


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
            for data in positions(seed, deck):
                played, undealt = int(data[PLACED]), undealt_of(data)
                lines, left = read(data, fine)
                for i in range(LINES):
                    if lines[i, squares.SIZE] == SIDE:
                        continue
                    text = described(played, i, cards_of(data, i), undealt, fine)
                    number = squares.number_of(squares.stage_of(played, i), lines[i], left)
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
    data = RULES.start().data
    for i, card in enumerate(parse_cards(held)):
        data[GRID + i] = card
    for i, card in enumerate(parse_cards(gone)):
        data[GRID + SIDE + i] = card
    lines, left = read(data)
    number = squares.number_of(0, lines[0], left)
    flushes, hope = divmod(number % squares.REST, squares.HOPES)
    assert (flushes > 0, hope >= 3, hope % 3 == 2) == (flush, straight, royal)
    text = described(0, 0, parse_cards(held), undealt_of(data))
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
            lines, left = read(RULES.start().data)
            before = RULES.start().data
            for data in [*positions(seed, deck)][1:]:
                cell = int(np.flatnonzero(data[GRID:] != before[GRID:])[0])
                card = int(data[GRID + cell])
                squares.deal(lines, left, card)
                drawn = before.copy()
                drawn[NEXT] = card
                assert np.array_equal(read(drawn)[0], lines)
                stage = squares.stage_of(int(data[PLACED]), 0)
                for i in (cell // SIDE, SIDE + cell % SIDE):
                    assert squares.category_with(lines[i], card) == category_by_hand(cards_of(data, i))
                    if lines[i, squares.SIZE] < SIDE - 1:
                        added = lines[i].copy()
                        squares.put(added, card, left)
                        wanted = squares.number_of(stage, added, left)
                        assert squares.number_with(stage, lines[i], card, left) == wanted
                squares.place(lines, cell, card, left)
                for kept, fresh in zip((lines, left), read(data), strict=True):
                    assert np.array_equal(kept, fresh)
                undealt = Counter(card >> 2 for card in undealt_of(data))
                for i in range(LINES):
                    counts = Counter(int(card.rank) for card in cards_of(data, i))
                    total = sum(int(squares.WEIGHT[8 * n + undealt[rank]]) for rank, n in counts.items())
                    assert lines[i, squares.TOTAL] == total
                    assert lines[i, squares.SIZE] == sum(counts.values())
                    assert squares.category_of_line(lines[i]) == category_by_hand(cards_of(data, i))
                before = data


@kernel
def disagreements(left: Any) -> int:
    """Of all hands of five cards, how many are of another category than the evaluator says."""
    lines = np.zeros((5, squares.FACTS), np.int64)
    found = 0
    for a in range(52):
        lines[0, :] = 0
        squares.put(lines[0], a, left)
        for b in range(a):
            lines[1, :] = lines[0]
            squares.put(lines[1], b, left)
            for c in range(b):
                lines[2, :] = lines[1]
                squares.put(lines[2], c, left)
                for d in range(c):
                    lines[3, :] = lines[2]
                    squares.put(lines[3], d, left)
                    for e in range(d):
                        lines[4, :] = lines[3]
                        squares.put(lines[4], e, left)
                        wanted = category_number(evaluate_5(a, b, c, d, e))
                        if wanted == 8 and e >> 2 == 8:
                            wanted = 9
                        found += squares.category_of_line(lines[4]) != wanted
                        found += squares.category_with(lines[3], e) != wanted
    return found


def test_all_hands_are_what_the_evaluator_says() -> None:
    assert disagreements(np.zeros(squares.LEFT, np.int64)) == 0


@pytest.mark.parametrize("system", ["american", "random:7"])
def test_the_score_so_far_is_the_points_of_the_partial_hands(system: str) -> None:
    given = points(system)
    found = by_score(given)
    assert found.sizes.size == 0
    assert len(found.values) == squares.ABSTRACTIONS
    seen = set()
    for deck in DECKS:
        for seed in range(10):
            for data in positions(seed, deck, system):
                lines, left = read(data)
                played, wanted = int(data[PLACED]), [given[category_by_hand(cards_of(data, i))] for i in range(LINES)]
                for i in range(LINES):
                    seen.add(category_by_hand(cards_of(data, i)))
                    if lines[i, squares.SIZE] < SIDE:
                        number = squares.number_of(squares.stage_of(played, i), lines[i], left)
                        assert found.values[number] == wanted[i]
                total = squares.value_of(played, lines, left, data[POINTS:PLACED], found.values, found.sizes)
                assert total == sum(wanted)
    assert seen >= {0, 1, 2, 3, 7}


def arbitrary(seed: int = 0, sizes: bool = False) -> Evaluation:
    """Values that mean nothing, and are all different."""
    rng = np.random.default_rng(seed)
    corrections = rng.normal(0, 20, squares.SIZES if sizes else 0).astype(np.float32)
    return Evaluation(rng.normal(0, 20, squares.ABSTRACTIONS).astype(np.float32), corrections)


def sizes_by_hand(data: Array) -> int:
    """The distribution of sizes: how many lines have one card, two, … as digits of a number to base 11."""
    return sum(11 ** (size - 1) for i in range(LINES) if (size := len(cards_of(data, i))))


def worth(data: Array, found: Evaluation) -> float:
    """The value of a grid with no card in hand, from its cards alone."""
    lines, left = read(data)
    total = float(found.sizes[sizes_by_hand(data)]) if found.sizes.size else 0.0
    for i in range(LINES):
        cards = cards_of(data, i)
        if len(cards) == SIDE:
            total += float(data[POINTS + category_by_hand(cards)])
        else:
            total += float(found.values[squares.number_of(squares.stage_of(int(data[PLACED]), i), lines[i], left)])
    return total


def after(data: Array, cell: int, drawn: int = -1) -> Array:
    new = data.copy()
    apply(new, cell)
    new[NEXT] = drawn
    return new


def free_cells(data: Array) -> list[int]:
    return [cell for cell in range(CELLS) if data[GRID + cell] < 0]


def first_best(options: dict[int, float]) -> int:
    return max(options, key=lambda cell: (options[cell], -cell))


def known(means: Array) -> dict[int, float]:
    return {cell: float(mean) for cell, mean in enumerate(means) if not np.isnan(mean)}


def promised(data: Array, found: Evaluation) -> tuple[int, dict[int, float]]:
    """The best cell by an evaluation, and what every free cell promises."""
    out = np.full(CELLS, np.nan)
    best = promises(data, found.values, found.sizes, out)
    return best, known(out)


both = pytest.mark.parametrize("sizes", [False, True])


@both
def test_promises_are_the_values_of_the_grids_that_follow(sizes: bool) -> None:
    found = arbitrary(1, sizes)
    for placed in range(CELLS):
        data = at(placed, placed, "random:3")
        best, promise = promised(data, found)
        wanted = {cell: worth(after(data, cell), found) for cell in free_cells(data)}
        assert promise == pytest.approx(wanted)
        assert best == first_best(wanted)


def test_of_equal_cells_the_first_is_taken_or_any_with_the_same_probability() -> None:
    data = at(0, 3)
    found = by_score(AMERICAN)
    assert promised(data, found)[0] == 0
    lines, left = read(data)
    gain = np.zeros(LINES)
    squares.gains(0, int(data[NEXT]), lines, left, data[POINTS:PLACED], found.values, gain)
    words = stream(0, "ties").state
    drawn = Counter(squares.best_cell(data[GRID:], lines, gain, found.sizes, words) for _ in range(25_000))
    assert set(drawn) == set(range(CELLS))
    assert all(800 < count < 1_200 for count in drawn.values())  # 1,000 on average, with a deviation of 31


@both
def test_a_mind_holds_the_evaluation(sizes: bool) -> None:
    found = arbitrary(2, sizes)
    mind = mind_of(found, 3.0, 4.5)
    assert mind[:3].tolist() == [3.0, 4.5, 0.0]
    assert np.array_equal(values_of(mind), found.values)
    assert np.array_equal(corrections_of(mind)[: len(found.sizes)], found.sizes)
    assert (corrections_of(mind).size > 0) == sizes


class Lessons:
    """What `learn` does, in plain words: means by description, and by distribution of sizes."""

    def __init__(self, system: str) -> None:
        self.points = points(system)
        self.scores: dict[str, list[int]] = defaultdict(list)
        self.surprises: dict[int, list[float]] = defaultdict(list)

    def promise(self, text: str, cards: list[Card]) -> float:
        if len(cards) == SIDE or text not in self.scores:
            return self.points[category_by_hand(cards)]
        return float(np.mean(self.scores[text]))

    def game(self, rng: Stream, deck: list[int]) -> None:
        data = PokerSquares(system=" ".join(map(str, self.points))).start().data
        passed: list[tuple[str, int]] = []
        promised: list[tuple[int, float]] = []
        for played in range(CELLS):
            drawn = played + below(rng.state, 52 - played)
            deck[played], deck[drawn] = deck[drawn], deck[played]
            data[NEXT] = deck[played]
            uniform(rng.state)
            free = free_cells(data)
            apply(data, free[below(rng.state, len(free))])
            undealt, total = undealt_of(data), 0.0
            for i in range(LINES):
                cards = cards_of(data, i)
                text = described(played + 1, i, cards, undealt)
                total += self.promise(text, cards)
                if len(cards) < SIDE:
                    passed.append((text, i))
            promised.append((sizes_by_hand(data), total))
        scores = [self.points[category_by_hand(cards_of(data, i))] for i in range(LINES)]
        for text, i in passed:
            self.scores[text].append(scores[i])
        for number, total in promised:
            self.surprises[number].append(sum(scores) - total)


def taught(
    system: str, found: Evaluation, games: int, explored: float, words: Array, counts: Array | None = None
) -> tuple[Array, ...]:
    """Values, their counts, corrections and their counts after lessons that start from an evaluation."""
    values, corrections = found.values.copy(), found.sizes.copy()
    counts = np.zeros(len(values), np.int32) if counts is None else counts.copy()
    size_counts, given = np.zeros(len(corrections), np.int32), np.array(points(system), float)
    learn(given, values, counts, corrections, size_counts, games, explored, words)
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
        words = stream(seed, "greedy").state
        data, deck, passed = RULES.start().data, list(range(52)), set()
        for played in range(CELLS):
            drawn = played + below(words, 52 - played)
            deck[played], deck[drawn] = deck[drawn], deck[played]
            data[NEXT] = deck[played]
            uniform(words)
            apply(data, first_best({cell: worth(after(data, cell), found) for cell in free_cells(data)}))
            lines, left = read(data)
            for i in range(LINES):
                if lines[i, squares.SIZE] < SIDE:
                    passed.add(squares.number_of(squares.stage_of(played + 1, i), lines[i], left))
        counts = taught("american", found, 1, 0.0, stream(seed, "greedy").state)[1]
        assert set(np.flatnonzero(counts)) == passed
        assert list(greedy_scores(found, "american", [deck[:CELLS]])) == list(RULES.payoffs(SquaresState(data)))


def greedy_scores(found: Evaluation, system: str, deals: Sequence[Sequence[int]]) -> Array:
    scores = np.zeros(len(deals))
    greedy_games(np.array(points(system)), found.values, found.sizes, False, np.array(deals), scores)
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


def test_evaluations_by_name() -> None:
    fewer = agent_named("narl:evaluation=narl-0.1,lessons=2000", "poker-squares").mind(RULES)
    assert np.array_equal(values_of(fewer), learned(AMERICAN, 0.1, False, 2_000).values)
    score = agent_named("narl:evaluation=score", "poker-squares").mind(RULES)
    assert np.array_equal(score, agent_named("greedy", "poker-squares").mind(RULES))
    english = agent_named("greedy", "poker-squares").mind(PokerSquares(system="english"))
    assert np.array_equal(values_of(english), by_score(points("english")).values)


@both
def test_expectimax_averages_over_every_card_placed_best(sizes: bool) -> None:
    found = arbitrary(4, sizes)
    for placed in (14, 19, 22, 23):
        data = at(placed, placed, "random:5")
        wanted = {}
        for cell in free_cells(data):
            best = []
            for card in sorted(undealt_of(data)):
                then = after(data, cell, card)
                best.append(max(worth(after(then, other), found) for other in free_cells(then)))
            wanted[cell] = float(np.mean(best))
        means = np.full(CELLS, np.nan)
        words = stream(1, "expectimax").state
        assert averages(data, 52, CELLS, found.values, found.sizes, words, means) == first_best(wanted)
        assert known(means) == pytest.approx(wanted)
        assert np.array_equal(words, stream(1, "expectimax").state)  # nothing is left to chance


def decide(spec: str, data: Array, number: int = 0, rules: PokerSquares = RULES) -> Decision:
    agent = agent_named(spec, "poker-squares")
    view = SquaresState(data)
    return agent.decide(Turn(rules, view, rules.choices(view), stream(number, "t"), agent.mind(rules)))


def test_sampling_everything_is_expectimax() -> None:
    for placed in (0, 7, 18, 23, 24):
        data = at(placed, placed)
        wanted = decide("expectimax:lessons=2000", data)
        for spec in ("action-sampled:cards=52,cells=25,lessons=2000", "chance-sampled:cards=52,lessons=2000"):
            found = decide(spec, data)
            assert found.action == wanted.action
            assert found.values == pytest.approx(wanted.values)


def test_samples_of_cards_are_true_to_the_average_and_of_cells_are_the_first() -> None:
    data, found = at(12, 2), arbitrary(6)
    exact, (_, promise) = np.full(CELLS, np.nan), promised(data, found)
    averages(data, 52, CELLS, found.values, found.sizes, stream(0, "x").state, exact)
    ranked = sorted(free_cells(data), key=lambda cell: -promise[cell])
    means, words = [], stream(0, "samples").state
    for _ in range(2_000):
        out = np.full(CELLS, np.nan)
        best = averages(data, 6, 4, found.values, found.sizes, words, out)
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
        data = at(placed, placed)
        means = np.full(CELLS, np.nan)
        words = stream(0, "sim").state
        best = simulations(data, 0, term, 100.0, found.values, found.sizes, words, means)
        greedy, promise = promised(data, found)
        assert best == greedy
        assert known(means) == pytest.approx(promise)


@pytest.mark.parametrize("term", [0.0, 20.0])
def test_simulations_of_the_last_two_cards_come_near_the_exact_means(term: float) -> None:
    found = by_score(points("random:11"))
    for seed in range(5):
        data = at(23, seed, "random:11")
        wanted, spreads = {}, {}
        for cell in free_cells(data):
            ends = []
            for card in undealt_of(data):
                then = after(data, cell, card)
                end = after(then, free_cells(then)[0])
                ends.append(sum(end[POINTS + category_by_hand(cards_of(end, i))] for i in range(LINES)))
            wanted[cell], spreads[cell] = float(np.mean(ends)), float(np.std(ends))
        means = np.full(CELLS, np.nan)
        words = stream(seed, "sim").state
        best = simulations(data, 5, term, 40_000.0, found.values, found.sizes, words, means)
        assert best == first_best(known(means))
        tries = 20_000 if term == 0 else 10_000  # the better of two cells is tried more often
        assert means[best] == pytest.approx(wanted[best], abs=6 * spreads[best] / math.sqrt(tries) + 1e-9)
        if max(wanted.values()) - min(wanted.values()) > 5:
            assert best == first_best(wanted)


def test_simulations_play_on_greedily_to_their_depth() -> None:
    """One placement deep, with every card as likely: the mean of the best placements of the next card."""
    found = arbitrary(8)
    data = at(20, 8)
    exact, means = np.full(CELLS, np.nan), np.full(CELLS, np.nan)
    averages(data, 52, CELLS, found.values, found.sizes, stream(0, "x").state, exact)
    simulations(data, 1, 0.0, 100_000.0, found.values, found.sizes, stream(0, "sim").state, means)
    assert set(known(means)) == set(free_cells(data))
    assert known(means) == pytest.approx(known(exact), abs=2)  # 20,000 tries of values that deviate by some 30


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


@pytest.mark.parametrize("name", ["greedy-monte-carlo", "ucb"])
def test_no_time_is_no_search(name: str) -> None:
    spec = f"{name}:evaluation=score"
    for placed in (0, 10, 24):
        data = at(placed, placed)
        for none in ("plies=0", "time=0"):
            assert decide(f"{spec},{none}", data).values == decide("greedy", data).values
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
        "action-sampled:evaluation=narl-sizes,lessons=2000,cards=5,cells=3",
    ],
)
def test_policies_decide_as_their_agents_do(spec: str) -> None:
    agent = agent_named(spec, "poker-squares")
    rules = PokerSquares(system="hypercorner:4")
    mind, policy = agent.mind(rules), agent.policy(rules)
    assert policy is not None
    for placed in range(CELLS):
        data = at(placed, placed, "hypercorner:4")
        view = SquaresState(data.copy())
        first, second = stream(placed, "p"), stream(placed, "p")
        decision = agent.decide(Turn(rules, view, rules.choices(view), first, mind))
        assert policy(data.copy(), mind, second.state) == decision.action
        assert np.array_equal(first.state, second.state)
        assert np.array_equal(view.data, data)
        assert decision.values[decision.action] == max(decision.values.values()) == decision.figures["score"]
        assert set(decision.values) <= set(free_cells(data))
        assert decision.reason.startswith(f"cell {decision.action // 5 + 1}{decision.action % 5 + 1} ")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("narl", "lessons=0"),
        ("narl", "lessons=many"),
        ("narl", "evaluation=best"),
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
