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

from fifthstreet.agents.draw import adaptive, evolution, hands
from fifthstreet.agents.draw.adaptive import ByValues
from fifthstreet.agents.draw.evolution import BY_VALUE, STYLES, Player, Trial, improved
from fifthstreet.agents.draw.values import HIGHEST, LOWEST
from fifthstreet.errors import whole
from fifthstreet.games.five_card_draw import FiveCardDraw
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.learned import Recipe
from fifthstreet.learned.steps import State, in_steps

GENERATIONS, PAIRS, HANDS = 40, 16, 2_000


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
    found: NDArray[np.float64] = recipe(table, generations).arrays()["values"]
    return found


def recipe(table: str = "mixed", generations: int = GENERATIONS) -> Recipe:
    return Recipe(
        __file__,
        f"draw-evolved-{table}-{generations}",
        lambda: {"values": _evolve(table, generations)},
        game=FiveCardDraw.name,
        agent=Evolved.name,
        cost=20 * generations / GENERATIONS,
        games=generations * 2 * PAIRS * HANDS,
        shapes={"values": (hands.CLASSES,)},
        shipped=(table, generations) == ("mixed", GENERATIONS),
    )


_KINDS = len(hands.KIND_NAMES)
_SPREAD = np.concatenate([np.full(_KINDS, 1.0), np.full(hands.CLASSES, 0.4)])  # of the genes; set by hand
_LATE = 0.7  # of the generations, from which the mean is taken


def _values_of(genes: NDArray[np.float64]) -> NDArray[np.float64]:
    values: NDArray[np.float64] = genes[:_KINDS][hands.KIND_OF_CLASS] + genes[_KINDS:]
    return np.clip(values, LOWEST, HIGHEST)


def _player(genes: NDArray[np.float64]) -> Player:
    return Player(BY_VALUE, mind_of(_values_of(genes)))


def _evolve(table: str, generations: int) -> NDArray[np.float64]:
    others = tuple(STYLES.values()) if table == "mixed" else (STYLES[table],) * 4

    def start() -> State:
        genes = np.zeros(len(_SPREAD))
        genes[:_KINDS] = 9.0  # as in the paper, every hand counts as good until it loses
        return {"genes": genes, "late": genes[None] if generations == 0 else np.zeros((0, len(genes)))}

    def step(generation: int, state: State) -> State:
        genes, _ = improved(
            state["genes"],
            _player,
            [Trial(others)],
            FiveCardDraw(),
            evolution.no_tables(),
            spread=_SPREAD,
            rate=0.3 if generation < generations // 2 else 0.15,
            pairs=PAIRS,
            hands=HANDS,
            large=evolution.AS_THEY_ARE,
            seed=("evolved", table, generation),
        )
        genes[:_KINDS] = np.clip(genes[:_KINDS], LOWEST, HIGHEST)
        late = generation >= int(_LATE * generations)
        return {"genes": genes, "late": np.array([*state["late"], genes]) if late else state["late"]}

    late = in_steps("evolving learning values for draw poker", generations, start, step)["late"]
    return _values_of(late.mean(axis=0))
