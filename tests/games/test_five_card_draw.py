"""Five-card draw against pokerkit, an independent referee, action by action; and the rules that are its own."""

import random
import warnings
from typing import Any

import pokerkit
import pytest

from fifthstreet.arena.match import match
from fifthstreet.arena.person import chosen
from fifthstreet.arena.play import Record, Step, replay
from fifthstreet.arena.session import session
from fifthstreet.cards import Card, parse_cards, show
from fifthstreet.errors import InputError
from fifthstreet.games import game_named
from fifthstreet.games.betting import CALL, FOLD, Move
from fifthstreet.games.five_card_draw import HAND, DrawState, FiveCardDraw, Stakes, Trade
from fifthstreet.games.game import CHANCE, IllegalAction
from fifthstreet.naming import spec_of
from fifthstreet.rng import stream

A = pokerkit.Automation
AUTOMATIC = (
    A.ANTE_POSTING,
    A.BET_COLLECTION,
    A.BLIND_OR_STRADDLE_POSTING,
    A.HOLE_CARDS_SHOWING_OR_MUCKING,
    A.HAND_KILLING,
    A.CHIPS_PUSHING,
    A.CHIPS_PULLING,
)


def referee(rules: FiveCardDraw) -> Any:
    assert rules.stakes is not None
    position = pokerkit.Opening.POSITION
    streets = (
        pokerkit.Street(False, (False,) * 5, 0, False, position, 1, None),
        pokerkit.Street(False, (), 0, True, position, 1, None),
    )
    return pokerkit.State(
        AUTOMATIC,
        pokerkit.Deck.STANDARD,
        (pokerkit.StandardHighHand,),
        streets,
        pokerkit.BettingStructure.NO_LIMIT,
        True,
        rules.ante,
        0,
        0,
        rules.stakes.stacks,
        rules.seats,
    )


def judged(number: int) -> int:
    """A random hand as both play it; how many actions it had."""
    rng = random.Random(number)
    seats = rng.randint(2, 6)
    stacks = tuple(rng.randint(2, 60) if rng.random() < 0.5 else rng.randint(100, 1000) for _ in range(seats))
    trade = rng.randint(0, min(5, 52 // seats - 5))
    rules = FiveCardDraw(ante=rng.randint(1, 2), trade=trade, stakes=Stakes(stacks, tuple(range(seats))))
    judge, state, deck, actions = referee(rules), rules.start(), rng.sample(range(52), 52), 0
    coming: list[list[int]] = []
    for place in range(seats):
        judge.deal_hole(show(deck[5 * place : 5 * place + 5]))
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            state = rules.after(state, deck[int(52 - len(rules.choices(state)))])
            continue
        actions += 1
        if state.street == 1:
            assert judge.stand_patter_or_discarder_index == seat, number
            going = Trade.of(rng.sample(state.hand(seat), rng.randint(0, trade)))
            judge.stand_pat_or_discard(show(going.cards))
            coming += [deck[state.dealt : state.dealt + len(going.cards)]] if going else []
            state = rules.after(state, going)
            while judge.stand_patter_or_discarder_index is None and coming:  # it deals when all have discarded
                judge.deal_hole(show(coming.pop(0)))
            continue
        assert judge.actor_index == seat, number
        choices = rules.choices(state)
        assert judge.checking_or_calling_amount == state.to_call, number
        action, roll = CALL, rng.random()
        if roll < 0.35 and judge.can_complete_bet_or_raise_to():
            lowest = judge.min_completion_betting_or_raising_to_amount
            highest = judge.max_completion_betting_or_raising_to_amount
            wish = rng.choice([lowest, highest, rng.randint(lowest, highest)])
            action = wish if wish in choices else CALL
        elif roll > 0.85 and FOLD in choices:
            action = FOLD
        state = rules.after(state, action)
        if action == FOLD:
            judge.fold()
        elif action == CALL:
            judge.check_or_call()
        else:
            judge.complete_bet_or_raise_to(action)
    assert not judge.status, number
    mine, theirs = rules.finishing_stacks(state), list(judge.stacks)
    assert sum(mine) == sum(stacks)
    assert max(abs(a - b) for a, b in zip(mine, theirs, strict=True)) < seats, (number, mine, theirs)  # odd chips
    return actions


def test_random_hands_are_played_as_the_referee_plays_them() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sum(judged(number) for number in range(400)) > 3_000


def dealt(rules: FiveCardDraw, *actions: int, hands: str = "", new: str = "") -> DrawState:
    """A hand after these actions, with cards as given, then from the bottom of the deck."""
    given, later, moves = parse_cards(hands), parse_cards(new), list(actions)
    spare = [Card(card) for card in range(52) if card not in {*given, *later}]
    given += [spare.pop(0) for _ in range(HAND * rules.seats - len(given))]
    cards, state = [*given, *later, *spare], rules.start()
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            state = rules.after(state, cards.pop(0))
        elif moves:
            state = rules.after(state, moves.pop(0))
        else:
            break
    assert not moves
    return state


TWO = FiveCardDraw(seats=2)
HANDS = "AhKhQhJh2c 9c9d8s7s2d"


def test_a_hand_from_deal_to_showdown() -> None:
    first, second = Trade.of("2c"), Trade.of("7s 2d")
    state = dealt(TWO, 5, CALL, first, second, CALL, 10, CALL, hands=HANDS, new="Th 3c 9h")
    assert TWO.to_act(state) is None
    assert (show(state.hand(0)), show(state.hand(1))) == ("AhKhQhJhTh", "9h9d9c8s3c")
    assert TWO.payoffs(state) == [16, -16]
    assert TWO.finishing_stacks(state) == [10_016, 9_984]
    assert [str(done) for done in state.actions] == [
        "bet 5",
        "call",
        "trade 1",
        "trade 2",
        "check",
        "bet 10",
        "call",
    ]


def test_nobody_sees_the_cards_of_others_nor_which_of_them_went() -> None:
    state = dealt(TWO, CALL, CALL, Trade.of("2c"), Trade.of("7s2d"), hands=HANDS, new="Th 3c 9h")
    view = TWO.view(state, 0)
    assert (view.hand(1), view.discarded(1), [*view.traded][:2]) == ([], [], [1, 2])
    assert (show(view.hand(0)), show(view.discarded(0))) == ("AhKhQhJhTh", "2c")
    hidden = {int(card) for card in (*state.hand(1), *state.discarded(1))}
    assert not hidden & {card for row in (*view.cards, *view.discards) for card in row}
    shown = TWO.view(dealt(TWO, CALL, CALL, 0, 0, CALL, CALL, hands=HANDS), 0)  # at the showdown
    assert show(shown.hand(1)) == "9d9c8s7s2d"
    folded = TWO.view(dealt(TWO, 5, FOLD, hands=HANDS), 0)
    assert folded.hand(1) == []


def test_a_round_passes_the_table_three_times_at_most() -> None:
    state = dealt(TWO, 1, 2, 3, 4)
    assert list(TWO.choices(state)) == [FOLD, CALL]  # the third turn of seat 0
    with pytest.raises(IllegalAction, match="raise to 5"):
        TWO.after(state, Move(5))
    assert TWO.after(state, CALL).street == 1
    short = FiveCardDraw(seats=2, passes=2)
    assert list(short.choices(dealt(short, 1, 2))) == [FOLD, CALL]
    assert list(FiveCardDraw(seats=2, passes=1).choices(dealt(FiveCardDraw(seats=2, passes=1)))) == [CALL]


def test_a_raise_may_be_smaller_than_the_one_before() -> None:
    assert 26 in TWO.choices(dealt(TWO, 25))
    assert 25 not in TWO.choices(dealt(TWO, 25))


def test_the_left_of_the_dealer_is_first_in_both_rounds_and_who_folded_is_left_out() -> None:
    rules = FiveCardDraw(seats=3)
    state = dealt(rules, 5, FOLD, CALL)
    assert (state.street, rules.to_act(state)) == (1, 0)
    state = rules.after(state, Trade(0))
    assert rules.to_act(state) == 2
    state = rules.after(state, Trade(0))
    assert (state.street, rules.to_act(state)) == (2, 0)


def test_side_pots_go_to_who_paid_for_them() -> None:
    rules = FiveCardDraw(stakes=Stakes((11, 51, 201), (0, 1, 2)))
    hands = "AhAdAcAsKd KhKsKc3c3d QhQdQsQc2d"
    state = dealt(rules, 10, 50, CALL, 0, 0, 0, hands=hands)
    assert rules.finishing_stacks(state) == [33, 0, 230]
    state = dealt(rules, 10, CALL, 200, CALL, 0, 0, 0, hands=hands)  # what nobody can call comes back
    assert rules.finishing_stacks(state) == [33, 0, 230]


def test_who_cannot_pay_the_ante_plays_for_what_there_is() -> None:
    rules = FiveCardDraw(ante=5, stakes=Stakes((2, 50, 50), (0, 1, 2)))
    state = dealt(rules, CALL, CALL, 0, 0, 0, CALL, CALL, hands="AhAdAcAsKd KhKsKc3c3d QhJdTs9c2d")
    assert rules.finishing_stacks(state) == [6, 51, 45]


@pytest.mark.parametrize(
    ("given", "quoted"),
    [
        (Trade.of("As"), "'trade As' is not allowed: seat 0 holds AhKhQhJh2c, and not As"),
        (Trade.of("Ah Kh 2c"), "'trade AhKh2c' is not allowed: these are 3 cards, and at most 2 may go"),
        (Trade(-1), "'trade -1' is not allowed: it is no set of cards"),
        (Trade(1 << 52), "it is no set of cards"),
        (Move(20), "'raise to 20' is not allowed now: cards are to be exchanged, and seat 0 is to act"),
        ("2c", "'2c' is not an action"),
    ],
)
def test_a_wrong_exchange_is_one_sentence_and_changes_nothing(given: Any, quoted: str) -> None:
    state = dealt(TWO, CALL, CALL, hands=HANDS)
    before = hash(state)
    with pytest.raises(IllegalAction) as error:
        TWO.after(state, given)
    assert quoted in str(error.value)
    assert hash(state) == before


def test_out_of_turn() -> None:
    state = dealt(TWO, hands=HANDS)
    with pytest.raises(IllegalAction, match="'trade 2c' is not allowed now: it is a betting round, and seat 0"):
        TWO.after(state, Trade.of("2c"))
    deal = [Step(CHANCE, card) for card in range(10)]
    record = Record("five-card-draw:seats=2", (*deal, Step(1, 5)), (0.0, 0.0))
    with pytest.raises(InputError, match="action 11 of the record is seat 1's, but seat 0 is to act"):
        list(replay(record))


def test_all_five_may_go_where_that_is_allowed() -> None:
    rules = FiveCardDraw(seats=2, trade=5)
    state = dealt(rules, CALL, CALL, hands=HANDS)
    assert len(rules.choices(state)) == 32
    after = dealt(rules, CALL, CALL, Trade.of(state.hand(0)), 0, hands=HANDS, new="3c4c5c6c7c")
    assert show(after.hand(0)) == "7c6c5c4c3c"
    assert len(TWO.choices(dealt(TWO, CALL, CALL, hands=HANDS))) == 16


def test_a_person_names_cards_in_any_order() -> None:
    choices = TWO.choices(dealt(TWO, CALL, CALL, hands=HANDS))
    for words in ("trade 2c jh", "jh2c", "trade jh2c"):
        assert chosen(choices, words) == Trade.of("Jh2c")
    assert chosen(choices, "stand pat") == 0
    for wrong in ("trade 3c", "trade 2x", "trade ah kh qh", "call"):
        with pytest.raises(InputError, match=f"'{wrong}' names no action here: there are stand pat, trade"):
            chosen(choices, wrong)
    many = TWO.choices(dealt(TWO, 5, hands=HANDS))  # 9,996 of them
    assert [chosen(many, words) for words in ("fold", "call", "c", "raise to 77", "77")] == [FOLD, CALL, CALL, 77, 77]
    with pytest.raises(InputError, match="'raise to 5' names no action here"):
        chosen(many, "raise to 5")


@pytest.mark.parametrize(
    ("spec", "quoted"),
    [
        ("seats=1", "1 seats"),
        ("seats=7", "7 seats"),
        ("seats=6,trade=5", "6 seats with up to 5 cards to trade"),
        ("trade=6", "6 cards to trade"),
        ("ante=-1", "-1 as the ante"),
        ("stack=0", "at least 2 players need chips"),
        ("stack=-3", "-3 as a stack"),
        ("passes=0", "0 passes"),
    ],
)
def test_wrong_tables_are_quoted(spec: str, quoted: str) -> None:
    with pytest.raises(InputError) as error:
        game_named(f"five-card-draw:{spec}")
    assert quoted in str(error.value)


def test_the_name_of_a_table_reads_again() -> None:
    for spec in ("five-card-draw", "five-card-draw:seats=3,stack=500,ante=2,trade=3,passes=4"):
        assert spec_of(game_named(spec)) == spec


@pytest.mark.parametrize("stacks", ["reset", "carry"])
def test_no_chip_is_made_or_lost_in_a_session(stacks: Any) -> None:
    agents = ["random", "loose-aggressive", "tight-passive", "random"]
    fast, slow = (
        session("five-card-draw:stack=40", agents, 60, 5, runs=2, stacks=stacks, compiled=way) for way in (True, False)
    )
    assert (fast.by_hand.sum(axis=2) == 0).all()
    assert (fast.by_hand == slow.by_hand).all()
    if stacks == "carry":
        assert (40 + fast.by_hand.cumsum(axis=1)).min() >= 0


def test_what_a_seat_imagines_is_spread_over_what_it_cannot_see() -> None:
    state = dealt(TWO, CALL, CALL, Trade.of("2c"), Trade.of("7s2d"), hands=HANDS, new="Th 3c 9h")
    view, seen = TWO.view(state, 0), set()
    for number in range(400):
        imagined = TWO.imagine(view, stream(number, "draw"))
        assert len({*imagined.hand(1), *imagined.discarded(1)}) == 7
        seen |= {*imagined.hand(1), *imagined.discarded(1)}
    assert len(seen) == 52 - 6


def test_bytes_that_no_hand_leads_to_are_refused_or_harmless() -> None:
    fields = {name: getattr(dealt(TWO), name) for name in DrawState.fields if name != "history"}
    for name, wrong in (("seats", 7), ("actor", 6), ("street", 4), ("receiver", 6), ("most_traded", 6), ("cards", 52)):
        with pytest.raises(InputError, match=f"{name}={wrong} in a DrawState"):
            DrawState.of(**fields | {name: wrong})
    full = DrawState.of(**fields | {"history_length": 66})  # no round is that long
    assert TWO.after(full, CALL).history_length == 66
    with pytest.raises(InputError, match="0 cards are to come, and seat -1 acts"):
        DrawState.of(**fields | {"actor": CHANCE})


def test_stacks_of_more_chips_than_32_bits_count_are_played() -> None:
    result = match("five-card-draw:seats=2,stack=5000000000", ["random", "random"], 20, seed=1)
    assert result.deals == 20
