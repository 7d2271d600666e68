"""Heads-up five-card draw by regret minimisation: a strategy against which simple exploiters win little.

The game is made smaller. Hands are grouped into a few dozen buckets, finest among the best: before the exchange by the
exact worth of the best exchange, afterwards by strength. Raises are one of a few multiples of the pot, and those of
others count as the nearest (on a logarithmic scale); the learner makes only small raises, its adversary any. Of the
betting the players remember only the size of the pot by powers of four, how often and by how much it was raised in this
round, who raised last before the exchange, and how many cards each took.

The strategy is found by external sampling (`solvers/sampling.py`) on hands dealt from the real deck, and is the average
over time, in which later deals count more.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

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
from fifthstreet.games.game import OVER, Mind, RuledGame, Rules
from fifthstreet.kernel import kernel
from fifthstreet.learned import Recipe
from fifthstreet.learned.steps import State, in_steps
from fifthstreet.record import Field, Grid, Record, Row
from fifthstreet.rng import RngState, below, uniform
from fifthstreet.solvers.sampling import Found, Sampler

ITERATIONS = 6_000_000  # deals
PARTS = 20  # of the learning; progress is reported after each
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


class Position(Known):
    """What is known, and the hands."""

    learner: _Number  # the seat that raises by the first sizes only
    winner: _Number  # 1 if the first seat has the better hand at the end, −1 if the second has, 0 if they tie
    buckets: Annotated[Grid, Field(np.int64, shape=(2, 2))]  # by street and seat


class Seen(Record):
    """An information set: where its strategy begins, and whose it is.

    In a large pot it offers fewer raises, or none; the actions that are left share their regrets.
    """

    place: Annotated[int, Field(np.int32)]
    learns: Annotated[int, Field(np.int8)]  # 1 for the learner, 0 for its adversary: each has regrets of its own
    faces_bet: Annotated[int, Field(np.int8)]  # 1 if the first action is to give up, 0 if it is to check


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
def faces_bet(known: Known) -> bool:
    return known.paid[0] != known.paid[1]


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


# The game as the solver plays it.


@kernel
def deal(start: Position, position: Position, given: tuple[Sequence[DrawState], Tables], rng: RngState) -> None:
    """Deal two hands, and make the best exchanges."""
    scratch, tables = given
    state = scratch[0]
    begin(position, 1, start.most)
    new_deck(state)
    for seat in range(2):
        for i in range(HAND):
            state.cards[seat, i] = deal_one(state, rng)
    for seat in range(2):
        position.buckets[0, seat] = bucket_before(best_exchange(state, seat, tables.best), tables)
        going = best_places(state, seat, tables.best)
        for i in range(HAND):
            if (going >> i) & 1:
                state.cards[seat, i] = deal_one(state, rng)
                position.took[seat] += 1
        position.buckets[1, seat] = bucket_after(strength_of(state, seat), tables)
    one, other = strength_of(state, 0), strength_of(state, 1)
    position.winner = int(one > other) - int(one < other)
    position.learner = below(rng, 2)


@kernel
def to_act(position: Position) -> int:
    return OVER if position.folder >= 0 or position.street == SHOWDOWN else position.acts


@kernel
def chance_count(_position: Position) -> int:
    return 0  # hands are dealt at once


@kernel
def chance(_position: Position, _i: int) -> int:
    return 0


@kernel
def raise_count(position: Position) -> int:
    """How many raises may be made."""
    if not may_raise(position):
        return 0
    return OWN_SIZES if position.acts == position.learner else len(SIZES)


@kernel
def choice_count(position: Position) -> int:
    return int(faces_bet(position)) + 1 + raise_count(position)


@kernel
def choice(position: Position, i: int) -> int:
    return i if faces_bet(position) else i + 1


@kernel
def observe(position: Position, seat: int, seen: Seen) -> None:
    seen.place = place_of(position, position.buckets[position.street, seat])
    seen.learns, seen.faces_bet = int(seat == position.learner), int(faces_bet(position))


@kernel
def payoffs(position: Position, out: NDArray[np.float64]) -> None:
    if position.folder >= 0:
        lost = float(position.paid[position.folder])
        out[0] = -lost if position.folder == 0 else lost
    else:
        out[0] = float(position.paid[0] * position.winner)
    out[1] = -out[0]


@dataclass(frozen=True)
class HeadsUpDraw(RuledGame[Position, Seen, int]):
    """Heads-up five-card draw made smaller, for two who always make the best exchange."""

    name = "heads-up draw"
    rules = Rules(Position, Seen, to_act, chance_count, chance, choice_count, choice, take, observe, payoffs)

    most: int  # what each player can put in, in antes

    def start(self) -> Position:
        return Position.of(most=self.most, ante=1, folder=-1)


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


def sampler(game: FiveCardDraw) -> Sampler:
    """The solver of the smaller game with the stacks and exchanges of this one."""
    return Sampler(HeadsUpDraw(game.stack), deal=deal, given=(np.zeros(1, DrawState.dtype), tables(game.trade)))


def average(found: Found) -> NDArray[np.float64]:
    """How often the learner played each action in each place.

    Actions hardly ever played are left out; places never reached give up.
    """
    count = int(found.known.used[0])
    every = found.known.views[:count].view(Seen.dtype)[:, 0]
    learner = every["learns"] == 1
    seen, played = every[learner], found.totals[:count, :CHOICES][learner]
    checks = seen["faces_bet"] == 0
    played[checks] = np.roll(played[checks], 1, axis=1)  # without a bet nobody gives up
    rows = np.zeros((PLACES, CHOICES))
    rows[seen["place"] // CHOICES] = played
    rows = np.where(rows < RARE * rows.sum(axis=1, keepdims=True), 0.0, rows)
    rows[rows.sum(axis=1) == 0, GIVE_UP] = 1.0
    return (rows / rows.sum(axis=1, keepdims=True)).ravel()


@functools.cache
def learned(iterations: int) -> NDArray[np.float64]:
    """The probability of every action in every situation, learned once and kept in steps of 1/255."""
    rows = recipe(iterations).arrays()["chances"].reshape(-1, CHOICES).astype(np.float64)
    return (rows / rows.sum(axis=1, keepdims=True)).ravel()


def recipe(iterations: int = ITERATIONS) -> Recipe:
    def learn() -> dict[str, Any]:
        return {"chances": np.round(255 * average(_solved(iterations))).astype(np.uint8)}

    return Recipe(
        __file__,
        f"draw-heads-up-{iterations}",
        learn,
        game=FiveCardDraw.name,
        agent="champion",
        cost=80 * iterations / ITERATIONS,
        games=iterations,
        shapes={"chances": (STRATEGY,)},
        shipped=iterations == ITERATIONS,
    )


def _solved(iterations: int) -> Found:
    """What regret minimisation finds in this many deals."""
    solver = sampler(FiveCardDraw())

    def step(part: int, state: State) -> State:
        solver.restore(state)
        solver.run(iterations * (part + 1) // PARTS - solver.iterations)
        return solver.state()

    solver.restore(in_steps("learning heads-up five-card draw", PARTS, solver.state, step))
    return solver.found
