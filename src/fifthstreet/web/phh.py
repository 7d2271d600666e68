"""Hands as PHH files, read and written, for the game whose face has hand histories."""

import dataclasses
from collections.abc import Iterator

from fifthstreet.errors import InputError
from fifthstreet.histories import phh
from fifthstreet.histories.record import HandRecord, HistoryError, Replayed, replay_hand
from fifthstreet.web.drawing import FACES
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.finished_hands import hand_from, summary
from fifthstreet.web.forking import Line
from fifthstreet.web.hand_in_play import Deal, Hand

MOST_BYTES = 5_242_880
MOST_HANDS = 20_000  # of one file
MOST_EVENTS = 500  # of one hand

GAME = next(name for name, face in FACES.items() if face.histories)
"""The game that PHH files are read as."""


def exported(body: Json) -> str:
    """The hand as the text of a .phh file."""
    hand = hand_from(body)
    if hand.face.histories is None:
        raise InputError(f"{body['game']} is not written as PHH: {GAME} is")
    names = tuple(body["names"][chair] for chair in hand.deal.order)
    record = dataclasses.replace(hand.face.histories.record(hand.state), players=names)
    if body.get("unknown"):
        known = [() if chair in body["unknown"] else cards for chair, cards in enumerate(record.hands)]
        record = dataclasses.replace(record, hands=tuple(known), finishing_stacks=None)
    return phh.dump(phh.from_record(record))


def main(line: Line) -> None:
    """The process that reads a file: it comes in parts, and each hand goes out as soon as it is read."""
    parts = []
    while part := line.order()["part"]:
        parts.append(part)
    try:
        text = b"".join(parts).decode("utf-8-sig")
    except UnicodeDecodeError:
        line.answer({"error": "this is not text"})
        return
    for found in imported(text):
        line.answer(found)
    line.answer({"end": True})


def imported(text: str) -> Iterator[Json]:
    """Each hand of a .phh or .phhs text, ready to be stored, with its summary, or the reason why it is refused."""
    for count, (name, fields) in enumerate(phh.read(text)):
        if count >= MOST_HANDS:
            yield _refused(name, f"only the first {MOST_HANDS:,} hands of a file are read at once")
            return
        try:
            if isinstance(fields, HistoryError):
                raise fields
            actions = fields.get("actions")
            if isinstance(actions, list) and len(actions) > MOST_EVENTS:
                raise InputError(f"{len(actions):,} actions: a hand has at most {MOST_EVENTS}")
            body, hand = _body(phh.to_record(fields), name[:60])
            yield {"hand": body, "summary": summary(body, hand)}
        except InputError as error:
            yield _refused(name, str(error)[:300])


def _refused(name: str, why: str) -> Json:
    return {"refused": {"hand": name[:60], "error": why}}


def _body(record: HandRecord, name: str) -> tuple[Json, Hand]:
    """A recorded hand in the form that finished hands are stored in, and as it was played."""
    replayed = replay_hand(record, words=False)  # raises an error that says what is wrong, if anything is
    histories, seats = FACES[GAME].histories, len(record.stacks)
    assert histories is not None
    stakes, deck = histories.stakes(record), tuple(histories.deck(record))
    deal = Deal(GAME, tuple(range(seats)), tuple(stakes["stacks"]), None, deck, stakes)
    hand = Hand(deal)
    for seat, action in histories.actions(record):
        if hand.seat == seat:
            hand.act(action)
    names = [str(player)[:40] for player in record.players] or [f"seat {seat + 1}" for seat in range(seats)]
    won = _won(record, replayed, hand)
    body = {
        "game": GAME,
        "rules": GAME,
        "names": names,
        "chairs": ["call-station"] * seats,
        "people": [],
        "deal": deal.to_json(),
        "steps": [step.to_json() for step in hand.steps],
        "payoffs": {str(seat): won[seat] for seat in range(seats)},
        "unknown": histories.unknown(record),
        "source": f"PHH, hand {record.name or name}"[:80],
    }
    return body, hand


def _won(record: HandRecord, replayed: Replayed, hand: Hand) -> list[float]:
    """What each seat won in chips: as recorded or, if the record does not say, by the rules."""
    by_rules = [payoff for _, payoff in sorted(hand.payoffs().items())]
    after = record.finishing_stacks or replayed.finishing_stacks
    if after is None:
        return by_rules
    return [  # for an infinite stack, only the rules know what was won
        float((end - start) * record.scale) if start.is_finite() and end.is_finite() else won
        for end, start, won in zip(after, record.stacks, by_rules, strict=True)
    ]
