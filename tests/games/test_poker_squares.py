"""Poker Squares: its rules, what its lines score, and the contest's point systems and deals."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fifthstreet.cards import Card, parse_cards, show
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import value
from fifthstreet.games import game_named
from fifthstreet.games.game import CHANCE, IllegalAction
from fifthstreet.games.point_systems import AMERICAN, CATEGORIES, ENGLISH, JavaRandom, contest_deal, points
from fifthstreet.games.poker_squares import (
    CELLS,
    LINES,
    PokerSquares,
    SquaresState,
    SquaresTable,
    SquaresView,
    category_of,
    cell_of,
    scored,
)
from fifthstreet.kernel import kernel
from fifthstreet.rng import stream

from support import Rows

RULES = PokerSquares()


def test_the_facts_of_the_contest(rows: Rows) -> None:
    kinds = set()
    for row in rows("squares/contest_facts.csv"):
        kind, _, name = row["kind"].partition(" ")
        if kind == "system":
            assert points(f"{name}:{row['seed']}") == tuple(map(int, row["value"].split()))
        else:
            assert contest_deal(int(row["seed"]))[:CELLS] == parse_cards(row["value"])
        kinds.add(row["kind"])
    assert kinds == {"system ameritish", "system random", "system hypercorner", "deal"}


def test_java_says_hello_world() -> None:
    """Two seeds that are famous for the letters that nextInt(27) draws from them, until it draws 0."""

    def text(seed: int) -> str:
        random, found = JavaRandom(seed), ""
        while drawn := random.below(27):
            found += chr(ord("a") + drawn - 1)
        return found

    assert (text(-229985452), text(-147909649)) == ("hello", "world")


def states_of(seed: int, count: int) -> list[int]:
    """The 48-bit states of the generator as its documentation defines them."""
    state, found = (seed ^ 25214903917) % 2**48, []
    for _ in range(count):
        state = (state * 25214903917 + 11) % 2**48
        found.append(state)
    return found


@pytest.mark.parametrize("seed", [0, 1, -1, 42, 987654321012, 2**63 - 1, -(2**63)])
def test_java_draws_as_it_is_documented(seed: int) -> None:
    states = states_of(seed, 200)
    random = JavaRandom(seed)
    for n, bits in ((2, 1), (256, 8), (1 << 30, 30), (1, 0)):  # a power of two takes the upper bits
        for state in states[:20]:
            assert random.below(n) == state >> 48 - bits
        random = JavaRandom(seed)
    large = 2**30 + 1  # nearly every second draw lies beyond the last whole stretch, and is drawn again
    wanted = [drawn for state in states if (drawn := state >> 17) < large]
    assert [random.below(large) for _ in wanted] == wanted
    random = JavaRandom(seed)
    for first, second in zip(states[::2], states[1::2], strict=True):
        assert random.fraction() == ((first >> 22) * 2**27 + (second >> 21)) * 2.0**-53


def test_java_is_known_by_its_first_numbers() -> None:
    for seed, known in ((0, (-1155484576, -723955400, 1033096058)), (42, (-1170105035, 234785527))):
        random = JavaRandom(seed)
        assert [random.bits(32) for _ in known] == [number % 2**32 for number in known]
    random = JavaRandom(0)
    assert [random.fraction() for _ in range(2)] == [0.730967787376657, 0.24053641567148587]


def test_deals_are_orders_of_the_whole_deck() -> None:
    deals = [contest_deal(seed) for seed in range(300)]
    assert all(sorted(deal) == list(range(52)) for deal in deals)
    assert len({tuple(deal) for deal in deals}) == 300
    assert all(type(card) is Card for card in deals[0])
    assert {deal[0] for deal in deals + [contest_deal(seed) for seed in range(300, 1500)]} == set(range(52))


def test_systems_by_name() -> None:
    assert points("american") == points(" American ") == (0, 2, 5, 10, 15, 20, 25, 50, 75, 100)
    assert points("english") == points("BRITISH") == (0, 1, 3, 6, 12, 5, 10, 16, 30, 30)
    assert points("-128 127 0/+1/2 3 4 5 6 7") == (-128, 127, 0, 1, 2, 3, 4, 5, 6, 7)
    for number in range(10):
        one = points(f"single:{number}")
        assert sum(one) == one[number] == 1
    assert CATEGORIES[6] == "full house"
    for seed in range(200):
        system = points(f"ameritish:{seed}")
        assert system[0] == 0
        assert 30 <= system[-1] <= 100
        for i in range(1, 9):
            low, high = sorted((AMERICAN[i] / AMERICAN[9], ENGLISH[i] / ENGLISH[9]))
            assert system[9] * low - 0.5 <= system[i] <= system[9] * high + 0.5
        drawn = points(f"random:{-seed}")
        assert len(drawn) == 10
        assert all(-128 <= number <= 127 for number in drawn)
        assert set(points(f"hypercorner:{seed}")) <= {-1, 1}
    assert len({points(f"hypercorner:{seed}") for seed in range(300)}) > 200  # of 1024


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "1 2 3 4 5 6 7 8 9",
        "1 2 3 4 5 6 7 8 9 10 11",
        "0 0 0 0 0 0 0 0 0 128",
        "-129 0 0 0 0 0 0 0 0 0",
        "0 0 0 0 0 0 0 0 0 1.5",
        "0 0 0 0 0 0 0 0 0 x",
        "single:10",
        "single:-1",
        "single:",
        "single",
        "random:x",
        "random:",
        "random:1.0",
        "random",
        "hypercorner:99999999999999999999",
        "ameritish:1 2",
        "american:1",
        "french",
    ],
)
def test_what_is_no_point_system_is_quoted(text: str) -> None:
    with pytest.raises(InputError) as found:
        points(text)
    assert repr(text) in str(found.value)
    with pytest.raises(InputError) as found:
        PokerSquares(system=text)
    assert repr(text) in str(found.value)
    assert "\n" not in str(found.value)


@given(st.text() | st.lists(st.integers(-200, 200), min_size=8, max_size=11).map(lambda row: " ".join(map(str, row))))
def test_any_text_is_ten_numbers_or_an_input_error(text: str) -> None:
    try:
        found = points(text)
    except InputError:
        return
    assert len(found) == 10
    assert all(type(number) is int and -128 <= number <= 127 for number in found)


@kernel
def count_lines(view: SquaresView, line: int, found: Any) -> None:
    """Count all hands of each category, in the cells of one line."""
    a, b, c, d, e = cell_of(line, 0), cell_of(line, 1), cell_of(line, 2), cell_of(line, 3), cell_of(line, 4)
    for first in range(48):
        view.grid[a] = first
        for second in range(first + 1, 49):
            view.grid[e] = second
            for third in range(second + 1, 50):
                view.grid[c] = third
                for fourth in range(third + 1, 51):
                    view.grid[b] = fourth
                    for fifth in range(fourth + 1, 52):
                        view.grid[d] = fifth
                        found[category_of(view, line)] += 1


@pytest.mark.parametrize("line", [2, 9])
def test_all_hands_fall_into_their_categories(line: int) -> None:
    """The numbers of hands that every book on poker prints."""
    found = np.zeros(10, np.int64)
    count_lines(SquaresView.blank(), line, found)
    assert found.tolist() == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]


def category_by_hand(cards: list[Card]) -> int:
    """The category by the readable rules, and 9 for the straight flush from the ten."""
    found = value(cards)[0]
    return 9 if found == 8 and min(card.rank for card in cards) == 8 else int(found)


HANDS = {
    "AcKd9h7s2c": 0,
    "QcKdAh2s3c": 0,  # no straight goes round the corner
    "AcAd9h7s2c": 1,
    "AcAd9h9s2c": 2,
    "9cKd9h7s9d": 3,
    "AcTdJhQsKc": 4,
    "3d5hAc2s4c": 4,
    "6d2h3c5s4c": 4,
    "2h4h6h8hAh": 5,
    "2h2d2cAhAd": 6,
    "7h7d7c7s2c": 7,
    "Ac2c3c4c5c": 8,
    "KdTd9dJdQd": 8,
    "KsTsAsJsQs": 9,
    "TcJcQcKcAc": 9,
}


@pytest.mark.parametrize(("text", "category"), HANDS.items())
@pytest.mark.parametrize("line", range(LINES))
def test_each_category_in_each_row_and_column(text: str, category: int, line: int) -> None:
    cards = parse_cards(text)
    assert category_by_hand(cards) == category
    state = RULES.start()
    for i, card in enumerate(cards):
        cell = 5 * line + i if line < 5 else 5 * i + line - 5
        state = RULES.after(RULES.after(state, card), cell)
    assert state.line_scores() == [AMERICAN[category] if other == line else None for other in range(LINES)]


# Royal flush, full house, straight, high card, two pair; pair, nothing, pair, pair, nothing.
BY_HAND = "AhKhQhJhTh 2c2d2s3c3d 4c5d6s7c8h 9sJcAc4dKs 4h4s9c9hQd"


def test_random_grids_score_as_the_readable_rules_say() -> None:
    for number in range(200):
        rng = stream(number, "grid")
        cards = [Card(card) for card in rng.sample(range(52), CELLS)]
        system = f"random:{number}"
        rows_ = [cards[5 * row : 5 * row + 5] for row in range(5)]
        columns = [cards[column::5] for column in range(5)]
        by_hand = [points(system)[category_by_hand(line)] for line in rows_ + columns]
        assert scored(system, cards) == sum(by_hand)


def test_a_grid_scored_by_hand() -> None:
    cards = parse_cards(BY_HAND)
    assert scored("american", cards) == (100 + 25 + 15 + 0 + 5) + (2 + 0 + 0 + 0 + 0)
    assert scored("english", cards) == (30 + 10 + 12 + 0 + 3) + (1 + 0 + 0 + 0 + 0)
    assert scored("single:0", cards) == 5
    assert scored("-1 -2 -4 0 -8 0 -16 0 0 -32", cards) == -(5 * 1 + 2 + 4 + 8 + 16 + 32)


def test_a_whole_game_by_hand() -> None:
    """Cards and cells through the protocol: last row first, and each row from its end."""
    rules = game_named("poker-squares:system=english")
    cards = parse_cards(BY_HAND)
    state = rules.start()
    assert rules.seats == 1
    for number, cell in enumerate(reversed(range(CELLS))):
        assert rules.to_act(state) == CHANCE
        assert set(rules.choices(state)) == set(range(52)) - set(cards[cell + 1 :])
        with pytest.raises(InputError, match="no payoffs yet"):
            rules.payoffs(state)
        if number:
            with pytest.raises(IllegalAction, match=f"'{str(cards[-1]).lower()}' is not allowed"):
                rules.after(state, cards[-1])
        assert rules.label(state, cards[cell]) == f"deal {str(cards[cell]).lower()}"
        drawn = rules.after(state, cards[cell])
        assert state.next_card == -1
        assert drawn.next_card == cards[cell]
        assert rules.to_act(drawn) == 0
        assert list(rules.choices(drawn)) == list(range(cell + 1))
        if number:
            with pytest.raises(IllegalAction, match="not allowed"):
                rules.after(drawn, cell + 1)
        assert rules.label(drawn, cell) == f"cell {cell // 5 + 1}{cell % 5 + 1}"
        view = rules.view(drawn, 0)
        assert type(view) is SquaresView
        assert rules.imagine(view, stream(0, "x")) == drawn
        assert rules.lies_open(view)
        state = rules.after(drawn, cell)
        assert (state.placed, state.next_card) == (number + 1, -1)
    assert rules.to_act(state) is None
    assert state.rows == [cards[first : first + 5] for first in range(0, CELLS, 5)]
    assert state.line_scores() == [30, 10, 12, 0, 3, 1, 0, 0, 0, 0]
    assert list(rules.payoffs(state)) == [56]
    assert state.points == points("english")
    assert [*state.order] == [*reversed(range(CELLS))]
    with pytest.raises(IllegalAction, match="over"):
        rules.after(state, 0)


def test_every_card_is_drawn_as_often_and_no_card_twice() -> None:
    firsts = np.zeros(52)
    for number in range(2_000):
        rng, state = stream(number, "draw"), RULES.start()
        choices = RULES.choices(state)
        assert len(choices) == 52
        firsts[choices[rng.below(52)]] += 1
    assert firsts.min() > 10
    assert firsts.max() < 80  # of 38 on average, with a deviation of 6


def played(text: str, system: str = "american") -> tuple[PokerSquares, SquaresState]:
    """A grid filled row by row; a card beyond is the next."""
    rules = PokerSquares(system=system)
    state = rules.start()
    for cell, card in enumerate(parse_cards(text)):
        state = rules.after(state, card)
        if cell < text.count(" "):
            state = rules.after(state, cell)
    return rules, state


def test_the_drawing() -> None:
    rules, state = played("Ah Kh Qh Jh Th 2c 2d 3s")
    assert rules.drawing(rules.view(state, 0)).splitlines() == [
        "     1    2    3    4    5",
        "1   Ah   Kh   Qh   Jh   Th    100",
        "2   2c   2d    ·    ·    ·",
        "3    ·    ·    ·    ·    ·",
        "4    ·    ·    ·    ·    ·",
        "5    ·    ·    ·    ·    ·",
        "",
        "to place: 3s",
    ]
    assert (
        repr(state) == "<Ah Kh Qh Jh Th / 2c 2d -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- | next 3s>"
    )
    full = " ".join(show([card]) for card in parse_cards(BY_HAND)) + " "
    rules, state = played(full, "-128 127 3 4 5 6 7 8 9 -10")
    drawn = rules.drawing(rules.view(state, 0)).splitlines()
    assert drawn[1] == "1   Ah   Kh   Qh   Jh   Th    -10"
    assert drawn[4] == "4   9s   Jc   Ac   4d   Ks   -128"
    assert drawn[6] == "   127 -128 -128 -128 -128"
    assert len(drawn) == 7
    ends = [drawn[0].index(str(column)) for column in range(1, 6)]
    assert all(drawn[row][end] in "cdhs" for row in range(1, 6) for end in ends)


def test_grids_that_cannot_come_about_are_refused() -> None:
    """Kernels count on each card being there once, so no bytes from outside may say otherwise."""
    rng, state = stream(4, "bytes"), RULES.start()
    for _ in range(21):
        choices = RULES.choices(state)
        state = RULES.after(state, choices[rng.below(len(choices))])
    view = RULES.view(state, 0)
    assert (state.placed, SquaresState(bytes(state.data)), SquaresView(bytes(view.data))) == (10, state, view)

    def refused(kind: type[SquaresTable], **changes: Any) -> bool:
        given = {name: getattr(state, name) for name in kind.fields} | changes
        try:
            kind.of(**given)
        except InputError as error:
            return "\n" not in str(error)
        return False

    taken, free = state.order[0], next(cell for cell in range(CELLS) if state.grid[cell] < 0)
    wrong: list[dict[str, Any]] = [
        {"placed": 11},
        {"placed": 9},
        {"next_card": state.grid[taken]},
        {"next_card": 52},
        {"grid": [7] * CELLS},
        {"grid": [-1 if cell == taken else card for cell, card in enumerate(state.grid)]},
        {"order": [free, *[*state.order][1:]]},
        {"order": [CELLS] * CELLS},
    ]
    for kind in (SquaresState, SquaresView):
        assert not refused(kind)
        for changes in wrong:
            assert refused(kind, **changes), changes
    assert refused(SquaresState, dealt=10)
    assert refused(SquaresState, deck=0)
    assert refused(SquaresState, deck=state.deck >> 1)


def test_states_are_equal_by_what_lies_where() -> None:
    first = RULES.after(RULES.after(RULES.start(), Card(3)), 7)
    same = RULES.after(RULES.after(RULES.start(), Card(3)), 7)
    other = RULES.after(RULES.after(RULES.start(), Card(3)), 8)
    assert first == same
    assert hash(first) == hash(same)
    assert first != other
    assert first != PokerSquares(system="english").after(
        PokerSquares(system="english").after(PokerSquares(system="english").start(), Card(3)), 7
    )
    assert len({first, same, other}) == 2
