"""The agent of Xue, Hu, Kong and Gao: it takes the action with the highest economic value added (EVA).

How the paper is read here. Nothing is known about an opponent but the cards in sight, so P(better) is the same for each
of them, and the product over opponents is a power. A hand is better only if it is strictly better (§4.1: the samples
that are worse). A raise in Figure 1 that the rules forbid is replaced by the nearest legal one.

The pool. §3.1.2 adds P · pool − (1 − P) · investment; the sentence that says what is in the pool is cut off after
"every other player will call, and make the". There are three interpretations (`pool`):

- `net`, the default: the pot if all others call this action, without the player's own investment, so that the value is
  P · (pool − investment) − (1 − P) · investment. §3 calls it the expected profit of this action minus the expected
  investment, and nobody profits from getting an investment back; what is left of the sentence adds only what the
  others put in; and if the pool did not depend on the action, the raises of Figure 1 could never be best.
- `growing`: the same pot with the player's own investment in it. Heads-up the value then grows with the bet for every
  hand that is better with a probability above one third: without a limit on risk the agent moves all-in with any two
  cards.
- `fixed`: the pot, and from each opponent the highest bet of the street once more, whatever the action; so it is in one
  of the programs that the authors published, and in the formula only the investment is a function of the action. The
  value then falls with the bet: the agent calls, checks or folds, and never raises.

The investment (`invested`). In Figure 1 it is what the player will have bet on this street (for all-in the figure
leaves out what is already bet; here it counts, as for the other actions), and bets of earlier streets are ignored as
sunk: `street`. `hand` counts them, the mistake that the paper warns of. `new` counts only the chips that the action
itself costs, since what was bet earlier on this street is sunk as well.

Risk (`caution`). The abstract of the algorithm says that other factors limit risk, but not how.

- `limit`, the default: a bet or raise that costs more than the fraction `risk` of the chips behind is considered only
  if P(all) is at least `sure`. A call is always considered. The value is linear in the bet, so that without a limit
  only the smallest or the largest bet can be best, and most of Figure 1's would be idle.
- `factor`: as in one of the authors' programs, P is multiplied by a factor for each opponent who is all-in. It depends
  on the chips behind, in average stacks (the program has them in chips, for stacks of 500): 0.5 above 3, 0.75 above
  1.5, 0.85 above 0.9; 1.25 below 0.9, 1.5 below 0.6, 2 below 0.3. P is at most 1 here.
- `none`: the formula alone.

The second ranking is the appendix's (`ranking`). The score of a hand is the share of all seven-card hands that are
worse; a table holds the expected score of each of the 169 starting hands. Before the flop P(better) is the share of
starting hands with a lower expectation. After it the appendix finds the expected scores too concentrated and speaks of
a simple division into segments: with `expectation` they are compared with a table for the street, the expected scores
of 20 equally likely segments of all hands and boards, linear in between, so that P(better) is the share of situations
on this street with a lower expectation. `score` takes the expected score itself for the probability. Both ignore what
the board does for an opponent.
"""

import functools
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
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
from fifthstreet.rng import RngState, pick, pick_some, seeded

Ranking = Literal["strength", "expectation", "score"]
Pool = Literal["net", "growing", "fixed"]
Invested = Literal["street", "hand", "new"]
Caution = Literal["limit", "factor", "none"]

ACTIONS = ("call", "raise 3 BB", "raise pot", "raise 2 pot", "all-in")

# The mind: the parameters, then for the ranking by strength how often each class ends up above each strength, or for
# the other rankings the score of each strength, the rank of each class and the segments of each street.
SAMPLES, RISK, SURE, RANKING, POOL, INVESTED, CAUTION, TABLE = range(8)
STRENGTH, EXPECTATION, SCORE = range(3)
NET, GROWING, FIXED = range(3)
STREET, HAND, NEW = range(3)
LIMIT, FACTOR, ALONE = range(3)
WIDTH = STRENGTHS + 1
RANKS = TABLE + WIDTH
SEGMENTS = 20
KNOTS = RANKS + 169
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
def mean_to_come(key: np.uint64, bits: np.uint64, missing: int, deck: NDArray[np.int64], worth: NDArray[Any]) -> float:
    """The mean of `worth` over all boards, for a hand and board of which up to two cards are missing."""
    if missing == 0:
        return float(worth[strength_7(key, bits)])
    size = unseen(bits, deck)
    total, count = 0.0, 0
    for i in range(size):
        key_i, bits_i = key + KEY[deck[i]], bits | BIT[deck[i]]
        if missing == 1:
            total += worth[strength_7(key_i, bits_i)]
            count += 1
            continue
        for j in range(i):
            total += worth[strength_7(key_i + KEY[deck[j]], bits_i | BIT[deck[j]])]
            count += 1
    return total / count


@kernel
def mean_over_boards(view: HoldemView, worth: NDArray[Any]) -> float:
    """The mean of `worth` for the seat's seven cards, over all boards that may come; from the flop on."""
    known = cards_on_board(view.street)
    key, mine = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, known)
    return mean_to_come(key + board_key, mine | board_bits, 5 - known, np.empty(52, np.int64), worth)


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
def share_below(score: float, mind: Mind, first: int) -> float:
    """The share of situations with a lower expected score, by the segments that begin at this place of the mind."""
    for i in range(SEGMENTS):
        low, high = mind[first + i], mind[first + i + 1]
        if score < high:
            return (i + max(0.0, (score - low) / (high - low))) / SEGMENTS
    return 1.0


@kernel
def count_beaten(view: HoldemView, deals: int, rng: RngState, beaten: NDArray[np.int64]) -> None:
    """Deal the board and hands to opponents: `beaten[n]` counts the deals in which the first n are all worse."""
    known = cards_on_board(view.street)
    own_key, mine = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, known)
    deck = np.empty(52, np.int64)
    size, missing = unseen(mine | board_bits, deck), 5 - known
    for _ in range(deals):
        key, bits = board_key, board_bits
        for i in range(missing):
            card = pick(rng, deck, i, size)
            key += KEY[card]
            bits |= BIT[card]
        own = strength_7(own_key + key, mine | bits)
        for n in range(1, beaten.size):
            place = missing + 2 * (n - 1)
            a, b = pick(rng, deck, place, size), pick(rng, deck, place + 1, size)
            if strength_7(EMPTY + key + KEY[a] + KEY[b], bits | BIT[a] | BIT[b]) >= own:
                break
            beaten[n] += 1


@kernel
def better_than_one(view: HoldemView, mind: Mind, rng: RngState) -> float:
    """The probability of a better hand than one opponent's (§4.1)."""
    before_flop = view.street == 0
    if mind[RANKING] != STRENGTH:
        if before_flop:
            return mind[RANKS + starting_class(view, view.seat)]
        score = mean_over_boards(view, mind[TABLE : TABLE + WIDTH])
        return score if mind[RANKING] == SCORE else share_below(score, mind, KNOTS + (view.street - 1) * (SEGMENTS + 1))
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
def pool(view: HoldemView, mind: Mind, bet: int) -> int:
    """The pot after this action if everyone else calls, or with a fixed pool, calls the highest bet so far."""
    if mind[POOL] == FIXED:
        return view.pot + (view.live - 1) * view.high_bet
    total = view.pot + bet - view.bets[view.seat]
    for other in range(view.seats):
        if other != view.seat and view.folded[other] == 0:
            total += min(max(0, bet - view.bets[other]), view.stacks[other])
    return total


@kernel
def investment(view: HoldemView, mind: Mind, bet: int) -> int:
    """What the player counts as staked once it has bet this much on the street."""
    if mind[INVESTED] == NEW:
        return bet - view.bets[view.seat]
    return bet + (view.wagered[view.seat] - view.bets[view.seat] if mind[INVESTED] == HAND else 0)


@kernel
def factor(view: HoldemView) -> float:
    """What P is multiplied by because opponents went all-in on this street, from 0.5 to 2 for each of them."""
    chips = view.pot
    for seat in range(view.seats):
        chips += view.stacks[seat]
    behind = view.stacks[view.seat] * view.seats / chips  # in average stacks
    if behind > 0.9:
        each = 0.5 if behind > 3 else 0.75 if behind > 1.5 else 0.85
    else:
        each = 2.0 if behind < 0.3 else 1.5 if behind < 0.6 else 1.25
    found = 1.0
    for seat in range(view.seats):
        if seat != view.seat and view.folded[seat] == 0 and view.stacks[seat] == 0 and view.bets[seat] > 0:
            found *= each
    return found


@kernel
def counted(view: HoldemView, mind: Mind, better_than_all: float) -> float:
    """The probability that the values are computed with."""
    return min(1.0, better_than_all * factor(view)) if mind[CAUTION] == FACTOR else better_than_all


@kernel
def choose(view: HoldemView, mind: Mind, better: float, values: Mind) -> int:
    """The action with the highest positive value, or a check or fold; writes the value of each, or NaN, to `values`."""
    seat, best, action = view.seat, 0.0, give_up(view)
    for kind in range(5):
        bet = amount(view, kind)
        too_much = kind > 0 and bet - view.bets[seat] > mind[RISK] * view.stacks[seat]
        values[kind] = np.nan
        if bet < 0 or (mind[CAUTION] == LIMIT and too_much and better < mind[SURE]):
            continue
        stake, won = investment(view, mind, bet), pool(view, mind, bet)
        if mind[POOL] == NET:
            won -= stake
        values[kind] = better * won - (1 - better) * stake
        if values[kind] > best:
            best = values[kind]
            action = CALL if kind == 0 else bet
    return action


@kernel
def by_value_added(view: HoldemView, mind: Mind, rng: RngState) -> int:
    better = better_than_all(view, better_than_one(view, mind, rng))
    return choose(view, mind, counted(view, mind, better), np.empty(5))


@dataclass
class Eva(Agent):
    """Takes the action with the highest economic value added: what it wins if ahead, less what it stakes if not."""

    name: ClassVar[str] = "eva"
    games: ClassVar[tuple[str, ...]] = ("holdem",)
    source: ClassVar[str] = "eva-holdem"
    plays = by_value_added

    samples: int = 1000
    ranking: Ranking = "strength"
    pool: Pool = "net"
    invested: Invested = "street"
    caution: Caution = "limit"
    risk: float = 0.3
    sure: float = 0.6

    def __post_init__(self) -> None:
        self.samples = whole(self.samples, "samples", least=1, most=1_000_000)
        for name, value in (("risk", self.risk), ("sure", self.sure)):
            if not 0 <= value <= 1:
                raise InputError(f"{name}={value!r}: it must be from 0 to 1")
        for name, kind in (("ranking", Ranking), ("pool", Pool), ("invested", Invested), ("caution", Caution)):
            if getattr(self, name) not in get_args(kind):
                raise InputError(f"{name}={getattr(self, name)!r}: {', '.join(get_args(kind))}")

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        view, mind, values = turn.view, turn.mind, np.empty(5)
        one = better_than_one(view, mind, turn.rng.state)
        every = better_than_all(view, one)
        better = counted(view, mind, every)
        action = choose(view, mind, better, values)
        bets = [int(amount(view, kind)) for kind in range(5)]
        found = {name: (bet, float(v)) for name, bet, v in zip(ACTIONS, bets, values, strict=True) if v == v}
        best = max(value for _, value in found.values())
        return Decision(
            action,
            values={CALL if name == "call" else bet: value for name, (bet, value) in found.items()},
            reason=f"beats one opponent {100 * one:.0f} % of the time"
            + (f", and all {view.live - 1} of them {100 * every:.0f} %" if view.live > 2 else "")
            + (f", counted as {100 * better:.0f} % with somebody all-in" if better != every else "")
            + (f"; the best action adds {best:.1f}" if best > 0 else "; no action adds value"),
            figures={
                "better than one": one,
                "better than all": every,
                "counted as": better,
                "value added": {name: value for name, (_, value) in found.items()},
                "pool": {name: int(pool(view, mind, bet)) for name, (bet, _) in found.items()},
                "investment": {name: int(investment(view, mind, bet)) for name, (bet, _) in found.items()},
            },
        )

    def mind(self, game: AnyGame) -> Mind:
        return _mind(self.samples, self.risk, self.sure, self.ranking, self.pool, self.invested, self.caution)


@functools.lru_cache(maxsize=32)
def _mind(
    samples: int, risk: float, sure: float, ranking: Ranking, pool: Pool, invested: Invested, caution: Caution
) -> Mind:
    """One mind for all agents with these parameters, since it never changes."""
    by_strength = ranking == "strength"
    tables = (_shares_above().ravel(),) if by_strength else (scores(), class_ranks(), street_segments().ravel())
    given = ((Ranking, ranking), (Pool, pool), (Invested, invested), (Caution, caution))
    return np.concatenate([[samples, risk, sure], [get_args(kind).index(name) for kind, name in given], *tables])


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


SITUATIONS = 20_000  # for the segments of a street


@functools.cache
def street_segments() -> Mind:
    """For flop, turn and river, the ends of equally likely segments of the expected scores of all hands and boards."""
    found: Mind = cache.arrays(__file__, "eva-segments", _compute_segments)["ends"]
    return found


def _compute_segments() -> dict[str, Mind]:
    at = np.linspace(0, 1, SEGMENTS + 1)
    rng = seeded(0, "eva", "segments")
    streets = [expected_scores(known, SITUATIONS, scores(), rng) for known in (3, 4, 5)]
    return {"ends": np.array([np.quantile(street, at) for street in streets])}


@kernel
def expected_scores(known: int, situations: int, scores: Mind, rng: RngState) -> Mind:
    """The expected scores of random hands on random boards with this many cards."""
    found = np.empty(situations)
    deck, left = np.arange(52), np.empty(52, np.int64)
    for n in range(situations):
        pick_some(rng, deck, 52, 2 + known)
        key, bits = EMPTY, _NONE
        for i in range(2 + known):
            key += KEY[deck[i]]
            bits |= BIT[deck[i]]
        found[n] = mean_to_come(key, bits, 5 - known, left, scores)
    return found
