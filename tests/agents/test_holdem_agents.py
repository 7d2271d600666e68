"""Hold'em's yardsticks against what is known of them."""

import numpy as np

from fifthstreet.agents.holdem.reading import share_against_random
from fifthstreet.arena.match import match
from fifthstreet.evaluation.equity import equity
from fifthstreet.games.holdem import Holdem
from fifthstreet.rng import stream


def test_the_share_against_random_hands_is_the_equity() -> None:
    for seats, hand, board in ((2, "AhKh", "2c7d9h"), (4, "7c7d", ""), (3, "2c7d", "2d3h4hJs")):
        rules = Holdem(seats=seats)
        state = rules.start()
        exact = equity([hand, *["random"] * (seats - 1)], board, samples=400_000, seed=3).players[0]
        wanted = [int(card) for card in _cards(hand)]
        spare = [card for card in range(52) if card not in {*wanted, *_cards(board)}]
        dealt = [*wanted, *spare]
        for card in dealt[: 2 * seats]:
            state = rules.after(state, card)
        while len(state.board_cards) < len(_cards(board)):
            seat = rules.to_act(state)
            state = rules.after(state, 0 if seat is not None and seat >= 0 else _cards(board)[len(state.board_cards)])
        found = share_against_random(rules.view(state, 0), seats - 1, 200_000, stream(1, "t").state)
        assert abs(found - exact.share) < 0.007  # five deviations of 200,000 samples


def _cards(text: str) -> list[int]:
    from fifthstreet.cards import parse_cards

    return [int(card) for card in parse_cards(text)]


def test_betting_by_equity_beats_those_who_do_not_look_at_their_cards() -> None:
    for other in ("call-station", "always-raise", "random"):
        result = match("holdem", ["honest:samples=50", other], 3000, 1)
        assert result.compiled
        assert result.standings[0].payoff.low > 0, other


def test_a_table_of_ten_plays_compiled_as_in_python() -> None:
    agents = ["honest:samples=5", "call-station", "always-raise", "random", *["honest:samples=3"] * 6]
    fast, slow = (match("holdem", agents, 3, 1, compiled=way) for way in (True, False))
    assert np.array_equal(fast.by_deal, slow.by_deal)
