"""Small hold'em spots as games of the protocol: the solver of all games finds the same values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from fifthstreet import Spot, solve_spot
from fifthstreet.evaluation.ranges import Combo
from fifthstreet.evaluation.strength import evaluate
from fifthstreet.games.game import CHANCE
from fifthstreet.solvers import cfr
from fifthstreet.solvers.best_response import Judge
from fifthstreet.solvers.betting_tree import DEAL, FOLD, SHOWDOWN, Node
from fifthstreet.solvers.tree import expand


class State(NamedTuple):
    deal: int  # −1 before the hands are dealt
    board: tuple[int, ...]
    node: Node


@dataclass(frozen=True)
class SpotGame:
    """A spot, written down again from the rules: hands by chance, actions by number, then the better hand wins."""

    spot: Spot
    root: Node
    deals: Sequence[tuple[Combo, Combo]]
    name: str = "spot"
    seats: int = 2
    payoff_unit: str = "chips"
    rules: Any = None

    @classmethod
    def of(cls, spot: Spot) -> "SpotGame":
        deals = [(a, b) for a in spot.oop.combos for b in spot.ip.combos if not set(a) & set(b)]
        return cls(spot, spot.tree(), deals)

    def start(self) -> State:
        return State(-1, tuple(map(int, self.spot.board)), self.root)

    def to_act(self, state: State) -> int | None:
        if state.deal < 0:
            return CHANCE
        if state.node.actor in (FOLD, SHOWDOWN):
            return None
        return CHANCE if state.node.actor == DEAL else state.node.actor

    def choices(self, state: State) -> Sequence[int]:
        if state.deal < 0:
            return range(len(self.deals))
        if state.node.actor == DEAL:
            held = [card for hand in self.deals[state.deal] for card in hand]
            return [card for card in range(52) if card not in held and card not in state.board]
        return range(len(state.node.actions))

    def after(self, state: State, action: int) -> State:
        if state.deal < 0:
            return state._replace(deal=action)
        if state.node.actor == DEAL:
            return State(state.deal, (*state.board, action), state.node.children[0])
        return state._replace(node=state.node.children[action])

    def view(self, state: State, seat: int) -> Any:
        return self.deals[state.deal][seat], state.board, state.node.line

    def payoffs(self, state: State) -> tuple[float, float]:
        node, half = state.node, self.spot.pot / 2
        if node.actor == FOLD:
            won = (half + min(node.paid)) * (1 if node.paid[0] > node.paid[1] else -1)
        else:
            mine, theirs = (evaluate([*state.board, *hand]) for hand in self.deals[state.deal])
            won = (half + node.paid[0]) * ((mine > theirs) - (mine < theirs))
        return won, -won


@pytest.mark.parametrize(
    ("board", "oop", "ip", "sizes"),
    [
        ("As9c4d3h2c", "AcAd,AcAh,QcJc,QdJd,9h8h", "KcKd,KhKs,ThTs,9d9h", "50% / all-in"),
        ("QhQd7c4s4d", "AhQc,7h6h,KcKd", "AcQs,JhJd,5h3h,KhKs", "50% 100%"),
        ("Ks8d5c3h", "KhQh,6h4h,9c9d", "AhKd,7h6c", "100% / a"),
    ],
)
def test_small_spots_have_the_value_that_the_solver_of_all_games_finds(
    board: str, oop: str, ip: str, sizes: str
) -> None:
    spot = Spot.of(board, oop, ip, 2, 4, sizes)
    found = solve_spot(spot, until=2e-3)
    tree = expand(SpotGame.of(spot)).tree  # type: ignore[arg-type]
    judge, memory, iterations = Judge(tree), cfr.Memory.of(tree), 0
    while judge.exploitability(cfr.average(tree, memory)) > 2e-5:
        cfr.iterate(tree, cfr.RULES["predictive"], memory, iterations + 1, iterations + 200, True)
        iterations += 200
        assert iterations < 20_000
    value = judge.value(cfr.average(tree, memory)) + spot.pot / 2
    assert found.ev["oop"] == pytest.approx(value, abs=1e-4)
