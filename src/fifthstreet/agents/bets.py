"""How players turn an intention into a legal bet, in every game with `games.betting`."""

from fifthstreet.games.betting import CALL, FOLD, BettingTable
from fifthstreet.kernel import kernel


@kernel
def raise_by(view: BettingTable, amount: float) -> int:
    """A raise by this amount above the highest bet, as near as the rules allow; a call where no raise is allowed."""
    if view.max_raise == 0:
        return CALL
    return max(view.min_raise, min(view.max_raise, view.high_bet + int(amount)))


@kernel
def give_up(view: BettingTable) -> int:
    """Fold, or check where that is free."""
    return FOLD if view.to_call > 0 else CALL
