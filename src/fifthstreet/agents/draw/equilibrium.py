"""Five-card draw between two, by regret minimisation: a strategy against which simple exploiters win little.

The game is made smaller. A hand is one of a few dozen buckets, finest among the best: before the exchange by the exact
worth of its best exchange, afterwards by its strength. Raises are by one of a few multiples of the pot, and those of
others count as the nearest (on a logarithmic scale); the learner makes only small ones, its adversary any. Of the
betting only this is remembered: the size of the pot by powers of four, how often and by how much it was raised in this
round, who raised last before the exchange, and how many cards both took.

The strategy is learned by external sampling (Lanctot and others, 2009): hands are dealt from the real deck, one player
tries every action, the other plays as it would; actions that would have won more are played more often. What is kept
is the average over time, in which later hands count more.
"""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache, rng
from fifthstreet.agents.draw.genes import best_exchange, best_trade, sorted_hand, tables
from fifthstreet.agents.draw.reading import give_up, raise_by
from fifthstreet.games.betting import ANTES, CALL, PAID, SEAT, STACKS
from fifthstreet.games.five_card_draw import (
    ACTIONS,
    CALLS,
    CARDS,
    EXCHANGE,
    FIRST_ROUND,
    FULL_DECK,
    HAND,
    RAISES_TO,
    SIZE,
    STREET,
    TRADES,
    FiveCardDraw,
    card_at,
    entry,
    strength_of,
)
from fifthstreet.kernel import kernel
from fifthstreet.rng import below, uniform

ITERATIONS = 6_000_000  # deals
PARTS = 10  # of the learning, after each of which it says how far it is
RARE = 0.15  # actions that were played less often are noise

SIZES = np.array([0.5, 1.5, 5.0, 15.0, 50.0])  # of raises, in pots
OWN_SIZES = 2  # of which the learner makes only the first: it must answer large ones, and needs none
GIVE_UP, STAY, RAISE = range(3)  # actions; the raises by each size follow
CHOICES = RAISE + len(SIZES)

BUCKETS = 32
POTS = 7  # by powers of four
RAISED = 5  # a round has at most four raises
BETTING = 2 * RAISED * len(SIZES) * POTS
PLACES = (1 + 3 * 3 * 3) * BETTING * BUCKETS  # before the exchange; after it by who raised last and cards taken
STRATEGY = PLACES * CHOICES

# What both players know, as numbers.
ROUND, ACTS, RAISE_COUNT, LAST_SIZE, LEADER, ANTE, MOST, BEFORE = range(8)
IN = 8  # by seat, all that it has put in
TOOK = 10  # by seat, the cards it has exchanged
FOLDER = 12  # who has given up, −1 for nobody
KNOWN = 13
SHOWDOWN = 2  # the round after the last


@kernel
def begin(known: Any, ante: int, most: int) -> None:
    """A new hand with these antes, in which each can put in so much at most."""
    for field in range(KNOWN):
        known[field] = 0
    known[ANTE], known[MOST], known[BEFORE], known[FOLDER] = max(ante, 1), most, ante, -1
    known[IN] = known[IN + 1] = ante


@kernel
def may_raise(known: Any) -> bool:
    """Whether there is money for it, and a pass of the table to answer: the first seat has used up its own sooner."""
    acts = known[ACTS]
    return known[RAISE_COUNT] < 3 + acts and max(known[IN], known[IN + 1]) < known[MOST]


@kernel
def amount_of(known: Any, size: float) -> int:
    """A raise of this size above the highest bet."""
    highest = max(known[IN], known[IN + 1])
    return max(known[ANTE], min(int(size * 2 * highest + 0.5), known[MOST] - highest))


@kernel
def nearest(size: float) -> int:
    """The raise that one of this size counts as."""
    for i in range(len(SIZES) - 1):
        if size * size < SIZES[i] * SIZES[i + 1]:
            return i
    return len(SIZES) - 1


@kernel
def stay(known: Any) -> None:
    """A check or a call. It ends the round, but for a check of the first seat."""
    acts = known[ACTS]
    known[IN + acts] = known[IN + 1 - acts]
    if acts == 0 and known[RAISE_COUNT] == 0:
        known[ACTS] = 1
        return
    known[ROUND] += 1
    if known[IN] >= known[MOST]:  # nothing is left to bet
        known[ROUND] = SHOWDOWN
    known[ACTS], known[RAISE_COUNT], known[LAST_SIZE], known[BEFORE] = 0, 0, 0, known[IN]


@kernel
def raise_the_bet(known: Any, amount: int) -> None:
    acts = known[ACTS]
    highest = max(known[IN], known[IN + 1])
    known[LAST_SIZE] = nearest(amount / max(2 * highest, 1))
    known[IN + acts] = highest + amount
    known[RAISE_COUNT] = min(known[RAISE_COUNT] + 1, RAISED - 1)
    known[ACTS] = 1 - acts
    if known[ROUND] == 0:
        known[LEADER] = 1 + acts


@kernel
def take(known: Any, action: int) -> None:
    if action == GIVE_UP:
        known[FOLDER] = known[ACTS]
    elif action == STAY:
        stay(known)
    else:
        raise_the_bet(known, amount_of(known, SIZES[action - RAISE]))


@kernel
def place_of(known: Any, bucket: int) -> int:
    """Where the strategy for what is known, and a hand of this bucket, begins."""
    size, pot = 0, (known[IN] + known[IN + 1]) // (2 * known[ANTE])
    while pot >= 4 and size < POTS - 1:
        pot //= 4
        size += 1
    past = 0
    if known[ROUND] > 0:
        past = 1 + (known[LEADER] * 3 + min(known[TOOK], 2)) * 3 + min(known[TOOK + 1], 2)
    bets = ((known[ACTS] * RAISED + known[RAISE_COUNT]) * len(SIZES) + known[LAST_SIZE]) * POTS + size
    return ((past * BETTING + bets) * BUCKETS + bucket) * CHOICES


@kernel
def bucket_of(better: float) -> int:
    """By the share of better hands."""
    return min(int(BUCKETS * better**0.4), BUCKETS - 1)


@kernel
def bucket_before(worth: float, tables: Any) -> int:
    return bucket_of(tables.better_before[int(worth % 1 * (tables.better_before.size - 1))])


@kernel
def deal_hands(tables: Any, words: Any, view: Any, buckets: Any, took: Any) -> int:
    """Deal two hands and make the best exchanges; what is known of them, and who wins: 1 the first, −1, or 0."""
    deck, left = FULL_DECK, 52
    for i in range(2 * HAND):
        view[CARDS + i] = card_at(deck, below(words, left))
        deck ^= 1 << view[CARDS + i]
        left -= 1
    hand = np.empty(HAND, np.int64)
    for seat in range(2):
        view[SEAT] = seat
        best = best_exchange(view, tables.best)
        sorted_hand(view, hand)
        buckets[0, seat], took[seat] = bucket_before(best, tables), 0
        for i in range(HAND):
            if (int(best) >> i) & 1:
                hand[i] = card_at(deck, below(words, left))
                deck ^= 1 << hand[i]
                left -= 1
                took[seat] += 1
        for i in range(HAND):
            view[CARDS + HAND * seat + i] = hand[i]
        buckets[1, seat] = bucket_of(tables.better_at_end[strength_of(view, seat)])
    one, other = strength_of(view, 0), strength_of(view, 1)
    return (one > other) - (one < other)


@kernel
def is_choice(known: Any, action: int, learner: int) -> bool:
    if action == GIVE_UP:
        return known[IN] != known[IN + 1]
    own = known[ACTS] == learner and action >= RAISE + OWN_SIZES
    return action == STAY or (may_raise(known) and not own)


@kernel
def present_strategy(known: Any, regrets: Any, learner: int, chances: Any) -> None:
    """Regret matching: actions by how much more they would have won."""
    total, count = 0.0, 0
    for action in range(chances.size):
        chances[action] = max(regrets[action], 0.0) if is_choice(known, action, learner) else 0.0
        total += chances[action]
        count += is_choice(known, action, learner)
    for action in range(chances.size):
        if total > 0:
            chances[action] /= total
        elif is_choice(known, action, learner):
            chances[action] = 1 / count


@kernel
def drawn(chances: Any, words: Any) -> int:
    """An action by its chance."""
    left, last = uniform(words), 0
    for action in range(chances.size):
        if chances[action] > 0:
            last = action
            left -= chances[action]
            if left < 0:
                break
    return last


@kernel
def payoff(known: Any, me: int, winner: int) -> float:
    if known[FOLDER] >= 0:
        return -float(known[IN + me]) if known[FOLDER] == me else float(known[IN + 1 - me])
    return float(known[IN] * (winner if me == 0 else -winner))


DEEPEST = 8  # decisions of one player in a hand, and the end


@kernel
def learn(tables: Any, regrets: Any, played: Any, first: int, last: int, most: int, words: Any) -> None:
    """Play deals from number `first` on: each player in turn tries every action. Later deals count more.

    Regrets are kept apart for the learner, in row 1, and for its adversary, who may raise by any size.
    """
    view, winner = np.zeros(SIZE, np.int64), 0
    buckets, took = np.zeros((2, 2), np.int64), np.zeros(2, np.int64)
    rows, tried = np.zeros((DEEPEST, KNOWN), np.int64), np.zeros(DEEPEST, np.int64)
    places = np.zeros(DEEPEST, np.int64)
    chances, values, other = np.zeros((DEEPEST, CHOICES)), np.zeros((DEEPEST, CHOICES)), np.zeros(CHOICES)
    for deal in range(first, last):
        learner = deal & 1
        winner = deal_hands(tables, words, view, buckets, took)
        for me in range(2):
            begin(rows[0], 1, most)
            rows[0, TOOK], rows[0, TOOK + 1] = took[0], took[1]
            depth, value, back = 0, 0.0, False
            while depth >= 0:
                known = rows[depth]
                if not back:
                    if known[FOLDER] >= 0 or known[ROUND] == SHOWDOWN:
                        value, back = payoff(known, me, winner), True
                        depth -= 1
                        continue
                    acts = known[ACTS]
                    place = place_of(known, buckets[known[ROUND], acts])
                    mine = regrets[int(acts == learner), place : place + CHOICES]
                    if acts != me:
                        present_strategy(known, mine, learner, other)
                        if acts == learner:
                            for action in range(other.size):
                                played[place + action] += (deal + 1) * other[action]
                        take(known, drawn(other, words))
                        continue
                    places[depth], tried[depth] = place, -1
                    present_strategy(known, mine, learner, chances[depth])
                else:
                    values[depth, tried[depth]] = value
                back = False
                tried[depth] += 1
                while tried[depth] < CHOICES and not is_choice(known, tried[depth], learner):
                    tried[depth] += 1
                if tried[depth] < CHOICES:
                    for field in range(KNOWN):
                        rows[depth + 1, field] = known[field]
                    take(rows[depth + 1], tried[depth])
                    depth += 1
                    continue
                value, back = 0.0, True
                for action in range(other.size):
                    value += chances[depth, action] * values[depth, action]
                for action in range(other.size):
                    if is_choice(known, action, learner):
                        more = values[depth, action] - value
                        regrets[int(me == learner), places[depth] + action] += (deal + 1) * more
                depth -= 1


@kernel
def read(view: Any, known: Any) -> None:
    """What is known, from the history of a hand between two."""
    most = min(view[STACKS] + view[PAID] + view[ANTES], view[STACKS + 1] + view[PAID + 1] + view[ANTES + 1])
    begin(known, view[ANTES], most)
    for i in range(view[ACTIONS]):
        seat, kind, amount = entry(view, i)
        if kind == TRADES:
            known[TOOK + seat] = amount
        elif kind == CALLS:
            stay(known)
        elif kind == RAISES_TO:
            raise_the_bet(known, known[BEFORE] + amount - max(known[IN], known[IN + 1]))


@kernel
def chances_in(view: Any, known: Any, strategy: Any, tables: Any) -> Any:
    """The chances of all actions."""
    if view[STREET] == FIRST_ROUND:
        bucket = bucket_before(best_exchange(view, tables.best), tables)
    else:
        bucket = bucket_of(tables.better_at_end[strength_of(view, view[SEAT])])
    place = place_of(known, bucket)
    return strategy[place : place + CHOICES]


@kernel
def between_two(view: Any, strategy: Any, tables: Any, words: Any) -> int:
    if view[STREET] == EXCHANGE:
        return best_trade(view, tables.best)
    known = np.empty(KNOWN, np.int64)
    read(view, known)
    action = drawn(chances_in(view, known, strategy, tables), words)
    if action == GIVE_UP:
        return give_up(view)
    return CALL if action == STAY else raise_by(view, amount_of(known, SIZES[action - RAISE]))


def average(played: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often each action was played. What was hardly ever played goes, and where nobody came one gives up."""
    rows = played.reshape(-1, CHOICES)
    rows = np.where(rows < RARE * rows.sum(axis=1, keepdims=True), 0.0, rows)
    rows[rows.sum(axis=1) == 0, GIVE_UP] = 1.0
    return (rows / rows.sum(axis=1, keepdims=True)).ravel()


@functools.cache
def learned(iterations: int) -> NDArray[np.float64]:
    """The probability of every action in every situation, learned once and kept."""

    def compute() -> dict[str, Any]:
        regrets, played, words = np.zeros((2, STRATEGY)), np.zeros(STRATEGY), rng.seeded(0, "between two")
        game = FiveCardDraw()
        shared, done = tables(game.trade), 0
        for part in range(1, PARTS + 1):
            until = iterations * part // PARTS
            learn(shared, regrets, played, done, until, game.stack, words)
            done = until
            if iterations >= ITERATIONS // 10:
                cache.announce(f"learning five-card draw between two, once: {100 * part // PARTS} %")
        return {"chances": average(played).astype(np.float32)}

    found: NDArray[np.float64] = cache.arrays(__file__, f"draw-heads-up-{iterations}", compute)["chances"]
    return found.astype(np.float64)
