"""Files of recorded hands: find the format, replay every hand, check recorded results."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TypedDict

from fifthstreet.errors import InputError
from fifthstreet.histories import acpc, phh, pokerstars
from fifthstreet.histories.record import (
    HandRecord,
    HistoryError,
    Incomplete,
    Posts,
    Replayed,
    Step,
    amount_text,
    check,
    replay_hand,
)

MOST_BYTES = 50_000_000


@dataclass(frozen=True)
class FiledHand:
    """A hand in a file: replayed, or with the error that prevents it."""

    file: str
    hand: str
    replayed: Replayed | None
    trouble: HistoryError | None = None
    score: acpc.Score | None = None  # in place of a hand, the last line of an ACPC match

    def to_dict(self) -> dict[str, object]:
        found: dict[str, object] = {"file": self.file, "hand": self.hand}
        if self.replayed is None:
            return found | {"trouble": str(self.trouble)}
        record, checked = self.replayed.record, check(self.replayed)
        return found | {
            "players": list(record.players),
            "steps": [self._step(self.replayed, step) for step in self.replayed.steps],
            "finishing_stacks": _numbers(self.replayed.finishing_stacks),  # by the rules, before any rake
            "recorded_stacks": _numbers(record.finishing_stacks),
            "rake": _number(checked.rake) if checked.agrees else None,
        }

    @staticmethod
    def _step(replayed: Replayed, step: Step) -> dict[str, object]:
        return {
            "street": step.street,
            "kind": step.kind,
            "seat": step.seat,
            "player": None if step.seat is None else replayed.player(step.seat),
            "amount": _number(step.amount),
            "cards": [str(card) for card in step.cards],
            "pot": _number(step.pot),
            "stacks": _numbers(step.stacks),
        }

    def __str__(self) -> str:
        lines = [f"{self.file}, hand {self.hand}"]
        if self.replayed is None:
            return "\n".join([*lines, f"  {self.trouble}"])
        return "\n".join([*lines, *(f"  {line}" for line in [*self.replayed.lines, self._result(self.replayed)])])

    @staticmethod
    def _result(replayed: Replayed) -> str:
        """The stacks at the end, saying whether the rake has been taken."""
        by_rules, recorded, checked = replayed.finishing_stacks, replayed.record.finishing_stacks, check(replayed)
        if by_rules is None:
            return "stacks at the end: not known"
        if recorded is None:
            return f"stacks at the end, before any rake: {_listed(by_rules)}"
        if not checked.agrees:
            return f"stacks at the end: {_listed(by_rules)} (recorded {_listed(recorded)}: {checked.why})"
        if checked.rake:
            rake = amount_text(checked.rake)
            return f"stacks at the end: {_listed(recorded)} (after a rake of {rake}; before it {_listed(by_rules)})"
        return f"stacks at the end: {_listed(recorded)}"


def _listed(stacks: Iterable[Decimal]) -> str:
    return ", ".join(map(amount_text, stacks))


def _number(amount: Decimal) -> float | None:
    """The amount for JSON; None for an infinite stack."""
    if not amount.is_finite():
        return None
    return int(amount) if amount == int(amount) else float(amount)


def _numbers(amounts: Iterable[Decimal] | None) -> list[float | None] | None:
    return None if amounts is None else [_number(amount) for amount in amounts]


class NoHands(InputError):
    """A file without hands."""


Found = HandRecord | phh.Fields | acpc.Score | HistoryError
"""What a reader finds in place of a hand."""


def read_file(path: Path, words: bool = True, posts: Posts = "live") -> Iterator[FiledHand]:
    """Yields every hand of the file, replayed; InputError if the file cannot be read or has no hands.

    With `words=False` the steps of the hands are left out, which is faster. `posts` says what newcomers' posts are.
    """
    text = _text(path)
    empty = True
    for name, found in _hands(path, text):
        yield _filed(path, name, found, words, posts)
        empty = False
    if empty:
        raise NoHands(f"{str(path)!r} has no hands in it")


def _hands(path: Path, text: str) -> Iterable[tuple[str, Found]]:
    """The names of the hands, and the hands in the form in which the file's format has them."""
    if pokerstars.is_history(text):
        return pokerstars.read(text)
    if path.suffix in (".phh", ".phhs"):
        return phh.read(text)
    if path.suffix == ".log" or text.lstrip().startswith(("STATE:", "#")):
        return acpc.read(text)
    if pokerstars.is_fragment(text):
        return [("1", Incomplete("it is only a piece of a hand, without the first line"))]
    if not text.strip():
        return []
    raise InputError(f"{str(path)!r} is not a hand history: known are .phh, .phhs, ACPC .log and PokerStars text")


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{str(path)!r} is not a file")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise InputError(f"{str(path)!r} has {size:,} bytes: at most {MOST_BYTES:,} are read")
        raw = path.read_bytes()
        return raw.decode("utf-8-sig") if path.suffix in (".phh", ".phhs", ".log") else pokerstars.decode(raw)
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{str(path)!r} is not text") from None


def _filed(path: Path, name: str, found: Found, words: bool, posts: Posts) -> FiledHand:
    if isinstance(found, acpc.Score):
        return FiledHand(path.name, name, None, None, found)
    try:
        if isinstance(found, HistoryError):
            raise found
        record = found if isinstance(found, HandRecord) else phh.to_record(found)
        return FiledHand(path.name, name, replay_hand(record, words, posts))
    except HistoryError as error:
        return FiledHand(path.name, name, None, error)
    except InputError as error:
        return FiledHand(path.name, name, None, HistoryError(str(error)))


Amounts = Mapping[str, float | None] | Sequence[float | None] | None


class Mismatch(TypedDict):
    """A hand that breaks the rules or ended otherwise than recorded, or a score that does not add up."""

    file: str
    hand: str
    expected: Amounts
    got: Amounts
    why: str


class NotChecked(TypedDict):
    """A piece of a hand, or where `hand` is empty, a file without hands or one that cannot be read."""

    file: str
    hand: str
    why: str


@dataclass
class Verification:
    """How many recorded results agree with the rules, and every one that does not."""

    hands: int = 0
    verified: int = 0
    by_winnings: int = 0  # of those verified, by what was won, as the file has no stacks at the end
    by_winners: int = 0  # of those verified, only by who won
    no_result: int = 0
    unsupported: int = 0
    mismatched: list[Mismatch] = field(default_factory=list)
    incomplete: list[NotChecked] = field(default_factory=list)
    unreadable: list[NotChecked] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether every file was read and no recorded result disagrees."""
        return not self.mismatched and not self.unreadable

    def to_dict(self) -> dict[str, object]:
        return vars(self)

    def __str__(self) -> str:
        hands = "1 hand" if self.hands == 1 else f"{self.hands:,} hands"
        counts = (
            f"{hands}: {self.verified:,} verified, {self.no_result:,} without a result, "
            f"{self.unsupported:,} of other games, {len(self.incomplete):,} incomplete, "
            f"{len(self.mismatched):,} mismatched"
        )
        if self.by_winnings or self.by_winners:
            counts += f"; verified by winnings: {self.by_winnings:,}, only by who won: {self.by_winners:,}"
        if self.unreadable:
            counts += f"; files that cannot be read: {len(self.unreadable):,}"
        lines = [
            f"{entry['file']}{f', hand {hand}' if (hand := entry['hand']) else ''}: {entry['why']}"
            for entries in (self.mismatched, self.incomplete, self.unreadable)
            for entry in entries
        ]
        return "\n".join([counts, *lines])


def verify_files(
    paths: Sequence[Path], report: Callable[[int, int], None] | None = None, posts: Posts = "live"
) -> Verification:
    """Replay every hand of the files and compare the results with those recorded.

    A file that cannot be read or has no hands is an InputError if it is the only one; among others it is listed.
    `report` is called with the number of files done and of all files; `posts` says what newcomers' posts are.
    """
    total = Verification()
    for number, path in enumerate(paths, 1):
        won: dict[str, Decimal] = {}
        try:
            for filed in read_file(path, words=False, posts=posts):
                _count(total, filed, won, posts)
        except InputError as error:
            if len(paths) == 1:
                raise
            entries = total.incomplete if isinstance(error, NoHands) else total.unreadable
            entries.append({"file": path.name, "hand": "", "why": str(error)})
        if report:
            report(number, len(paths))
    return total


def _count(total: Verification, filed: FiledHand, won: dict[str, Decimal], posts: Posts) -> None:
    """Add a hand to the total, and what each player won in it to `won`."""
    if filed.score is not None:
        expected = filed.score.by_player
        if expected != won:
            wanted, got = ({name: _number(amount) for name, amount in each.items()} for each in (expected, won))
            _mismatch(total, filed, wanted, got, "the score is not the sum of the hands")
        return
    total.hands += 1
    if isinstance(filed.trouble, phh.Unsupported):
        total.unsupported += 1
    elif isinstance(filed.trouble, Incomplete):
        total.incomplete.append({"file": filed.file, "hand": filed.hand, "why": str(filed.trouble)})
    elif filed.replayed is None:
        _mismatch(total, filed, None, None, str(filed.trouble))
    else:
        record, stacks = filed.replayed.record, filed.replayed.finishing_stacks
        checked = check(filed.replayed)
        if checked.by == "nothing":
            total.no_result += 1
            return
        for player, after, before in zip(record.players, stacks or (), record.stacks, strict=False):
            if before.is_finite():
                won[player] = won.get(player, Decimal(0)) + after - before
        if checked.agrees:
            total.verified += 1
            total.by_winnings += checked.by == "winnings"
            total.by_winners += checked.by == "winners"
        elif checked.by == "stacks":
            why = _reason(record, checked.why, posts)
            _mismatch(total, filed, _numbers(record.finishing_stacks), _numbers(stacks), why)
        else:
            why = _reason(record, checked.why, posts)
            _mismatch(total, filed, _numbers(record.winnings), _numbers(filed.replayed.won), why)


def _reason(record: HandRecord, why: str, posts: Posts) -> str:
    taken = "a live bet" if posts == "live" else "dead money"
    return f"{why} (a newcomer's post is taken as {taken})" if any(blind < 0 for blind in record.blinds) else why


def _mismatch(total: Verification, filed: FiledHand, expected: Amounts, got: Amounts, why: str) -> None:
    total.mismatched.append({"file": filed.file, "hand": filed.hand, "expected": expected, "got": got, "why": why})
