"""Hold'em beside pokerkit, an independent referee, action by action."""

import functools
import random
import warnings
from collections import Counter
from typing import Any

import numpy as np
import pokerkit

from fifthstreet.cards import Card
from fifthstreet.games import betting
from fifthstreet.games.game import CHANCE
from fifthstreet.games.holdem import Chips, Holdem

A = pokerkit.Automation
AUTOMATIC = (
    A.ANTE_POSTING,
    A.BET_COLLECTION,
    A.BLIND_OR_STRADDLE_POSTING,
    A.CARD_BURNING,
    A.HOLE_CARDS_SHOWING_OR_MUCKING,
    A.HAND_KILLING,
    A.CHIPS_PUSHING,
    A.CHIPS_PULLING,
)


class Remembered(pokerkit.StandardHighHand):
    """The referee ranks every hand many times in a showdown, which takes most of its time: answers are remembered."""

    __slots__ = ()

    @classmethod
    def from_game(cls, hole: Any, board: Any = ()) -> Any:
        return _ranked(tuple(pokerkit.Card.clean(hole)), tuple(pokerkit.Card.clean(board)))


@functools.lru_cache(1000)
def _ranked(hole: tuple[Any, ...], board: tuple[Any, ...]) -> Any:
    return pokerkit.StandardHighHand.from_game(hole, board)


def referee(chips: Chips) -> Any:
    blinds = chips.blinds[::-1] if len(chips.blinds) == 2 else chips.blinds  # it reverses them heads-up
    antes = chips.antes[::-1] if len(chips.antes) == 2 else chips.antes
    trimmed = not chips.shared_antes
    game: Any
    if chips.limit:
        game = pokerkit.FixedLimitTexasHoldem(AUTOMATIC, trimmed, antes, blinds, chips.least_bet, chips.limit)
    else:
        game = pokerkit.NoLimitTexasHoldem(AUTOMATIC, trimmed, antes, blinds, chips.least_bet)
    game.hand_types = (Remembered,)
    return game(chips.stacks, len(chips.stacks))


def random_chips(rng: random.Random) -> Chips:
    seats = rng.randint(2, 10)
    small, big = rng.choice([(1, 2), (5, 10), (50, 100), (2, 5)])
    stacks = tuple(big * rng.randint(1, 12) + rng.randint(1, big) for _ in range(seats))
    if rng.random() < 0.4:
        stacks = tuple(big * rng.randint(20, 120) for _ in range(seats))
    blinds = [0] * seats
    if seats == 2:
        blinds = [big, small]
    else:
        blinds[0], blinds[1] = small, big
        if rng.random() < 0.2 and seats > 3:
            blinds[2] = 2 * big
    antes, shared = [0] * seats, False
    kind = rng.random()
    if kind < 0.25:
        antes = [max(1, big // 5)] * seats
    elif kind < 0.4:
        antes[0 if seats == 2 else 1], shared = big, True
    elif kind < 0.5:
        antes[-1], shared = big, True
    # A blind that is short is called in full in card rooms, but not by the referee: see the test of that rule below.
    stacks = tuple(max(stack, ante + blind) for stack, ante, blind in zip(stacks, antes, blinds, strict=True))
    return Chips(stacks, tuple(blinds), tuple(antes), big, shared_antes=shared)


def pick(choices: Any, rng: random.Random) -> int:
    """Mostly moderate play, so that hands reach the river, with all-ins and odd raises."""
    moves = list(choices[:2]) if betting.FOLD in choices else [choices[0]]
    raises = len(choices) - len(moves)
    roll = rng.random()
    if raises and roll < 0.3:
        return int(choices[len(moves) + rng.choice([0, 0, raises - 1, rng.randrange(raises), min(raises - 1, 3)])])
    if roll > 0.9 and betting.FOLD in choices:
        return betting.FOLD
    return betting.CALL


def differences(number: int, seen: Counter[str]) -> None:
    rng = random.Random(number)
    chips = random_chips(rng)
    rules = Holdem(chips=chips)
    judge = referee(chips)
    deck = rng.sample(range(52), 52)
    state = rules.start()
    dealt = 0
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            card = deck[dealt]
            if dealt < 2 * rules.seats:
                state = rules.after(state, card)
                dealt += 1
                if dealt == 2 * rules.seats:
                    for place in range(rules.seats):
                        judge.deal_hole("".join(str(Card(c)) for c in deck[2 * place : 2 * place + 2]))
                continue
            state = rules.after(state, card)
            dealt += 1
            continue
        board = dealt - 2 * rules.seats
        while judge.can_deal_board() and len(list(judge.get_board_cards(0))) < board:
            have = len(list(judge.get_board_cards(0)))
            more = 3 if have == 0 else 1
            judge.deal_board("".join(str(Card(c)) for c in deck[2 * rules.seats + have :][:more]))
        choices = rules.choices(state)
        context = (number, chips, seat, choices)
        assert judge.actor_index == seat, context
        assert judge.can_fold() or betting.FOLD not in choices, context
        cost, lowest, highest = state.to_call, state.min_raise, state.max_raise
        assert judge.checking_or_calling_amount == cost, context
        if (highest > 0) != judge.can_complete_bet_or_raise_to():
            # It lets a limper raise again after a short all-in, and forgets short all-ins that already add up to a
            # full raise when another short one follows. By rule 47 what a player faces since acting last decides.
            faced = state.faced[seat]
            entitled = state.high_bet - faced >= state.last_raise
            assert faced >= 0, context
            assert (highest > 0) == entitled, context
            seen["reopening"] += 1
        elif highest > 0:
            got = (judge.min_completion_betting_or_raising_to_amount, judge.max_completion_betting_or_raising_to_amount)
            assert got == (lowest, highest), (context, got, lowest, highest)
        action = pick(choices, rng)
        if action > betting.CALL and not judge.can_complete_bet_or_raise_to():
            action = betting.CALL  # so that both play on with the same hand
        state = rules.after(state, action)
        if action == betting.FOLD:
            judge.fold()
        elif action == betting.CALL:
            judge.check_or_call()
        else:
            judge.complete_bet_or_raise_to(action)
        seen["actions"] += 1
    if judge.actor_index is not None:
        # The last blind may check although all others are all-in: a turn without a choice, which is not asked here.
        assert judge.checking_or_calling_amount == 0, number
        assert not judge.can_complete_bet_or_raise_to(), number
        judge.check_or_call()
    while judge.can_deal_board():
        have = len(list(judge.get_board_cards(0)))
        more = 3 if have == 0 else 1
        judge.deal_board("".join(str(Card(c)) for c in deck[2 * rules.seats + have :][:more]))
    assert not judge.status, number
    finish = np.array(rules.finishing_stacks(state))
    assert finish.sum() == sum(chips.stacks)
    if finish.tolist() != list(judge.stacks):
        off = np.abs(finish - np.array(judge.stacks))
        assert off.max() < rules.seats, (number, chips, finish, judge.stacks)
        seen["odd chips"] += 1
    seen["hands"] += 1


def judged(numbers: range) -> Counter[str]:
    warnings.simplefilter("ignore")  # the referee burns cards that are dealt later, and says so
    seen: Counter[str] = Counter()
    for number in numbers:
        differences(number, seen)
    return seen
