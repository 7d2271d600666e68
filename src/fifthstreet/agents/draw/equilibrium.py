"""Heads-up five-card draw by regret minimisation: a strategy against which simple exploiters win little.

The game is made smaller. Hands are grouped into a few dozen buckets, finest among the best: before the exchange by the
exact worth of the best exchange, afterwards by strength. Raises are one of a few multiples of the pot, and those of
others count as the nearest (on a logarithmic scale); the learner makes only small raises, its adversary any. Of the
betting the players remember only the size of the pot by powers of four, how often and by how much it was raised in this
round, who raised last before the exchange, and how many cards each took.

The strategy is learned by external sampling (Lanctot and others, 2009, section 3.2): hands are dealt from the real
deck, one player tries every action, the other samples its own; actions that would have won more are played more often.
The result is the average over time, in which later deals count more.
"""

import functools
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache, rng
from fifthstreet.agents.bets import give_up, raise_by
from fifthstreet.agents.draw.genes import Tables, best_exchange, best_places, best_trade, tables
from fifthstreet.games.betting import BETS, CALL, CHECKS, TRADES
from fifthstreet.games.deck import deal_one, new_deck
from fifthstreet.games.five_card_draw import (
    EXCHANGE,
    FIRST_ROUND,
    HAND,
    DrawState,
    DrawView,
    FiveCardDraw,
    strength_of,
)
from fifthstreet.games.game import Mind
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record, Row, one_record
from fifthstreet.rng import RngState, uniform

ITERATIONS = 6_000_000  # deals
PARTS = 10  # of the learning; progress is reported after each
RARE = 0.15  # actions played less often than this count as noise of the learning; set by hand, like the sizes

SIZES = np.array([0.5, 1.5, 5.0, 15.0, 50.0])  # of raises, in pots
OWN_SIZES = 2  # the learner raises by the first two only: it must answer large raises, and needs none
GIVE_UP, STAY, RAISE = range(3)  # actions; the raises by each size follow
CHOICES = RAISE + len(SIZES)

BUCKETS = 32
POTS = 7  # sizes of the pot, by powers of four
RAISED = 5  # numbers of raises in a round: none to four
BETTING = 2 * RAISED * len(SIZES) * POTS
PLACES = (1 + 3 * 3 * 3) * BETTING * BUCKETS  # before the exchange; after it by who raised last and cards taken
STRATEGY = PLACES * CHOICES

SHOWDOWN = 2  # the street after the last


_Number = Annotated[int, Field(np.int64)]
_BySeat = Annotated[Row, Field(np.int64, shape=2)]


class Known(Record):
    """What both players know of a hand, as far as they remember it."""

    street: _Number  # 0 before the exchange, 1 after it, SHOWDOWN
    acts: _Number  # the seat whose turn it is
    raises: _Number  # in this round
    last_size: _Number  # of the last raise in this round
    leader: _Number  # 1 + the seat that raised last before the exchange, or 0
    folder: _Number  # the seat that has folded, or −1
    ante: _Number
    most: _Number  # what each player can put in
    before: _Number  # what each player had put in before this round
    paid: _BySeat  # all that a seat has put in
    took: _BySeat  # cards that a seat has exchanged


DEEPEST = 8  # decisions of one player in a hand, and the end


class Path(Record):
    """What is known at each decision of one player that leads to where a search is."""

    levels: Annotated[Sequence[Known], Field(Known, shape=DEEPEST)]


STATE, PATH = DrawState.dtype, Path.dtype


@kernel
def begin(known: Known, ante: int, most: int) -> None:
    """A new hand with these antes, in which each player can put in `most` chips."""
    known.street, known.acts, known.raises, known.last_size, known.leader, known.folder = 0, 0, 0, 0, 0, -1
    known.ante, known.most, known.before = max(ante, 1), most, ante
    known.paid[0] = known.paid[1] = ante
    known.took[0] = known.took[1] = 0


@kernel
def highest(known: Known) -> int:
    """The most that a player has put in."""
    return max(known.paid[0], known.paid[1])


@kernel
def may_raise(known: Known) -> bool:
    """Whether there is money to raise with, and a pass of the table left: the first seat runs out of passes sooner."""
    return known.raises < 3 + known.acts and highest(known) < known.most


@kernel
def amount_of(known: Known, size: float) -> int:
    """By how many chips a raise of this size goes above the highest bet."""
    top = highest(known)
    return max(known.ante, min(int(size * 2 * top + 0.5), known.most - top))


@kernel
def nearest(size: float) -> int:
    """The raise that one of this size counts as."""
    for i in range(len(SIZES) - 1):
        if size * size < SIZES[i] * SIZES[i + 1]:
            return i
    return len(SIZES) - 1


@kernel
def stay(known: Known) -> None:
    """Check or call. This ends the round, unless the first seat checks."""
    acts = known.acts
    known.paid[acts] = known.paid[1 - acts]
    if acts == 0 and known.raises == 0:
        known.acts = 1
        return
    known.street = SHOWDOWN if known.paid[0] >= known.most else known.street + 1  # at once if nothing is left to bet
    known.acts, known.raises, known.last_size, known.before = 0, 0, 0, known.paid[0]


@kernel
def raise_the_bet(known: Known, amount: int) -> None:
    acts, top = known.acts, highest(known)
    known.last_size = nearest(amount / max(2 * top, 1))
    known.paid[acts] = top + amount
    known.raises = min(known.raises + 1, RAISED - 1)
    known.acts = 1 - acts
    if known.street == 0:
        known.leader = 1 + acts


@kernel
def take(known: Known, action: int) -> None:
    if action == GIVE_UP:
        known.folder = known.acts
    elif action == STAY:
        stay(known)
    else:
        raise_the_bet(known, amount_of(known, SIZES[action - RAISE]))


@kernel
def place_of(known: Known, bucket: int) -> int:
    """Where the strategy begins for what is known and a hand in this bucket."""
    size, pot = 0, (known.paid[0] + known.paid[1]) // (2 * known.ante)
    while pot >= 4 and size < POTS - 1:
        pot //= 4
        size += 1
    past = 0
    if known.street > 0:
        past = 1 + (known.leader * 3 + min(known.took[0], 2)) * 3 + min(known.took[1], 2)
    bets = ((known.acts * RAISED + known.raises) * len(SIZES) + known.last_size) * POTS + size
    return ((past * BETTING + bets) * BUCKETS + bucket) * CHOICES


@kernel
def bucket_of(better: float) -> int:
    """The bucket of a hand by the share of better hands."""
    return min(int(BUCKETS * better**0.4), BUCKETS - 1)


@kernel
def bucket_before(worth: float, tables: Tables) -> int:
    """The bucket of a hand before the exchange by what `genes.best_exchange` returns for it."""
    return bucket_of(tables.better_before[int(worth % 1 * (tables.better_before.size - 1))])


@kernel
def bucket_after(strength: int, tables: Tables) -> int:
    """The bucket of a hand after the exchange, given its strength."""
    return bucket_of(tables.better_at_end[strength])


@kernel
def deal_hands(
    state: DrawState, tables: Tables, rng: RngState, buckets: NDArray[np.int64], took: NDArray[np.int64]
) -> int:
    """Deal two hands and make the best exchanges.

    Writes the buckets by round and seat, and how many cards each seat took. Returns 1 if the first seat has the better
    hand at the end, −1 if the second has, 0 if they tie.
    """
    new_deck(state)
    for seat in range(2):
        for i in range(HAND):
            state.cards[seat, i] = deal_one(state, rng)
    for seat in range(2):
        buckets[0, seat], took[seat] = bucket_before(best_exchange(state, seat, tables.best), tables), 0
        going = best_places(state, seat, tables.best)
        for i in range(HAND):
            if (going >> i) & 1:
                state.cards[seat, i] = deal_one(state, rng)
                took[seat] += 1
        buckets[1, seat] = bucket_after(strength_of(state, seat), tables)
    one, other = strength_of(state, 0), strength_of(state, 1)
    return (one > other) - (one < other)


@kernel
def is_choice(known: Known, action: int, learner: int) -> bool:
    if action == GIVE_UP:
        return known.paid[0] != known.paid[1]
    too_large = known.acts == learner and action >= RAISE + OWN_SIZES
    return action == STAY or (may_raise(known) and not too_large)


@kernel
def present_strategy(known: Known, regrets: Mind, learner: int, chances: Mind) -> None:
    """Regret matching: write the chance of each action, in proportion to how much more it would have won."""
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
def drawn(chances: Mind, rng: RngState) -> int:
    """A random action with these chances."""
    left, last = uniform(rng), 0
    for action in range(chances.size):
        if chances[action] > 0:
            last = action
            left -= chances[action]
            if left < 0:
                break
    return last


@kernel
def payoff(known: Known, me: int, winner: int) -> float:
    """What seat `me` wins; `winner` is what `deal_hands` returned."""
    if known.folder >= 0:
        return -float(known.paid[me]) if known.folder == me else float(known.paid[1 - me])
    return float(known.paid[0] * (winner if me == 0 else -winner))


@kernel
def learn(
    tables: Tables, regrets: NDArray[np.float64], played: Mind, first: int, last: int, most: int, rng: RngState
) -> None:
    """Play deals from number `first` to before `last`: each player in turn tries every action. Later deals count more.

    Regrets are kept apart for the learner, in row 1, and for its adversary, who may raise by any size.
    """
    states, paths, winner = one_record(STATE), one_record(PATH), 0
    buckets, took = np.zeros((2, 2), np.int64), np.zeros(2, np.int64)
    tried, places = np.zeros(DEEPEST, np.int64), np.zeros(DEEPEST, np.int64)
    chances, values, other = np.zeros((DEEPEST, CHOICES)), np.zeros((DEEPEST, CHOICES)), np.zeros(CHOICES)
    for deal in range(first, last):
        learner = deal & 1
        winner = deal_hands(states[0], tables, rng, buckets, took)
        for me in range(2):
            levels = paths[0].levels
            begin(levels[0], 1, most)
            levels[0].took[0], levels[0].took[1] = took[0], took[1]
            depth, value, back = 0, 0.0, False
            while depth >= 0:
                known = levels[depth]
                if not back:
                    if known.folder >= 0 or known.street == SHOWDOWN:
                        value, back = payoff(known, me, winner), True
                        depth -= 1
                        continue
                    acts = known.acts
                    place = place_of(known, buckets[known.street, acts])
                    mine = regrets[int(acts == learner), place : place + CHOICES]
                    if acts != me:
                        present_strategy(known, mine, learner, other)
                        if acts == learner:
                            for action in range(other.size):
                                played[place + action] += (deal + 1) * other[action]
                        take(known, drawn(other, rng))
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
                    levels[depth + 1] = known
                    take(levels[depth + 1], tried[depth])
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


@kernel(changes="known")
def read(view: DrawView, known: Known) -> None:
    """What is known, from the history of a heads-up hand."""
    first = view.stacks[0] + view.wagered[0] + view.antes[0]
    second = view.stacks[1] + view.wagered[1] + view.antes[1]
    begin(known, view.antes[0], min(first, second))
    for i in range(view.history_length):
        entry = view.history[i]
        if entry.kind == TRADES:
            known.took[min(entry.seat, 1)] = max(0, min(entry.amount, HAND))
        elif entry.kind >= BETS:
            raise_the_bet(known, known.before + entry.amount - highest(known))
        elif entry.kind >= CHECKS:
            stay(known)


@kernel
def place_in(view: DrawView, known: Known, tables: Tables) -> int:
    """Where the chances of the actions begin in a strategy."""
    if view.street == FIRST_ROUND:
        bucket = bucket_before(best_exchange(view, view.seat, tables.best), tables)
    else:
        bucket = bucket_after(strength_of(view, view.seat), tables)
    return place_of(known, bucket)


@kernel
def heads_up(view: DrawView, strategy: Mind, tables: Tables, scratch: Sequence[Known], rng: RngState) -> int:
    """The action in a heads-up hand by a strategy as `learned` returns it."""
    if view.street == EXCHANGE:
        return best_trade(view, tables.best)
    known = scratch[0]
    read(view, known)
    place = place_in(view, known, tables)
    action = drawn(strategy[place : place + CHOICES], rng)
    if action == GIVE_UP:
        return give_up(view)
    return CALL if action == STAY else raise_by(view, amount_of(known, SIZES[action - RAISE]))


def average(played: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often each action was played. Actions hardly ever played are left out; situations never reached give up."""
    rows = played.reshape(-1, CHOICES)
    rows = np.where(rows < RARE * rows.sum(axis=1, keepdims=True), 0.0, rows)
    rows[rows.sum(axis=1) == 0, GIVE_UP] = 1.0
    return (rows / rows.sum(axis=1, keepdims=True)).ravel()


@functools.cache
def learned(iterations: int) -> NDArray[np.float64]:
    """The probability of every action in every situation, learned once and kept."""

    def compute() -> dict[str, Any]:
        regrets, played, state = np.zeros((2, STRATEGY)), np.zeros(STRATEGY), rng.seeded(0, "between two")
        game = FiveCardDraw()
        shared, done = tables(game.trade), 0
        for part in range(1, PARTS + 1):
            until = iterations * part // PARTS
            learn(shared, regrets, played, done, until, game.stack, state)
            done = until
            if iterations >= ITERATIONS // 10:
                cache.announce(f"learning heads-up five-card draw, once: {100 * part // PARTS} %")
        return {"chances": average(played).astype(np.float32)}

    found: NDArray[np.float64] = cache.arrays(__file__, f"draw-heads-up-{iterations}", compute)["chances"]
    return found.astype(np.float64)
