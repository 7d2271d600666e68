"""The coach: what a chosen agent would do with a person's cards, and what the person's choice cost in its eyes.

The coach is given the person's view, nothing else. A cost is how much less the agent values the choice than its own;
where an agent gives no values, only whether it agrees is known.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fifthstreet.agents.agent import Decision
from fifthstreet.games.betting import FOLD
from fifthstreet.web.drawing.face import Json

WORST = 3


def value_of(values: Mapping[int, float], action: int, bets: bool) -> float | None:
    """What the agent thinks of an action; amounts between two that it looked at lie between their values."""
    if action in values:
        return float(values[action])
    if not bets:
        return None
    if action == FOLD:
        return 0.0 if values else None  # who folds adds and loses nothing from here on
    amounts = sorted(amount for amount in values if amount > 0)
    if action < 0 or not amounts:
        return None
    below = max((amount for amount in amounts if amount < action), default=amounts[0])
    above = min((amount for amount in amounts if amount > action), default=amounts[-1])
    if below >= above:
        return float(values[below if action > below else above])
    part = (action - below) / (above - below)
    return float((1 - part) * values[below] + part * values[above])


def cost(decision: Decision, chosen: int, bets: bool) -> float | None:
    """How much less the choice is worth than the agent's own; None where it does not say."""
    if chosen == decision.action:
        return 0.0
    theirs, yours = (value_of(decision.values, int(action), bets) for action in (decision.action, chosen))
    return None if theirs is None or yours is None else round(max(0.0, theirs - yours), 4)


def summary(judged: Sequence[Json], chair: int, agent: str, hand_ids: Mapping[int, str]) -> Json:
    """What this coach made of the chair's choices so far, with the worst to look at again.

    Some agents count in one unit at first and in another at the end; only what is counted alike is added up.
    """
    own = [each for each in judged if each["chair"] == chair and each["agent"] == agent]
    known = [each for each in own if each["cost"] is not None]
    unit = max(units, key=units.count) if (units := [each["unit"] for each in known]) else None
    counted = [each for each in known if each["unit"] == unit]
    worst = sorted((each for each in counted if each["cost"] > 0), key=lambda each: -float(each["cost"]))[:WORST]
    return {
        "decisions": len(own),
        "agreed": sum(each["yours"] == each["theirs"] or each["cost"] == 0 for each in own),
        "cost_last": own[-1]["cost"] if own else None,
        "last": _shown(own[-1], hand_ids) if own else None,
        "unit": unit,
        "counted": len(counted),
        "cost_session": round(sum(each["cost"] for each in counted), 4) if counted else None,
        "worst": [_shown(each, hand_ids) for each in worst],
    }


def _shown(each: Json, hand_ids: Mapping[int, str]) -> Json:
    keys: tuple[str, ...] = ("hand", "step", "cost", "yours", "theirs", "agent", "unit", "phase")
    found: dict[str, Any] = {key: each[key] for key in keys}
    return found | {"hand_id": hand_ids.get(each["hand"])}
