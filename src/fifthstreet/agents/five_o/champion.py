"""A player of Five-O: rollouts with a network learned by self-play, and the last row against a model of the opponent.

In the first three rows every open column is tried with the same sampled decks. Both sides place by the network until
the last row, which is played out several times by its model; the column that wins most games is taken. What the network
says itself counts as so many decks, since few decks say less. After each third of the decks the worse half of the
columns is dropped, and sooner those that are clearly worse. In the last row the chances are counted, as `last_row`
says.
Where the fourth row is the hidden one, its cards are imagined in the rollouts, and the last row is played by the exact
chances of the columns.

Time is meant a move on average. The last card of a row has one place to go and the hidden row takes little, so that
the twelve choices in the first three rows get the time of all twenty moves; where the choice is clear it takes less,
which the others get. Time is turned into a number of simulated placements by a speed that is measured once in a
process, so that a policy needs no clock; `plies` sets the most for a choice itself, and makes results repeatable. With
none, the network decides.
"""

import functools
import math
import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o import pairs
from fifthstreet.agents.five_o.chances import game_chance, visible
from fifthstreet.agents.five_o.expectiminimax import imagine_order
from fifthstreet.agents.five_o.last_row import place_values, sampled_rows
from fifthstreet.agents.five_o.pairs import (
    FACTS,
    OPEN_PLIES,
    UNSEEN,
    WIDTH,
    best_placement,
    empty_board,
    open_columns,
    open_placement,
    put,
    see,
)
from fifthstreet.agents.five_o.probable import Exact, by_chance
from fifthstreet.errors import InputError, whole
from fifthstreet.games.five_o import (
    COLUMNS,
    DRAWN_GAME,
    HIDDEN,
    NEXT,
    PLACED,
    ROWS,
    SEAT,
    at_random,
    is_open,
    place_of,
    row_of,
)
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.kernel import kernel
from fifthstreet.rng import stream

# In the mind: samples and weight of ties as the exact player has them, how many placements to simulate for a decision,
# nothing, and then the weights of the network, two in each place.
PLIES, NETWORK = 2, 4

PRIOR = 200.0  # rollouts that the network's own word is worth
ROWS_PLAYED = 4  # last rows at the end of a rollout
COST_OF_ROWS = 5  # of them, in placements
MOVES_A_CHOICE = 20 / 12
CLEAR, OFTEN = 3.0, 25  # standard errors that make a column clearly worse, and decks after which it is asked


@kernel
def network_in(mind: Any) -> Any:
    return mind[NETWORK:].view(np.float32).reshape((-1, WIDTH))


@kernel
def read_board(data: Any, facts: Any, keys: Any, bits: Any, unseen: Any) -> None:
    """The first four rows of a board, as the network reads it."""
    empty_board(facts, keys, bits, unseen)
    for side in range(2):
        for column in range(COLUMNS):
            first = place_of(side, column, 0)
            for row in range(min(visible(data, side, column), ROWS - 1)):
                put(facts, keys, bits, side, column, data[first + row])
                see(unseen, data[first + row])


@kernel
def leader(alive: Any, scores: Any, prior: Any) -> int:
    best = -1
    for column in range(COLUMNS):
        if alive[column] and (best < 0 or scores[column] + prior[column] > scores[best] + prior[best]):
            best = column
    return best


@kernel
def drop_the_clearly_worse(alive: Any, scores: Any, prior: Any, squares: Any, decks: int) -> None:
    """Columns that are behind the leader by more than chance explains, by the squares of what lay between them."""
    best = leader(alive, scores, prior)
    for column in range(COLUMNS):
        if alive[column] and column != best:
            behind = scores[best] - scores[column]
            variance = (squares[best, column] - behind * behind / decks) / (decks - 1) * (decks + PRIOR)
            alive[column] = behind + prior[best] - prior[column] <= CLEAR * math.sqrt(max(0.0, variance))


@kernel
def drop_the_worst(alive: Any, scores: Any, prior: Any, keep: int) -> None:
    """All but so many."""
    while alive.sum() > keep:
        worst = -1
        for column in range(COLUMNS):
            if alive[column] and (worst < 0 or scores[column] + prior[column] < scores[worst] + prior[worst]):
                worst = column
        alive[worst] = False


@kernel
def rollouts(view: Any, plies: float, weights: Any, words: Any, scores: Any, counts: Any) -> int:
    """Play the game on with sampled decks; the sum of games won and the number of decks by column, and the best."""
    seat, placed = view[SEAT], view[PLACED]
    drawn = 0.5 + 0.5 * view[DRAWN_GAME]
    scores[:], counts[:] = 0.0, 0
    data, cards = np.empty_like(view), np.empty(60, np.int64)
    start, start_unseen = np.zeros((2, COLUMNS, FACTS), np.int64), np.zeros(UNSEEN, np.uint64)
    start_keys, start_bits = np.zeros((2, COLUMNS), np.uint64), np.zeros((2, COLUMNS), np.uint64)
    facts, keys, bits, unseen = start.copy(), start_keys.copy(), start_bits.copy(), start_unseen.copy()
    p, with_card, room = np.empty(COLUMNS), np.empty(COLUMNS), np.empty((4, WIDTH), np.float32)
    wins, prior, alive = np.empty(COLUMNS), np.zeros(COLUMNS), np.zeros(COLUMNS, np.bool_)
    at_a_glance(view, weights, p, with_card)
    for column in range(COLUMNS):
        alive[column] = is_open(view, column)
        if alive[column]:
            without, p[column] = p[column], with_card[column]
            prior[column] = PRIOR * game_chance(p)
            p[column] = without
    left = alive.sum()
    keeps = (5, 3, 2) if left == 5 else (left, 2, 2)
    games = int(plies / (OPEN_PLIES - placed + COST_OF_ROWS))
    won, squares, decks = np.zeros(COLUMNS), np.zeros((COLUMNS, COLUMNS)), 0
    for keep in keeps:
        drop_the_worst(alive, scores, prior, keep)
        for _ in range(max(1, games // len(keeps) // alive.sum())):
            if alive.sum() == 1:
                break
            imagine_order(view, words, data, cards)
            read_board(data, start, start_keys, start_bits, start_unseen)
            for first in range(COLUMNS):
                if not alive[first]:
                    continue
                facts[:], keys[:], bits[:], unseen[:] = start, start_keys, start_bits, start_unseen
                for ply in range(placed, OPEN_PLIES):
                    card, column = cards[ply - placed], first
                    see(unseen, card)
                    if ply > placed and open_columns(ply) == 1:
                        column = open_placement(facts, ply, 0)
                    elif ply > placed:
                        column = best_placement(weights, ply, card, facts, unseen, p, with_card, room)
                    put(facts, keys, bits, ply % 2, column, card)
                share = sampled_rows(keys, bits, cards[OPEN_PLIES - placed :], ROWS_PLAYED, drawn, words, wins)
                won[first] = share if seat == 0 else 1 - share
                scores[first] += won[first]
                counts[first] += 1
            for column in range(COLUMNS):
                for other in range(COLUMNS):
                    squares[column, other] += (won[column] - won[other]) ** 2
            decks += 1
            if decks % OFTEN == 0:
                drop_the_clearly_worse(alive, scores, prior, squares, decks)
    return leader(alive, scores, prior)


@kernel
def at_a_glance(view: Any, weights: Any, p: Any, with_card: Any) -> int:
    """What the network says without rollouts."""
    facts, unseen = np.zeros((2, COLUMNS, FACTS), np.int64), np.zeros(UNSEEN, np.uint64)
    keys, bits = np.zeros((2, COLUMNS), np.uint64), np.zeros((2, COLUMNS), np.uint64)
    read_board(view, facts, keys, bits, unseen)
    see(unseen, view[NEXT])
    room = np.empty((4, WIDTH), np.float32)
    return best_placement(weights, view[PLACED], view[NEXT], facts, unseen, p, with_card, room)


@kernel
def champion(view: Any, mind: Any, words: Any) -> int:
    if row_of(view) == ROWS - 1:
        if view[HIDDEN] == ROWS - 1:
            return place_values(view, words, np.empty(COLUMNS))
        return by_chance(view, mind, words)
    weights = network_in(mind)
    if mind[PLIES] == 0:
        return at_a_glance(view, weights, np.empty(COLUMNS), np.empty(COLUMNS))
    return rollouts(view, mind[PLIES], weights, words, np.empty(COLUMNS), np.empty(COLUMNS, np.int64))


@dataclass
class Champion(Agent):
    """Plays every column on with a network that learned from self-play, and the hidden row by counting."""

    name: ClassVar[str] = "champion"
    games: ClassVar[tuple[str, ...]] = ("five-o",)

    time: float = 0.05
    plies: int | None = None
    lessons: int = pairs.GAMES

    def __post_init__(self) -> None:
        if not 0 <= self.time <= 3600:
            raise InputError(f"time={self.time!r}: seconds a move, from 0 to 3600")
        if self.plies is not None:
            self.plies = whole(self.plies, "plies", least=0, most=10**12)
        self.lessons = whole(self.lessons, "lessons", least=1, most=10**9)

    def decide(self, turn: Turn) -> Decision:
        data, mind, words = turn.view.data, turn.mind, turn.rng.state
        values, counts = np.full(COLUMNS, np.nan), np.zeros(COLUMNS, np.int64)
        put_chances, wait_chances = np.empty(COLUMNS), np.empty(COLUMNS)
        if row_of(data) == ROWS - 1:
            if data[HIDDEN] != ROWS - 1:
                return Exact().decide(turn)
            best = place_values(data, words, values)
            return Decision(
                best,
                values=_known(values),
                reason=f"column {best + 1} wins {100 * values[best]:.1f} % of the rows that may lie face down",
                figures={"win": float(values[best])},
            )
        glance = at_a_glance(data, network_in(mind), wait_chances, put_chances)
        figures: dict[str, Any] = {
            "put": [None if chance < 0 else float(chance) for chance in put_chances],
            "wait": wait_chances.tolist(),
        }
        if mind[PLIES] == 0:
            return Decision(glance, reason=f"column {glance + 1} raises the chance of three most", figures=figures)
        best = rollouts(data, mind[PLIES], network_in(mind), words, values, counts)
        if counts[best] == 0:
            return Decision(best, reason=f"column {best + 1} is the only one open", figures=figures)
        values[counts > 0] /= counts[counts > 0]
        values[counts == 0] = np.nan
        games = ROWS_PLAYED * int(counts[best])
        return Decision(
            best,
            values=_known(values),
            reason=f"column {best + 1} wins {100 * values[best]:.1f} % of {games:,} games played on",
            figures={"win": float(values[best]), "decks": counts.tolist(), **figures},
        )

    def policy(self, game: AnyGame) -> Policy | None:
        return champion

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        plies = self.plies
        if plies is None:
            plies = _most_plies(self.time * MOVES_A_CHOICE * plies_a_second(self.lessons))
        return _mind(plies, self.lessons)


def _known(values: NDArray[np.float64]) -> dict[int, float]:
    return {column: float(value) for column, value in enumerate(values) if not np.isnan(value)}


@functools.lru_cache(maxsize=8)
def _mind(plies: int, lessons: int) -> NDArray[np.float64]:
    return np.concatenate([[0.0, 1.0, plies, 0.0], pairs.learned(lessons).reshape(-1).view(np.float64)])


def _most_plies(mean: float) -> int:
    """How many placements a choice may take, so that it takes so many on average.

    What part of them the choices of its own games took: 84 % of 2,500, 73 % of 12,000, 60 % of 60,000, 46 % of 200,000,
    35 % of 800,000 and 20 % of 4,000,000.
    """
    most = mean
    for _ in range(50):
        most = mean / max(0.1, min(1.0, 1.53 - 0.2 * math.log10(max(1.0, most))))
    return int(most)


@functools.cache
def plies_a_second(lessons: int) -> float:
    """How many placements one core simulates in a second, measured once in a process."""
    rng = stream(0, "speed")
    view, weights = at_random(0, rng).data, pairs.learned(lessons)
    best, plies = 0.0, 50_000
    for _ in range(4):  # the first compiles
        begin, counts = time.thread_time(), np.zeros(COLUMNS, np.int64)
        rollouts(view, plies, weights, rng.state, np.empty(COLUMNS), counts)
        used = counts.sum() * (OPEN_PLIES + COST_OF_ROWS)
        best = max(best, used / (time.thread_time() - begin))
    return best
