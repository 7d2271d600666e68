"""The promises of every game, kept for each one listed in GAMES."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fifthstreet.errors import InputError
from fifthstreet.games import GAMES, game_named
from fifthstreet.games.game import CHANCE, AnyGame, IllegalAction
from fifthstreet.rng import Stream, stream

PLAYS = 60
LONG = ("five-card-draw", "five-o", "poker-squares")  # games of which fewer are played

every_game = pytest.mark.parametrize("rules", [kind() for kind in GAMES], ids=lambda rules: rules.name)


def playthrough(rules: AnyGame, rng: Stream) -> list[tuple[Any, Any]]:
    """A game of random choices: each state with the action taken in it, the last with None."""
    state, steps = rules.start(), []
    while rules.to_act(state) is not None:
        choices = rules.choices(state)
        action = choices[rng.below(len(choices))]
        steps.append((state, action))
        state = rules.after(state, action)
    return [*steps, (state, None)]


def plays(rules: AnyGame) -> Iterator[list[tuple[Any, Any]]]:
    for number in range(PLAYS // 5 if rules.name in LONG else PLAYS):
        yield playthrough(rules, stream(number, rules.name))


@every_game
def test_it_is_found_by_its_name(rules: AnyGame) -> None:
    assert type(game_named(rules.name)) is type(rules)
    assert rules.__doc__


@every_game
def test_the_same_seed_gives_the_same_game(rules: AnyGame) -> None:
    assert playthrough(rules, stream(1, "x")) == playthrough(rules, stream(1, "x"))
    assert len({repr(playthrough(rules, stream(n, "x"))) for n in range(20)}) > 1


@every_game
def test_states_are_values(rules: AnyGame) -> None:
    for steps in plays(rules):
        for state, action in steps:
            before, shown = copy.deepcopy(state), repr(state)
            for seat in range(rules.seats):
                rules.view(state, seat)
            if action is not None:
                assert rules.after(state, action) == rules.after(state, action)
            assert state == before
            assert repr(state) == shown


@every_game
def test_every_choice_listed_is_accepted_and_nothing_else(rules: AnyGame) -> None:
    for steps in plays(rules):
        for state, action in steps[:-1]:
            choices = rules.choices(state)
            assert len(choices) == len(list(choices)) == len(set(choices)) > 0
            assert all(choices[i] == choice for i, choice in enumerate(choices))
            assert action in choices
            many = len(choices)
            for i in range(many) if many <= 400 else (*range(40), *range(many - 40, many)):
                choice = choices[i]
                rules.after(state, choice)
                assert rules.label(state, choice)
            for wrong in {-1, 99, 10**9, max(choices) + 1, *range(8)} - {int(choice) for choice in choices}:
                assert wrong not in choices
                with pytest.raises(IllegalAction, match="allowed"):
                    rules.after(state, wrong)
            for nonsense in ("bet", None, 0.5, True, [1]):
                assert nonsense not in choices
                with pytest.raises(IllegalAction):
                    rules.after(state, nonsense)
        end = steps[-1][0]
        with pytest.raises(IllegalAction, match="over"):
            rules.after(end, 0)


@every_game
def test_payoffs_add_up_and_come_at_the_end(rules: AnyGame) -> None:
    for steps in plays(rules):
        for state, _ in steps[:-1]:
            with pytest.raises(InputError, match="no payoffs yet"):
                rules.payoffs(state)
        payoffs = rules.payoffs(steps[-1][0])
        assert len(payoffs) == rules.seats
        if rules.seats > 1:
            assert sum(payoffs) == 0


@every_game
def test_an_imagined_state_has_the_same_view(rules: AnyGame) -> None:
    for number, steps in enumerate(plays(rules)):
        for state, _ in steps:
            for seat in range(rules.seats):
                view = rules.view(state, seat)
                imagined = rules.imagine(view, stream(number, "imagine"))
                assert rules.view(imagined, seat) == view
                assert rules.to_act(imagined) == rules.to_act(state)
                if rules.to_act(state) not in (None, CHANCE):
                    mine, true = list(rules.choices(imagined)), list(rules.choices(state))
                    # What another may exchange are cards that are not seen.
                    assert mine == true if rules.to_act(state) == seat else len(mine) == len(true)


@every_game
def test_a_view_does_not_give_away_what_is_hidden(rules: AnyGame) -> None:
    """Somewhere in a game more than one state fits the view, and the true one is always among those imagined."""
    for steps in plays(rules):
        most = 1
        for state, _ in steps:
            seat = rules.to_act(state)
            if seat is None or seat == CHANCE or rules.seats == 1:
                continue
            view = rules.view(state, seat)
            imagined = {rules.imagine(view, stream(n, "hidden")) for n in range(60)}
            most = max(most, len(imagined))
            assert state in imagined or len(imagined) > 30  # of many states, sixty draws need not hit the true one
        assert most > 1 or rules.seats == 1 or all(rules.to_act(state) in (None, CHANCE) for state, _ in steps)


@every_game
def test_seats_that_are_not_there(rules: AnyGame) -> None:
    for seat in (-1, rules.seats, 99):
        with pytest.raises(InputError, match=str(seat)):
            rules.view(rules.start(), seat)


@given(st.text())
def test_any_text_is_a_game_or_an_input_error(text: str) -> None:
    try:
        found = game_named(text)
    except InputError:
        return
    assert found.name == text.partition(":")[0]


def test_an_unknown_game_is_quoted() -> None:
    with pytest.raises(InputError, match=r"'chess' is not a game: there are .*kuhn"):
        game_named("chess")
