"""Every hand that can be dealt, with the exact best exchange and what it is worth.

The worth of a final hand is the share of final hands that it beats, ties counted half, where all players trade
sensibly. The best exchange is the one with the highest mean worth over all cards that can come. Hands are numbered 0 to
2,598,959; those that differ only in the names of the suits are computed once.
"""

import functools
import math

import numpy as np
from numpy.typing import NDArray

from fifthstreet import rng
from fifthstreet.agents.draw import reading
from fifthstreet.evaluation.discards import mean_worths
from fifthstreet.evaluation.hand import STRENGTHS
from fifthstreet.games.deck import deal_one, new_deck
from fifthstreet.games.five_card_draw import HAND, DrawState, FiveCardDraw, strength_of
from fifthstreet.kernel import kernel
from fifthstreet.learned import Recipe
from fifthstreet.learned.steps import State, in_steps
from fifthstreet.parallel import in_order
from fifthstreet.record import Row, one_record
from fifthstreet.rng import RngState

ALL_HANDS = 2_598_960
DIFFERENT_HANDS = 160_537  # by `alike`, which does not see of all hands that they differ only in the names of suits
SAMPLED, PARTS = 2_000_000, 64
MOST = 2  # cards exchanged: counting more takes minutes


STATE = DrawState.dtype

Cards = NDArray[np.int64]
"""Five cards."""


@kernel
def final_hands(most: int, hands: int, rng: RngState, counts: NDArray[np.int64]) -> None:
    """Deal this many hands, trade up to `most` cards of each sensibly, and count the strengths."""
    states = one_record(STATE)
    for _ in range(hands):
        state = states[0]
        state.most_traded = most
        new_deck(state)
        for i in range(HAND):
            state.cards[0, i] = deal_one(state, rng)
        going = reading.sensible_trade(state, 0)
        for i in range(HAND):
            if (going >> state.cards[0, i]) & 1:
                state.cards[0, i] = deal_one(state, rng)
        counts[strength_of(state, 0)] += 1


@kernel
def number_of(hand: Cards | Row) -> int:
    """The number of a hand: how many come before it, by the highest card, the second highest and so on."""
    total = 0
    for i in range(HAND):
        lower = 0
        for j in range(HAND):
            lower += hand[j] < hand[i]
        card = hand[i]
        ways = card  # card over lower + 1
        for k in range(1, lower + 1):
            ways = ways * (card - k) // (k + 1)
        total += ways
    return total


@kernel
def alike(hand: Cards, other: Cards) -> None:
    """Write the same hand to `other`, cards from the highest, with suits renamed in the order in which they appear."""
    names, named = np.full(4, -1, np.int64), 0
    for i in range(HAND):
        for j in range(HAND - 1, -1, -1):  # of one rank the lowest suit first, so that a hand renamed twice is the same
            if hand[j] >> 2 == hand[i] >> 2 and names[hand[j] & 3] < 0:
                names[hand[j] & 3] = named
                named += 1
    for i in range(HAND):
        other[i] = (hand[i] >> 2) * 4 + names[hand[i] & 3]


@kernel
def next_hand(hand: Cards) -> bool:
    """Change `hand`, its cards from the highest, to the next; False if there is none with this highest card."""
    for i in range(HAND - 1, 0, -1):
        if hand[i] + 1 < hand[i - 1]:
            hand[i] += 1
            for lower in range(i + 1, HAND):
                hand[lower] = HAND - 1 - lower
            return True
    return False


@kernel
def lowest_with(highest: int, hand: Cards) -> None:
    """Write the first hand with this highest card to `hand`."""
    hand[0] = highest
    for i in range(1, HAND):
        hand[i] = HAND - 1 - i


@kernel
def best_exchanges(highest: int, most: int, worth: NDArray[np.float64], out: NDArray[np.float32]) -> int:
    """For all hands with this highest card, write the best places to exchange plus their mean worth to `out`.

    Hands that equal another but for the names of suits are left out. Returns how many there are.
    """
    hand, other, found = np.empty(HAND, np.int64), np.empty(HAND, np.int64), 0
    means, counts = np.empty(1 << HAND), np.empty(1 << HAND, np.int64)
    lowest_with(highest, hand)
    more = True
    while more:
        alike(hand, other)
        if number_of(other) == number_of(hand):
            mean_worths(hand, most, worth, means, counts)
            best = 0
            for places in range(1, 1 << HAND):
                if counts[places] > 0 and means[places] > means[best] + 1e-12:
                    best = places
            out[found] = best + min(means[best], 0.999999)
            found += 1
        more = next_hand(hand)
    return found


@kernel
def spread(found: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Write the same for every hand to `out`, given it for those that differ in more than the names of suits.

    Of hands that are alike the first comes before the others; they have its worth, and the places of the same cards.
    """
    hand, other, used = np.empty(HAND, np.int64), np.empty(HAND, np.int64), 0
    for highest in range(HAND - 1, 52):
        lowest_with(highest, hand)
        more = True
        while more:
            alike(hand, other)
            number, first = number_of(hand), number_of(other)
            if first == number:
                out[number] = found[used]
                used += 1
            else:
                best = out[first]
                out[number] = places_in(other, int(best)) + best - int(best)
            more = next_hand(hand)


@kernel
def places_in(hand: Cards | Row, sorted_places: int) -> int:
    """Translate places among the cards from the highest into places of the same cards in the order of `hand`."""
    places = 0
    for i in range(HAND):
        higher = 0
        for j in range(HAND):
            higher += hand[j] > hand[i]
        places |= ((sorted_places >> higher) & 1) << i
    return places


@functools.cache
def final_shares(most: int) -> NDArray[np.float64]:
    """For each strength, the share of final hands that it beats, ties counted half."""
    counts = np.zeros(STRENGTHS + 1, np.int64)
    final_hands(most, SAMPLED, rng.seeded(0, "final hands"), counts)
    return (counts.cumsum() - counts / 2) / SAMPLED


@functools.cache
def exchanges(most: int) -> NDArray[np.float32]:
    """For every hand `places + worth`: what to exchange, among its cards from the highest, and the mean worth."""
    best = np.empty(ALL_HANDS, np.float32)
    spread(recipe(most).arrays()["best"].copy(), best)
    best.flags.writeable = False
    return best


def recipe(most: int = MOST) -> Recipe:
    most = min(most, MOST)
    return Recipe(
        __file__,
        f"draw-exchanges-{most}",
        lambda: {"best": _count(most)},
        game=FiveCardDraw.name,
        agent="champion",
        cost=40,
        games=ALL_HANDS,
        shapes={"best": (DIFFERENT_HANDS,)},
        shipped=most == MOST,
    )


def _count(most: int) -> NDArray[np.float32]:
    """What `spread` needs for the hands that differ in more than the names of suits, in the order of their numbers."""
    work = functools.partial(_count_some, most, final_shares(most))

    def step(number: int, state: State) -> State:
        some = range(HAND - 1 + 4 * number, HAND - 1 + 4 * number + 4)
        return {"best": np.concatenate([state["best"], *in_order(work, some)])}

    def start() -> State:
        return {"best": np.zeros(0, np.float32)}

    return in_steps("counting every exchange of every hand of draw poker", 12, start, step)["best"]


def _count_some(most: int, worth: NDArray[np.float64], highest: int) -> NDArray[np.float32]:
    out = np.empty(math.comb(highest, HAND - 1), np.float32)
    return out[: best_exchanges(highest, most, worth, out)].copy()
