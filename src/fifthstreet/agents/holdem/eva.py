"""The agent of Xue, Hu, Kong and Gao: it takes the action with the highest economic value added (EVA).

How the paper is read here. Nothing is known about an opponent but the cards in sight, so P(better) is the same for each
of them, and the product over opponents is a power. A hand is better only if it is strictly better (§4.1: the samples
that are worse). The investment of an action is what the player will have bet on this street, as in Figure 1 (which for
all-in leaves out what is already bet; here it counts, as for the other actions); bets of earlier streets are sunk. The
pool is the pot after the bet if every other player calls it, as far as the stacks go. A raise in Figure 1 that the
rules forbid is replaced by the nearest legal one. The paper says only that there is a limit on risk; here it is two
parameters: an action that costs more than the fraction `risk` of the chips behind is considered only if P(all) is at
least `sure`. With `risk=1` there is no limit, and the formula alone, whose pool includes the player's own bet, goes
all-in heads-up with every hand that is better with a probability above one third.

The second ranking is the appendix's. The score of a hand is the share of all seven-card hands that are worse; the table
holds the expected score of each of the 169 starting hands. Before the flop P(better) is the share of starting hands
with a lower expectation, later it is the expected score over the cards to come. It ignores what the board does for an
opponent.
"""

import functools
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.bets import give_up
from fifthstreet.agents.holdem.reading import board_of, cards_on_board, hand_of, starting_class, unseen
from fifthstreet.errors import InputError, whole
from fifthstreet.evaluation.hand import STRENGTHS
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7
from fifthstreet.games.betting import CALL
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.holdem import HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, pick

ACTIONS = ("call", "raise 3 BB", "raise pot", "raise 2 pot", "all-in")

# The mind: the parameters, then for the ranking by strength how often each class ends up above each strength, or for
# the ranking by expectation the score of each strength and the rank of each class.
SAMPLES, RISK, SURE, BY_EXPECTATION, TABLE = 0, 1, 2, 3, 4
WIDTH = STRENGTHS + 1
RANKS = TABLE + WIDTH
_NONE = np.uint64(0)


@kernel
def sample_opponent(view: HoldemView, samples: int, rng: RngState, below_strength: NDArray[np.int32]) -> None:
    """Count how many of an opponent's sampled hands, each with a board of its own, are worse than each strength."""
    known = cards_on_board(view.street)
    _, mine = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, known)
    deck = np.empty(52, np.int64)
    size = unseen(mine | board_bits, deck)
    for _ in range(samples):
        key, bits = EMPTY + board_key, board_bits
        for i in range(7 - known):
            card = pick(rng, deck, i, size)
            key += KEY[card]
            bits |= BIT[card]
        below_strength[strength_7(key, bits) + 1] += 1
    for strength in range(1, WIDTH + 1):
        below_strength[strength] += below_strength[strength - 1]


@kernel
def enumerate_opponent(view: HoldemView, below_strength: NDArray[np.int32]) -> int:
    """The same for all hands and boards that an opponent may have; returns how many there are.

    It makes no difference which of the seven cards are in the hand and which on the board.
    """
    known = cards_on_board(view.street)
    _, mine = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, known)
    deck = np.empty(52, np.int64)
    size, missing = unseen(mine | board_bits, deck), 7 - known
    keys, bits = np.full(8, EMPTY + board_key), np.full(8, board_bits)
    place, depth, count = np.zeros(8, np.int64), 0, 0
    place[0] = size
    while depth >= 0:  # cards in descending order, the last one in a loop of its own
        place[depth] -= 1
        if place[depth] < missing - 1 - depth:
            depth -= 1
            continue
        card = deck[place[depth]]
        keys[depth + 1], bits[depth + 1] = keys[depth] + KEY[card], bits[depth] | BIT[card]
        if depth + 2 < missing:
            depth += 1
            place[depth] = place[depth - 1]
            continue
        for last in range(place[depth]):
            strength = strength_7(keys[depth + 1] + KEY[deck[last]], bits[depth + 1] | BIT[deck[last]])
            below_strength[strength + 1] += 1
            count += 1
    for strength in range(1, WIDTH + 1):
        below_strength[strength] += below_strength[strength - 1]
    return count


@kernel
def mean_over_boards(view: HoldemView, worth: NDArray[Any]) -> float:
    """The mean of `worth` for the seat's seven cards, over all boards that may come; from the flop on."""
    known = cards_on_board(view.street)
    key, mine = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, known)
    key, bits = key + board_key, mine | board_bits
    if known == 5:
        return float(worth[strength_7(key, bits)])
    deck = np.empty(52, np.int64)
    size = unseen(bits, deck)
    total, count = 0.0, 0
    for i in range(size):
        key_i, bits_i = key + KEY[deck[i]], bits | BIT[deck[i]]
        if known == 4:
            total += worth[strength_7(key_i, bits_i)]
            count += 1
            continue
        for j in range(i):
            total += worth[strength_7(key_i + KEY[deck[j]], bits_i | BIT[deck[j]])]
            count += 1
    return total / count


@kernel
def both_sampled(view: HoldemView, samples: int, rng: RngState) -> float:
    """The probability of a better hand, with the cards to come sampled for both, each on its own board (§4.3)."""
    known = cards_on_board(view.street)
    hand_key, hand_bits = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, known)
    deck = np.empty(52, np.int64)
    size = unseen(hand_bits | board_bits, deck)
    wins = 0
    for _ in range(samples):
        strengths = (0, 0)
        for who in range(2):
            key, bits = board_key + (hand_key if who == 0 else EMPTY), board_bits | (hand_bits if who == 0 else _NONE)
            for i in range(5 - known + 2 * who):
                card = pick(rng, deck, i, size)
                key += KEY[card]
                bits |= BIT[card]
            strengths = (strengths[1], int(strength_7(key, bits)))
        wins += strengths[0] > strengths[1]
    return wins / samples


@kernel
def better_than_one(view: HoldemView, mind: Mind, rng: RngState) -> float:
    """The probability of a better hand than one opponent's (§4.1)."""
    before_flop = view.street == 0
    if mind[BY_EXPECTATION]:
        if before_flop:
            return mind[RANKS + starting_class(view, view.seat)]
        return mean_over_boards(view, mind[TABLE : TABLE + WIDTH])
    samples = int(mind[SAMPLES])
    worse = np.zeros(WIDTH + 1, np.int32)
    sample_opponent(view, samples, rng, worse)
    if not before_flop:
        return mean_over_boards(view, worse) / samples
    # All boards were counted once and for all, and the order of summation changes nothing.
    above, total = TABLE + WIDTH * starting_class(view, view.seat), 0.0
    for strength in range(1, WIDTH):
        total += (worse[strength + 1] - worse[strength]) * mind[above + strength]
    return total / samples


@kernel
def better_than_all(view: HoldemView, better_than_one: float) -> float:
    """The probability of a better hand than every opponent's."""
    return better_than_one ** (view.live - 1)


@kernel
def amount(view: HoldemView, kind: int) -> int:
    """What the player will have bet on this street after this kind of action (Figure 1); −1 if it may not raise."""
    seat = view.seat
    everything = view.bets[seat] + view.stacks[seat]
    if kind == 0:
        return min(view.high_bet, everything)
    if view.max_raise == 0:
        return -1
    wish = everything
    if kind == 1:
        wish = view.high_bet + 3 * view.small_bet
    elif kind < 4:
        wish = (kind - 1) * view.pot
    return max(view.min_raise, min(view.max_raise, wish))


@kernel
def pool(view: HoldemView, bet: int) -> int:
    """The pot if the player has bet this much on the street and everyone else calls."""
    total = view.pot + bet - view.bets[view.seat]
    for other in range(view.seats):
        if other != view.seat and view.folded[other] == 0:
            total += min(max(0, bet - view.bets[other]), view.stacks[other])
    return total


@kernel
def choose(view: HoldemView, mind: Mind, better_than_all: float, values: Mind) -> int:
    """The action with the highest positive value, or a check or fold; writes the value of each, or NaN, to `values`."""
    seat, best, action = view.seat, 0.0, give_up(view)
    for kind in range(5):
        bet = amount(view, kind)
        risked = bet - view.bets[seat]
        values[kind] = np.nan
        if bet < 0 or (risked > mind[RISK] * view.stacks[seat] and better_than_all < mind[SURE]):
            continue
        values[kind] = better_than_all * pool(view, bet) - (1 - better_than_all) * bet
        if values[kind] > best:
            best = values[kind]
            action = CALL if kind == 0 else bet
    return action


@kernel
def by_value_added(view: HoldemView, mind: Mind, rng: RngState) -> int:
    better = better_than_all(view, better_than_one(view, mind, rng))
    return choose(view, mind, better, np.empty(5))


@dataclass
class Eva(Agent):
    """Takes the action with the highest economic value added: what it wins if ahead, less what it stakes if not."""

    name: ClassVar[str] = "eva"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    source: ClassVar[str] = "eva-holdem"
    plays = by_value_added

    samples: int = 1000
    ranking: Literal["strength", "expectation"] = "strength"
    risk: float = 0.3
    sure: float = 0.6

    def __post_init__(self) -> None:
        self.samples = whole(self.samples, "samples", least=1, most=1_000_000)
        for name, value in (("risk", self.risk), ("sure", self.sure)):
            if not 0 <= value <= 1:
                raise InputError(f"{name}={value!r}: it must be from 0 to 1")

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        view, values = turn.view, np.empty(5)
        one = better_than_one(view, turn.mind, turn.rng.state)
        better = better_than_all(view, one)
        action = choose(view, turn.mind, better, values)
        bets = [int(amount(view, kind)) for kind in range(5)]
        found = {name: (bet, float(v)) for name, bet, v in zip(ACTIONS, bets, values, strict=True) if v == v}
        best = max(value for _, value in found.values()) if found else 0.0
        return Decision(
            action,
            values={CALL if name == "call" else bet: value for name, (bet, value) in found.items()},
            reason=f"beats one opponent {100 * one:.0f} % of the time"
            + (f" and all {view.live - 1} {100 * better:.0f} %" if view.live > 2 else "")
            + (f"; the best action adds {best:.1f}" if best > 0 else "; no action adds value"),
            figures={
                "better than one": one,
                "better than all": better,
                "value added": {name: value for name, (_, value) in found.items()},
                "pool": {name: int(pool(view, bet)) for name, (bet, _) in found.items()},
            },
        )

    def mind(self, game: AnyGame) -> Mind:
        return _mind(self.samples, self.risk, self.sure, self.ranking == "expectation")


@functools.lru_cache(maxsize=8)
def _mind(samples: int, risk: float, sure: float, by_expectation: bool) -> Mind:
    """One mind for all agents with these parameters, since it never changes."""
    tables = (scores(), class_ranks()) if by_expectation else (_shares_above().ravel(),)
    return np.concatenate([[samples, risk, sure, by_expectation], *tables])


def _shares_above() -> Mind:
    """For each class and strength, the share of boards on which the class becomes stronger."""
    from fifthstreet.evaluation.starting import BOARDS, strengths_of_classes

    above: Mind = 1 - strengths_of_classes().cumsum(axis=1) / BOARDS
    return above


@functools.cache
def scores() -> Mind:
    """The appendix's score of each strength: the share of all seven-card hands that are worse, equal ones half."""
    from fifthstreet.evaluation.starting import BOARDS, combos_by_class, strengths_of_classes

    shares = combos_by_class() @ strengths_of_classes() / (1326 * BOARDS)
    found: Mind = shares.cumsum() - shares / 2
    return found


def expectations() -> Mind:
    """The appendix's table: the expected score of each of the 169 classes."""
    from fifthstreet.evaluation.starting import BOARDS, strengths_of_classes

    found: Mind = strengths_of_classes() @ scores() / BOARDS
    return found


@functools.cache
def class_ranks() -> Mind:
    """The share of starting hands with a lower expectation, those of the same class counted half."""
    from fifthstreet.evaluation.starting import combos_by_class

    order, combos = np.argsort(expectations()), combos_by_class()
    ranks = np.empty(169)
    ranks[order] = (combos[order].cumsum() - combos[order] / 2) / 1326
    return ranks
