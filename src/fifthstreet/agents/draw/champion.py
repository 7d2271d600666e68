"""The champion of five-card draw.

It knows the exact best exchange of every hand and what it is worth. At tables of three and more it plays by some thirty
numbers (`genes`) that survived co-evolution against the paper's styles, adaptive players that had learned, and earlier
champions; `bluff=no` switches off the bluffs there, to see what they are worth. Between two it plays a strategy from
regret minimisation (`equilibrium`).
"""

import functools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.draw import equilibrium
from fifthstreet.agents.draw.equilibrium import ITERATIONS, KNOWN, SIZES, STRATEGY, between_two, chances_in
from fifthstreet.agents.draw.evolution import coevolved
from fifthstreet.agents.draw.genes import (
    BINS,
    CROWD,
    GENES,
    KINDS,
    SITUATIONS,
    Tables,
    by_genes,
    limit_of,
    outlook,
    share_better,
    situation,
    tables,
)
from fifthstreet.errors import whole
from fifthstreet.evaluation.hand import STRENGTHS, describe
from fifthstreet.games.betting import SEATS
from fifthstreet.games.five_card_draw import EXCHANGE, DrawView, FiveCardDraw, Trade, strength_of
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.kernel import kernel

GENERATIONS, HANDS = 48, 1_500
_NEVER = -50.0  # the logarithm of the odds of a bluff that is never made

# Places in the mind, behind the genes.
BETWEEN_TWO = GENES
AT_END = BETWEEN_TWO + STRATEGY
BEFORE = AT_END + STRENGTHS + 1
BEST = BEFORE + BINS + 1


@kernel
def tables_in(mind: Any) -> Any:
    return Tables(mind[AT_END:BEFORE], mind[BEFORE:BEST], mind[BEST:])


@kernel
def champion(view: Any, mind: Any, words: Any) -> int:
    if view[SEATS] == 2:
        return between_two(view, mind[BETWEEN_TWO:AT_END], tables_in(mind), words)
    return by_genes(view, mind, tables_in(mind), words)


@dataclass
class DrawChampion(Agent):
    """Bets by the exact worth of its hand: at tables as co-evolution found, between two so that nobody wins much."""

    name: ClassVar[str] = "champion"
    games: ClassVar[tuple[str, ...]] = ("five-card-draw",)

    generations: int = GENERATIONS
    hands: int = HANDS
    iterations: int = ITERATIONS
    bluff: bool = True

    def __post_init__(self) -> None:
        self.generations = whole(self.generations, "generations", least=0, most=10_000)
        self.hands = whole(self.hands, "hands for each table of a generation", least=1, most=10_000_000)
        self.iterations = whole(self.iterations, "deals to learn from", least=0, most=1_000_000_000)

    def decide(self, turn: Turn) -> Decision:
        view: DrawView = turn.view
        data, mind = view.data, turn.mind
        action = champion(data, mind, turn.rng.state)
        if view.street == EXCHANGE:
            return Decision(Trade(action), reason="the exact best exchange")
        better = float(share_better(data, tables_in(mind)))
        if data[SEATS] == 2:
            return self._between_two(view, mind, action, better)
        own, first = mind[:GENES], int(situation(data))
        seems, limit = float(outlook(data, own, better)), float(limit_of(data, own[first + 1]))
        figures = {
            "better hands": better,
            "somebody is better": seems,
            "calls up to": float(np.exp(own[first])) * limit,
            "raises up to": float(np.exp(own[first + 2])) * limit**2,
        }
        reason = (
            f"{describe(strength_of(data, view.seat))}: {100 * better:.1f} % of hands are better, so somebody's is "
        )
        reason += f"with {100 * seems:.0f} %; it calls up to {100 * figures['calls up to']:.0f} %"
        reason += f" and raises up to {100 * figures['raises up to']:.0f} %"
        if action > 0 and seems >= figures["raises up to"]:
            reason += ", and bluffs"
        return Decision(action, reason=reason, figures=figures)

    def _between_two(self, view: DrawView, mind: NDArray[np.float64], action: int, better: float) -> Decision:
        known = np.empty(KNOWN, np.int64)
        equilibrium.read(view.data, known)
        chances = chances_in(view.data, known, mind[BETWEEN_TWO:AT_END], tables_in(mind)).tolist()
        names = ["give up", "stay in", *(f"raise by {size:g} pots" for size in SIZES.tolist())]
        figures = {name: chance for name, chance in zip(names, chances, strict=True) if chance > 0}
        mixed = ", ".join(f"{name} {100 * chance:.0f} %" for name, chance in figures.items())
        hand = f"{describe(strength_of(view.data, view.seat))}: {100 * better:.1f} % of hands are better"
        return Decision(action, reason=f"{hand}; it mixes {mixed}", figures={"better hands": better} | figures)

    def policy(self, game: AnyGame) -> Policy | None:
        return champion

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        most = game.trade if isinstance(game, FiveCardDraw) else FiveCardDraw.trade
        return _mind(self.generations, self.hands, self.iterations, self.bluff, most)

    def memory(self, mind: NDArray[np.float64]) -> list[dict[str, Any]]:
        """Its numbers at tables, by situation."""
        rows = []
        for number, part in enumerate(mind[:CROWD].reshape(-1, len(KINDS))):
            shown = np.exp(part)
            shown[3] = shown[3] / (1 + shown[3])
            row = {"round": number // 3 + 1, "facing": SITUATIONS[number % 3]}
            rows.append(row | {kind: float(value) for kind, value in zip(KINDS, shown, strict=True)})
        return rows


@functools.lru_cache(maxsize=4)
def _mind(generations: int, hands: int, iterations: int, bluff: bool, most: int) -> NDArray[np.float64]:
    """Nobody writes to it, so all who play with these parameters share it."""
    own = bred(generations, hands)[0].copy()
    if not bluff:
        own[:CROWD].reshape(-1, len(KINDS))[:, 3] = _NEVER
    return np.concatenate([own, equilibrium.learned(iterations), *tables(most)])


@functools.cache
def bred(generations: int, hands: int = HANDS) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The genes after this many generations, and what each generation won at each table; bred once and kept."""

    def compute() -> dict[str, Any]:
        game = FiveCardDraw()
        found, history = coevolved(game, tables(game.trade), generations, hands=hands, report=_report)
        return {"genes": found, "won": history}

    kept = cache.arrays(__file__, f"draw-champion-{generations}-{hands}", compute)
    return kept["genes"], kept["won"]


def _report(done: int, total: int) -> None:
    if total >= 10 and 10 * done // total > 10 * (done - 1) // total:
        cache.announce(f"breeding the champion of five-card draw, once: {100 * done // total} %")
