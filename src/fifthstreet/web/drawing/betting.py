"""What hold'em and five-card draw have in common: stacks, bets, pots, and the three moves."""


from fifthstreet.errors import InputError
from fifthstreet.games.betting import CALL, FOLD, BettingTable
from fifthstreet.web.drawing.face import Json, number, only, short

PARTS = (("⅓ pot", 1 / 3), ("½ pot", 1 / 2), ("¾ pot", 3 / 4), ("pot", 1.0), ("2 × pot", 2.0))


def at_seats(seen: BettingTable) -> list[Json]:
    """Chips and bets, by seat."""
    found = []
    for seat in range(seen.seats):
        stack, folded = seen.stacks[seat], bool(seen.folded[seat])
        bet = seen.bets[seat]
        found.append({"stack": stack, "bet": bet, "folded": folded, "all_in": stack == 0 and not folded})
    return found


def pots(seen: BettingTable) -> list[int]:
    """The main pot and the side pots: layers up to each amount that somebody still in has paid."""
    paid, live = seen.paid, [seat for seat in range(seen.seats) if not seen.folded[seat]]
    levels, found, below = sorted({paid[seat] for seat in live}), [], 0
    for level in levels:
        top = max(paid) if level == levels[-1] else level
        found.append(sum(max(0, min(amount, top) - below) for amount in paid))
        below = level
    return [pot for pot in found if pot] or [0]


def choices(seen: BettingTable) -> Json:
    seat, cost, low, high = seen.actor, seen.to_call, seen.min_raise, seen.max_raise
    found: Json = {"fold": cost > 0, "call": cost, "raise": None}
    if high > 0:
        top, pot = seen.high_bet, seen.pot + cost
        wanted = {label: top + round(part * pot) for label, part in PARTS}
        presets = [{"label": label, "to": to} for label, to in wanted.items() if low <= to < high]
        everything = seen.bets[seat] + seen.stacks[seat]
        presets.append({"label": "all-in" if high == everything else "most", "to": high})
        found["raise"] = {"low": low, "high": high, "presets": presets}
    return found


def action(given: Json, seen: BettingTable) -> int:
    move = given.get("move")
    cost, low, high = seen.to_call, seen.min_raise, seen.max_raise
    if move == "raise":
        only(given, "move", "to")
        to = number(given["to"], "a raise to")
        if not high:
            raise InputError(f"a raise to {to}: nobody may raise now")
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


def told(seen: BettingTable, move: int) -> str:
    seat, cost = seen.actor, seen.to_call
    if move == FOLD:
        return "folds"
    all_in = seen.bets[seat] + seen.stacks[seat]
    if move == CALL:
        if not cost:
            return "checks"
        return f"calls {cost}" + (" and is all-in" if cost == seen.stacks[seat] else "")
    words = f"raises to {move}" if seen.high_bet else f"bets {move}"
    return words + (" and is all-in" if move == all_in else "")


def label(cost: int, high: int, move: int) -> str:
    """A move in a word, for a bar: what it is called depends on what was bet."""
    if move == FOLD:
        return "fold"
    if move == CALL:
        return f"call {cost}" if cost else "check"
    return f"raise to {move}" if high else f"bet {move}"


def label_in(seen: BettingTable, move: int) -> str:
    return label(seen.to_call, seen.high_bet, move)
