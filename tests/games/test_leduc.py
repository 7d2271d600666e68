"""Leduc against pokerkit, an independent referee, and against numbers that are known of it."""

import random
from typing import Any

import pokerkit

from fifthstreet.games.game import CHANCE
from fifthstreet.games.leduc import Leduc, LeducMove
from fifthstreet.rng import stream

RANKS = "JQK"


def referee() -> Any:
    """Pokerkit's table for this game: one hole card, one board card, bets of 2 and 4, two raises a round."""
    automatic = pokerkit.Automation
    return pokerkit.State(
        automations=(
            automatic.ANTE_POSTING,
            automatic.BET_COLLECTION,
            automatic.HOLE_CARDS_SHOWING_OR_MUCKING,
            automatic.HAND_KILLING,
            automatic.CHIPS_PUSHING,
            automatic.CHIPS_PULLING,
        ),
        deck=tuple(pokerkit.Card.parse("JsJhQsQhKsKh")),  # type: ignore[arg-type]
        hand_types=(pokerkit.LeducHoldemHand,),
        streets=(
            pokerkit.Street(False, (False,), 0, False, pokerkit.Opening.POSITION, 2, 2),
            pokerkit.Street(False, (), 1, False, pokerkit.Opening.POSITION, 4, 2),
        ),
        betting_structure=pokerkit.BettingStructure.FIXED_LIMIT,
        ante_trimming_status=True,
        raw_antes=1,
        raw_blinds_or_straddles=0,
        bring_in=0,
        raw_starting_stacks=100,
        player_count=2,
    )


def card_text(card: int) -> str:
    return RANKS[card // 2] + "sh"[card % 2]


def test_random_hands_are_played_as_the_referee_plays_them() -> None:
    rules = Leduc()
    for number in range(300):
        rng = stream(number, "referee")
        deck = random.Random(number).sample(range(6), 3)
        state = rules.after(rules.after(rules.start(), deck[0]), deck[1])
        judge = referee()
        judge.deal_hole(card_text(deck[0]))
        judge.deal_hole(card_text(deck[1]))
        while (seat := rules.to_act(state)) is not None:
            if seat == CHANCE:
                state = rules.after(state, deck[2])
                judge.deal_board(card_text(deck[2]))
                continue
            choices = rules.choices(state)
            assert judge.actor_index == seat
            assert judge.can_complete_bet_or_raise_to() == (LeducMove.RAISE in choices)
            action = choices[rng.below(len(choices))]
            {0: judge.fold, 1: judge.check_or_call, 2: judge.complete_bet_or_raise_to}[int(action)]()
            state = rules.after(state, action)
        assert list(rules.payoffs(state)) == list(judge.payoffs)


def test_it_has_as_many_information_sets_as_published() -> None:
    """936 with suits, 288 without: the usual numbers for this game."""
    rules = Leduc()
    with_suits, without_suits = set(), set()

    def walk(state: Any) -> None:
        seat = rules.to_act(state)
        if seat is None:
            return
        if seat != CHANCE:
            view = rules.view(state, seat)
            with_suits.add(view)
            without_suits.add(view.replace(card=view.card // 2, board=view.board // 2))
        for action in rules.choices(state):
            walk(rules.after(state, action))

    walk(rules.start())
    assert (len(with_suits), len(without_suits)) == (936, 288)
