"""A player of Five-O: rollouts with a network learned by self-play, and the last row against a model of the opponent.

In the first three rows every open column is tried with the same sampled decks. Both sides place by the network until
the last row, which is played out several times as `last_row` models it; the column that wins most games is taken. The
network's own estimate counts like the results of `PRIOR` decks, because few decks are noisy. After each third of the
decks the worse half of the columns is dropped; columns that are clearly worse are dropped sooner. The last row is
played by counting, as described in `last_row`. If the fourth row is the hidden one, its cards are sampled in the
rollouts, and the last row is played by the exact chances of the columns.

`time` is the average per move. The last card of a row can go to one column only and the hidden row takes little time,
so the twelve real choices in the first three rows share the time of all twenty moves; a clear choice stops early and
leaves its time to the others. Time is converted to a number of simulated placements by a speed that is measured once
per process, so that a policy needs no clock. `plies` sets the maximum for a choice directly, which makes results
repeatable; with `plies=0` the network decides alone.
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
from fifthstreet.agents.five_o.chances import Board, Chances, Numbers, game_chance, read_cards, visible
from fifthstreet.agents.five_o.expectiminimax import empty_sample, sample_deck
from fifthstreet.agents.five_o.last_row import place_values, sampled_rows
from fifthstreet.agents.five_o.pairs import (
    OPEN_PLIES,
    WIDTH,
    Position,
    Weights,
    best_placement,
    copy_position,
    new_position,
    open_columns,
    open_placement,
    put,
    see,
)
from fifthstreet.agents.five_o.probable import Exact, by_chance
from fifthstreet.errors import InputError, whole
from fifthstreet.games.five_o import COLUMNS, ROWS, FiveOView, at_random, is_open, row_of, seat_of
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, stream

Flags = NDArray[np.bool_]

# In the mind: samples and weight of ties as the exact player has them, how many placements to simulate for a decision,
# an unused number, and then the weights of the network, two in each place.
PLIES, NETWORK = 2, 4

# Set by hand; no search over them is recorded.
PRIOR = 200.0  # decks that the network's own estimate is worth
ROWS_PLAYED = 4  # last rows at the end of a rollout
COST_OF_ROWS = 5  # in placements
MOVES_A_CHOICE = 20 / 12
CLEAR, OFTEN = 3.0, 25  # standard errors that make a column clearly worse, and decks between two checks


@kernel
def network_in(mind: Mind) -> Weights:
    return mind[NETWORK:].view(np.float32).reshape((-1, WIDTH))


@kernel
def read_board(board: Board, position: Position) -> None:
    """Add the first four rows of a board to a position."""
    for side in range(2):
        for column in range(COLUMNS):
            cards = board[side, column]
            for row in range(min(visible(cards), ROWS - 1)):
                put(position, side, column, cards[row])
                see(position.unseen, cards[row])


@kernel
def leader(alive: Flags, scores: Chances, prior: Chances) -> int:
    best = -1
    for column in range(COLUMNS):
        if alive[column] and (best < 0 or scores[column] + prior[column] > scores[best] + prior[best]):
            best = column
    return best


@kernel
def drop_the_clearly_worse(alive: Flags, scores: Chances, prior: Chances, squares: Chances, decks: int) -> None:
    """Drop the columns that are behind the leader by more than chance explains.

    `squares` has the sum of squared differences between the results of two columns.
    """
    best = leader(alive, scores, prior)
    for column in range(COLUMNS):
        if alive[column] and column != best:
            behind = scores[best] - scores[column]
            variance = (squares[best, column] - behind * behind / decks) / (decks - 1) * (decks + PRIOR)
            alive[column] = behind + prior[best] - prior[column] <= CLEAR * math.sqrt(max(0.0, variance))


@kernel
def drop_the_worst(alive: Flags, scores: Chances, prior: Chances, keep: int) -> None:
    """Drop all but the best `keep` columns."""
    while alive.sum() > keep:
        worst = -1
        for column in range(COLUMNS):
            if alive[column] and (worst < 0 or scores[column] + prior[column] < scores[worst] + prior[worst]):
                worst = column
        alive[worst] = False


@kernel
def rollouts(view: FiveOView, plies: float, weights: Weights, rng: RngState, scores: Chances, counts: Numbers) -> int:
    """The column that wins most games when the game is played on with sampled decks.

    Writes the sum of games won and the number of decks by column to `scores` and `counts`.
    """
    seat, placed = view.seat, view.placed
    drawn = 0.5 + 0.5 * view.drawn_game
    scores[:], counts[:] = 0.0, 0
    sampled, empty, start, position = empty_sample(), new_position(), new_position(), new_position()
    p, with_card, scratch = np.empty(COLUMNS), np.empty(COLUMNS), np.empty((4, WIDTH), np.float32)
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
            sample_deck(view, rng, sampled)
            copy_position(empty, start)
            read_board(sampled.board, start)
            for first in range(COLUMNS):
                if not alive[first]:
                    continue
                copy_position(start, position)
                for ply in range(placed, OPEN_PLIES):
                    card, column = sampled.order[ply - placed], first
                    see(position.unseen, card)
                    if ply > placed and open_columns(ply) == 1:
                        column = open_placement(position.facts, ply, 0)
                    elif ply > placed:
                        column = best_placement(weights, ply, card, position, p, with_card, scratch)
                    put(position, seat_of(ply), column, card)
                rest = sampled.order[OPEN_PLIES - placed :]
                share = sampled_rows(position.keys, position.bits, rest, ROWS_PLAYED, drawn, rng, wins)
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
def at_a_glance(view: FiveOView, weights: Weights, p: Chances, with_card: Chances) -> int:
    """The column that the network takes without rollouts; writes what `best_placement` does."""
    board, position, scratch = np.empty((2, COLUMNS, ROWS), np.int64), new_position(), np.empty((4, WIDTH), np.float32)
    read_cards(view, board)
    read_board(board, position)
    placed, card = view.placed + 0, view.next_card + 0  # as wide as in the rollouts, or it is compiled again
    see(position.unseen, card)
    return best_placement(weights, placed, card, position, p, with_card, scratch)


@kernel
def champion(view: FiveOView, mind: Mind, rng: RngState) -> int:
    if row_of(view.placed) == ROWS - 1:
        if view.hidden == ROWS - 1:
            return place_values(view, rng, np.empty(COLUMNS))
        return by_chance(view, mind, rng)
    weights = network_in(mind)
    if mind[PLIES] == 0:
        return at_a_glance(view, weights, np.empty(COLUMNS), np.empty(COLUMNS))
    return rollouts(view, mind[PLIES], weights, rng, np.empty(COLUMNS), np.empty(COLUMNS, np.int64))


@dataclass
class FiveOChampion(Agent):
    """Plays every column on with a network that learned from self-play, and the hidden row by counting."""

    name: ClassVar[str] = "champion"
    games: ClassVar[tuple[str, ...]] = ("five-o",)
    plays = champion

    time: float = 0.05
    plies: int | None = None
    lessons: int = pairs.GAMES

    def __post_init__(self) -> None:
        if not 0 <= self.time <= 3600:
            raise InputError(f"time={self.time!r}: seconds a move, from 0 to 3600")
        if self.plies is not None:
            self.plies = whole(self.plies, "plies", least=0, most=10**12)
        self.lessons = whole(self.lessons, "lessons", least=1, most=10**9)

    def decide(self, turn: Turn[FiveOView]) -> Decision:
        view, mind, rng = turn.view, turn.mind, turn.rng.state
        values, counts = np.full(COLUMNS, np.nan), np.zeros(COLUMNS, np.int64)
        put_chances, wait_chances = np.empty(COLUMNS), np.empty(COLUMNS)
        if row_of(view.placed) == ROWS - 1:
            if view.hidden != ROWS - 1:
                return Exact().decide(turn)
            best = place_values(view, rng, values)
            return Decision(
                best,
                values=_known(values),
                reason=f"column {best + 1} wins {100 * values[best]:.1f} % of the rows that may lie face down",
                figures={"win": float(values[best])},
            )
        glance = at_a_glance(view, network_in(mind), wait_chances, put_chances)
        figures: dict[str, Any] = {
            "put": [None if chance < 0 else float(chance) for chance in put_chances],
            "wait": wait_chances.tolist(),
        }
        if mind[PLIES] == 0:
            return Decision(glance, reason=f"column {glance + 1} raises the chance of three most", figures=figures)
        best = rollouts(view, mind[PLIES], network_in(mind), rng, values, counts)
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

    def mind(self, game: AnyGame) -> Mind:
        return _mind(self._plies(), self.lessons)

    def effort(self, game: AnyGame) -> str:
        return f"up to {self._plies():,} placements a choice" if self.plies is None else ""

    def _plies(self) -> int:
        """The maximum number of placements for a choice."""
        if self.plies is not None:
            return self.plies
        return _most_plies(self.time * MOVES_A_CHOICE * plies_a_second(self.lessons))


def _known(values: Chances) -> dict[int, float]:
    return {column: float(value) for column, value in enumerate(values) if not np.isnan(value)}


@functools.lru_cache(maxsize=8)
def _mind(plies: int, lessons: int) -> Mind:
    mind = np.concatenate([[0.0, 1.0, plies, 0.0], pairs.learned(lessons).reshape(-1).view(np.float64)])
    mind.flags.writeable = False
    return mind


def _most_plies(mean: float) -> int:
    """The maximum number of placements for a choice that makes the average `mean`.

    Measured in its own games, the average is 84 % of a maximum of 2,500, 73 % of 12,000, 60 % of 60,000, 46 % of
    200,000, 35 % of 800,000 and 20 % of 4,000,000.
    """
    most = mean
    for _ in range(50):
        most = mean / max(0.1, min(1.0, 1.53 - 0.2 * math.log10(max(1.0, most))))
    return int(most)


@functools.cache
def plies_a_second(lessons: int) -> float:
    """How many placements one core simulates in a second, measured once per process."""
    rng = stream(0, "speed")
    view, weights = at_random(0, rng), pairs.learned(lessons)
    best, plies = 0.0, 50_000.0
    for _ in range(4):  # the first compiles
        begin, counts = time.thread_time(), np.zeros(COLUMNS, np.int64)
        rollouts(view, plies, weights, rng.state, np.empty(COLUMNS), counts)
        used = counts.sum() * (OPEN_PLIES + COST_OF_ROWS)
        best = max(best, used / (time.thread_time() - begin))
    return best
