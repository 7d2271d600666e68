"""Hands that are over: stored, listed, replayed step by step with all cards face up, and branched off."""

import secrets
from typing import Any

from fifthstreet.errors import InputError
from fifthstreet.web.drawing.face import Json, number, short
from fifthstreet.web.hand_in_play import Deal, Hand
from fifthstreet.web.snapshot import EVERYTHING, scene, told
from fifthstreet.web.statistics import deeds
from fifthstreet.web.store import Store
from fifthstreet.web.table import PERSON, Plan, Table
from fifthstreet.web.thoughts import shown


def kept(table: Table, hand: Hand) -> Json:
    """A finished hand as it is stored: how it started, what everybody did and thought, and the payoffs."""
    return {
        "game": table.game.name,
        "rules": table.plan.game,
        "names": table.names,
        "chairs": table.players,
        "people": table.plan.people,
        "deal": hand.deal.to_json(),
        "steps": [step.to_json() for step in hand.steps],
        "payoffs": {str(chair): won for chair, won in hand.payoffs().items()},
    }


def summary(body: Json, hand: Hand) -> Json:
    """The line of a hand in the list of hands, with the counts that statistics are made of."""
    best = max(body["payoffs"], key=lambda chair: body["payoffs"][chair])
    return {
        **{key: body[key] for key in ("game", "rules", "names", "chairs", "people", "payoffs")},
        "title": f"{body['names'][int(best)]} {body['payoffs'][best]:+g}",
        "steps": len(body["steps"]),
        "branch": body["deal"]["branch"],
        "deeds": deeds(hand),
    }


def keep(store: Store, place: str, number: int, table: Table, hand: Hand) -> str:
    """Store hand `number` of the table with the id `place`, which is over; returns the id of the hand."""
    id, body = secrets.token_urlsafe(12), kept(table, hand)
    store.add_hand(id, place, number, summary(body, hand), body)
    return id


def hand_from(body: Json) -> Hand:
    """Play a stored hand again, by the rules."""
    hand = Hand(Deal.from_json(body["deal"]))
    for step in body["steps"]:
        hand.act(step["action"], step.get("thought"), step.get("failed"))
    return hand


def replay(body: Json) -> Json:
    """Every step of a hand with all cards and all thoughts, for the page to show one by one."""
    whole, names = hand_from(body), body["names"]
    moment = Hand(whole.deal)
    frames: list[Json] = []
    states: list[Any] = []
    for step in range(len(whole.steps) + 1):
        frame = scene(moment, names, EVERYTHING)
        _as_recorded(frame, body)
        frame["open_seats"] = open_seats(moment, body)
        frame.pop("log")
        frame.pop("deal")
        states.append(moment.state)
        frame["spot"] = whole.face.spot(states, [done.action for done in whole.steps[:step]]) is not None
        then: Json | None = None
        if step < len(whole.steps):
            done = whole.steps[step]
            then = {"seat": done.chair, **told(whole, done), "failed": done.failed, "thought": None}
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
        "phh": whole.face.histories is not None,
        "frames": frames,
        "log": end["log"],
        "deal": end["deal"],
    }


def _as_recorded(frame: Json, body: Json) -> None:
    """In an imported hand, unknown cards stay face down and payoffs are those of the record."""
    if body.get("unknown"):
        frame["awards"] = []
    for seat in frame["seats"]:
        if seat["seat"] in body.get("unknown", ()):
            seat.update(cards=[None] * len(seat["cards"]), hand_name=None, hand_kind=None)
        if seat["won"] is not None:
            seat["won"] = body["payoffs"].get(str(seat["seat"]))


def open_seats(moment: Hand, body: Json) -> list[int]:
    """The chairs in which a person can play on from here: in the hand, with cards that are known."""
    if moment.over:
        return []
    able = [chair for seat, chair in enumerate(moment.deal.order) if moment.face.takes_part(moment.state, seat)]
    return sorted(chair for chair in able if chair not in body.get("unknown", ()))


def branch(body: Json, given: object) -> tuple[Plan, Json]:
    """A table that continues from a step of a hand, with the same cards: its plan, and the event that starts it."""
    if not isinstance(given, dict) or set(given) - {"step", "seats"}:
        raise InputError(f"{short(given)} is not a branch: it must be an object with a step, and seats")
    step = number(given.get("step"), "step")
    if not 0 <= step < len(body["steps"]):
        raise InputError(f"step {step}: this hand can be continued from steps 0 to {len(body['steps']) - 1}")
    chairs = given.get("seats", body["chairs"])
    if not isinstance(chairs, list) or len(chairs) != len(body["chairs"]):
        raise InputError(f"{short(chairs)} are not seats: this hand has {len(body['chairs'])}")
    able = open_seats(hand_from(body).at(step), body)
    for chair, who in enumerate(chairs):
        if who == PERSON and chair not in able:
            raise InputError(
                f"nobody can play on as {body['names'][chair]} from step {step}: "
                + (
                    "these cards are not known"
                    if chair in body.get("unknown", ())
                    else "there is nothing left to decide"
                )
            )
    left = body["deal"]["branch"] or {"hand": body.get("id"), "step": step}
    deal = body["deal"] | {"branch": left | {"step": step}}
    before = [done["action"] for done in body["steps"][:step]]
    plan = Plan(body["rules"], tuple(chairs), carry=False)
    return plan, {"kind": "hand", "deal": deal, "before": before}
