"""Players that follow a solution: a strategy that a solver found, looked up by what the seat sees."""

import dataclasses
import functools
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame, Mind, Policy
from fifthstreet.kernel import factory, kernel
from fifthstreet.naming import spec_of
from fifthstreet.record import byte_at
from fifthstreet.rng import below, uniform
from fifthstreet.solvers.information import hash_of
from fifthstreet.solvers.solution import solve
from fifthstreet.solvers.strategy import Strategy, name_of
from fifthstreet.solvers.tree import Views

# The mind: how many slots there are and how many actions at most, the slots, and a row for each information set: its
# hash, as far as a float holds it, the actions, and the probabilities added up.
SLOTS, WIDTH, TABLE = 0, 1, 2
_U = np.uint64


@factory
def table_policy(choice_count: Any, choice: Any, view_size: int) -> Policy:
    """The policy that looks the strategy up in the mind; all actions are equally likely in a view it does not know."""

    @kernel
    def look_up(view: Any, mind: Any, rng: Any) -> int:
        wanted = hash_of_record(view, view_size)
        slots, width = int(mind[SLOTS]), int(mind[WIDTH])
        slot = int(wanted) & (slots - 1)
        while mind[TABLE + slot] >= 0:
            row = TABLE + slots + int(mind[TABLE + slot]) * (1 + 2 * width)
            if mind[row] == wanted:
                rest, last = uniform(rng), 0
                while last < width - 1 and mind[row + 1 + width + last] <= rest:
                    last += 1
                return int(mind[row + 1 + last])
            slot = (slot + 1) & (slots - 1)
        return choice(view, below(rng, choice_count(view)))

    return look_up


@kernel
def hash_of_record(view: Any, size: int) -> float:
    """The hash of a view's bytes, 52 bits of it, which a float holds exactly."""
    value = _U(0xCBF29CE484222325)
    for place in range(size):
        value = (value ^ _U(byte_at(view, place))) * _U(0x100000001B3)
    return float((value ^ (value >> _U(29))) * _U(0x100000001B3) >> _U(12))


def table_of(strategy: Strategy) -> Mind:
    """The strategy as a mind."""
    views = strategy.views
    assert isinstance(views, Views)
    counts = np.diff(strategy.start)
    width, slots = int(counts.max(initial=1)), 1 << int(2 * len(views) + 1).bit_length()
    rows = np.zeros((len(views), 1 + 2 * width))
    places = np.full(slots, -1.0)
    for number, row in enumerate(views.rows):
        wanted = float(int(hash_of(row)) >> 12)
        chances = dict(reversed(strategy.by_number(number).items()))  # so that small random numbers mean a bet
        count = len(chances)
        rows[number, 0] = wanted
        rows[number, 1 : 1 + count] = list(chances)
        rows[number, 1 + count : 1 + width] = rows[number, count]
        rows[number, 1 + width :] = 1.0
        rows[number, 1 + width : width + count] = np.cumsum(list(chances.values()))[: count - 1]
        slot = int(wanted) & (slots - 1)
        while places[slot] >= 0:
            slot = (slot + 1) & (slots - 1)
        places[slot] = number
    return np.concatenate([[slots, width], places, rows.ravel()])


class StrategyPlayer(Agent):
    """Plays a strategy."""

    @abstractmethod
    def strategy(self, game: AnyGame) -> Strategy:
        """The strategy for this game."""

    def probabilities(self, view: Any, game: AnyGame) -> Mapping[int, float] | None:
        return self.strategy(game).get(view)

    def decide(self, turn: Turn[Any]) -> Decision:
        policy = self.policy(turn.game)
        assert policy is not None
        action = policy(turn.view, turn.mind, turn.rng.state)
        chances = self.probabilities(turn.view, turn.game)
        if chances is None:
            return Decision(action, reason="the solution does not come here, so it acts at random")
        words = ", ".join(f"{name_of(turn.game, each)} {chance:.0%}" for each, chance in chances.items())
        return Decision(action, reason=f"optimal play: {words}", figures={"probabilities": dict(chances)})

    def policy(self, game: AnyGame) -> Policy | None:
        rules = game.rules
        return table_policy(rules.choice_count, rules.choice, rules.view.size) if rules else None

    def mind(self, game: AnyGame) -> Mind:
        return table_of(self.strategy(game))


@functools.cache
def _solution(spec: str, until: float) -> Strategy:
    method = "predictive" if spec.startswith("kuhn") else "discounted"  # what converges fastest there
    return solve(spec, method, until).strategy


@dataclass
class Equilibrium(StrategyPlayer):
    """Plays the game's solution, which no opponent can beat in the long run."""

    name: ClassVar[str] = "equilibrium"
    games: ClassVar[tuple[str, ...]] = ("leduc",)
    source: ClassVar[str] = "solvers/"

    until: float = 1e-4  # exploitability, in chips per deal

    def __post_init__(self) -> None:
        if not 1e-7 <= self.until <= 1:
            raise InputError(f"until={self.until}: an exploitability from 0.0000001 to 1 chip per deal")

    def strategy(self, game: AnyGame) -> Strategy:
        return _solution(spec_of(game), self.until)


@dataclass
class KuhnEquilibrium(StrategyPlayer):
    """Plays the solution: loses 1/18 a deal in the first seat and wins it in the second, whatever the opponent does."""

    name: ClassVar[str] = "equilibrium"
    games: ClassVar[tuple[str, ...]] = ("kuhn",)
    source: ClassVar[str] = "H. W. Kuhn, A simplified two-person poker, 1950"

    bluff: float = 1 / 3  # how often the first player bets a jack: any number up to 1/3 is optimal

    def __post_init__(self) -> None:
        if not 0 <= self.bluff <= 1 / 3:
            raise InputError(f"bluff={self.bluff}: best play bluffs with a probability from 0 to 1/3")

    def strategy(self, game: AnyGame) -> Strategy:
        return with_bluff(_solution(spec_of(game), 1e-7), self.bluff)


def with_bluff(solution: Strategy, bluff: float) -> Strategy:
    """The solution of Kuhn poker in which the first player bets a jack this often.

    The first player's optimal strategies are one family: a king is bet three times as often as a jack, and a queen that
    was checked calls a bet 1/3 more often.
    """
    chances = solution.probabilities.copy()
    for number, view in enumerate(solution.views):
        if view.moves == 0 and view.card != 1:
            bets = bluff if view.card == 0 else 3 * bluff
        elif view.moves == 2 and view.card == 1:
            bets = bluff + 1 / 3
        else:
            continue
        chances[solution.start[number] : solution.start[number + 1]] = 1 - bets, bets
    return dataclasses.replace(solution, probabilities=chances, _numbers={})


@dataclass
class Solved(StrategyPlayer):
    """Plays a strategy that `fifthstreet solve --keep` has written."""

    name: ClassVar[str] = "solved"

    file: str

    def strategy(self, game: AnyGame) -> Strategy:
        found = _KEPT.get((self.file, spec_of(game)))
        if found is None:
            found = _KEPT[self.file, spec_of(game)] = Strategy.load(self.file, game)
        return found


_KEPT: dict[tuple[str, str], Strategy] = {}
