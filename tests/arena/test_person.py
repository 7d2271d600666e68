"""A person at the table: every game can be played, nothing hidden is told, and wrong lines are asked again."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import AgentFailure
from fifthstreet.arena.person import chosen, rivals, sit_down
from fifthstreet.errors import InputError
from fifthstreet.games import GAMES, game_named
from fifthstreet.games.game import AnyGame
from fifthstreet.rng import stream


def at_a_table(
    spec: str, lines: Callable[[str], str | None], opponent: str = "random", seat: int = 0, as_json: bool = False
) -> list[str]:
    """Everything that a person is told who answers by `lines`, given what was told last."""
    game, told = game_named(spec), [""]
    others = [agent_named(opponent, game.name)] * rivals(game)
    sit_down(game, others, seat, 3, lambda: lines(told[-1]), told.append, as_json)
    return told


@pytest.mark.parametrize("game", [played() for played in GAMES], ids=lambda game: game.name)
def test_every_game_can_be_played_by_typing_what_is_offered(game: AnyGame) -> None:
    rng = stream(1, "typing")

    def first_offered(told: str) -> str:
        offered = json.loads(told)["choices"].split(", ")
        return str(offered[rng.below(len(offered))]).partition("–")[0]

    told = at_a_table(game.name, first_offered, as_json=True, seat=game.seats - 1)
    end = json.loads(told[-1])
    assert end["payoff"] == end["record"]["payoffs"][game.seats - 1]
    assert end["reasons"]


def test_hidden_cards_are_told_only_when_the_game_is_over() -> None:
    """In Five-O no line before the end shows a card of the opponent's last row, nor any reason for where it lies."""
    opened = iter(f"{column}" for _ in range(4) for column in range(1, 6))
    turn = {"why": False}

    def lines(told: str) -> str:
        turn["why"] = not turn["why"]
        return "why" if turn["why"] else next(opened)

    told = at_a_table("five-o", lines, "reflex-3", as_json=True)
    record = json.loads(told[-1])["record"]
    game = game_named("five-o")
    state: Any = game.start()
    for step in record["steps"]:
        state = game.after(state, step["action"])
    hidden = {str(state.column(1, column)[4]) for column in range(5)}
    before = told[1:-1]
    assert len(before) == 40
    late = [text for text in before if "table" in text and "▒▒" in text]
    assert late
    for text in late:
        assert not any(card in text for card in hidden)
    reasons = [json.loads(text)["reasons"] for text in before if "reasons" in text]
    assert sum(len(some) for some in reasons) == 15  # rows two to four; the hidden row's are told at the end
    assert len(json.loads(told[-1])["reasons"]) == 20


def test_a_wrong_line_is_asked_again_and_changes_nothing() -> None:
    script = iter(["", "column 7", "3 3", "column", "?", "h", "column 2"])
    told = []

    def lines(text: str) -> str | None:
        told.append(text)
        return next(script, None)

    with pytest.raises(AgentFailure, match="the input ended before the game was over"):
        at_a_table("five-o", lines)
    errors = [text for text in told if "names no action here" in text]
    assert len(errors) == 4
    assert "'column 7'" in errors[1]
    assert any("would: column" in text for text in told)


def test_quitting_is_an_interruption() -> None:
    with pytest.raises(KeyboardInterrupt):
        at_a_table("kuhn", lambda _: "quit")


def test_actions_are_named_in_short() -> None:
    game = game_named("holdem:seats=2")
    state = game.start()
    while game.to_act(state) == -1:
        state = game.after(state, game.choices(state)[0])
    choices = game.choices(state)
    for words, action in (("f", -1), ("fold", -1), ("call", 0), ("raise to 20", 20), ("raise 20", 20), ("20", 20)):
        assert chosen(choices, words) == action
    for words in ("raise", "raise to 500", "3.5", "check it down"):
        with pytest.raises(InputError, match="names no action here"):
            chosen(choices, words)


def test_the_seats_must_be_filled() -> None:
    game = game_named("holdem")
    with pytest.raises(InputError, match="5 agents are wanted, not 1"):
        sit_down(game, [agent_named("random", "holdem")], 0, 0, lambda: None, print)
    with pytest.raises(InputError, match="seat 9"):
        sit_down(game_named("kuhn"), [agent_named("random", "kuhn")], 8, 0, lambda: None, print)
