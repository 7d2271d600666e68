"""PokerStars hand histories as players save them: text in various encodings, with chat and fragments in between.

Read only. The recorded result of a hand comes from the lines about money ("collected", "returned"). Cancelled hands,
hands that were run twice and other games are not supported.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from fifthstreet.cards import Card, parse_cards
from fifthstreet.errors import InputError, sentence
from fifthstreet.histories.phh import Unsupported
from fifthstreet.histories.record import Board, HandRecord, HistoryError, Incomplete, Move

MOST_IN_A_LINE = 1000  # characters; some of the expressions below take quadratic time in the length of a line
_HEAD = re.compile(r"(?m)^(?=(?:PokerStars|Full Tilt Poker)[^\n]{0,30}(?:Hand|Game) #)")
_MONEY = r"[^\d\s()\[\]]{0,3}(\d[\d,]*(?:\.\d+)?)"
_SEAT = re.compile(rf"Seat (\d{{1,2}}): (.+?) \({_MONEY}(?: [A-Z]{{3}})? in chips")
_STAKES = re.compile(rf"\({_MONEY}/{_MONEY}")
_COLLECTED = re.compile(rf"^(.+?) (?:collected|wins) \(?{_MONEY}\)? ?(?:from|\(|$|the |side |main )")
_RETURNED = re.compile(rf"^Uncalled bet \({_MONEY}\) returned to (.+?)\s*$")


def decode(raw: bytes) -> str:
    """The text, which may be saved as UTF-8, UTF-16 or Windows-1252."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def is_history(text: str) -> bool:
    """Whether the text contains the first line of a hand."""
    return _HEAD.search(text) is not None


def is_fragment(text: str) -> bool:
    """Whether the text is part of a hand without its first line."""
    return not is_history(text) and re.search(r"(?m)^\*\*\* [A-Z ]+ \*\*\*", text) is not None


def read(text: str) -> Iterator[tuple[str, HandRecord | HistoryError]]:
    """Yields the number and the record of each hand, or the error in its place; text before the first is skipped."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    for part in _HEAD.split(text):
        number = re.match(r"[^\n]{0,40}#(\d{1,40})", part)
        if number is None:
            continue
        try:
            yield number[1], _Reader(part).record(number[1])
        except HistoryError as error:
            yield number[1], error
        except ValueError as error:
            yield number[1], HistoryError(str(error) if isinstance(error, InputError) else sentence(error))


def _amount(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


class _Reader:
    """Reads one hand, line by line."""

    def __init__(self, text: str) -> None:
        self.lines = [line.strip() for line in text.split("\n") if line.strip()]
        longest = max(map(len, self.lines))
        if longest > MOST_IN_A_LINE:
            raise HistoryError(
                f"a line of {longest:,} characters is not part of a hand: at most {MOST_IN_A_LINE:,} are"
            )
        self.names: list[str] = []  # by seat, from the left of the dealer
        self.stacks: dict[str, Decimal] = {}
        self.paid: dict[str, Decimal] = {}
        self.street: dict[str, Decimal] = {}
        self.blinds: dict[str, Decimal] = {}
        self.antes: dict[str, Decimal] = {}
        self.hands: dict[str, tuple[Card, ...]] = {}
        self.won: dict[str, Decimal] = {}
        self.events: list[Board | Move] = []

    def record(self, number: str) -> HandRecord:
        self._refuse_what_is_not_played_here()
        stakes = _STAKES.search(self.lines[0])
        if stakes is None:
            raise HistoryError("its first line names no blinds")
        small, big = _amount(stakes[1]), _amount(stakes[2])
        self._seats()
        for line in self.lines:
            if line.startswith("*** SUMMARY"):
                break
            self._line(line)
        return HandRecord(
            tuple(self.stacks[name] for name in self.names),
            tuple(self._blind(name, small) for name in self.names),
            tuple(self.antes.get(name, Decimal(0)) for name in self.names),
            big,
            tuple(self.events),
            tuple(self.hands.get(name, ()) for name in self.names),
            shared_antes=len(set(self.antes.values())) > 1,
            finishing_stacks=tuple(
                self.stacks[name] - self.paid.get(name, Decimal(0)) + self.won.get(name, Decimal(0))
                for name in self.names
            ),
            players=tuple(self.names),
            name=number,
        )

    def _refuse_what_is_not_played_here(self) -> None:
        head, text = self.lines[0], "\n".join(self.lines)
        if "Hold'em" not in head or "No Limit" not in head:
            kind = re.sub(r".*#\d+:?\s*", "", head)[:40]
            raise Unsupported(f"{kind!r} is not supported: no-limit hold'em is")
        if re.search(r"(?i)hand cancelled|hand was cancelled|hand has been cancel", text):
            raise Unsupported("the hand was cancelled")
        if "*** FIRST " in text or "*** SECOND " in text:
            raise Unsupported("the hand was run twice")

    def _seats(self) -> None:
        places = (re.search(r"[Ss]eat #(\d{1,2}) is the button", line) for line in self.lines[:4])
        button = next((place[1] for place in places if place), None)
        found = {int(m[1]): m for line in self.lines if (m := _SEAT.match(line)) and "out of hand" not in line}
        if button is None or len(found) < 2:
            raise Incomplete("it does not say who sits where")
        acted = [line for line in self.lines if ": " in line]  # players who sit out do nothing
        playing = {number: m for number, m in found.items() if any(line.startswith(f"{m[2]}: ") for line in acted)}
        order = sorted(playing, key=lambda number: (number <= int(button), number))
        if len(order) == 2 and order[-1] != int(button):
            order.reverse()
        self.names = [playing[number][2] for number in order]
        self.stacks = {playing[number][2]: _amount(playing[number][3]) for number in order}
        if len(self.names) < 2:
            raise Incomplete("it does not say who sits where")
        if len(set(self.names)) != len(self.names):
            raise HistoryError("two players have the same name")

    def _blind(self, name: str, small: Decimal) -> Decimal:
        """What the player posted, negative for a newcomer's post, which is out of turn and not a bet to call."""
        posted = self.blinds.get(name, Decimal(0))
        seat = self.names.index(name)
        in_turn = (0, 1) if len(self.names) > 2 else (1, 0)
        return posted if seat in in_turn or posted <= small else -posted

    def _pay(self, name: str, amount: Decimal) -> None:
        self.paid[name] = self.paid.get(name, Decimal(0)) + amount
        self.street[name] = self.street.get(name, Decimal(0)) + amount

    def _line(self, line: str) -> None:
        street = re.match(r"\*\*\* (FLOP|TURN|RIVER) \*\*\*.*\[([^\]]+)\]\s*$", line)
        if street:
            self.events.append(Board(tuple(parse_cards(street[2]))))
            self.street = {}
            return
        dealt = re.match(r"Dealt to (.+?) \[([^\]]+)\]", line)
        if dealt and dealt[1] in self.stacks:
            self.hands[dealt[1]] = tuple(parse_cards(dealt[2]))
            return
        returned = _RETURNED.match(line)
        if returned and returned[2] in self.stacks:
            self.won[returned[2]] = self.won.get(returned[2], Decimal(0)) + _amount(returned[1])
            return
        collected = _COLLECTED.match(line)
        if collected and collected[1] in self.stacks:
            self.won[collected[1]] = self.won.get(collected[1], Decimal(0)) + _amount(collected[2])
            return
        name = next((name for name in self.names if line.startswith(f"{name}: ")), None)
        if name is not None:
            self._action(name, line[len(name) + 2 :])

    def _action(self, name: str, text: str) -> None:
        seat = self.names.index(name)
        amounts = [_amount(found) for found in re.findall(_MONEY, text.partition("and is all-in")[0])]
        if text.startswith("posts"):
            self._post(name, text, amounts)
        elif text.startswith("folds"):
            self.events.append(Move(seat, "fold"))
        elif text.startswith("checks"):
            self.events.append(Move(seat, "call"))
        elif text.startswith("calls") and amounts:
            self._pay(name, amounts[0])
            self.events.append(Move(seat, "call"))
        elif text.startswith("bets") and amounts:
            self._pay(name, amounts[0])
            self.events.append(Move(seat, "raise", self.street[name]))
        elif text.startswith("raises") and len(amounts) > 1:
            self._pay(name, amounts[1] - self.street.get(name, Decimal(0)))
            self.events.append(Move(seat, "raise", amounts[1]))
        elif text.startswith("shows") and (cards := re.search(r"\[([^\]]+)\]", text)):
            self.hands[name] = tuple(parse_cards(cards[1]))

    def _post(self, name: str, text: str, amounts: list[Decimal]) -> None:
        if not amounts:
            raise HistoryError(f"{text[:40]!r} names no amount")
        if "ante" in text:
            self.antes[name] = self.antes.get(name, Decimal(0)) + amounts[0]
            self.paid[name] = self.paid.get(name, Decimal(0)) + amounts[0]
        elif "small & big" in text:  # the big blind is live, the small one dead
            big = max(self.blinds.values(), default=amounts[0])
            self.antes[name] = self.antes.get(name, Decimal(0)) + amounts[0] - big
            self.paid[name] = self.paid.get(name, Decimal(0)) + amounts[0] - big
            self.blinds[name] = big
            self._pay(name, big)
        else:
            self.blinds[name] = self.blinds.get(name, Decimal(0)) + amounts[0]
            self._pay(name, amounts[0])
