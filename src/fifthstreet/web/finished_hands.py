"""Hands that are over: kept whole, listed in brief, replayed step by step with all cards, and branched off."""

from typing import Any

from fifthstreet.errors import InputError
from fifthstreet.web.drawing.face import Json, number, short
from fifthstreet.web.hand import Deal, Hand
from fifthstreet.web.snapshot import EVERYTHING, scene
from fifthstreet.web.statistics import deeds
from fifthstreet.web.table import Plan, Table
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


def summary(body: Json, hand: Hand) -> Json:
    """A hand in a line, and what everybody did in it, for the list of hands and for statistics."""
    best = max(body["payoffs"], key=lambda chair: body["payoffs"][chair])
    return {
        **{key: body[key] for key in ("game", "rules", "names", "chairs", "people", "payoffs")},
        "title": f"{body['names'][int(best)]} {body['payoffs'][best]:+g}",
        "steps": len(body["steps"]),
        "branch": body["deal"]["branch"],
        "deeds": deeds(hand),
    }


def hand_from(body: Json) -> Hand:
    """The hand again, by the rules."""
    hand = Hand(Deal.from_json(body["deal"]))
    for step in body["steps"]:
        hand.act(step["action"], step.get("thought"), step.get("failed"))
    return hand


def replay(body: Json) -> Json:
    """Every moment of a hand with all cards and all thoughts, for the page to step through."""
    whole, names = hand_from(body), body["names"]
    moment = Hand(whole.deal)
    frames: list[Json] = []
    for step in range(len(whole.steps) + 1):
        frame = scene(moment, names, EVERYTHING)
        _as_recorded(frame, body)
        frame.pop("log")
        frame.pop("deal")
        then: Json | None = None
        if step < len(whole.steps):
            done = whole.steps[step]
            then = {"seat": done.chair, "text": done.told, "failed": done.failed, "thought": None}
            if done.thought is not None:
                then["thought"] = shown(done, whole, names)
            moment.act(done.action)
        frames.append(frame | {"step": step, "then": then})
    end = scene(whole, names, EVERYTHING)
    return {
        "type": "hand",
        **{key: body.get(key) for key in ("id", "game", "rules", "names", "chairs", "people", "payoffs", "source")},
        "title": whole.face.title,
        "unit": whole.face.unit,
        "frames": frames,
        "log": end["log"],
        "deal": end["deal"],
    }


def _as_recorded(frame: Json, body: Json) -> None:
    """Of a hand from elsewhere, cards that nobody knows stay face down, and what was won is what was recorded."""
    for seat in frame["seats"]:
        if seat["seat"] in body.get("unknown", ()):
            seat["cards"], seat["hand_name"] = [None] * len(seat["cards"]), None
        if seat["won"] is not None:
            seat["won"] = body["payoffs"].get(str(seat["seat"]))


def branch(body: Json, given: Any) -> tuple[Plan, Json]:
    """A table that goes on from a step of a hand: its plan, and the event that begins it. The cards stay the same."""
    if not isinstance(given, dict) or set(given) - {"step", "seats"}:
        raise InputError(f"{short(given)} is not a branch: an object with a step, and seats, is wanted")
    step = number(given.get("step"), "step")
    if not 0 <= step < len(body["steps"]):
        raise InputError(f"step {step}: this hand can be left at steps 0 to {len(body['steps']) - 1}")
    chairs = given.get("seats", body["chairs"])
    if not isinstance(chairs, list) or len(chairs) != len(body["chairs"]):
        raise InputError(f"{short(chairs)} are not seats: this hand has {len(body['chairs'])}")
    left = body["deal"]["branch"] or {"hand": body.get("id"), "step": step}
    deal = body["deal"] | {"branch": left | {"step": step}}
    before = [done["action"] for done in body["steps"][:step]]
    plan = Plan(body["rules"], tuple(chairs), carry=False)
    return plan, {"kind": "hand", "deal": deal, "before": before}
