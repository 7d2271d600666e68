"""Hands of hold'em from and to PHH, through the package's own reader and writer."""

import dataclasses
import secrets

from fifthstreet.errors import InputError
from fifthstreet.games.betting import CALL, FOLD
from fifthstreet.games.holdem import HoldemState
from fifthstreet.histories import phh
from fifthstreet.histories.record import Board, HandRecord, HistoryError, Move, Replayed, recorded, replay_hand
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand import Deal, Hand
from fifthstreet.web.hands import hand_from, summary
from fifthstreet.web.store import IMPORTED, MOST_IMPORTED, Store

MOST_BYTES = 524_288
MOST_HANDS = 200  # of one file
MOST_EVENTS = 500  # of one hand
MOST_DOTS = 400  # in one line: a key of very many parts takes the reader of TOML very long


def exported(body: Json) -> str:
    """The hand as the text of a .phh file."""
    if body["game"] != "holdem":
        raise InputError(f"{body['game']} is not written as PHH: hold'em is")
    hand = hand_from(body)
    assert isinstance(hand.state, HoldemState)
    names = tuple(body["names"][chair] for chair in hand.deal.order)
    record = dataclasses.replace(recorded(hand.state), players=names)
    if body.get("unknown"):
        known = [() if chair in body["unknown"] else cards for chair, cards in enumerate(record.hands)]
        record = dataclasses.replace(record, hands=tuple(known), finishing_stacks=None)
    return phh.dump(phh.from_record(record))


def imported(text: str) -> tuple[list[Json], list[Json]]:
    """The hands of a .phh or .phhs text, ready to be kept, and those that are refused with the reason."""
    good: list[Json] = []
    refused: list[Json] = []
    if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
        raise InputError(f"a line with more than {MOST_DOTS:,} dots is not that of a hand")
    for count, (name, fields) in enumerate(phh.read(text)):
        if count >= MOST_HANDS:
            refused.append(
                {"hand": name[:60], "error": f"only the first {MOST_HANDS} hands of a file are read at once"}
            )
            break
        try:
            if isinstance(fields, HistoryError):
                raise fields
            actions = fields.get("actions")
            if isinstance(actions, list) and len(actions) > MOST_EVENTS:
                raise InputError(f"{len(actions):,} actions: a hand has at most {MOST_EVENTS}")
            good.append(_body(phh.to_record(fields), name[:60]))
        except (InputError, ArithmeticError) as error:
            refused.append({"hand": name[:60], "error": str(error)[:300]})
    return good, refused


def keep(store: Store, bodies: list[Json]) -> list[Json]:
    """Store hands from elsewhere; what each is called from now on."""
    if store.imported() + len(bodies) > MOST_IMPORTED:
        raise InputError(f"there are {MOST_IMPORTED:,} hands from elsewhere already, and no room for more")
    found = []
    for body in bodies:
        id, line = secrets.token_urlsafe(12), summary(body, hand_from(body))
        store.add_hand(id, IMPORTED, 0, line, body)
        found.append({"id": id, "title": line["title"], "names": body["names"], "steps": line["steps"]})
    return found


def _body(record: HandRecord, name: str) -> Json:
    replayed = replay_hand(record, words=False)  # which says what is wrong, if anything is
    seats = len(record.stacks)
    chips = dataclasses.asdict(record.chips())
    chips = {key: list(value) if isinstance(value, tuple) else value for key, value in chips.items()}
    unknown = [seat for seat in range(seats) if len(record.hands[seat]) < 2]
    deal = Deal("holdem", tuple(range(seats)), tuple(chips["stacks"]), None, tuple(_deck(record)), chips)
    hand = Hand(deal)
    for event in record.events:
        if isinstance(event, Move) and hand.seat == event.seat:
            hand.act(_action(event, record.scale))
    names = [str(player)[:40] for player in record.players] or [f"seat {seat + 1}" for seat in range(seats)]
    won = _won(record, replayed, hand)
    return {
        "game": "holdem",
        "rules": "holdem",
        "names": names,
        "chairs": ["call-station"] * seats,
        "people": [],
        "deal": deal.to_json(),
        "steps": [step.to_json() for step in hand.steps],
        "payoffs": {str(seat): won[seat] for seat in range(seats)},
        "unknown": unknown,
        "source": f"PHH, hand {record.name or name}"[:80],
    }


def _action(move: Move, scale: int) -> int:
    return FOLD if move.kind == "fold" else CALL if move.kind == "call" else int(move.amount * scale)


def _deck(record: HandRecord) -> list[int]:
    """The recorded cards in the order in which they are dealt, some others for those that nobody knows."""
    board = [int(card) for event in record.events if isinstance(event, Board) for card in event.cards]
    known = {int(card) for hand in record.hands for card in hand} | set(board)
    spare = iter([card for card in range(52) if card not in known])
    hole = [card for hand in record.hands for card in (*map(int, hand), *(next(spare) for _ in range(2 - len(hand))))]
    return [*hole, *board, *spare]


def _won(record: HandRecord, replayed: Replayed, hand: Hand) -> list[float]:
    """What each seat won in chips: as recorded, or as the rules say where nothing was."""
    by_rules = [payoff for _, payoff in sorted(hand.payoffs().items())]
    after = record.finishing_stacks or replayed.finishing_stacks
    if after is None:
        return by_rules
    return [  # of an infinite stack, what changed is known from the rules alone
        float((end - start) * record.scale) if start.is_finite() and end.is_finite() else won
        for end, start, won in zip(after, record.stacks, by_rules, strict=True)
    ]
