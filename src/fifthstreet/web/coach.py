"""The coach: what an agent would do in a person's place, and what the person's choice cost in its opinion.

The coach is given the person's view and nothing else. The cost of a choice is how much lower the agent rates it than
its own; if the agent gives no values, only agreement is known.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fifthstreet.agents.agent import Decision
from fifthstreet.web.drawing.face import Face, Json

WORST = 3


def cost(decision: Decision, chosen: int, face: Face) -> float | None:
    """How much lower the agent rates the choice than its own; None if it gives no values."""
    if chosen == decision.action:
        return 0.0
    theirs, yours = (face.value_of(decision.values, int(action)) for action in (decision.action, chosen))
    return None if theirs is None or yours is None else round(max(0.0, theirs - yours), 4)


def summary(judged: Sequence[Json], chair: int, agent: str, hand_ids: Mapping[int, str]) -> Json:
    """This coach's verdict on the chair's choices so far, with the most costly ones.

    Some agents change units in the course of a game; only costs in the most frequent unit are added up.
    """
    own = [each for each in judged if each["chair"] == chair and each["agent"] == agent]
    known = [each for each in own if each["cost"] is not None]
    unit = max(units, key=units.count) if (units := [each["unit"] for each in known]) else None
    counted = [each for each in known if each["unit"] == unit]
    worst = sorted((each for each in counted if each["cost"] > 0), key=lambda each: -float(each["cost"]))[:WORST]
    return {
        "decisions": len(own),
        "agreed": sum(each["cost"] == 0 for each in own),
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
