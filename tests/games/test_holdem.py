"""Hold'em against pokerkit, an independent referee, action by action; and what holds of every hand."""

import multiprocessing
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

from fifthstreet.cards import Card, parse_cards
from fifthstreet.errors import InputError
from fifthstreet.games import game_named
from fifthstreet.games.betting import CALL, FOLD, Move
from fifthstreet.games.deck import undealt, undealt_count
from fifthstreet.games.game import CHANCE, OVER, IllegalAction
from fifthstreet.games.holdem import Chips, Holdem, HoldemState, allowed, apply, opening
from fifthstreet.kernel import kernel
from fifthstreet.naming import spec_of
from fifthstreet.record import copy_bytes
from fifthstreet.rng import below, stream

from referee import judged, random_chips


def test_random_hands_are_played_as_the_referee_plays_them() -> None:
    """20,000 hands, action by action; it differs where it reopens the betting, and in who gets an odd chip."""
    parts = [range(start, start + 500) for start in range(0, 20_000, 500)]
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        seen: Counter[str] = sum(pool.map(judged, parts), Counter())
    assert seen["hands"] == 20_000
    assert seen["actions"] > 200_000
    assert set(seen) == {"hands", "actions", "reopening", "odd chips"}
    assert seen["reopening"] > 500
    assert 0 < seen["odd chips"] < 1000


def played(rules: Holdem, *actions: int, board: str = "2c7d9hJsKc", hands: str = "") -> HoldemState:
    """A hand with these actions; cards as given, then from the bottom of the deck."""
    state = rules.start()
    wanted = [*parse_cards(hands)]
    left = [card for card in range(52) if card not in {*wanted, *parse_cards(board)}]
    while len(wanted) < 2 * rules.seats:
        wanted.append(Card(left.pop(0)))
    cards, moves = [*wanted, *parse_cards(board)], list(actions)
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            state = rules.after(state, cards.pop(0))
        elif moves:
            state = rules.after(state, moves.pop(0))
        else:
            break
    return state


def chips(stacks: tuple[int, ...], **settings: Any) -> Holdem:
    blinds = (100, 50) if len(stacks) == 2 else (50, 100, *[0] * (len(stacks) - 2))
    return Holdem(chips=Chips(stacks, blinds, (0,) * len(stacks), 100, **settings))


def test_a_limper_facing_a_short_all_in_may_not_raise_again() -> None:
    """Rule 47: limp for 100, all-in to 150; the limper may call or fold, the big blind has not acted and may raise."""
    rules = chips((5000, 5000, 5000, 150))
    state = played(rules, 0, 150)  # seat 2 limps, seat 3 is all-in, seat 0 is to act and has not acted yet
    assert rules.to_act(state) == 0
    assert 250 in rules.choices(state)
    state = played(rules, 0, 150, 0, 0)  # both blinds call: back to the limper
    assert rules.to_act(state) == 2
    assert list(rules.choices(state)) == [FOLD, CALL]
    with pytest.raises(IllegalAction, match="raise to 500"):
        rules.after(state, Move(500))
    full = chips((5000, 5000, 5000, 200))
    assert 300 in full.choices(played(full, 0, 200, 0, 0))  # a full raise reopens the betting


def test_short_all_ins_that_add_up_to_a_raise_reopen_the_betting() -> None:
    rules = chips((200, 5000, 5000, 150))
    state = played(rules, 0, 150, 200, 0)  # limp, all-in 150, all-in 200, the big blind calls
    assert rules.to_act(state) == 2
    assert 300 in rules.choices(state)


def test_the_least_raise_is_the_last_full_one() -> None:
    rules = chips((5000, 5000, 5000))
    state = played(rules, 300)  # a raise by 200
    assert [499 in rules.choices(state), 500 in rules.choices(state)] == [False, True]
    state = played(rules, 300, 700)  # and one by 400
    assert [1099 in rules.choices(state), 1100 in rules.choices(state)] == [False, True]


def test_a_short_big_blind_is_called_in_full() -> None:
    rules = chips((5000, 60, 5000))
    state = played(rules)
    assert rules.to_act(state) == 2
    after = rules.after(state, CALL)
    assert after.paid[2] == 100
    assert [199 in rules.choices(state), 200 in rules.choices(state)] == [False, True]


def test_heads_up_the_dealer_has_the_small_blind_and_acts_first_then_last() -> None:
    rules = Holdem(seats=2)
    state = played(rules)
    assert (state.paid, rules.to_act(state)) == ([2, 1], 1)
    state = played(rules, CALL, CALL)
    assert rules.to_act(state) == 0


def test_side_pots_and_uncalled_bets() -> None:
    """Four all-in for different amounts: the best hand wins what it covers, and so on down."""
    rules = chips((1000, 400, 2500, 200))
    state = played(rules, 2500, 0, 0, 0, hands="QcQd KhKd 3c4d AhAd", board="2h7d9sJs5c")
    assert rules.to_act(state) is None
    assert rules.finishing_stacks(state) == [1200, 600, 1500, 800]
    assert rules.payoffs(state) == [200, 200, -1000, 600]


def test_odd_chips_go_to_the_left_of_the_dealer() -> None:
    rules = Holdem(chips=Chips((101, 101, 101), (1, 2, 0), (0, 0, 0), 2))
    state = played(rules, 101, 0, FOLD, hands="AhKd QhQd AdKh", board="AsKs7c2d3h")
    assert rules.finishing_stacks(state) == [102, 99, 102]
    state = played(rules, 101, 0, 0, hands="AhKd QhQd AdKh", board="AsKs7c2d3h")
    assert rules.finishing_stacks(state) == [152, 0, 151]


def test_a_big_blind_ante_is_dead_money() -> None:
    rules = Holdem(seats=3, stack=100, ante=2, ante_by="big-blind")
    state = played(rules, FOLD, FOLD)
    assert rules.finishing_stacks(state) == [99, 101, 100]


def test_fixed_limits_and_their_cap() -> None:
    rules = Holdem(seats=2, limit=True)
    state = played(rules)
    assert list(rules.choices(state)) == [FOLD, CALL, 4]
    state = played(rules, 4, 6, 8)
    assert list(rules.choices(state)) == [FOLD, CALL]  # the blind, and three raises
    state = played(rules, CALL, CALL, CALL, CALL)
    assert list(rules.choices(state)) == [CALL, 4]  # bets double on the turn


def test_raises_of_any_size() -> None:
    rules = Holdem(seats=3, minimum_raise=False)
    state = played(rules, 50)
    assert list(rules.choices(state)) == [FOLD, CALL, *range(51, 201)]
    state = played(rules, 50, 51)
    assert list(rules.choices(state)) == [FOLD, CALL, *range(52, 201)]
    state = played(rules, 3, CALL, CALL)  # one chip more reopens the betting for nobody else: all have called
    assert state.street == 1
    assert min(action for action in rules.choices(state) if action > 0) == 1


def test_raising_passes() -> None:
    """Three players, and everybody raises by the least whenever it may: passes are counted from the first to act."""
    for passes in (1, 2, 3):
        rules = Holdem(seats=3, stack=1000, raising_passes=passes)
        state, raises = played(rules), 0
        while state.street == 0:
            more = [action for action in rules.choices(state) if action > 0]
            raises += bool(more)
            state = rules.after(state, more[0] if more else CALL)
            while rules.to_act(state) == CHANCE:
                state = rules.after(state, rules.choices(state)[0])
        assert raises == 3 * passes
        assert rules.choices(state)[-1] > 0  # the next street starts afresh
    # After the flop seat 0 begins: it checks, seat 1 bets, and seat 0's answer is in the second pass.
    once = Holdem(seats=3, raising_passes=1)
    state = played(once, CALL, CALL, CALL, CALL, 10, CALL)
    assert once.to_act(state) == 0
    assert list(once.choices(state)) == [FOLD, CALL]
    twice = Holdem(seats=3, raising_passes=2)
    assert twice.choices(played(twice, CALL, CALL, CALL, CALL, 10, CALL))[-1] == 198
    # A seat that has folded does not stop the count: seat 0 folds, and the pass ends when its turn has gone by.
    state = played(twice, 4, FOLD, 6, 8, 10)
    assert list(twice.choices(state)) == [FOLD, CALL]


@kernel
def million(starts: Any, states: Any, rng: Any, hands: int) -> int:
    """Random hands through the rules; −1, or the number of the hand in which a chip was made or lost."""
    state = states[0]
    for hand in range(hands):
        start = starts[below(rng, len(starts))]
        copy_bytes(start, state, SIZE)
        total, steps = start.stacks.sum() + start.pot, 0
        while state.actor != OVER:
            if state.actor == CHANCE:
                apply(state, undealt(state, below(rng, undealt_count(state))))
            else:
                kind, action = below(rng, 4), CALL
                if kind == 0 and state.to_call > 0:
                    action = FOLD
                elif kind == 1 and state.max_raise > 0:
                    more = below(rng, state.max_raise - state.min_raise + 1)
                    action = state.min_raise + more // (1 + 9 * below(rng, 2))
                if not allowed(state, action):
                    return hand
                apply(state, action)
            steps += 1
            paid = state.wagered.sum() + state.antes.sum()
            if state.stacks.min() < 0 or steps > 500 or paid != state.pot or state.stacks.sum() + paid != total:
                return hand
        if state.won.min() < 0 or state.won.sum() + state.stacks.sum() != total:
            return hand
    return -1


SIZE = HoldemState.size


def test_in_a_million_hands_no_chip_is_made_or_lost() -> None:
    rng = random.Random(1)
    starts = [opening(random_chips(rng)) for _ in range(400)]
    rows = np.frombuffer(bytearray().join(start.data for start in starts), HoldemState.dtype)
    assert million(rows, np.zeros(1, HoldemState.dtype), stream(1, "million").state, 1_000_000) == -1


@pytest.mark.parametrize(
    ("make", "quoted"),
    [
        (lambda: Holdem(seats=1), "1 seats"),
        (lambda: Holdem(seats=11), "11 seats"),
        (lambda: Holdem(stack=-5), "-5 as a stack"),
        (lambda: Holdem(stack=0), "at least 2 players need chips"),
        (lambda: Holdem(small_blind=5, big_blind=2), "blinds 5 and 2"),
        (lambda: Holdem(ante=-1), "-1 as an ante"),
        (lambda: Chips((1.5, 2), (0, 0), (0, 0), 1), "1.5 as a stack"),  # type: ignore[arg-type]
        (lambda: Chips((5, 5), (1,), (0, 0), 1), "1 blinds"),
        (lambda: Holdem(raising_passes=-1), "-1 as raising_passes"),
        (lambda: Holdem(limit=True, minimum_raise=False), "minimum_raise=False"),
        (lambda: Chips((5, 5), (1, 2), (0, 0), 2, players=(3, 3)), "players (3, 3)"),
        (lambda: Chips((5, 5), (1, 2), (0, 0), 2, players=(11, 1)), "players (11, 1)"),
        (lambda: Chips((5, 5), (1, 2), (0, 0), 2, players=(1,)), "players (1,)"),
        (lambda: game_named("holdem:seats=x"), "'x' is not a whole number"),
        (lambda: game_named("holdem:colour=red"), "'colour=red'"),
    ],
)
def test_wrong_tables_are_quoted(make: Any, quoted: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert quoted in str(error.value)


def test_blinds_larger_than_stacks_put_everybody_all_in() -> None:
    rules = Holdem(chips=Chips((1, 1, 1), (5, 10, 0), (0, 0, 0), 10))
    state = played(rules, CALL)
    assert rules.to_act(state) is None
    assert sum(rules.finishing_stacks(state)) == 3


def test_what_is_not_allowed_changes_nothing() -> None:
    rules = chips((5000, 5000, 5000))
    state = played(rules)
    before = hash(state)
    for wrong in (150, 5001, -2, 99):
        with pytest.raises(IllegalAction, match=r"allowed: fold, call, 200–5000\), seat 2"):
            rules.after(state, Move(wrong))
    assert hash(state) == before


def test_the_name_of_a_table_reads_again() -> None:
    for spec in ("holdem", "holdem:seats=3,stack=500,ante=1,ante_by=button,limit=True"):
        assert spec_of(game_named(spec)) == spec
        assert game_named(spec_of(game_named(spec))) == game_named(spec)
