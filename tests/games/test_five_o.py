"""Five-O's rules, and what its views hide."""

from typing import Literal

import numpy as np
import pytest

from fifthstreet.cards import Card, parse_cards
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import strength
from fifthstreet.games import game_named
from fifthstreet.games.deck import is_undealt
from fifthstreet.games.five_o import COLUMNS, FiveO, FiveOState
from fifthstreet.games.game import CHANCE, IllegalAction
from fifthstreet.rng import stream

RULES = FiveO()


def played(number: int, placements: int = 40, rules: FiveO = RULES) -> FiveOState:
    rng, state = stream(number, "five-o"), rules.start()
    while rules.to_act(state) == CHANCE or state.placed < placements:
        if rules.to_act(state) is None:
            break
        choices = rules.choices(state)
        state = rules.after(state, choices[rng.below(len(choices))])
    return state


def test_every_round_fills_each_column_once_and_two_cards_stay_in_the_deck() -> None:
    for number in range(50):
        rng, state = stream(number, "five-o"), RULES.start()
        while (seat := RULES.to_act(state)) is not None:
            choices = RULES.choices(state)
            if seat != CHANCE:
                sizes = [state.height(seat, column) for column in range(COLUMNS)]
                assert list(choices) == [column for column in range(COLUMNS) if sizes[column] == min(sizes)]
                assert max(sizes) - min(sizes) <= 1
                assert seat == state.placed % 2
            state = RULES.after(state, choices[rng.below(len(choices))])
        assert all(state.height(seat, column) == 5 for seat in range(2) for column in range(COLUMNS))
        assert sum(is_undealt(state, card) for card in range(52)) == 2
        columns = [card for seat in range(2) for column in range(COLUMNS) for card in state.column(seat, column)]
        assert len(set(columns)) == 50


def test_the_winner_has_more_columns() -> None:
    seen = set()
    for number in range(300):
        state = played(number)
        pairs = [[strength(_known(state.column(seat, c))) for seat in range(2)] for c in range(COLUMNS)]
        lead = sum((mine > theirs) - (mine < theirs) for mine, theirs in pairs)
        wanted = float(np.sign(lead))
        assert list(RULES.payoffs(state)) == [wanted, -wanted]
        seen.add(wanted)
    assert seen >= {1.0, -1.0}


def _known(cards: list[Card | None]) -> list[Card]:
    assert None not in cards
    return [card for card in cards if card is not None]


DRAWN = (
    ("AcKcQdJh9s", "2c2d2h3c4d", "3d3h3s4c5d", "4h6h8dThQs", "4s6s8sTsJd"),
    ("AdKdQcJs9h", "5c6d8hTcKh", "6c7d8cTdQh", "7c7h7s5h5s", "9c9dAhAs2s"),
)


AHEAD = (  # the first wins two columns and the second one; two are tied
    ("AcKdQhJs9c", "Tc8d6h4s2c", "3c3d5c5d7c", "7h7sAh2h4h", "2s4d6c8cTs"),
    ("AdKhQsJc9d", "Td8h6s4c2d", "3h5h7dKcQc", "3s5s8sThJh", "9h9sAsKsQd"),
)


@pytest.mark.parametrize(
    ("game", "draws", "pays"), [(DRAWN, "half", 0), (DRAWN, "second", -1), (AHEAD, "half", 1), (AHEAD, "second", -1)]
)
def test_without_three_columns_it_depends_on_the_rule(game: tuple[tuple[str, ...], ...], draws: str, pays: int) -> None:
    rules = game_named(f"five-o:draws={draws}")
    sides = [[list(parse_cards(text)) for text in side] for side in game]
    state = rules.start()
    for side in sides:
        for cards in side:
            state = rules.after(state, cards[0])
    for ply in range(40):
        column = ply // 2 % COLUMNS
        state = rules.after(state, sides[ply % 2][column][1 + ply // 10])
        state = rules.after(state, column)
    assert list(rules.payoffs(state)) == [pays, -pays]


@pytest.mark.parametrize("hidden", [4, 5])
def test_the_hidden_row_is_seen_by_its_owner_only_until_the_end(hidden: Literal[4, 5]) -> None:
    rules = FiveO(hidden=hidden)
    first = 10 * (hidden - 2)
    for number in range(20):
        for placements in (first + 4, 39):
            state = played(number, placements, rules)
            for seat in range(2):
                view = rules.view(state, seat)
                for column in range(COLUMNS):
                    mine, theirs = state.column(seat, column), state.column(1 - seat, column)
                    assert view.column(seat, column) == mine
                    shown = [None if row == hidden - 1 else card for row, card in enumerate(theirs)]
                    assert view.column(1 - seat, column) == shown
                actor = rules.to_act(state)
                if actor != seat and 1 + state.placed // 10 == hidden - 1:
                    assert view.next_card == -1
        end = played(number, 40, rules)
        assert all(None not in rules.view(end, 0).column(1, column) for column in range(COLUMNS))


def test_with_no_hidden_row_everything_is_seen() -> None:
    rules = FiveO(hidden="off")
    assert game_named("five-o:hidden=off") == rules
    for number in range(10):
        for placements in (31, 36, 39):
            state = played(number, placements, rules)
            for seat in range(2):
                view = rules.view(state, seat)
                assert view.known == state.known
                assert view.next_card == state.next_card


def test_wrong_games_and_placements() -> None:
    with pytest.raises(InputError, match="hidden=3"):
        game_named("five-o:hidden=3")
    with pytest.raises(InputError, match="'often'"):
        game_named("five-o:draws=often")
    state = played(1, 0)
    once = RULES.after(RULES.after(RULES.after(RULES.after(state, 2), _spare(state)), 0), _spare(state, 1))
    with pytest.raises(IllegalAction, match="'2' is not allowed"):
        RULES.after(once, 2)


def _spare(state: FiveOState, i: int = 0) -> int:
    return [card for card in range(52) if is_undealt(state, card)][i]
