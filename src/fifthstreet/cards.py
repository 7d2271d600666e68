"""Cards: a card is rank · 4 + suit, 0 to 51; rank 0 is a deuce and 12 an ace; suits are c, d, h, s.

>>> Card.parse("Ah"), Card.parse("Ah").rank, int(Card.parse("Ah"))
(Ah, A, 50)
>>> parse_cards("Ah Kh, Qh")
[Ah, Kh, Qh]
"""

from collections.abc import Iterable

from fifthstreet.errors import InputError, quoted

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_SIZE = 52


class CardError(InputError):
    """Text or numbers that are not cards, or a card given twice."""


class Rank(int):
    """A rank, 0 (deuce) to 12 (ace)."""

    __slots__ = ()

    def __str__(self) -> str:
        return RANKS[self]

    __repr__ = __str__


class Suit(int):
    """A suit, 0 to 3: clubs, diamonds, hearts, spades."""

    __slots__ = ()

    def __str__(self) -> str:
        return SUITS[self]

    __repr__ = __str__


class Card(int):
    """One of the 52 cards, made from its number. It prints as it parses."""

    __slots__ = ()

    def __new__(cls, number: int) -> "Card":
        try:
            return _DECK[number]  # one lookup both checks the number and saves making a new object
        except (KeyError, TypeError):
            raise CardError(f"{quoted(number)} is not a card: cards are whole numbers from 0 to 51") from None

    @classmethod
    def of(cls, rank: int, suit: int) -> "Card":
        """The card of this rank (0 to 12) and suit (0 to 3)."""
        return cls(rank * 4 + suit)

    @classmethod
    def parse(cls, text: str) -> "Card":
        """The card that the text names, like Ah or 10h, in upper or lower case."""
        if text in _BY_NAME:
            return _BY_NAME[text]
        letters = text.strip()
        short = "T" + letters[2:] if letters.startswith("10") else letters
        if len(short) != 2:
            raise CardError(f"{quoted(text)} is not a card: a card is a rank and a suit, like Ah or Td")
        rank, suit = RANKS.find(short[0].upper()), SUITS.find(short[1].lower())
        if rank < 0:
            raise CardError(f"{text!r} has no rank {short[0]!r}: ranks are {RANKS}")
        if suit < 0:
            raise CardError(f"{text!r} has no suit {short[1]!r}: suits are {SUITS}")
        return cls.of(rank, suit)

    @property
    def rank(self) -> Rank:
        return Rank(self >> 2)

    @property
    def suit(self) -> Suit:
        return Suit(self & 3)

    def __str__(self) -> str:
        return RANKS[self >> 2] + SUITS[self & 3]

    __repr__ = __str__


_DECK = {number: int.__new__(Card, number) for number in range(DECK_SIZE)}
_BY_NAME = {str(card): card for card in _DECK.values()}


def parse_cards(text: str) -> list[Card]:
    """The cards that the text names, with or without spaces or commas between them; CardError if one is repeated."""
    letters = "".join(text.replace(",", " ").split()).replace("10", "T")
    if len(letters) % 2:
        raise CardError(f"{quoted(text)} is not a list of cards: each is a rank and a suit, like AhKd")
    try:
        found = [Card.parse(letters[i : i + 2]) for i in range(0, len(letters), 2)]
    except CardError as error:
        raise CardError(f"{error} (in {quoted(text)})" if len(letters) > 2 else str(error)) from None
    return distinct(found, text)


def cards(given: "str | Iterable[int]") -> list[Card]:
    """Cards from text or from numbers 0 to 51; CardError if one is not a card or is repeated.

    >>> cards([50, 46])
    [Ah, Kh]
    """
    if isinstance(given, str):
        return parse_cards(given)
    if not isinstance(given, Iterable):
        raise CardError(f"{quoted(given)} is not cards: give text like AhKd, or numbers from 0 to 51")
    found = []
    for item in given:
        if isinstance(item, str):
            found.append(Card.parse(item))
            continue
        try:
            number = int(item)
            whole = number == item
        except (TypeError, ValueError, OverflowError):
            whole = False
        if not whole or not 0 <= number < DECK_SIZE or isinstance(item, bool):
            raise CardError(f"{quoted(item)} is not a card: cards are whole numbers from 0 to 51")
        found.append(Card(number))
    return distinct(found)


def distinct(found: list[Card], text: str = "") -> list[Card]:
    """The same cards; CardError, quoting `text`, if one is repeated."""
    if len(set(found)) != len(found):
        twice = next(card for i, card in enumerate(found) if card in found[:i])
        raise CardError(f"{twice} is there twice in {quoted(text or show(found))}")
    return found


def show(row: Iterable[int]) -> str:
    """The cards as text, which `parse_cards` reads.

    >>> show([50, 46])
    'AhKh'
    """
    return "".join(str(Card(card)) for card in row)
