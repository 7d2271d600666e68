"""Hands of hold'em set up for a test."""

from fifthstreet.cards import Card, parse_cards
from fifthstreet.games.game import CHANCE
from fifthstreet.games.holdem import Holdem, HoldemState, HoldemView


def hand(rules: Holdem, *actions: int, hands: str = "", board: str = "") -> HoldemState:
    """The hand after these actions; hole cards and board as given, then from the bottom of the deck."""
    state, moves = rules.start(), list(actions)
    given, table = list(parse_cards(hands)) if hands else [], list(parse_cards(board)) if board else []
    spare = [Card(card) for card in range(52) if card not in {*given, *table}]
    while len(given) < 2 * rules.seats:
        given.append(spare.pop(0))
    cards = [*given, *table]
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            state = rules.after(state, cards.pop(0) if cards else spare.pop())
        elif moves:
            state = rules.after(state, moves.pop(0))
        else:
            break
    assert not moves
    return state


def seen(rules: Holdem, *actions: int, hands: str = "", board: str = "") -> HoldemView:
    """The same as the player sees it who is to act."""
    state = hand(rules, *actions, hands=hands, board=board)
    seat = rules.to_act(state)
    assert seat is not None
    return rules.view(state, seat)
