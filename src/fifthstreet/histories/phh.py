"""PHH, the poker hand history format (Kim, 2024): TOML, one hand in a .phh file, many in a .phhs file.

Hands are read and written. Only hold'em is replayed; the error for another variant names it.
"""

import re
import tomllib
from collections.abc import Iterator
from datetime import date, time
from decimal import Decimal

from fifthstreet.cards import Card, CardError, parse_cards, show
from fifthstreet.errors import quoted
from fifthstreet.histories.record import Board, HandRecord, HistoryError, Move

VARIANTS = {
    "NT": "no-limit hold'em",
    "FT": "fixed-limit hold'em",
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha hi-lo",
    "F7S": "fixed-limit seven-card stud",
    "F7S/8": "fixed-limit seven-card stud hi-lo",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit deuce-to-seven single draw",
    "F2L3D": "fixed-limit deuce-to-seven triple draw",
    "FB": "fixed-limit badugi",
}


Fields = dict[str, object]
"""The fields of a hand as TOML has them."""


class Unsupported(HistoryError):
    """A hand of a game that cannot be replayed."""


def read(text: str) -> Iterator[tuple[str, Fields | HistoryError]]:
    """Yields the name and the fields of each hand in a .phh or .phhs file, or the error in place of the fields."""
    name, lines = "", list[str]()
    for line in text.split("\n"):
        heading = _heading(line)
        if heading is None:
            lines.append(line)
            continue
        if name:
            yield name, _toml("\n".join(lines))
        elif any(map(str.strip, lines)):
            yield "before the first", HistoryError("there is text before the first hand")
        name, lines = heading, []
    if name or any(line.strip() and not line.lstrip().startswith("#") for line in lines):  # more than comments
        yield name or "1", _toml("\n".join(lines))


def _heading(line: str) -> str | None:
    """The name of the hand that begins on this line, like 7 in `[7]`; None if none does."""
    line = line.strip()
    inner = line[1:-1]
    begins = line[:1] == "[" and line[-1:] == "]" and inner and "[" not in inner and "]" not in inner
    return inner.strip()[:60] or "?" if begins else None


MOST_DOTS = 8  # in a key: the TOML reader takes quadratic time over its parts, and no field of a hand has any
MOST_IN_A_PIECE = 1000  # characters of a key or number
_TEXT_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\[\s\S])*?(?:"""|\Z)|'  # what is not closed also matches, so that it is read only once
    r"'''[\s\S]*?(?:'''|\Z)|"
    r'"(?:[^"\\\n]|\\[^\n])*"?|'
    r"'[^'\n]*'?|"
    r"#[^\n]*"
)


def _toml(body: str) -> Fields | HistoryError:
    bare = _TEXT_OR_COMMENT.sub("", body)
    pieces = re.split(r"[=,\[\]{}\n]", bare)  # keys, numbers and dates
    if any(piece.count(".") > MOST_DOTS for piece in pieces):
        return HistoryError(f"a key with more than {MOST_DOTS} dots is not part of a hand")
    if max(map(len, pieces)) > MOST_IN_A_PIECE:
        return HistoryError(f"a key or number of more than {MOST_IN_A_PIECE:,} characters is not part of a hand")
    try:
        fields = tomllib.loads(body, parse_float=_decimal)
        _refuse_large_numbers(fields)
        return fields
    except HistoryError as error:
        return error
    except (ValueError, RecursionError) as error:
        return HistoryError(f"it is not TOML: {' '.join(str(error).split())[:200]}")


def _decimal(text: str) -> Decimal:
    """The number; HistoryError if it has more digits than any amount, or would have them when written out."""
    try:
        number = Decimal(text) if len(text) <= 60 else None
    except ArithmeticError:  # an exponent that Decimal cannot hold
        number = None
    if number is None or (number.is_finite() and not -60 <= number.adjusted() <= 60):
        raise HistoryError(f"{quoted(text)} is not an amount")
    return number


def _refuse_large_numbers(value: object) -> None:
    """HistoryError if there is a whole number of more than 64 bits, which TOML does not have."""
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise HistoryError(f"{quoted(value)} is too large a number")
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _refuse_large_numbers(item)


def to_record(fields: Fields) -> HandRecord:
    """The hand that the fields describe."""
    variant = fields.get("variant")
    if variant is None:
        raise HistoryError("there is no 'variant', which names the game")
    if variant not in ("NT", "FT"):
        raise Unsupported(f"{VARIANTS.get(str(variant), quoted(variant))} is not supported: hold'em is")
    stacks = _amounts(fields, "starting_stacks")
    seats = len(stacks)
    antes, blinds = _amounts(fields, "antes"), _amounts(fields, "blinds_or_straddles")
    if not 2 <= seats <= 10:
        raise HistoryError(f"{seats} seats: hold'em has 2 to 10")
    if len(antes) != seats or len(blinds) != seats:
        raise HistoryError(f"{len(antes)} antes and {len(blinds)} blinds for {seats} seats")
    if seats == 2:  # heads-up, the format lists forced bets in reverse
        antes, blinds = antes[::-1], blinds[::-1]
    least = _amount(fields.get("min_bet" if variant == "NT" else "small_bet"), "min_bet")
    limit = _amount(fields.get("big_bet"), "big_bet") if variant == "FT" else Decimal(0)
    actions = fields.get("actions")
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise HistoryError("there is no list of actions")
    events, hands = _events(actions, seats)
    finishing = _amounts(fields, "finishing_stacks") if "finishing_stacks" in fields else None
    if finishing is not None and len(finishing) != seats:
        raise HistoryError(f"{len(finishing)} finishing stacks for {seats} seats")
    winnings = _amounts(fields, "winnings") if isinstance(fields.get("winnings"), list) else None
    if winnings is not None and len(winnings) != seats:
        raise HistoryError(f"{len(winnings)} winnings for {seats} seats")
    players = fields.get("players")
    return HandRecord(
        stacks,
        blinds,
        antes,
        least,
        events,
        hands,
        limit,
        not fields.get("ante_trimming_status", False),
        _count(fields.get("_cap")),
        finishing,
        tuple(str(player) for player in players) if isinstance(players, list) and len(players) == seats else (),
        str(fields.get("hand", "")),
        dict(fields),
        _count(fields.get("_raising_passes")) or 0,
        fields.get("_minimum_raise") is not False,
        winnings,
    )


def _count(value: object) -> int | None:
    """A rule about raises, in a field of our own because the format has none."""
    return value if type(value) is int and value >= 0 else None


def _amounts(fields: Fields, name: str) -> tuple[Decimal, ...]:
    values = fields.get(name)
    if not isinstance(values, list):
        raise HistoryError(f"there is no list {name!r}")
    return tuple(_amount(value, name) for value in values)


def _amount(value: object, name: str) -> Decimal:
    if type(value) is int and 0 <= value < 10**12:
        return Decimal(value)
    number = Decimal(value) if isinstance(value, int | float | Decimal) and not isinstance(value, bool) else None
    if number is None or number.is_nan() or (number.is_finite() and number.adjusted() > 12):
        raise HistoryError(f"{name}: {quoted(value)} is not an amount")
    if number.is_infinite() and name != "starting_stacks":
        raise HistoryError(f"{name}: {quoted(value)} is not an amount")
    if number < 0 and name != "blinds_or_straddles":
        raise HistoryError(f"{name}: {quoted(value)} is negative")
    return number


_ACTION = re.compile(r"p([0-9]{1,2}) (f|cc|cbr|sm)(?: (.*))?")


def _events(actions: list[str], seats: int) -> tuple[tuple[Board | Move, ...], tuple[tuple[Card, ...], ...]]:
    events: list[Board | Move] = []
    hands: list[tuple[Card, ...]] = [()] * seats
    for number, text in enumerate(actions, 1):
        words = text.partition("#")[0].split()
        if not words:
            continue
        try:
            if words[:2] == ["d", "db"] and len(words) == 3:
                events.append(Board(tuple(parse_cards(words[2]))))
            elif words[:2] == ["d", "dh"] and len(words) == 4:
                _learn(hands, _seat(words[2], seats), words[3])
            else:
                found = _ACTION.fullmatch(" ".join(words))
                if found is None:
                    raise HistoryError("it is not an action")
                seat = _seat(f"p{found[1]}", seats)
                if found[2] == "sm":
                    if found[3] and found[3] != "-":
                        _learn(hands, seat, found[3])
                elif found[2] == "cbr":
                    events.append(Move(seat, "raise", _raised(found[3])))
                else:
                    events.append(Move(seat, "fold" if found[2] == "f" else "call"))
        except (HistoryError, CardError) as error:
            raise HistoryError(f"action {number}, {text[:60]!r}: {error}") from None
    return tuple(events), tuple(hands)


def _raised(text: str | None) -> Decimal:
    if text is None or not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,6})?", text):
        raise HistoryError(f"{quoted(text)} is not an amount")
    return Decimal(text)


def _seat(word: str, seats: int) -> int:
    number = int(word[1:]) if re.fullmatch(r"p[0-9]{1,2}", word) else 0
    if not 1 <= number <= seats:
        raise HistoryError(f"there is no player {quoted(word)}")
    return number - 1


def _learn(hands: list[tuple[Card, ...]], seat: int, text: str) -> None:
    if "?" not in text:
        hands[seat] = tuple(parse_cards(text))
        if len(hands[seat]) != 2:
            raise HistoryError(f"{quoted(text)} is not two cards")


def from_record(record: HandRecord) -> Fields:
    """The fields of a record; those it was read from, if it came from a PHH file."""
    if record.fields:
        return dict(record.fields)
    two = len(record.stacks) == 2
    antes, blinds = (row[::-1] if two else row for row in (record.antes, record.blinds))
    actions = [f"d dh p{seat + 1} {show(hand) or '????'}" for seat, hand in enumerate(record.hands)]
    for event in record.events:
        if isinstance(event, Board):
            actions.append(f"d db {show(event.cards)}")
        else:
            word = {"fold": "f", "call": "cc", "raise": f"cbr {event.amount}"}[event.kind]
            actions.append(f"p{event.seat + 1} {word}")
    fields: Fields = {
        "variant": "FT" if record.limit else "NT",
        "ante_trimming_status": not record.shared_antes,
        "antes": list(antes),
        "blinds_or_straddles": list(blinds),
    }
    if record.limit:
        fields |= {"small_bet": record.least_bet, "big_bet": record.limit}
    else:
        fields["min_bet"] = record.least_bet
    fields |= {"starting_stacks": list(record.stacks), "actions": actions}
    if record.cap not in (None, 4 if record.limit else 0):
        fields["_cap"] = record.cap
    if record.raising_passes:
        fields["_raising_passes"] = record.raising_passes
    if not record.minimum_raise:
        fields["_minimum_raise"] = False
    if record.name:
        fields["hand"] = record.name
    if record.players:
        fields["players"] = list(record.players)
    if record.finishing_stacks is not None:
        fields["finishing_stacks"] = list(record.finishing_stacks)
    return fields


def write(hands: list[Fields]) -> str:
    """The text of a .phhs file with these hands, numbered from 1."""
    return "\n".join(f"[{number}]\n{dump(fields)}" for number, fields in enumerate(hands, 1))


def dump(fields: Fields) -> str:
    """The text of a .phh file with these fields."""
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in fields.items())


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)} = {_value(item)}" for name, item in value.items()) + "}"
    if isinstance(value, Decimal):
        return "inf" if value.is_infinite() else f"{value:f}"
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _text(value: str) -> str:
    escaped = "".join({"\\": "\\\\", '"': '\\"'}.get(c, c if c.isprintable() else f"\\U{ord(c):08x}") for c in value)
    return f'"{escaped}"'
