"""The whole of what somebody at the table may see, as JSON: the page draws it and knows no more."""

import functools
from collections.abc import Sequence
from typing import Any

from fifthstreet.cards import show
from fifthstreet.estimate import mean
from fifthstreet.games.betting import BettingGame
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand import Hand
from fifthstreet.web.table import PERSON, Table
from fifthstreet.web.thoughts import last_thoughts

EVERYTHING = -1  # a viewer who sees all cards: a replay, or a table without people


def scene(hand: Hand, names: Sequence[str], viewer: int) -> Json:
    """The hand as this chair sees it, or everything."""
    seat = None if viewer == EVERYTHING else hand.seat_of(viewer)
    if viewer == EVERYTHING:
        seen = hand.state
    else:  # who sits out sees what everybody does, from a seat whose cards are then left out
        seen = hand.game.view(hand.state, 0 if seat is None else seat)
    table, at_seats = hand.face.picture(hand.game, seen)
    if viewer != EVERYTHING and seat is None and not hand.over:
        _cover(at_seats[0])
    phases = hand.face.phases(hand.game)
    payoffs = {chair: _plain(won) for chair, won in hand.payoffs().items()} if hand.over else {}
    if "five_o" in table:
        _by_chair(table["five_o"], at_seats, hand.deal.order)
    seats = []
    if hand.over and isinstance(hand.game, BettingGame):
        for own, stack in zip(at_seats, hand.game.finishing_stacks(hand.state), strict=True):
            own["stack"] = stack
    for place, chair in enumerate(hand.deal.order):
        own = at_seats[place]
        seats.append(
            {
                "seat": chair,
                "name": names[chair],
                "dealer": isinstance(hand.game, BettingGame) and place == len(hand.deal.order) - 1,
                "to_act": chair == hand.to_act,
                "won": payoffs.get(chair),
                **own,
            }
        )
    return {
        "phase": "over" if hand.over else phases[hand.face.phase(hand.game, hand.state)],
        "over": hand.over,
        "seats": sorted(seats, key=lambda each: int(each["seat"])),
        **table,
        "log": log(hand, seen),
        "deal": {
            "hash": hand.hash,
            "seed": hand.deal.seed if hand.over else None,
            "deck": show(hand.deck) if hand.over else None,
            "branch": hand.deal.branch,
        },
    }


def _by_chair(drawn: Json, at_seats: list[Json], order: Sequence[int]) -> None:
    """Both players' columns side by side, and who won each, by chair."""
    for key in ("columns", "names"):
        drawn[key] = [at_seats[order.index(chair)].pop(key) for chair in range(2)]
    if drawn["won"] is not None:
        drawn["won"] = [None if seat is None else order[seat] for seat in drawn["won"]]


def _plain(number: float) -> float:
    """Chips and points are whole."""
    return int(number) if number == int(number) else number


def _cover(own: Json) -> None:
    if "cards" in own:
        own["cards"], own["hand_name"] = [None] * len(own["cards"]), None


def log(hand: Hand, seen: Any) -> list[Json]:
    """What was done, by phase, in words that everybody may hear."""
    board = [str(card) for card in getattr(seen, "board", [])]
    phases = hand.face.phases(hand.game)
    now = len(phases) - 1 if hand.over else hand.face.phase(hand.game, hand.state)
    found: list[Json] = []
    for number, phase in enumerate(phases[: now + 1]):
        lines = [
            {"seat": step.chair, "text": step.told, "failed": step.failed}
            for step in hand.steps
            if step.phase == number
        ]
        cards = board[: (0, 3, 4, 5)[number]] if board else []
        if lines or number <= now:
            found.append({"phase": phase, "board": cards, "lines": lines})
    return [part for part in found if part["lines"] or part["phase"] == phases[now]]


def snapshot(table: Table, viewer: int, thinking: Sequence[int], preparing: Sequence[int]) -> Json:
    """Everything for one viewer, whose chair this is (EVERYTHING at a table without people)."""
    plan, names, hand = table.plan, table.names, table.hand
    found: Json = {
        "type": "table",
        "game": table.game.name,
        "rules": plan.game,
        "title": table.face.title,
        "unit": table.face.unit,
        "hand": table.hands,
        "number": hand.changes if hand else 0,
        "you": None if viewer == EVERYTHING else viewer,
        "practice": plan.practice,
        "over": hand is None or hand.over,
        "phase": "waiting",
        "board": [],
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
            "out": hand is not None and chair not in by_chair and not table.alone,
            "stack": table.stacks[chair] if table.has_chips else None,
            "bet": 0,
            "folded": False,
            "all_in": False,
            "dealer": False,
            "to_act": False,
            "won": None,
            "cards": [],
            "hand_name": None,
            "score": table.rivals.get(chair),
            **by_chair.get(chair, {}),
            "thinking": chair in thinking,
            "preparing": chair in preparing,
            "failed": failed.get(chair),
        }
        for chair, who in enumerate(plan.chairs)
    ]
    if hand is not None and hand.over and table.plan.carry and hand.deal.branch is None:
        for each in found["seats"]:  # who bought in again since then has more
            each["stack"] = table.stacks[each["seat"]] if table.has_chips else None
    mine = hand is not None and hand.to_act == viewer
    found["choices"] = hand.face.choices(hand.game, hand.view(viewer)) if hand is not None and mine else None
    found["may"] = allowed_messages(table, viewer)
    found["thoughts"] = last_thoughts(hand, names, viewer == EVERYTHING) if hand else []
    found["session"] = session(table, viewer)
    return found


def allowed_messages(table: Table, viewer: int) -> Json:
    """Which of the buttons beside the choices do something now."""
    hand = table.hand
    over = hand is None or hand.over
    out = [chair for chair, stack in enumerate(table.stacks) if stack <= 0] if table.has_chips else []
    rebuy = over and bool(out) and table.plan.carry
    broke = viewer in out or len(out) >= len(table.plan.chairs) - 1
    undo = table.alone and table.plan.practice and hand is not None and bool(hand.steps) and not hand.over
    return {"next": over and not (rebuy and broke), "rebuy": rebuy, "undo": undo}


def session(table: Table, viewer: int) -> Json:
    """What the viewer has won at this table, with its interval."""
    return _session(tuple(table.won(viewer)))


@functools.lru_cache(maxsize=1024)
def _session(won: tuple[float, ...]) -> Json:
    if not won:
        return {"hands": 0, "won": 0, "mean": None, "ci95": None}
    estimate = mean(won).to_dict()
    return {"hands": len(won), "won": sum(won), "mean": estimate["value"], "ci95": estimate["ci95"]}
