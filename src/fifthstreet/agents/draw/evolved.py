"""The paper's rule with evolved values: an evolution strategy in place of the steps of 0.1.

The paper plans this in section 4. All values of a strategy are tried together over many hands at a table, against other
strategies on the same deals, so that no value has to wait until its hand has come forty times.

A rare class alone hardly changes what a strategy wins, so its value would only drift. The genes are therefore a value
for each of the ten kinds of hands, and for each class a smaller deviation from it; the values are a mean over the last
generations.
"""

import functools
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.agents.draw import adaptive, evolution, hands
from fifthstreet.agents.draw.adaptive import ByValues
from fifthstreet.agents.draw.evolution import BY_VALUE, STYLES, Player, Trial, improved
from fifthstreet.agents.draw.values import HIGHEST, LOWEST
from fifthstreet.errors import whole
from fifthstreet.games.five_card_draw import FiveCardDraw
from fifthstreet.games.game import AnyGame, Mind

GENERATIONS = 40


@dataclass
class Evolved(ByValues):
    """Plays by the adaptive player's rule, with learning values that evolved at a table of the four styles."""

    name: ClassVar[str] = "evolved"
    source: ClassVar[str] = "adaptive-draw section 4"

    table: Literal["mixed", "loose-aggressive", "loose-passive", "tight-aggressive", "tight-passive"] = "mixed"
    generations: int = GENERATIONS

    def __post_init__(self) -> None:
        self.generations = whole(self.generations, "generations", least=0, most=10_000)

    def mind(self, game: AnyGame) -> Mind:
        return mind_of(evolved_values(self.table, self.generations))


def mind_of(values: NDArray[np.float64]) -> Mind:
    mind = np.zeros(adaptive.MIND)
    mind[adaptive.VALUES : adaptive.LESSONS] = values
    return mind


@functools.cache
def evolved_values(table: str, generations: int) -> NDArray[np.float64]:
    """The values after this many generations, evolved once and kept."""
    name = f"draw-evolved-{table}-{generations}"
    kept = cache.arrays(__file__, name, lambda: {"values": _evolve(table, generations)})
    found: NDArray[np.float64] = kept["values"]
    return found


_KINDS = len(hands.KIND_NAMES)
_SPREAD = np.concatenate([np.full(_KINDS, 1.0), np.full(hands.CLASSES, 0.4)])  # of the genes; set by hand
_LATE = 0.7  # of the generations, from which the mean is taken


def _values_of(genes: NDArray[np.float64]) -> NDArray[np.float64]:
    values: NDArray[np.float64] = genes[:_KINDS][hands.KIND_OF_CLASS] + genes[_KINDS:]
    return np.clip(values, LOWEST, HIGHEST)


def _evolve(table: str, generations: int) -> NDArray[np.float64]:
    others = tuple(STYLES.values()) if table == "mixed" else (STYLES[table],) * 4
    genes = np.zeros(len(_SPREAD))
    genes[:_KINDS] = 9.0  # as in the paper, every hand counts as good until it loses
    late = [genes] if generations == 0 else []
    for generation in range(generations):
        genes, _ = improved(
            genes,
            lambda tried: Player(BY_VALUE, mind_of(_values_of(tried))),
            [Trial(others)],
            FiveCardDraw(),
            evolution.no_tables(),
            spread=_SPREAD,
            rate=0.3 if generation < generations // 2 else 0.15,
            pairs=16,
            hands=2_000,
            large=evolution.AS_THEY_ARE,
            seed=("evolved", table, generation),
        )
        genes[:_KINDS] = np.clip(genes[:_KINDS], LOWEST, HIGHEST)
        if generation >= int(_LATE * generations):
            late.append(genes)
        if generation % 20 == 19:
            cache.announce(f"evolving learning values for draw poker, once: {100 * (generation + 1) // generations} %")
    return _values_of(np.mean(late, axis=0))
