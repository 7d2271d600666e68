"""The champion of five-card draw.

It knows the exact best exchange of every hand and what it is worth. With three or more players it plays by some thirty
numbers (`genes`) that survived co-evolution against the paper's styles, trained adaptive players and earlier champions;
`bluff=no` switches off the bluffs there, to see what they are worth. Heads-up it plays a strategy from regret
minimisation (`equilibrium`).
"""

import functools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.draw import equilibrium
from fifthstreet.agents.draw.equilibrium import CHOICES, ITERATIONS, SIZES, STRATEGY, Known, heads_up, place_in
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
from fifthstreet.games.five_card_draw import EXCHANGE, DrawView, FiveCardDraw, Trade, strength_of
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.kernel import kernel
from fifthstreet.learned import Recipe
from fifthstreet.record import one_record
from fifthstreet.rng import RngState

GENERATIONS, HANDS = 48, 1_500
_NEVER = -50.0  # the logarithm of the odds of a bluff that is never made

# Places in the mind, behind the genes.
HEADS_UP = GENES
AT_END = HEADS_UP + STRATEGY
BEFORE = AT_END + STRENGTHS + 1
BEST = BEFORE + BINS + 1

KNOWN = Known.dtype


@kernel
def tables_in(mind: Mind) -> Tables:
    return Tables(mind[AT_END:BEFORE], mind[BEFORE:BEST], mind[BEST:])


@kernel
def champion(view: DrawView, mind: Mind, rng: RngState) -> int:
    if view.seats == 2:
        return heads_up(view, mind[HEADS_UP:AT_END], tables_in(mind), one_record(KNOWN), rng)
    return by_genes(view, mind, tables_in(mind), rng)


@kernel
def better_hands(view: DrawView, mind: Mind) -> float:
    return share_better(view, tables_in(mind))


@kernel
def heads_up_place(view: DrawView, known: Known, mind: Mind) -> int:
    return HEADS_UP + place_in(view, known, tables_in(mind))


@dataclass
class DrawChampion(Agent):
    """Bets by the exact worth of its hand: as co-evolution found, and heads-up so that no opponent wins much."""

    name: ClassVar[str] = "champion"
    games: ClassVar[tuple[str, ...]] = ("five-card-draw",)
    plays = champion

    generations: int = GENERATIONS
    hands: int = HANDS
    iterations: int = ITERATIONS
    bluff: bool = True

    def __post_init__(self) -> None:
        self.generations = whole(self.generations, "generations", least=0, most=10_000)
        self.hands = whole(self.hands, "hands for each table of a generation", least=1, most=10_000_000)
        self.iterations = whole(self.iterations, "deals to learn from", least=0, most=1_000_000_000)

    def decide(self, turn: Turn[DrawView]) -> Decision:
        view, mind = turn.view, turn.mind
        action = champion(view, mind, turn.rng.state)
        if view.street == EXCHANGE:
            return Decision(Trade(action), reason="the exact best exchange")
        better = better_hands(view, mind)
        if view.seats == 2:
            return self._heads_up(view, mind, action, better)
        own, first = mind[:GENES], situation(view)
        seems, limit = outlook(view, own, better), limit_of(view, float(own[first + 1]))
        figures = {
            "better hands": better,
            "an opponent is better": seems,
            "calls up to": float(np.exp(own[first])) * limit,
            "raises up to": float(np.exp(own[first + 2])) * limit**2,
        }
        reason = (
            f"{describe(strength_of(view, view.seat))}: {100 * better:.1f} % of hands are better, so an opponent has "
            f"one with a chance of {100 * seems:.0f} %; it calls up to {100 * figures['calls up to']:.0f} % "
            f"and raises up to {100 * figures['raises up to']:.0f} %"
        )
        if action > 0 and seems >= figures["raises up to"]:
            reason += ", and bluffs"
        return Decision(action, reason=reason, figures=figures)

    def _heads_up(self, view: DrawView, mind: Mind, action: int, better: float) -> Decision:
        known = Known.blank()
        equilibrium.read(view, known)
        place = heads_up_place(view, known, mind)
        chances = mind[place : place + CHOICES].tolist()
        names = ["give up", "stay in", *(f"raise by {size:g} pots" for size in SIZES.tolist())]
        figures = {name: chance for name, chance in zip(names, chances, strict=True) if chance > 0}
        mixed = ", ".join(f"{name} {100 * chance:.0f} %" for name, chance in figures.items())
        hand = f"{describe(strength_of(view, view.seat))}: {100 * better:.1f} % of hands are better"
        return Decision(action, reason=f"{hand}; it mixes {mixed}", figures={"better hands": better} | figures)

    def mind(self, game: AnyGame) -> Mind:
        most = game.trade if isinstance(game, FiveCardDraw) else FiveCardDraw.trade
        return _mind(self.generations, self.hands, self.iterations, self.bluff, most)

    def memory(self, mind: Mind) -> list[dict[str, Any]]:
        """Its numbers for three or more players, by situation."""
        rows = []
        for number, part in enumerate(mind[:CROWD].reshape(-1, len(KINDS))):
            shown = np.exp(part)
            shown[3] = shown[3] / (1 + shown[3])
            row = {"round": number // 3 + 1, "facing": SITUATIONS[number % 3]}
            rows.append(row | {kind: float(value) for kind, value in zip(KINDS, shown, strict=True)})
        return rows


@functools.lru_cache(maxsize=4)
def _mind(generations: int, hands: int, iterations: int, bluff: bool, most: int) -> Mind:
    """Shared by all champions with these parameters, since none writes to it."""
    own = bred(generations, hands)[0].copy()
    if not bluff:
        own[:CROWD].reshape(-1, len(KINDS))[:, 3] = _NEVER
    mind = np.concatenate([own, equilibrium.learned(iterations), *tables(most)])
    mind.flags.writeable = False
    return mind


@functools.cache
def bred(generations: int, hands: int = HANDS) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The genes after this many generations, and what each generation won at each table; bred once and kept."""
    kept = recipe(generations, hands).arrays()
    return kept["genes"], kept["won"]


def recipe(generations: int = GENERATIONS, hands: int = HANDS) -> Recipe:
    def breed() -> dict[str, Any]:
        game = FiveCardDraw()
        found, history = coevolved(game, tables(game.trade), generations, hands=hands)
        return {"genes": found, "won": history}

    return Recipe(
        __file__,
        f"draw-champion-{generations}-{hands}",
        breed,
        game=FiveCardDraw.name,
        agent=DrawChampion.name,
        cost=60 * generations * hands / (GENERATIONS * HANDS),
        games=generations * hands,
        shapes={"genes": (GENES,), "won": (generations, None)},
        shipped=(generations, hands) == (GENERATIONS, HANDS),
    )
