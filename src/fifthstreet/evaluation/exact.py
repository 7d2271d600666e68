"""Exact showdowns over every possible board, with equivalent boards evaluated only once.

Unless somebody makes a flush, only the ranks of a board matter. So boards are grouped by their rank multiset (at most
6,175 groups). Boards on which some player has a flush are subtracted from those counts and evaluated separately,
grouped by the ranks in the flush suit and the rank multiset of the rest. Before the flop this leaves 30,000 to 150,000
groups out of 1,712,304 boards.

Results are counts by set of winners: `wins[mask]` is the number of boards on which exactly the players whose bits are
set split the pot.
"""

from typing import Any

import numpy as np

from fifthstreet.bits import ones
from fifthstreet.evaluation.strength import (
    BIT,
    EMPTY,
    KEY,
    RANK_KEY,
    Ints,
    Keys,
    flush_strength,
    plain_7,
    slot_56,
    slots_56,
    strength_7,
)
from fifthstreet.kernel import kernel

_U = np.uint64
_SUIT_BITS = _U(0x1FFF)


@kernel
def showdown(held: Ints, board: Ints, dead: Ints, wins: Ints) -> None:
    """Count the winners over all boards that complete `board` with unseen cards, adding to wins[mask of winners]."""
    to_come = 5 - board.size
    key, bits = EMPTY, _U(0)
    for card in board:
        key += KEY[card]
        bits |= BIT[card]
    gone = bits
    for card in dead:
        gone |= BIT[card]
    players = held.shape[0]
    hole_keys, hole_bits = np.empty(players, np.uint64), np.empty(players, np.uint64)
    for player in range(players):
        a, b = held[player]
        hole_keys[player], hole_bits[player] = KEY[a] + KEY[b], BIT[a] | BIT[b]
        gone |= hole_bits[player]
    deck, size = np.empty(52, np.int64), 0
    for card in range(52):
        if not gone & BIT[card]:
            deck[size] = card
            size += 1
    deck = deck[:size]
    if to_come > 2:
        _by_groups(hole_keys, hole_bits, key, bits, to_come, deck, wins)
    elif to_come == 0:
        _count(hole_keys, hole_bits, key, bits, wins)
    elif to_come == 1:
        for i in range(deck.size):
            _count(hole_keys, hole_bits, key + KEY[deck[i]], bits | BIT[deck[i]], wins)
    else:
        for i in range(deck.size):
            key_i, bits_i = key + KEY[deck[i]], bits | BIT[deck[i]]
            for j in range(i):
                _count(hole_keys, hole_bits, key_i + KEY[deck[j]], bits_i | BIT[deck[j]], wins)


@kernel
def _count(hole_keys: Keys, hole_bits: Keys, key: np.uint64, bits: np.uint64, wins: Ints) -> None:
    best, mask = np.uint16(0), 0
    for player in range(hole_keys.size):
        strength = strength_7(hole_keys[player] + key, hole_bits[player] | bits)
        best, mask = leader(best, mask, strength, player)
    wins[mask] += 1


@kernel
def leader(best: Any, mask: int, strength: Any, player: int) -> tuple[Any, int]:
    """Return the best strength and the mask of its holders after one more player; compiles without branches."""
    bit = 1 << player
    mask = bit if strength > best else (mask | bit if strength == best else mask)
    return max(best, strength), mask


@kernel
def rank_multisets(size: int, available: Ints, keys: Keys, ways: Ints) -> int:
    """Fill in the key of every multiset of `size` ranks and how many choices of suits it has; return the count."""
    if size == 0:
        keys[0], ways[0] = _U(0), 1
        return 1
    rank = np.zeros(size, np.int64)
    run = np.zeros(size, np.int64)  # how many of this rank so far
    key = np.zeros(size, np.uint64)
    way = np.zeros(size, np.int64)
    found, depth = 0, 0
    while depth >= 0:
        r = rank[depth]
        if r == 13:
            depth -= 1
            if depth >= 0:
                rank[depth] += 1
            continue
        repeated = depth > 0 and rank[depth - 1] == r
        run[depth] = run[depth - 1] + 1 if repeated else 1
        if run[depth] > available[r]:
            rank[depth] += 1
            continue
        before = way[depth - 1] if depth > 0 else 1
        way[depth] = before * (available[r] - run[depth] + 1) // run[depth]
        key[depth] = RANK_KEY[r] + (key[depth - 1] if depth > 0 else _U(0))
        if depth == size - 1:
            keys[found], ways[found] = key[depth], way[depth]
            found += 1
            rank[depth] += 1
        else:
            depth += 1
            rank[depth] = r
    return found


@kernel
def _by_groups(
    hole_keys: Keys, hole_bits: Keys, board_key: np.uint64, board_bits: np.uint64, to_come: int, deck: Ints, wins: Ints
) -> None:
    players = hole_keys.size
    in_deck = _U(0)
    for card in deck:
        in_deck += BIT[card]
    by_rank = np.zeros(13, np.int64)
    for card in deck:
        by_rank[card >> 2] += 1

    flushes = np.zeros(slots_56(), np.int32)  # boards that give somebody a flush, by rank multiset
    has_flush = np.zeros(players, np.bool_)
    others = np.zeros(13, np.int64)
    rest_keys, rest_ways = np.empty(455, np.uint64), np.empty(455, np.int64)

    for suit in range(4):
        shift = _U(16 * suit)
        free = (in_deck >> shift) & _SUIT_BITS
        on_board = (board_bits >> shift) & _SUIT_BITS
        most = 0
        for player in range(players):
            most = max(most, ones((hole_bits[player] >> shift) & _SUIT_BITS))
        for rank in range(13):
            others[rank] = by_rank[rank] - np.int64((free >> _U(rank)) & _U(1))
        for suited in range(max(0, 5 - most - ones(on_board)), to_come + 1):
            groups = rank_multisets(to_come - suited, others, rest_keys, rest_ways)
            for number in range(1 << 13):
                ranks = _U(number)
                if ranks & ~free or ones(ranks) != suited:
                    continue
                key = board_key
                for rank in range(13):
                    if (ranks >> _U(rank)) & _U(1):
                        key += RANK_KEY[rank]
                best_flush, flush_mask = np.uint16(0), 0
                for player in range(players):
                    held = ((hole_bits[player] >> shift) & _SUIT_BITS) | on_board | ranks
                    has_flush[player] = ones(held) >= 5
                    if has_flush[player]:
                        best_flush, flush_mask = leader(best_flush, flush_mask, flush_strength(held), player)
                for group in range(groups):
                    full = key + rest_keys[group]
                    flushes[slot_56(full)] += rest_ways[group]
                    best, mask = best_flush, flush_mask
                    for player in range(players):
                        if not has_flush[player]:
                            best, mask = leader(best, mask, plain_7(hole_keys[player] + full), player)
                    wins[mask] += rest_ways[group]

    keys, ways = np.empty(6188, np.uint64), np.empty(6188, np.int64)
    for group in range(rank_multisets(to_come, by_rank, keys, ways)):
        full = board_key + keys[group]
        boards = ways[group] - flushes[slot_56(full)]
        best, mask = np.uint16(0), 0
        for player in range(players):
            best, mask = leader(best, mask, plain_7(hole_keys[player] + full), player)
        wins[mask] += boards
