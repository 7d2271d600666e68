"""Five-O: what is exact, the arithmetic of Table III, and the statistics of its claims."""

from itertools import combinations, product

import numpy as np
import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.five_o import hands, states
from fifthstreet.agents.five_o.boards import values_on
from fifthstreet.agents.five_o.chances import game_chance, unseen_counts
from fifthstreet.arena.match import match
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.five_o import COLUMNS, FiveO
from fifthstreet.papers import five_o, paper_named
from fifthstreet.papers.five_o import GAMES, PAIRS, TOTALS, WON, Cross, boards, chances, p_value
from fifthstreet.papers.five_o.chances import straight_truth
from fifthstreet.papers.five_o.players import NAMES, by_program, by_text
from fifthstreet.papers.paper import Claim, Run, TableResult, Verdict
from fifthstreet.papers.reproduce import reproduce
from fifthstreet.rng import stream


def test_table_1_of_five_o_is_right_but_for_the_pairs() -> None:
    found = reproduce([paper_named("five-o")], only="table-1")
    (table,) = (o.result for o in found.outcomes if isinstance(o.result, TableResult))
    assert [table.rows[i][0] for i in table.wrong] == ["pair"]


def test_what_is_exact_has_its_verdict() -> None:
    exact = ("table-1", "equation-2-exact", "equation-3-printed", "number-of-deals")
    claims = [item for item in chances.ITEMS if isinstance(item, Claim) and item.id.startswith(exact)]
    run = Run()
    found = {claim.id: claim.run(run) for claim in claims}
    assert found["table-1-pair"].verdict is Verdict.NOT_REPRODUCED
    assert found["table-1-pair"].measured.value == 1_098_240
    others = [result for id, result in found.items() if id.startswith("table-1") and id != "table-1-pair"]
    assert all(result.verdict is Verdict.REPRODUCED for result in others)
    assert found["equation-3-printed"].verdict is Verdict.REPRODUCED
    assert found["equation-2-exact"].verdict is Verdict.NOT_REPRODUCED
    assert found["equation-2-exact"].measured.value > 0.4  # a nine and fifteen draws

    assert found["number-of-deals"].verdict is Verdict.REPRODUCED


def test_the_true_chance_of_a_straight_is_that_of_all_draws() -> None:
    """Against every draw from a small deck: twelve cards of seven ranks."""
    left = np.zeros(hands.LEFT, np.int64)
    left[[4, 5, 7, 8, 9, 10, 11]] = 2, 1, 2, 2, 1, 3, 1
    left[hands.ALL_LEFT] = 12
    deck = [rank for rank in range(13) for _ in range(left[rank])]
    held = 1 << 6 | 1 << 7
    ways = [int(straight) & ~held for straight in hands.STRAIGHTS if not held & ~int(straight)]
    for draws in (3, 5, 8):
        made = [sum(1 << rank for rank in set(drawn)) for drawn in combinations(deck, draws)]
        exact = sum(any(way & ~ranks == 0 for way in ways) for ranks in made) / len(made)
        assert straight_truth(held, left, draws) == pytest.approx(exact)


def test_ten_games_fit_what_a_fair_coin_allows() -> None:
    assert p_value(5, 10, 0.5) == pytest.approx(1)
    assert p_value(10, 10, 0.5) == pytest.approx(2 / 1024)
    assert p_value(0, 10, 0.0) == pytest.approx(1)


def test_a_total_is_a_sum_over_opponents() -> None:
    """Against all outcomes of two games at one chance and two at another."""
    chances = (0.3, 0.3, 0.8, 0.8)
    likely = np.zeros(5)
    for won in product((0, 1), repeat=4):
        likely[sum(won)] += np.prod([p if w else 1 - p for w, p in zip(won, chances, strict=True)])
    for wins in range(5):
        assert p_value(wins, 2, 0.3, 0.8) == pytest.approx(likely[likely <= likely[wins] + 1e-12].sum())


def test_the_printed_table_adds_up_but_for_two_totals() -> None:
    rows = [sum(won for won in row if won is not None) for row in WON]
    wrong = {name: (row, total[0]) for name, row, total in zip(NAMES, rows, TOTALS, strict=True) if row != total[0]}
    assert wrong == {"reflex 2": (41, 39), "greedy 2": (38, 36)}
    assert all(won + lost == 7 * GAMES for won, lost in TOTALS)
    for (i, first), (j, second) in combinations(enumerate(NAMES), 2):
        one, other = WON[i][j], WON[j][i]
        assert one is not None and other is not None
        assert (one + other == GAMES) != ({first, second} == {"reflex 2", "greedy 2"})


def cross_of(score: float, deals: int = 40) -> Cross:
    """All against all, the first of every pair scoring this much on average."""
    noise = np.linspace(-0.1, 0.1, deals)
    return dict.fromkeys(PAIRS, score + noise)


def test_scores_are_those_of_either_player() -> None:
    cross = cross_of(0.6)
    assert five_o._score(cross, NAMES[0], NAMES[1]).mean() == pytest.approx(0.6)
    assert five_o._score(cross, NAMES[1], NAMES[0]).mean() == pytest.approx(0.4)
    means = [five_o._overall(cross, name).mean() for name in NAMES]
    assert means[0] == pytest.approx(0.6)
    assert means[-1] == pytest.approx(0.4)
    assert means[2] == pytest.approx((5 * 0.6 + 2 * 0.4) / 7)
    assert sum(means) == pytest.approx(len(NAMES) / 2)


def test_a_fit_is_the_p_value_at_the_measured_score() -> None:
    """More deals do not make it better or worse, and of two printed results the better one counts."""
    for deals in (10, 1_000):
        cross = cross_of(0.5, deals)
        assert five_o._fit(cross, "greedy 2", "greedy 1") == pytest.approx(p_value(9, 10, 0.5))
        assert five_o._fit(cross, "greedy 1", "greedy 2") == pytest.approx(p_value(1, 10, 0.5))
    cross = cross_of(0.4)
    assert five_o._fit(cross, "reflex 2", "greedy 2") == pytest.approx(p_value(4, 10, 0.4))
    assert five_o._fit_of_total(cross_of(0.5), "greedy 1") == pytest.approx(p_value(21, 70, 0.5))


def test_a_table_fits_the_scores_that_it_shows_and_no_others() -> None:
    shown = {pair: np.full(40, five_o._printed(*pair) / GAMES) for pair in PAIRS}
    assert five_o._fit_of_table(shown) > 0.99
    assert five_o._fit_of_table(cross_of(0.95)) == 0
    noisy = {pair: scores + np.random.default_rng(1).normal(0, 1, 40) for pair, scores in shown.items()}
    found = five_o._with_interval(noisy, five_o._fit_of_table)
    assert found.low <= found.value <= found.high
    assert found.high - found.low > 0.1


def test_the_least_of_several_is_above_only_with_all_intervals() -> None:
    found = five_o._least([Estimate(0.5, 0.4, 0.6, 9), Estimate(0.2, -0.3, 0.7, 9)])
    assert (found.value, found.low) == (0.2, -0.3)
    assert found.high == pytest.approx(Estimate(0.5, 0.4, 0.6, 9).with_error(0.025).high)


def test_players_are_named_as_agents() -> None:
    for run, of in product((Run("quick"), Run("paper")), (by_text, by_program)):
        for name in NAMES:
            agent_named(of(run).agent(name), "five-o")
    assert by_program(Run("paper")).agent("MinMax Greedy") == (
        "expectiminimax:evaluation=greedy-2,values=program,reply=no,depth=4,decks=100"
    )


def test_noted_boards_are_the_games_that_were_played() -> None:
    """Against the compiled match of the same agents, from one seat and the other."""
    game, names = FiveO(), ["greedy-2", "reflex-1"]
    agents = [agent_named(name, "five-o") for name in names]
    made = [boards.strengths(boards.play_boards(game, some, 30, 7)) for some in (agents, agents[::-1])]
    leads = [np.sign(np.sign(one[:, 0] - one[:, 1]).sum(axis=1)) for one in made]
    # The streams of the second match belong to the other agent, but neither of these draws random numbers.
    assert (leads[0] - leads[1]) / 2 == pytest.approx(match(game, names, 30, 7).by_deal[:, 0])


def test_values_on_boards_are_those_of_the_state() -> None:
    state = boards._position(20, stream(3, "t"))
    noted = boards.play_boards(boards.FiveOFrom(state=state), [agent_named("greedy-2", "five-o")] * 2, 5, 1)
    assert all(len(set(noted[:, seat, column, row])) == 1 for seat, column, row in product((0, 1), range(5), range(3)))
    view = FiveO().view(state, 0).thaw()
    view.next_card = -1
    left, found = unseen_counts(view), np.empty((5, 2, COLUMNS))
    values_on(noted, 3, states.PRECISE, found)
    for seat, column in product((0, 1), range(COLUMNS)):
        cards = np.array([state.cards[seat, column, row] for row in range(5)])
        wanted = hands.precise_value(cards, 3, left, states.draws_left(10, 3), False)
        assert found[:, seat, column] == pytest.approx(wanted)


def test_equation_3_is_exact_for_independent_columns() -> None:
    """In made-up play with independent columns its error is nothing but noise."""
    rng = np.random.default_rng(0)
    found = np.empty((200, 2, 2))
    for number in range(200):
        won = rng.random((400, COLUMNS)) < rng.random(COLUMNS)
        for half in range(2):
            some = won[half::2]
            found[number, half] = (some.sum(axis=1) >= 3).mean(), game_chance(some.mean(axis=0))
    errors = found[..., 0] - found[..., 1]
    noise_free = boards._root_mean_square(errors[:, 0] * errors[:, 1])
    assert noise_free.low < 0.005 < np.sqrt((errors**2).mean())
    assert mean(errors.mean(axis=1)).low < 0 < mean(errors.mean(axis=1)).high


def test_every_verdict_rests_on_a_named_interpretation() -> None:
    paper = paper_named("five-o")
    other = {claim.id: set(claim.readings) for claim in paper.claims}
    duels = ("expectiminimax-beats-monte-carlo", "greedy-2-beats-greedy-1", "totals-fit", "top-three")
    assert all("as in the text" in other[id] for id in duels)
    assert [claim.id for claim in paper.claims if claim.beyond] == ["champion-beats-the-best"]
