"""STATE lines, the log format of the Annual Computer Poker Competition, for no-limit hold'em.

    STATE:0:cr13024c/r16916f:5d5c|9hQd/8dAs8s:13024|-13024:Alice|Bob

A raise gives the player's total in the pot over the whole hand. The lines do not contain stacks and blinds; those of
the competition, 20,000 and 50/100, are assumed unless others are passed. Heads-up, the first player has the big blind.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from fifthstreet.cards import CardError, parse_cards, show
from fifthstreet.errors import quoted
from fifthstreet.histories.record import Board, HandRecord, HistoryError, Move


@dataclass(frozen=True)
class Stakes:
    """Stacks and blinds of a match, in chips."""

    stack: int = 20_000
    small_blind: int = 50
    big_blind: int = 100


STAKES = Stakes()


@dataclass(frozen=True)
class Score:
    """The last line of a match: what each player won over all hands."""

    by_player: dict[str, Decimal]


def read(text: str, stakes: Stakes = STAKES) -> Iterator[tuple[str, HandRecord | Score | HistoryError]]:
    """Yields the number and the record of each hand of a log, or the error in its place, and at the end the score."""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            if line.startswith("SCORE:"):
                yield "score", _score(line)
            else:
                record = parse(line, stakes)
                yield record.name, record
        except (HistoryError, CardError) as error:
            yield f"line {number}", HistoryError(str(error))


def _score(line: str) -> Score:
    parts = line.split(":")
    if len(parts) != 3:
        raise HistoryError(f"{line[:60]!r} is not a score")
    values, names = parts[1].split("|"), parts[2].split("|")
    return Score({name: _number(value) for name, value in zip(names, values, strict=False)})


def _number(text: str) -> Decimal:
    if not re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,6})?", text):
        raise HistoryError(f"{text[:30]!r} is not a number")
    return Decimal(text)


def parse(line: str, stakes: Stakes = STAKES) -> HandRecord:
    """The hand of one STATE line."""
    parts = line.split(":")
    if len(parts) != 6 or parts[0] != "STATE":
        raise HistoryError(f"{line[:60]!r} is not a STATE line")
    _, number, betting, cards, payoffs, names = parts
    hole, *board = cards.split("/")
    hands = tuple(tuple(parse_cards(hand)) for hand in hole.split("|"))
    players = tuple(names.split("|"))
    seats = len(hands)
    if not 2 <= seats <= 10 or len(players) != seats:
        raise HistoryError(f"{len(players)} players for {seats} hands")
    blinds = [0] * seats
    big, small = (0, 1) if seats == 2 else (1, 0)
    blinds[big], blinds[small] = stakes.big_blind, stakes.small_blind
    won = [_number(value) for value in payoffs.split("|")]
    if len(won) != seats:
        raise HistoryError(f"{len(won)} payoffs for {seats} players")
    stacks = (Decimal(stakes.stack),) * seats
    return HandRecord(
        stacks,
        tuple(Decimal(blind) for blind in blinds),
        (Decimal(0),) * seats,
        Decimal(stakes.big_blind),
        tuple(_events(betting, board, blinds, stakes)),
        hands,
        finishing_stacks=tuple(stack + value for stack, value in zip(stacks, won, strict=True)),
        players=players,
        name=number,
    )


def _events(betting: str, board: list[str], blinds: list[int], stakes: Stakes) -> Iterator[Board | Move]:
    """The events of a hand. A line does not say who acts, so the bets and folds are tracked to find out."""
    seats = len(blinds)
    paid, folded = list(blinds), [False] * seats
    first = 1 if seats == 2 else 2 % seats
    for street, text in enumerate(betting.split("/")):
        if street:
            if street > len(board):
                raise HistoryError(f"there are no cards for street {street}")
            yield Board(tuple(parse_cards(board[street - 1])))
            first = 0
        before, seat = max(paid) if street else 0, first
        for token in re.findall(r"[fc]|r[0-9]+|.", text):
            for _ in range(seats):
                if not folded[seat] and paid[seat] < stakes.stack:
                    break
                seat = (seat + 1) % seats
            if token == "f":
                folded[seat] = True
                yield Move(seat, "fold")
            elif token == "c":
                paid[seat] = max(paid)
                yield Move(seat, "call")
            elif token[0] == "r" and 1 < len(token) <= 18:
                paid[seat] = int(token[1:])
                yield Move(seat, "raise", Decimal(paid[seat] - before))
            else:
                raise HistoryError(f"{quoted(token, 30)} is not an action in {quoted(betting)}")
            seat = (seat + 1) % seats


def dump(record: HandRecord) -> str:
    """The STATE line of a hand; HistoryError unless every hand and the result are known."""
    if any(len(hand) != 2 for hand in record.hands) or record.finishing_stacks is None:
        raise HistoryError("a STATE line needs every hand's cards and the result")
    paid = [int(blind) for blind in record.blinds]
    before, streets, board = 0, [""], []
    for event in record.events:
        if isinstance(event, Board):
            streets.append("")
            board.append(show(event.cards))
            before = max(paid)
        elif event.kind == "raise":
            paid[event.seat] = before + int(event.amount)
            streets[-1] += f"r{paid[event.seat]}"
        else:
            if event.kind == "call":
                paid[event.seat] = max(paid)
            streets[-1] += event.kind[0]
    won = [stack - start for stack, start in zip(record.finishing_stacks, record.stacks, strict=True)]
    cards = "/".join(["|".join(show(hand) for hand in record.hands), *board])
    payoffs = "|".join(f"{value:f}" for value in won)
    return f"STATE:{record.name}:{'/'.join(streets)}:{cards}:{payoffs}:{'|'.join(record.players)}"
