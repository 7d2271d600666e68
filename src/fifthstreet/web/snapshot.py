"""Everything that one viewer at the table may see, as JSON: the page draws this and knows nothing else."""

import functools
from collections.abc import Sequence
from typing import Any

from fifthstreet.cards import show
from fifthstreet.estimate import mean
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand_in_play import Hand, Step
from fifthstreet.web.table import PERSON, Table
from fifthstreet.web.thoughts import last_thoughts

EVERYTHING = -1  # a viewer who sees all cards: of a replay, or of a table without people
SPECTATOR = -2  # a viewer without a seat at a table of people, who sees the open cards only


def scene(hand: Hand, names: Sequence[str], viewer: int) -> Json:
    """The hand as this chair sees it, or with all cards if the viewer is EVERYTHING."""
    game, face = hand.game, hand.face
    seat = None if viewer == EVERYTHING else hand.seat_of(viewer)
    if viewer == EVERYTHING:
        seen: Any = hand.state
        picture = face.open_picture(game, seen)
    else:  # a viewer who sits out gets the view of the first seat, without that seat's cards
        seen = game.view(hand.state, seat or 0)
        picture = face.picture(game, seen)
        if seat is None and not hand.over:
            face.cover(picture, 0)
    at_the_end = face.at_the_end(game, hand.state) if hand.over else [{}] * len(picture.seats)
    payoffs = {chair: _plain(won) for chair, won in hand.payoffs().items()} if hand.over else {}
    seats = [
        {
            "seat": chair,
            "name": names[chair],
            "dealer": False,
            "to_act": chair == hand.to_act,
            "won": payoffs.get(chair),
            **picture.seats[place],
            **at_the_end[place],
        }
        for place, chair in enumerate(hand.deal.order)
    ]
    return {
        "phase": "over" if hand.over else face.phases(game)[face.phase(game, hand.state)],
        "over": hand.over,
        "seats": sorted(seats, key=lambda each: int(each["seat"])),
        **picture.table,
        "awards": [_by_chair(award, hand) for award in face.awards(game, hand.state)] if hand.over else [],
        "log": log(hand, seen),
        "deal": {
            "hash": hand.hash,
            "seed": hand.deal.seed if hand.over else None,
            "deck": show(hand.deck) if hand.over else None,
            "branch": hand.deal.branch,
        },
    }


def _by_chair(award: Json, hand: Hand) -> Json:
    return award | {"to": [each | {"seat": hand.deal.order[each["seat"]]} for each in award["to"]]}


def _plain(number: float) -> float:
    """Whole numbers as ints: chips and points."""
    return int(number) if number == int(number) else number


def log(hand: Hand, seen: Any) -> list[Json]:
    """What was done, phase by phase, as everybody saw it."""
    phases = hand.face.phases(hand.game)
    now = len(phases) - 1 if hand.over else hand.face.phase(hand.game, hand.state)
    found: list[Json] = []
    for number, phase in enumerate(phases[: now + 1]):
        lines = [
            {"seat": step.chair, **told(hand, step), "failed": step.failed}
            for step in hand.steps
            if step.phase == number
        ]
        if lines or number == now:
            found.append({"phase": phase, "board": hand.face.board(seen, number), "lines": lines})
    return found


def told(hand: Hand, step: Step) -> Json:
    """What everybody may know of a step now."""
    if not hand.over:
        return step.entry
    return hand.face.disclosed(hand.state, hand.deal.order.index(step.chair), step.entry)


def snapshot(table: Table, viewer: int, thinking: Sequence[int], preparing: Sequence[int]) -> Json:
    """The `table` message for the viewer in this chair (EVERYTHING at a table without people)."""
    plan, names, hand = table.plan, table.names, table.hand
    if viewer == SPECTATOR:  # to whom nobody at the table is "you"
        names = ["Player" if name == "You" else name for name in names]
    found: Json = {
        "type": "table",
        "game": table.game.name,
        "rules": plan.game,
        "title": table.face.title,
        "unit": table.face.unit,
        "hand": table.hands,
        "number": hand.changes if hand else 0,
        "you": None if viewer < 0 else viewer,
        "spectator": viewer == SPECTATOR,
        "practice": plan.practice,
        "over": hand is None or hand.over,
        "phase": "waiting",
        "log": [],
        "deal": None,
    }
    shown: list[Json] = []
    if hand is not None:
        drawn = scene(hand, names, viewer)
        shown = drawn.pop("seats")
        found |= drawn
    by_chair = {each["seat"]: each for each in shown}
    failed = {step.chair: step.failed for step in hand.steps} if hand else {}
    found["seats"] = [
        {
            "seat": chair,
            "name": names[chair],
            "agent": None if who == PERSON else who,
            "person": who == PERSON,
            "stand_in": table.stand_ins.get(chair),
            "out": hand is not None and chair not in by_chair and not table.alone,
            "stack": table.stacks[chair] if table.has_chips else None,
            "dealer": False,
            "to_act": False,
            "won": None,
            "score": table.rivals.get(chair),
            **by_chair.get(chair, table.face.sitting_out),
            "thinking": chair in thinking,
            "preparing": chair in preparing,
            "failed": failed.get(chair),
        }
        for chair, who in enumerate(plan.chairs)
    ]
    if hand is not None and hand.over and table.plan.carry and hand.deal.branch is None:
        for each in found["seats"]:  # some may have bought in again since
            each["stack"] = table.stacks[each["seat"]] if table.has_chips else None
    mine = hand is not None and hand.to_act == viewer
    found["choices"] = hand.face.choices(hand.game, hand.view(viewer)) if hand is not None and mine else None
    found["may"] = allowed_messages(table, viewer)
    found["thoughts"] = last_thoughts(hand, names, viewer == EVERYTHING) if hand else []
    found["session"] = session(table, viewer)
    return found


def allowed_messages(table: Table, viewer: int) -> Json:
    """Which of the messages next, rebuy and undo are accepted now."""
    if viewer == SPECTATOR:
        return {"next": False, "rebuy": False, "undo": False}
    hand = table.hand
    over = hand is None or hand.over
    out = [chair for chair, stack in enumerate(table.stacks) if stack <= 0] if table.has_chips else []
    rebuy = over and bool(out) and table.plan.carry
    broke = viewer in out or len(out) >= len(table.plan.chairs) - 1
    undo = table.alone and table.plan.practice and hand is not None and bool(hand.steps) and not hand.over
    return {"next": over and not (rebuy and broke), "rebuy": rebuy, "undo": undo}


def session(table: Table, viewer: int) -> Json:
    """What the viewer has won at this table, with a confidence interval."""
    return _session(tuple(table.won(viewer)))


@functools.lru_cache(maxsize=1024)
def _session(won: tuple[float, ...]) -> Json:
    if not won:
        return {"hands": 0, "won": 0, "mean": None, "ci95": None}
    estimate = mean(won).to_dict()
    return {"hands": len(won), "won": sum(won), "mean": estimate["value"], "ci95": estimate["ci95"]}
