"""The deck of a hand, fixed before it starts: its hash is shown at the start, its seed at the end, for anyone to check.

The hash is of one line of text, the seed and the 52 cards in the order they are dealt:

>>> seed = "0123456789abcdef0123456789abcdef"
>>> line(seed, deck_of(seed))[:41]
'0123456789abcdef0123456789abcdef 6sKc2c7s'
>>> import hashlib
>>> hashlib.sha256(line(seed, deck_of(seed)).encode()).hexdigest() == commitment(seed, deck_of(seed))
True
"""

import hashlib
import secrets
from collections.abc import Sequence

from fifthstreet.arena.seeds import Seeds
from fifthstreet.cards import DECK_SIZE, show


def new_seed() -> str:
    """128 random bits, so that nobody can guess the deck from its hash."""
    return secrets.token_hex(16)


def deck_of(seed: str) -> list[int]:
    """The cards in the order they are dealt, the same as the arena deals from this seed."""
    dealer, _ = Seeds.of(int(seed, 16), 1).for_deal(0)
    left = list(range(DECK_SIZE))
    return [left.pop(dealer.below(len(left))) for _ in range(DECK_SIZE)]


def line(seed: str, deck: Sequence[int]) -> str:
    return f"{seed} {show(deck)}"


def commitment(seed: str, deck: Sequence[int]) -> str:
    return hashlib.sha256(line(seed, deck).encode()).hexdigest()
