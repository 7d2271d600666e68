"""Kuhn poker against its rules written out by hand, and hidden cards in particular."""

from itertools import permutations

import pytest

from fifthstreet.games.kuhn import Kuhn, KuhnState

PAYS = {  # moves → what the first player wins with the higher card, and with the lower
    "pp": (1, -1),
    "pbp": (-1, -1),
    "pbb": (2, -2),
    "bp": (1, 1),
    "bb": (2, -2),
}


@pytest.mark.parametrize("line", PAYS)
def test_every_line_of_play(line: str) -> None:
    rules = Kuhn()
    for first, second in permutations(range(3), 2):
        state = rules.after(rules.after(rules.start(), first), second)
        for letter in line:
            assert rules.to_act(state) is not None
            state = rules.after(state, "pb".index(letter))
        assert rules.to_act(state) is None
        pays = PAYS[line][0 if first > second else 1]
        assert rules.payoffs(state) == [pays, -pays]
        shown = line not in ("pbp", "bp")
        assert rules.view(state, 0).shown == (second if shown else -1)
        assert rules.view(state, 1).shown == (first if shown else -1)


def test_cards_stay_hidden_until_the_showdown() -> None:
    rules = Kuhn()
    for mine in range(3):
        others = [card for card in range(3) if card != mine]
        for moves, bets in ((0, 0), (1, 0), (1, 1), (2, 2)):
            for seat in range(2):
                hands = ([mine, other] if seat == 0 else [other, mine] for other in others)
                states = (KuhnState.of(dealt=2, moves=moves, bets=bets, cards=cards) for cards in hands)
                assert len({rules.view(state, seat) for state in states}) == 1
