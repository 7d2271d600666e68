"""What an agent thought, ready to be drawn: the value of each alternative, a chance to win, and other figures.

A thought is made from the `Decision` that the agent returned and is stored with the action. `may_see` decides who sees
it: everybody if the agent went by nothing hidden, or when the hand is over; until then nobody.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fifthstreet.agents.agent import Decision
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Face, Json, rounded
from fifthstreet.web.hand_in_play import Hand, Step

MOST_BARS = 8
WIN = ("win", "better than all", "share")  # figures that are a chance to win
DRAWN = {*WIN, "opponents", "score", "value added", "pool", "decks", "votes"}  # shown otherwise, or not at all


def thought_of(decision: Decision, game: AnyGame, view: Any, face: Face, order: Sequence[int]) -> Json:
    """The decision as JSON; `open` if the agent went by nothing that is hidden. `order` is the chair of each seat."""
    figures = dict(decision.figures)
    values = {int(action): float(value) for action, value in decision.values.items() if math.isfinite(value)}
    return {
        "action": face.label(game, view, int(decision.action)),
        "choice": face.choice(game, view, int(decision.action)),
        "reason": str(decision.reason)[:500],
        "open": bool(game.lies_open(view)),
        "bars": _bars(values, int(decision.action), game, view, face),
        "unit": face.unit_of(values),
        "win": _chance(figures, WIN),
        "strength": _chance(figures, ("hand strength",)),
        "figures": _texts(figures),
        "opponents": _opponents(figures.get("opponents"), order),
        **face.reasoning(figures, values),
    }


def _bars(values: Mapping[int, float], chosen: int, game: AnyGame, view: Any, face: Face) -> list[Json]:
    best = sorted(values, key=lambda action: -values[action])[:MOST_BARS]
    bars = [
        {"label": face.label(game, view, action), "value": rounded(values[action]), "chosen": action == chosen}
        for action in sorted({*best, chosen} & set(values))
    ]
    if values and chosen not in values:  # a fold, which wins and loses nothing from here on
        bars.insert(0, {"label": face.label(game, view, chosen), "value": 0.0, "chosen": True})
    return bars


def _chance(figures: Mapping[str, Any], names: Sequence[str]) -> float | None:
    """The first of these figures that is present, if it lies between 0 and 1."""
    found = [figures[name] for name in names if isinstance(figures.get(name), int | float)]
    return rounded(found[0]) if found and 0 <= found[0] <= 1 else None


def _opponents(believed: object, order: Sequence[int]) -> list[Json]:
    """How strong the agent believes the others to be, by chair; `believed` is by seat."""
    if not isinstance(believed, Mapping):
        return []
    found = []
    for seat, what in believed.items():
        if isinstance(seat, int) and 0 <= seat < len(order) and isinstance(what, Mapping):
            strength, seen = rounded(what.get("hand strength")), int(what.get("observations", 0))
            found.append({"seat": order[seat], "strength": strength, "observations": seen})
    return found


def _texts(figures: Mapping[str, Any]) -> list[Json]:
    """Every other figure, as text."""
    found = []
    for name, value in figures.items():
        if name in DRAWN or isinstance(value, list | tuple | Mapping):
            continue
        share = isinstance(value, float) and 0 <= value <= 1
        text = f"{100 * value:.1f} %" if share else f"{value:.4g}" if isinstance(value, float) else str(value)[:80]
        found.append({"label": str(name), "text": text})
    return found


def may_see(thought: Json, hand: Hand, everything: bool) -> bool:
    return bool(thought["open"]) or hand.over or everything


def last_thoughts(hand: Hand, names: Sequence[str], everything: bool = False) -> list[Json]:
    """Each agent's thought at its last decision; hidden as long as it would give something away."""
    latest: dict[int, Step] = {step.chair: step for step in hand.steps if step.thought is not None}
    return [shown(step, hand, names, everything) for _, step in sorted(latest.items())]


def shown(step: Step, hand: Hand, names: Sequence[str], everything: bool = False) -> Json:
    who = {"seat": step.chair, "name": names[step.chair], "phase": hand.face.phases(hand.game)[step.phase]}
    thought = step.thought
    if thought is None or not may_see(thought, hand, everything):
        return who | {"hidden": True}
    return who | {"hidden": False} | {key: value for key, value in thought.items() if key != "open"}
