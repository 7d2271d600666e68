"""Five-O's evaluations, chances and players against brute force and the paper's formulas."""

import math
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Decision, Turn
from fifthstreet.agents.five_o import chances, hands, last_row, pairs, states
from fifthstreet.agents.five_o.expectiminimax import empty_sample, sample_deck
from fifthstreet.arena.match import match
from fifthstreet.cards import Card, parse_cards
from fifthstreet.errors import InputError
from fifthstreet.estimate import mean
from fifthstreet.evaluation.hand import strength
from fifthstreet.games.five_o import COLUMNS, ROWS, FiveO, FiveOState, FiveOView, is_open
from fifthstreet.games.game import CHANCE, Choices
from fifthstreet.rng import stream

RULES = FiveO()


def at(placements: int, number: int = 0) -> FiveOState:
    rng, state = stream(number, "five-o"), RULES.start()
    while RULES.to_act(state) == CHANCE or state.placed < placements:
        choices = RULES.choices(state)
        state = RULES.after(state, choices[rng.below(len(choices))])
    return state


def seen(placements: int, number: int = 0) -> FiveOView:
    state = at(placements, number)
    seat = RULES.to_act(state)
    assert seat is not None
    return RULES.view(state, seat)


def decide(spec: str, view: FiveOView, number: int = 0) -> Decision:
    agent = agent_named(spec, "five-o")
    return agent.decide(Turn(RULES, view, choices_of(view), stream(number, "t"), agent.mind(RULES)))


def choices_of(view: FiveOView) -> Choices[Any]:
    return Choices([column for column in range(COLUMNS) if is_open(view, column)])


def unseen_by(view: FiveOView) -> list[Card]:
    """The cards that the seat has not seen."""
    seen = chances.seen_cards(view)
    return [Card(card) for card in range(52) if not seen >> card & 1]


def left_of(*gone: str) -> Any:
    """Counts of what is unseen when these cards are gone."""
    left = np.zeros(hands.LEFT, np.int64)
    dealt = {card for text in gone for card in parse_cards(text)}
    for card in range(52):
        if Card(card) not in dealt:
            left[card >> 2] += 1
            left[hands.SUITS_LEFT + (card & 3)] += 1
            left[hands.ALL_LEFT] += 1
    return left


def test_equation_1_is_the_hypergeometric_probability() -> None:
    deck = range(12)
    for relevant, draws, needed in ((5, 4, 2), (3, 6, 3), (12, 3, 3), (2, 5, 3)):
        drawn = list(combinations(deck, draws))
        exact = sum(sum(card < relevant for card in some) == needed for some in drawn) / len(drawn)
        assert hands.hypergeometric(12, relevant, draws, needed) == pytest.approx(exact)


def test_equation_2_counts_each_missing_rank_exactly_once() -> None:
    """The chance of a straight as printed, against all draws from a small deck."""
    left = np.zeros(hands.LEFT, np.int64)
    deck = [rank for rank in (4, 5, 6, 9, 10, 11) for _ in range(2)] + [0, 0]
    for rank in deck:
        left[rank] += 1
        left[hands.ALL_LEFT] += 1
    held = (7, 8)  # nine and ten: 6-7-8 below, 7-8 and J, 8 and J-Q, J-Q-K above are missing
    missing = [{6, 5, 4}, {5, 6, 9}, {6, 9, 10}, {9, 10, 11}]
    draws = list(combinations(range(len(deck)), 5))
    printed = 0
    for some in draws:
        ranks = [deck[i] for i in some]
        printed += sum(all(ranks.count(rank) == 1 for rank in wanted) for wanted in missing)
    mask = sum(1 << rank for rank in held)
    assert hands.straight_chance(mask, left, 5) == pytest.approx(printed / len(draws))
    truth = sum(any(wanted <= {deck[i] for i in some} for wanted in missing) for some in draws) / len(draws)
    assert truth != pytest.approx(printed / len(draws))  # straights overlap, and a rank may come twice


def test_the_least_strength_that_a_hand_can_reach() -> None:
    weights = hands.WEIGHT.tolist()
    sums = [sum(some) for size in range(5) for some in combinations_with_replacement(weights, size)]
    assert len(set(sums)) == len(sums)
    for text in ("Ah", "AhKd", "7c7d", "2c3d4h5s", "AhKhQhJh", "9c9d9h", "2h2d3c3s"):
        cards = parse_cards(text)
        others = [card for card in map(Card, range(52)) if card not in cards]
        rng = stream(1, text)
        total = sum(weights[card.rank] for card in cards)
        least = int(hands.FEWEST[total])
        if len(cards) == 4:
            reached = [strength([*cards, card]) for card in others]
            assert min(reached) >= least
        for _ in range(300):
            assert strength([*cards, *rng.sample(others, 5 - len(cards))]) >= least
    assert hands.FEWEST[weights[12]] == strength(parse_cards("Ac2d3h4s6c"))


def test_the_precise_value_is_the_formula() -> None:
    cards = np.array([int(card) for card in parse_cards("2h5h9h")])
    left = left_of("2h5h9h", "KhKdKcKs")
    p = math.comb(9, 2) * math.comb(36, 10) / math.comb(45, 12)
    now = int(hands.FEWEST[sum(hands.WEIGHT[card >> 2] for card in cards)])
    flush = strength(parse_cards("2h3h4h5h9h"))
    assert hands.precise_value(cards, 3, left, 12, False) == pytest.approx((1 - p) * now + p * flush * 3 / 5)
    middle = (flush + strength(parse_cards("4h6h7h8h9h"))) / 2  # of all nine-high flushes
    assert hands.precise_value(cards, 3, left, 12, True) == pytest.approx((1 - p) * now + p * middle * 3 / 5)
    full = np.array([int(card) for card in parse_cards("2h5h9h2d2c")])
    for program in (False, True):
        assert hands.precise_value(full, 5, left, 0, program) == strength(parse_cards("2h5h9h2d2c"))


def test_the_fast_value_takes_shares_of_unseen_cards() -> None:
    cards = np.array([int(card) for card in parse_cards("6h7h8h")])
    left = left_of("6h7h8h")
    p, q = 10 / 49, 8 / 49  # hearts; fives and nines, the ranks next to the hand's
    now = int(hands.FEWEST[sum(hands.WEIGHT[card >> 2] for card in cards)])
    flush, straight = strength(parse_cards("2h3h4h5h8h")), strength(parse_cards("4c5d6h7h8h"))
    wanted = (1 - p - q) * now + (p * flush + q * straight) * 3 / 5
    assert hands.fast_value(cards, 3, left, False) == pytest.approx(wanted)
    q = 3 * (4 / 49) ** 2  # four and five, five and nine, nine and ten
    middle = (flush + strength(parse_cards("3h5h6h7h8h"))) / 2
    wanted = (1 - p - q) * now + (p * middle + q * straight) * 3 / 5
    assert hands.fast_value(cards, 3, left, True) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("text", "beside"), [("9c", "8T"), ("Ac", "K2"), ("2c", "A3"), ("AcKc", "Q2"), ("5c9d", "468T"), ("QcKc", "JA")]
)
def test_the_ranks_next_to_a_hand(text: str, beside: str) -> None:
    ranks = sum(1 << card.rank for card in parse_cards(text))
    left = left_of(text)
    assert hands.share_next_to(ranks, left) == pytest.approx(4 * len(beside) / left[hands.ALL_LEFT])


def test_the_programs_straight_ends_with_the_highest_card() -> None:
    """A lone ace is only high there; with a two it needs the wheel, but counts as the best straight."""
    left = left_of("Ac")
    assert hands.product_of_shares(hands.ACE, left, 1) == pytest.approx((4 / 51) ** 4)
    assert hands.product_of_shares(hands.ACE, left, 0) == pytest.approx(2 * (4 / 51) ** 4)
    for rank, text in ((12, "TcJcQcKdAc"), (3, "Ac2c3c4c5d"), (0, "Ac2c3c4c5d"), (7, "5c6c7c8c9d")):
        assert hands.STRAIGHT_ENDING[rank] == strength(parse_cards(text))


def test_the_programs_rough_value_never_sees_a_pair() -> None:
    """Its weights, added up by hand: suit 2 and span 2 by size, high card 1, ranks 8, royal flush 4."""
    for text, mended, program in (
        ("9c", 0.4 + 0.4 + 7 / 12, 0.4 + 0.4 + 7 / 12),
        ("9c9d", 4 + 7 / 12, 0.8 + 7 / 12),
        ("9c9d9h", 6 + 7 / 12, 1.2 + 7 / 12),
        ("9c9d9h9s", 8 + 7 / 12, 1.6 + 7 / 12),
        ("9c9dAhAs", 16 + 1, 1.0),
        ("9c9d9hAcAd", 24 + 1, 1.0),
        ("2c9c", 0.8 + 7 / 12, 0.8 + 7 / 12),
        ("5c6d7h8s", 1.6 + 6 / 12, 1.6 + 6 / 12),
        ("TcJcQcKcAc", 2 + 2 + 1 + 4, 2 + 2 + 1 + 4),
        ("9cTcJcQcKc", 2 + 2 + 11 / 12, 2 + 2 + 11 / 12),
        ("TcJcQcKcAd", 2 + 1, 2 + 1),
    ):
        cards = np.array([int(card) for card in parse_cards(text)])
        assert hands.program_rough_value(cards, len(cards), True) == pytest.approx(mended), text
        assert hands.program_rough_value(cards, len(cards), False) == pytest.approx(program), text


def test_the_slip_about_pairs_makes_greedy_1_lose_to_greedy_2() -> None:
    """Printed 9–1; with pairs seen it is about even."""
    for values, low, high in (("program", 0.63, 0.75), ("mended", 0.43, 0.54)):
        agents = ["greedy-2:values=program", f"greedy-1:values={values}"]
        score = (1 + match("five-o:draws=second", agents, 1_000, 5).standings[0].payoff.value) / 2
        assert low < score < high


def test_rough_values_lie_between_1_and_17_and_prefer_instant_rewards() -> None:
    values = []
    for text in ("2c", "Ac", "2c2d", "AcKc", "2c2d2h", "7c7d8h8s", "AcKcQcJc", "AcKcQcJcTc", "2c2d2h2s", "9c9d9hAcAd"):
        cards = np.array([int(card) for card in parse_cards(text)])
        values.append(hands.rough_value(cards, len(cards)))
    assert all(1 <= value <= 17 for value in values)
    assert values[2] > values[3]  # a pair of deuces over ace and king of a suit
    assert values[4] > values[2]


def test_draws_that_are_left_for_a_column() -> None:
    assert states.draws_left(0, 1) == 20
    assert states.draws_left(1, 2) == 15  # filled in the first round
    assert states.draws_left(1, 1) == 19
    assert states.draws_left(19, 4) == 1
    assert [states.draws_in_later_rounds(placed) for placed in (0, 1, 10, 11, 20, 29, 30, 31)] == [
        *(20, 15, 15, 10, 10, 5, 5, 0)
    ]


@pytest.mark.parametrize("placements", [22, 27, 33, 36, 39])
def test_exact_chances_are_those_of_brute_force(placements: int) -> None:
    view = seen(placements, placements)
    seat, deck, drawn = view.seat, unseen_by(view), Card(view.next_card)
    for column in range(COLUMNS):
        mine = [card for card in view.column(seat, column) if card is not None]
        theirs = [card for card in view.column(1 - seat, column) if card is not None]
        for put in (False, True):
            if put and not is_open(view, column):
                continue
            held = [*mine, drawn] if put else mine
            wins = ties = pairs = 0
            for some in combinations(deck, 5 - len(held)):
                value = strength([*held, *some])
                rest = [card for card in deck if card not in some]
                for others in combinations(rest, 5 - len(theirs)):
                    other = strength([*theirs, *others])
                    wins, ties, pairs = wins + (value > other), ties + (value == other), pairs + 1
            for tie in (0.0, 0.5, 1.0):
                exact = chances.exact_chance(view, column, put, tie)
                assert exact == pytest.approx((wins + tie * ties) / pairs, abs=1e-12)


@pytest.mark.parametrize("placements", [0, 3, 7, 14])
def test_exact_chances_of_early_rounds_agree_with_simulation(placements: int) -> None:
    view = seen(placements, 5)
    for column in range(COLUMNS):
        for put in (False, True):
            if put and not is_open(view, column):
                continue
            exact = chances.exact_chance(view, column, put, 0.5)
            found = chances.sampled_chance(view, column, put, 0.5, 400_000, stream(column, "s").state)
            assert abs(exact - found) < 5 * 0.5 / 400_000**0.5


def test_equation_3_is_the_chance_of_three_or_more() -> None:
    columns = np.array([0.1, 0.7, 0.5, 0.25, 0.9])
    total = 0.0
    for won in range(32):
        if won.bit_count() >= 3:
            total += math.prod(p if won >> i & 1 else 1 - p for i, p in enumerate(columns))
    assert chances.game_chance(columns) == pytest.approx(total)


def test_decisions_carry_put_and_wait_chances() -> None:
    view = seen(26, 3)
    decision = decide("exact", view)
    assert set(decision.values) == set(choices_of(view))
    best = max(decision.values, key=lambda column: decision.values[column])
    assert decision.action == best
    columns = list(decision.figures["wait"])
    columns[best] = decision.figures["put"][best]
    assert decision.values[best] == pytest.approx(chances.game_chance(np.array(columns)))
    assert decision.figures["win"] == pytest.approx(decision.values[best])


def test_one_ply_of_search_is_greedy() -> None:
    fast = match("five-o", ["expectiminimax:depth=1,decks=3", "fast-greedy-2"], 100, 2)
    assert not fast.by_deal.any()


@dataclass
class PlainMinimax:
    """A search of one deck without pruning, on a board of its own."""

    board: Any
    order: Any
    me: int
    placed: int
    depth: int
    kind: int
    reply: bool

    def value(self, ply: int) -> float:
        if ply == self.depth:
            return self.at_the_leaf()
        mine = ply == 0 or ply % 2 == (0 if self.reply else 1)
        return (max if mine else min)(self.values(ply, self.me if mine else 1 - self.me).values())

    def values(self, ply: int, seat: int) -> dict[int, float]:
        """The value of each open column for the next card of the order."""
        row = min(int((self.board[seat, column] >= 0).sum()) for column in range(COLUMNS))
        found = {}
        for column in range(COLUMNS):
            if self.board[seat, column, row] < 0:
                self.board[seat, column, row] = self.order[ply]
                found[column] = self.value(ply + 1)
                self.board[seat, column, row] = -1
        return found

    def at_the_leaf(self) -> float:
        left = np.zeros(hands.LEFT, np.int64)
        for card in self.order[self.depth : 42 - self.placed]:
            chances.count_card(left, int(card), 1)
        return float(states.state_value(self.board, self.me, self.placed + self.depth, left, self.kind))


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("", states.FAST),
        ("values=program", states.FAST | states.PROGRAM),
        ("reply=no", states.FAST),
        ("choose=average", states.FAST),
        ("evaluation=greedy-2,values=program,reply=no", states.PRECISE | states.PROGRAM),
    ],
)
def test_a_search_shows_the_values_of_minimax_over_all_placements(spec: str, kind: int) -> None:
    """The means over three decks, of all columns, by alpha-beta and by plain minimax without pruning."""
    decks = 3
    for depth, number, placed in ((2, 0, 11), (3, 1, 4), (3, 2, 13), (4, 3, 7), (3, 4, 27)):
        view, sampled, rng = seen(placed, number), empty_sample(), stream(number, "t")
        totals = dict.fromkeys(choices_of(view), 0.0)
        for _ in range(decks):
            sample_deck(view, rng.state, sampled)
            plain = PlainMinimax(
                sampled.board.copy(), sampled.order, view.seat, placed, depth, kind, "reply=no" not in spec
            )
            for column, value in plain.values(0, view.seat).items():
                totals[column] += value / decks
        decision = decide(f"expectiminimax:depth={depth},decks={decks}{',' if spec else ''}{spec}", view, number)
        assert decision.values == pytest.approx(totals)
        if spec == "choose=average":
            assert totals[int(decision.action)] == pytest.approx(max(totals.values()))


def test_votes_and_averages_may_choose_differently() -> None:
    chosen = [
        [int(decide(f"expectiminimax:decks=9,choose={how}", seen(4, number)).action) for number in range(30)]
        for how in ("vote", "average")
    ]
    assert chosen[0] != chosen[1]


def test_everyone_beats_random_play() -> None:
    quick = ("reflex-1", "reflex-2", "reflex-3", "greedy-1", "greedy-2", "fast-greedy-2")
    for name in (*quick, *(f"{name}:values=program" for name in quick), "greedy-2:differences=linear"):
        assert match("five-o", [name, "random"], 200, 1).standings[0].payoff.low > 0.5


def test_the_champion_beats_a_player_of_the_paper() -> None:
    champion = "champion:plies=1000,lessons=20000"
    assert match("five-o", [champion, "reflex-1"], 200, 1, unit=10).standings[0].payoff.low > 0


def in_last_row(opened: int, number: int) -> tuple[FiveOView, list[list[Card]], list[list[Card]], list[Card]]:
    """A view with `opened` open columns; my columns and theirs as far as they are seen, and the unseen cards."""
    view = seen(40 - 2 * opened, number)
    mine, theirs = (
        [[card for card in view.column(seat, i) if card is not None] for i in range(COLUMNS)]
        for seat in (view.seat, 1 - view.seat)
    )
    return view, mine, theirs, unseen_by(view)


def model_rows(mine: list[list[Card]], theirs: list[list[Card]], row: list[Card]) -> dict[tuple[Card, ...], Any]:
    """What the modelled opponent makes of every five of the unseen cards: a table from order to cards by column.

    Its rule again, in plain words: a column's chance with a card is the share of the other eleven cards of the row
    with which my first four make less, ties half; a column it has yet to fill has the mean over all twelve.
    """
    made = [[strength([*column[:4], card]) for card in row] for column in mine]
    makes = [[strength([*column[:4], card]) for card in row] for column in theirs]

    def chance(column: int, i: int) -> float:
        others = [made[column][j] for j in range(12) if j != i]
        return sum((makes[column][i] > other) + 0.5 * (makes[column][i] == other) for other in others) / 11

    table = [[chance(column, i) for i in range(12)] for column in range(COLUMNS)]
    rows: dict[tuple[Card, ...], Any] = {}

    def deals(order: tuple[int, ...], filled: dict[int, int]) -> None:
        if len(order) == COLUMNS:
            rows[tuple(row[i] for i in order)] = {column: row[i] for column, i in filled.items()}
            return
        p = [table[c][filled[c]] if c in filled else sum(table[c]) / 12 for c in range(COLUMNS)]
        for i in range(12 - len(unseen), 12):
            if i in order:
                continue

            def gain(column: int, i: int = i) -> float:
                others = [q for c, q in enumerate(p) if c != column]
                decisive = sum(
                    math.prod(q if c in two else 1 - q for c, q in enumerate(others))
                    for two in combinations(range(4), 2)
                )
                return (table[column][i] - p[column]) * decisive

            best = max((c for c in range(COLUMNS) if c not in filled), key=gain)
            deals((*order, i), {**filled, best: i})

    unseen = row[-8:]
    deals((), {})
    return rows


def test_the_champion_counts_the_last_row_exactly() -> None:
    """With two open columns: every card of mine and every row of the modelled opponent, one by one."""
    for number in range(3):
        view, mine, theirs, rest = in_last_row(2, number)
        card = Card(view.next_card)
        placed = [column[4] for column in mine if len(column) == 5]
        rows = model_rows(mine, theirs, [*placed, card, *rest])
        first, second = (column for column in range(COLUMNS) if len(mine[column]) == 4)

        def wins(
            at_first: Card,
            at_second: Card,
            mine: Any = mine,
            theirs: Any = theirs,
            rows: Any = rows,
            first: int = first,
            second: int = second,
        ) -> list[float]:
            full = [list(column) for column in mine]
            full[first].append(at_first)
            full[second].append(at_second)
            values, found = [strength(column) for column in full], []
            for order, row in rows.items():
                if at_first not in order and at_second not in order:
                    against = [strength([*theirs[c][:4], row[c]]) for c in range(COLUMNS)]
                    won = sum((a > b) - (a < b) for a, b in zip(values, against, strict=True))
                    found.append(1.0 if won > 0 else 0.5 if won == 0 else 0.0)
            return found

        counted = np.empty(COLUMNS)
        last_row.place_values(view, stream(0, "t").state, counted)
        for column, outcomes in (
            (first, [w for later in rest for w in wins(card, later)]),
            (second, [w for later in rest for w in wins(later, card)]),
        ):
            assert counted[column] == pytest.approx(sum(outcomes) / len(outcomes))


def test_with_three_open_columns_the_better_placement_follows_every_card() -> None:
    """The value of a placement is the mean over the next card of the better of the two values after it."""
    view, _, _, _ = in_last_row(3, 4)
    counted, after = np.empty(COLUMNS), np.empty(COLUMNS)
    last_row.place_values(view, stream(0, "t").state, counted)
    for column in choices_of(view):
        total, rest = 0.0, unseen_by(view)
        for card in rest:
            later = view.thaw()  # the card is placed, the opponent has placed one face down, and the next is drawn
            later.cards[view.seat, column, ROWS - 1] = view.next_card
            later.placed, later.next_card = view.placed + 2, card
            last_row.place_values(later, stream(0, "t").state, after)
            total += np.nanmax(after)
        assert counted[column] == pytest.approx(total / len(rest))


def test_learning_is_repeatable_and_more_of_it_plays_better() -> None:
    weights = pairs.self_play(2_000)
    assert np.array_equal(weights, pairs.self_play(2_000))
    assert np.isfinite(weights).all()
    better = match("five-o", ["champion:plies=0,lessons=20000", "champion:plies=0,lessons=100"], 500, 1)
    assert better.standings[0].payoff.low > 0


def test_the_search_by_time_looks_at_more_decks_with_more_of_it() -> None:
    view = seen(3)
    votes = [sum(decide(f"expectiminimax:time={time}", view).figures["votes"].values()) for time in (1e-9, 0.001, 0.02)]
    assert votes[0] == 1
    assert votes[0] < votes[1] < votes[2]
    with pytest.raises(InputError, match="time=0"):
        agent_named("expectiminimax:time=0", "five-o")
    with pytest.raises(InputError, match="give one of them"):
        agent_named("expectiminimax:time=1,leaves=5", "five-o")
    votes = [
        sum(decide(f"expectiminimax:leaves={some}", view).figures["votes"].values()) for some in (1, 5_000, 50_000)
    ]
    assert votes[0] == 1
    assert 1 < votes[1] < votes[2] / 8


def test_luck_taken_out_leaves_the_mean_and_narrows_the_interval() -> None:
    names, deals = ["greedy-1", "reflex-1"], 1_000
    plain = match("five-o", names, deals, seed=3).by_deal[:, 0]
    fair = match("five-o", names, deals, seed=3, reduce_variance=True, value_lessons=2_000).by_deal[:, 0]
    luck = mean(plain - fair)
    assert abs(luck.value) < 2 * luck.half_width  # four standard errors
    assert luck.half_width > 0.5 * mean(plain).half_width
    assert mean(fair).half_width < 0.8 * mean(plain).half_width
