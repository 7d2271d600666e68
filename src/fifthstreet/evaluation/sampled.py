"""Sampled showdowns: independent random deals, counted by set of winners as in `exact.py`."""

import numpy as np
from numpy.typing import NDArray

from fifthstreet.evaluation.exact import leader
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, Ints, strength_7
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, below, pick_some, uniform

Floats = NDArray[np.float64]

_U = np.uint64
MOST_REFUSALS = 100_000


@kernel
def sample(
    combos: Ints,
    keep: Floats,
    alias: Ints,
    starts: Ints,
    board: Ints,
    deck: Ints,
    rng: RngState,
    deals: int,
    wins: Ints,
) -> bool:
    """Deal `deals` times and count the winners; return False if the ranges almost never fit together.

    Player p holds one of combos[starts[p]:starts[p + 1]], chosen by Walker's alias method. When two players would hold
    the same card, everybody is dealt again. A player without combos holds any two cards of the deck.
    """
    players = starts.size - 1
    key_0, bits_0 = EMPTY, _U(0)
    for card in board:
        key_0 += KEY[card]
        bits_0 += BIT[card]
    to_come = 5 - board.size
    keys, bits = np.zeros(players, np.uint64), np.zeros(players, np.uint64)
    random_players = 0
    for player in range(players):
        random_players += starts[player] == starts[player + 1]
    cards = deck.size
    left = deck.copy()
    for _ in range(deals):
        taken = _U(0)
        if random_players < players:
            refusals = 0
            while True:
                taken, fits = _U(0), True
                for player in range(players):
                    size = starts[player + 1] - starts[player]
                    if size == 0:
                        continue
                    choice = starts[player]
                    if size > 1:
                        choice += below(rng, size)
                        if uniform(rng) >= keep[choice]:
                            choice = alias[choice]
                    a, b = combos[choice, 0], combos[choice, 1]
                    held = BIT[a] | BIT[b]
                    if taken & held:
                        fits = False
                        break
                    taken |= held
                    keys[player], bits[player] = KEY[a] + KEY[b], held
                if fits:
                    break
                refusals += 1
                if refusals == MOST_REFUSALS:
                    return False
        drawn = 0
        for player in range(players):
            if starts[player] == starts[player + 1]:
                drawn, a = _draw(left, drawn, cards, taken, rng)
                drawn, b = _draw(left, drawn, cards, taken, rng)
                keys[player], bits[player] = KEY[a] + KEY[b], BIT[a] | BIT[b]
        key, board_bits = key_0, bits_0
        for _ in range(to_come):
            drawn, card = _draw(left, drawn, cards, taken, rng)
            key += KEY[card]
            board_bits |= BIT[card]
        best, mask = np.uint16(0), 0
        for player in range(players):
            strength = strength_7(key + keys[player], board_bits | bits[player])
            best, mask = leader(best, mask, strength, player)
        wins[mask] += 1
    return True


@kernel
def _draw(left: Ints, drawn: int, cards: int, taken: np.uint64, rng: RngState) -> tuple[int, int]:
    """Draw the next card of a shuffle in progress, skipping taken cards; return the number drawn and the card."""
    while True:
        place = drawn + below(rng, cards - drawn)
        card = left[place]
        left[place] = left[drawn]
        left[drawn] = card
        drawn += 1
        if not taken & BIT[card]:
            return drawn, card


@kernel
def all_seats(deals: int, class_of: Ints, rng: RngState, counts: Ints, shares: Floats, squares: Floats) -> None:
    """Deal ten hands and a board, `deals` times; each hand plays 1 to 9 of the others, so a deal serves every table.

    Adds up how often each class was dealt, and its pot shares and their squares by number of opponents.
    """
    deck = np.arange(52)
    keys, bits, classes = np.zeros(10, np.uint64), np.zeros(10, np.uint64), np.zeros(10, np.int64)
    strengths = np.zeros(20, np.uint16)
    for _ in range(deals):
        pick_some(rng, deck, 52, 25)
        key, board = EMPTY, _U(0)
        for i in range(20, 25):
            key += KEY[deck[i]]
            board |= BIT[deck[i]]
        for seat in range(10):
            a, b = deck[2 * seat], deck[2 * seat + 1]
            keys[seat], bits[seat] = KEY[a] + KEY[b], BIT[a] | BIT[b]
            classes[seat] = class_of[a, b]
            strengths[seat] = strength_7(key + keys[seat], board | bits[seat])
            strengths[seat + 10] = strengths[seat]
        for seat in range(10):
            mine, hand = strengths[seat], classes[seat]
            counts[hand] += 1
            tied = 1
            for opponent in range(1, 10):
                other = strengths[seat + opponent]
                if other > mine:
                    break
                tied += other == mine
                share = 1.0 / tied
                shares[hand, opponent] += share
                squares[hand, opponent] += share * share
