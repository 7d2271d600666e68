"""Hands that are over: kept whole, replayed step by step with all cards, branched off, read and written as PHH."""

from collections.abc import Sequence
from typing import Any

from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand import Deal, Hand
from fifthstreet.web.snapshot import EVERYTHING, scene
from fifthstreet.web.table import Table
from fifthstreet.web.thoughts import shown


def kept(table: Table, hand: Hand) -> Json:
    """A hand that is over, as it is kept: how it began, what everybody did and thought, and what came of it."""
    return {
        "game": table.game.name,
        "rules": table.plan.game,
        "names": table.names,
        "chairs": list(table.plan.chairs),
        "people": table.plan.people,
        "deal": hand.deal.to_json(),
        "steps": [step.to_json() for step in hand.steps],
        "payoffs": {str(chair): won for chair, won in hand.payoffs().items()},
    }


def hand_from(body: Json) -> Hand:
    """The hand again, by the rules."""
    hand = Hand(Deal.from_json(body["deal"]))
    for step in body["steps"]:
        hand.act(step["action"], step.get("thought"), step.get("failed"))
    return hand


def listed(bodies: Sequence[Json]) -> list[Json]:
    """Finished hands in a line each."""
    keys = ("id", "number", "finished", "game", "rules", "names", "people", "payoffs")
    return [
        {key: body.get(key) for key in keys}
        | {"steps": len(body["steps"]), "branch": body["deal"]["branch"], "title": _title(body)}
        for body in bodies
    ]


def _title(body: Json) -> str:
    best = max(body["payoffs"], key=lambda chair: body["payoffs"][chair])
    won = body["payoffs"][best]
    return f"{body['names'][int(best)]} {won:+g}"


def replay(body: Json) -> Json:
    """Every moment of a hand with all cards and all thoughts, for the page to step through."""
    whole, names = hand_from(body), body["names"]
    moment = Hand(whole.deal)
    frames: list[Any] = []
    for number in range(len(whole.steps) + 1):
        frame = scene(moment, names, EVERYTHING)
        frame.pop("log")
        frame["deal"] = None
        step = None
        if number < len(whole.steps):
            done = whole.steps[number]
            step = {"seat": done.chair, "text": done.told, "failed": done.failed}
            step["thought"] = shown(done, whole, names) if done.thought is not None else None
            moment.act(done.action)
        frames.append(frame | {"step": number, "then": step})
    end = scene(whole, names, EVERYTHING)
    return {
        "type": "hand",
        "id": body.get("id"),
        "game": body["game"],
        "rules": body["rules"],
        "title": whole.face.title,
        "unit": whole.face.unit,
        "names": names,
        "chairs": body["chairs"],
        "people": body["people"],
        "payoffs": body["payoffs"],
        "frames": frames,
        "log": end["log"],
        "deal": end["deal"],
    }
