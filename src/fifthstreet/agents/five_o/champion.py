"""A player of Five-O by rollouts, with columns valued by self-play.

Every open column is tried with the same sampled decks, each played to the end by both sides with the learned values,
and the column that wins most games is taken. After each part of the decks the worse half of the columns is dropped.
What is hidden from a player stays hidden from it in the rollouts too: a side goes by the opponent's visible cards.

Time a move is turned into a number of simulated placements by a speed that is measured once in a process, so that a
policy needs no clock; `plies` sets the number itself, and makes results repeatable.
"""

import functools
import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o import columns
from fifthstreet.agents.five_o.chances import visible
from fifthstreet.agents.five_o.columns import (
    FACTS,
    best_placement,
    outcome,
    play_on,
    put_card,
)
from fifthstreet.agents.five_o.expectiminimax import imagine_order
from fifthstreet.errors import InputError, whole
from fifthstreet.evaluation.strength import EMPTY
from fifthstreet.games.five_o import COLUMNS, HIDDEN, NEXT, PLACED, PLACEMENTS, SEAT, is_open, place_of, row_of
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.kernel import kernel

PLIES, VALUES = 0, 1  # in the mind: how many placements to simulate for a decision, then the learned values


@kernel
def read_board(data: Any, values: Any, facts: Any, keys: Any, bits: Any) -> None:
    """The board as the rollouts keep it."""
    facts[:], keys[:], bits[:] = 0.0, EMPTY, np.uint64(0)
    for side in range(2):
        for column in range(COLUMNS):
            first = place_of(side, column, 0)
            for row in range(visible(data, side, column)):
                put_card(facts, keys, bits, side, column, data[first + row], data[HIDDEN], values)


@kernel
def rollouts(view: Any, mind: Any, words: Any, scores: Any, counts: Any) -> int:
    """Play the game on with sampled decks; the sum of outcomes and the number of decks by column, and the best."""
    values, seat, placed = mind[VALUES:], view[SEAT], view[PLACED]
    scores[:], counts[:] = 0.0, 0
    data, cards = np.empty_like(view), np.empty(60, np.int64)
    start, facts = np.zeros((2, COLUMNS, FACTS)), np.zeros((2, COLUMNS, FACTS))
    keys, bits = np.zeros((2, COLUMNS), np.uint64), np.zeros((2, COLUMNS), np.uint64)
    start_keys, start_bits = keys.copy(), bits.copy()
    alive, left = np.zeros(COLUMNS, np.bool_), 0
    for column in range(COLUMNS):
        alive[column] = is_open(view, column)
        left += alive[column]
    stages = 1 if left <= 2 else 2 if left <= 4 else 3
    budget = mind[PLIES] / (PLACEMENTS - placed) / stages  # rollouts in a stage
    for stage in range(stages):
        for _ in range(max(1, int(budget / left))):
            imagine_order(view, words, data, cards)
            read_board(data, values, start, start_keys, start_bits)
            for column in range(COLUMNS):
                if alive[column]:
                    facts[:], keys[:], bits[:] = start, start_keys, start_bits
                    put_card(facts, keys, bits, seat, column, cards[0], view[HIDDEN], values)
                    play_on(facts, keys, bits, cards[1:], placed + 1, PLACEMENTS, view[HIDDEN], values)
                    scores[column] += outcome(facts, seat)
                    counts[column] += 1
        if stage < stages - 1:
            keep = max(2, (left + 1) // 2)
            while left > keep:
                worst = -1
                for column in range(COLUMNS):
                    if alive[column] and (worst < 0 or scores[column] < scores[worst]):
                        worst = column
                alive[worst] = False
                left -= 1
    best = -1
    for column in range(COLUMNS):
        if alive[column] and (best < 0 or scores[column] > scores[best]):
            best = column
    return best


@kernel
def by_rollouts(view: Any, mind: Any, words: Any) -> int:
    if mind[PLIES] == 0:
        facts, keys = np.zeros((2, COLUMNS, FACTS)), np.zeros((2, COLUMNS), np.uint64)
        bits = np.zeros((2, COLUMNS), np.uint64)
        read_board(view, mind[VALUES:], facts, keys, bits)
        return best_placement(facts, keys, bits, view[SEAT], view[NEXT], row_of(view), mind[VALUES:])
    return rollouts(view, mind, words, np.empty(COLUMNS), np.empty(COLUMNS, np.int64))


@dataclass
class Champion(Agent):
    """Plays every column on with sampled decks and values learned by self-play, and takes the one that wins most."""

    name: ClassVar[str] = "champion"
    games: ClassVar[tuple[str, ...]] = ("five-o",)

    time: float = 0.05
    plies: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.time <= 3600:
            raise InputError(f"time={self.time!r}: seconds a move, from 0 to 3600")
        if self.plies is not None:
            self.plies = whole(self.plies, "plies", least=0, most=10**12)

    def decide(self, turn: Turn) -> Decision:
        scores, counts = np.empty(COLUMNS), np.empty(COLUMNS, np.int64)
        if turn.mind[PLIES] == 0:
            best = by_rollouts(turn.view.data, turn.mind, turn.rng.words)
            return Decision(best, reason=f"column {best + 1} raises the chance of three columns most")
        best = rollouts(turn.view.data, turn.mind, turn.rng.words, scores, counts)
        wins = {column: float(scores[column] / counts[column]) for column in range(COLUMNS) if counts[column]}
        return Decision(
            best,
            values=wins,
            reason=f"column {best + 1} wins {100 * wins[best]:.1f} % of {counts[best]:,} games played on",
            figures={"win": wins[best], "decks": {column: int(count) for column, count in enumerate(counts) if count}},
        )

    def policy(self, game: AnyGame) -> Policy | None:
        return by_rollouts

    def mind(self) -> NDArray[np.float64]:
        return _mind(int(self.time * _plies_a_second()) if self.plies is None else self.plies)


@functools.lru_cache(maxsize=8)
def _mind(plies: int) -> NDArray[np.float64]:
    return np.concatenate([[plies], columns.learned()])


@functools.cache
def _plies_a_second() -> float:
    """How many placements one core simulates in a second, measured once in a process."""
    from fifthstreet.games.five_o import FiveO
    from fifthstreet.rng import stream

    game, rng = FiveO(), stream(0, "speed")
    state = game.start()
    while game.to_act(state) == -1:
        choices = game.choices(state)
        state = game.after(state, choices[rng.below(len(choices))])
    view, mind = game.view(state, 0).data, _mind(200_000)
    best = 0.0
    for _ in range(4):  # the first compiles
        begin = time.perf_counter()
        rollouts(view, mind, rng.words, np.empty(COLUMNS), np.empty(COLUMNS, np.int64))
        best = max(best, mind[PLIES] / (time.perf_counter() - begin))
    return best
