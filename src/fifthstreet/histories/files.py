"""Files of hands: which format a file has, every hand in it replayed, and recorded results checked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from fifthstreet.errors import InputError
from fifthstreet.histories import acpc, phh, pokerstars
from fifthstreet.histories.record import HandRecord, HistoryError, Replayed, check, replay_hand

MOST_BYTES = 50_000_000


@dataclass(frozen=True)
class FiledHand:
    """A hand in a file: replayed, or what is wrong with it."""

    file: str
    hand: str
    replayed: Replayed | None
    trouble: HistoryError | None = None
    score: acpc.Score | None = None  # not a hand, but the last line of a match

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"file": self.file, "hand": self.hand}
        if self.replayed is None:
            return found | {"trouble": str(self.trouble)}
        stacks = self.replayed.finishing_stacks
        return found | {
            "lines": list(self.replayed.lines),
            "finishing_stacks": None if stacks is None else [_number(stack) for stack in stacks],
        }

    def __str__(self) -> str:
        lines = [f"{self.file}, hand {self.hand}"]
        if self.replayed is None:
            return "\n".join([*lines, f"  {self.trouble}"])
        lines += [f"  {line}" for line in self.replayed.lines]
        stacks = self.replayed.finishing_stacks
        end = "not known" if stacks is None else ", ".join(f"{stack.normalize():f}" for stack in stacks)
        return "\n".join([*lines, f"  stacks after: {end}"])


def _number(amount: Decimal) -> float | None:
    if not amount.is_finite():
        return None
    return int(amount) if amount == int(amount) else float(amount)


def read_file(path: Path, words: bool = True) -> Iterator[FiledHand]:
    """Every hand of the file, replayed."""
    text = _text(path)
    if pokerstars.is_history(text):
        for name, hand in pokerstars.read(text):
            yield _filed(path, name, hand, words)
    elif path.suffix in (".phh", ".phhs"):
        for name, fields in phh.read(text):
            yield _filed(path, name, fields, words)
    elif path.suffix == ".log" or text.lstrip().startswith(("STATE:", "#")):
        for name, found in acpc.read(text):
            yield _filed(path, name, found, words)
    else:
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


def _filed(path: Path, name: str, found: Any, words: bool) -> FiledHand:
    if isinstance(found, acpc.Score):
        return FiledHand(path.name, name, None, None, found)
    try:
        if isinstance(found, HistoryError):
            raise found
        record = found if isinstance(found, HandRecord) else phh.to_record(found)
        return FiledHand(path.name, name, replay_hand(record, words))
    except HistoryError as error:
        return FiledHand(path.name, name, None, error)
    except InputError as error:
        return FiledHand(path.name, name, None, HistoryError(str(error)))


@dataclass
class Verification:
    """How many recorded results the rules agree with, and every one that they do not."""

    hands: int = 0
    verified: int = 0
    no_result: int = 0
    unsupported: int = 0
    mismatched: list[dict[str, Any]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        lines = [
            f"{self.hands:,} hands: {self.verified:,} verified, {self.no_result:,} without a result, "
            f"{self.unsupported:,} of other games, {len(self.mismatched):,} mismatched"
        ]
        lines += [f"{entry['file']}, hand {entry['hand']}: {entry['why']}" for entry in self.mismatched]
        return "\n".join(lines)


def verify_files(paths: Sequence[Path], report: Callable[[int, int], None] | None = None) -> Verification:
    """Replay every hand of these files and compare with what was recorded."""
    total = Verification()
    for number, path in enumerate(paths, 1):
        won: dict[str, Decimal] = {}
        try:
            for filed in read_file(path, words=False):
                _count(total, filed, won)
        except InputError as error:  # one bad file does not spoil the others
            if len(paths) == 1:
                raise
            _mismatch(total, FiledHand(path.name, "", None), None, None, str(error))
        if report:
            report(number, len(paths))
    return total


def _count(total: Verification, filed: FiledHand, won: dict[str, Decimal]) -> None:
    if filed.score is not None:
        if filed.score.by_player != won:
            _mismatch(total, filed, filed.score.by_player, won, "the score is not the sum of the hands")
        return
    total.hands += 1
    if isinstance(filed.trouble, phh.Unsupported):
        total.unsupported += 1
    elif filed.replayed is None:
        _mismatch(total, filed, None, None, str(filed.trouble))
    else:
        record, got = filed.replayed.record, filed.replayed.finishing_stacks
        if record.finishing_stacks is None:
            total.no_result += 1
            return
        agrees, why = check(filed.replayed)
        for player, after, before in zip(record.players, got or (), record.stacks, strict=False):
            won[player] = won.get(player, Decimal(0)) + after - before
        if agrees:
            total.verified += 1
        else:
            _mismatch(total, filed, record.finishing_stacks, got, _reason(record, why))


def _reason(record: HandRecord, why: str) -> str:
    posts = any(blind < 0 for blind in record.blinds)
    return f"{why} (a newcomer's post is read as a live bet here)" if posts else why


def _mismatch(total: Verification, filed: FiledHand, expected: Any, got: Any, why: str) -> None:
    def plain(amounts: Any) -> Any:
        if isinstance(amounts, dict):
            return {name: _number(amount) for name, amount in amounts.items()}
        return None if amounts is None else [_number(amount) for amount in amounts]

    entry = {"file": filed.file, "hand": filed.hand, "expected": plain(expected), "got": plain(got), "why": why}
    total.mismatched.append(entry)
