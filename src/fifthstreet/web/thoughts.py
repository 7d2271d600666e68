"""What an agent thought, ready to be drawn: bars, a win probability, chances by column, scores by cell, other figures.

A thought is made from the `Decision` that the agent returned and is kept with the action. Who may see it is decided
when it is shown (`may_see`): everybody as long as the table lies open, and when the hand is over; nobody else before.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fifthstreet.agents.agent import Decision
from fifthstreet.games.game import AnyGame
from fifthstreet.games.poker_squares import CELLS
from fifthstreet.web.drawing.face import Face, Json
from fifthstreet.web.hand import Hand, Step

MOST_BARS = 8
WIN = ("win", "better than all", "share")  # figures that are a chance to win
DRAWN = {*WIN, "put", "wait", "opponents", "score", "value added", "pool", "decks", "votes"}


def thought_of(decision: Decision, game: AnyGame, view: Any, face: Face, order: Sequence[int]) -> Json:
    """The decision as JSON, `open` if everybody sees all that it went by."""
    figures = dict(decision.figures)
    values = {int(action): float(value) for action, value in decision.values.items() if math.isfinite(value)}
    chances = bool(values) and game.name == "five-o" and all(0 <= value <= 1 for value in values.values())
    return {
        "action": face.label(game, view, int(decision.action)),
        "reason": str(decision.reason)[:500],
        "open": bool(game.lies_open(view)),
        "bars": _bars(values, int(decision.action), game, view, face),
        "unit": "chance" if chances else "value" if game.name == "five-o" else face.unit,
        "win": _chance(figures, WIN),
        "strength": _chance(figures, ("hand strength",)),
        "columns": _columns(figures),
        "cells": [_rounded(values.get(cell)) for cell in range(CELLS)] if game.name == "poker-squares" else None,
        "figures": _texts(figures),
        "opponents": _opponents(figures.get("opponents"), order),
    }


def _bars(values: Mapping[int, float], chosen: int, game: AnyGame, view: Any, face: Face) -> list[Json]:
    best = sorted(values, key=lambda action: -values[action])[:MOST_BARS]
    shown = sorted({*best, chosen} & set(values)) if game.name != "poker-squares" else best
    bars = [
        {"label": face.label(game, view, action), "value": _rounded(values[action]), "chosen": action == chosen}
        for action in shown
    ]
    if values and chosen not in values:  # it gave up, which adds and costs nothing
        bars.insert(0, {"label": face.label(game, view, chosen), "value": 0.0, "chosen": True})
    return bars


def _chance(figures: Mapping[str, Any], names: Sequence[str]) -> float | None:
    """The first of these figures that is there, if it lies between 0 and 1."""
    found = [figures[name] for name in names if isinstance(figures.get(name), int | float)]
    return _rounded(found[0]) if found and 0 <= found[0] <= 1 else None


def _columns(figures: Mapping[str, Any]) -> list[Json] | None:
    put, wait = figures.get("put"), figures.get("wait")
    if not isinstance(put, list) or not isinstance(wait, list):
        return None
    return [{"put": _rounded(now), "wait": _rounded(later)} for now, later in zip(put, wait, strict=True)]


def _opponents(believed: Any, order: Sequence[int]) -> list[Json]:
    """How strong it holds the others to be, by chair."""
    if not isinstance(believed, Mapping):
        return []
    found = []
    for name, what in believed.items():
        seat = str(name).removeprefix("seat ")
        if seat.isdigit() and int(seat) < len(order) and isinstance(what, Mapping):
            strength, seen = _rounded(what.get("hand strength")), int(what.get("observations", 0))
            found.append({"seat": order[int(seat)], "strength": strength, "observations": seen})
    return found


def _texts(figures: Mapping[str, Any]) -> list[Json]:
    """Every other figure, in words."""
    found = []
    for name, value in figures.items():
        if name in DRAWN or isinstance(value, list | tuple | Mapping):
            continue
        share = isinstance(value, float) and 0 <= value <= 1
        text = f"{100 * value:.1f} %" if share else f"{value:.4g}" if isinstance(value, float) else str(value)[:80]
        found.append({"label": str(name), "text": text})
    return found


def _rounded(value: Any) -> float | None:
    """A number that JSON can hold, no longer than anybody reads."""
    return round(float(value), 4) if isinstance(value, int | float) and math.isfinite(value) else None


def may_see(thought: Json, hand: Hand, everything: bool) -> bool:
    return bool(thought["open"]) or hand.over or everything


def last_thoughts(hand: Hand, names: Sequence[str], everything: bool = False) -> list[Json]:
    """Each agent's thought at its last decision, or only that there is one while it would give something away."""
    latest: dict[int, Step] = {step.chair: step for step in hand.steps if step.thought is not None}
    return [shown(step, hand, names, everything) for _, step in sorted(latest.items())]


def shown(step: Step, hand: Hand, names: Sequence[str], everything: bool = False) -> Json:
    who = {"seat": step.chair, "name": names[step.chair], "phase": hand.face.phases(hand.game)[step.phase]}
    thought = step.thought
    if thought is None or not may_see(thought, hand, everything):
        return who | {"hidden": True}
    return who | {"hidden": False} | {key: value for key, value in thought.items() if key != "open"}
