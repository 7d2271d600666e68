"""What the faces of hold'em and five-card draw share: stacks, bets, pots, and the moves of a betting round."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from fifthstreet.cards import Card
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import category, describe, strength
from fifthstreet.games.betting import CALL, FOLD, BettingTable
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Face, Json, Picture, number, only, short

PARTS = (("⅓ pot", 1 / 3), ("½ pot", 1 / 2), ("¾ pot", 3 / 4), ("pot", 1.0), ("2 × pot", 2.0))


class BettingFace(Face):
    sitting_out: ClassVar[Json] = {
        "bet": 0,
        "folded": False,
        "all_in": False,
        "cards": [],
        "hand_name": None,
        "hand_kind": None,
    }

    def open_picture(self, game: AnyGame, state: Any) -> Picture:
        return self.picture(game, state)

    def cover(self, picture: Picture, seat: int) -> None:
        own = picture.seats[seat]
        own.update(cards=[None] * len(own["cards"]), hand_name=None, hand_kind=None)

    def at_the_end(self, game: Any, state: Any) -> list[Json]:
        return [{"stack": stack} for stack in game.finishing_stacks(state)]

    def awards(self, game: AnyGame, state: Any) -> list[Json]:
        return awards(state)

    def takes_part(self, state: BettingTable, seat: int) -> bool:
        return not state.folded[seat] and state.stacks[seat] > 0

    def fallback(self, choices: Sequence[int]) -> int:
        """Check or fold."""
        return FOLD if FOLD in choices else CALL

    def value_of(self, values: Mapping[int, float], action: int) -> float | None:
        """Raises between two sizes that the agent considered are rated between them."""
        if action in values:
            return float(values[action])
        if action == FOLD:
            return 0.0 if values else None  # a fold wins and loses nothing from here on
        amounts = sorted(amount for amount in values if amount > 0)
        if action < 0 or not amounts:
            return None
        below = max((amount for amount in amounts if amount < action), default=amounts[0])
        above = min((amount for amount in amounts if amount > action), default=amounts[-1])
        if below >= above:
            return float(values[below if action > below else above])
        part = (action - below) / (above - below)
        return float((1 - part) * values[below] + part * values[above])


def at_seats(seen: BettingTable) -> list[Json]:
    """Chips, bets and the dealer button, by seat."""
    found = []
    for seat in range(seen.seats):
        stack, folded = seen.stacks[seat], bool(seen.folded[seat])
        bet, dealer = seen.bets[seat], seat == seen.seats - 1
        all_in = stack == 0 and not folded
        found.append({"stack": stack, "bet": bet, "folded": folded, "all_in": all_in, "dealer": dealer})
    return found


def made_hand(cards: Sequence[Card]) -> Json:
    """The name and the kind of the best hand in these cards, for a seat."""
    best = strength(cards)
    return {"hand_name": describe(best), "hand_kind": str(category(best))}


def pots(seen: BettingTable) -> list[int]:
    """The main pot and the side pots: one for each amount that a player still in the hand has paid."""
    paid, live = seen.paid, [seat for seat in range(seen.seats) if not seen.folded[seat]]
    levels, found, below = sorted({paid[seat] for seat in live}), [], 0
    for level in levels:
        top = max(paid) if level == levels[-1] else level
        found.append(sum(max(0, min(amount, top) - below) for amount in paid))
        below = level
    return [pot for pot in found if pot] or [0]


def awards(state: BettingTable) -> list[Json]:
    """Every pot of a hand that is over, with what each seat gets of it: the readable twin of `games.betting.share_out`.

    The part of a bet that nobody called goes back to its owner, as `uncalled`.
    """
    seats, found = range(state.seats), []
    live = [seat for seat in seats if not state.folded[seat]]
    paid = [state.wagered[seat] + (0 if state.shared_antes else state.antes[seat]) for seat in seats]
    levels = sorted({paid[seat] for seat in live})
    shared, below = state.pot - sum(paid), 0  # antes for the main pot
    for level in levels if len(live) > 1 else levels[-1:]:
        top = max(paid) if level == levels[-1] else level
        pot = shared + sum(max(0, min(amount, top) - below) for amount in paid)
        rivals = [seat for seat in live if paid[seat] >= level]
        best = max(state.strengths[seat] for seat in rivals)
        alone = rivals[0] if len(rivals) == 1 else None
        uncalled = max(0, paid[alone] - max(paid[seat] for seat in seats if seat != alone)) if alone is not None else 0
        for chips, back in ((pot - uncalled, False), (uncalled, True)):
            if chips:
                found.append(_award(chips, [seat for seat in rivals if state.strengths[seat] == best], back))
        shared, below = 0, level
    return found


def _award(chips: int, winners: Sequence[int], uncalled: bool) -> Json:
    """A pot and its division; odd chips go to the first seats."""
    each, odd = divmod(chips, len(winners))
    to = [{"seat": seat, "chips": each + (place < odd)} for place, seat in enumerate(winners)]
    return {"pot": chips, "uncalled": uncalled, "to": to}


def choices(seen: BettingTable) -> Json:
    """What the seat to act may do."""
    cost, low, high = seen.to_call, seen.min_raise, seen.max_raise
    found: Json = {"fold": cost > 0, "call": cost, "raise": None}
    if high > 0:
        wanted = {label: seen.high_bet + round(part * (seen.pot + cost)) for label, part in PARTS}
        presets = [{"label": label, "to": to} for label, to in wanted.items() if low <= to < high]
        all_in = high == seen.bets[seen.actor] + seen.stacks[seen.actor]
        presets.append({"label": "all-in" if all_in else "most", "to": high})
        found["raise"] = {"low": low, "high": high, "all_in": all_in, "presets": presets}
    return found


def action(given: Json, seen: BettingTable) -> int:
    move = given.get("move")
    cost, low, high = seen.to_call, seen.min_raise, seen.max_raise
    if move == "raise":
        only(given, "move", "to")
        to = number(given["to"], "a raise to")
        if not high:
            raise InputError(f"a raise to {to}: raising is not allowed now")
        if not low <= to <= high:
            raise InputError(f"a raise to {to}: from {low} to {high} is allowed")
        return to
    only(given, "move")
    if move in ("call", "check"):
        if move == "check" and cost:
            raise InputError(f"'check': there is a bet, and a call costs {cost}")
        return CALL
    if move == "fold":
        if not cost:
            raise InputError("'fold': a check is free")
        return FOLD
    raise InputError(f"{short(move)} is not a move: there are fold, call, check and raise")


def choice(move: int) -> Json:
    if move == FOLD:
        return {"move": "fold"}
    return {"move": "call"} if move == CALL else {"move": "raise", "to": int(move)}


def logged(seen: BettingTable, move: int) -> Json:
    """A move of the seat to act as everybody sees it: fold, check, call, bet or raise, with its amount."""
    cost, stack = seen.to_call, seen.stacks[seen.actor]
    if move == FOLD:
        return {"kind": "fold", "text": "folds"}
    if move == CALL and not cost:
        return {"kind": "check", "text": "checks"}
    if move == CALL:
        kind, amount, all_in, text = "call", cost, cost == stack, f"calls {cost}"
    else:
        amount, all_in = int(move), move == seen.bets[seen.actor] + stack
        kind, text = ("raise", f"raises to {move}") if seen.high_bet else ("bet", f"bets {move}")
    return {"kind": kind, "amount": amount, "all_in": bool(all_in), "text": text + " and is all-in" * bool(all_in)}


def label(seen: BettingTable, move: int) -> str:
    """A move in a few words, as it would be called in this situation."""
    if move == FOLD:
        return "fold"
    if move == CALL:
        return f"call {seen.to_call}" if seen.to_call else "check"
    return f"raise to {move}" if seen.high_bet else f"bet {move}"
