"""The simulator's second and third players, with a count of what their paper says about them.

They play exactly as they do without it.
"""

import math
from typing import Any, ClassVar

import numpy as np

from fifthstreet.agents.holdem import hand_strength as phase_two
from fifthstreet.agents.holdem import opponent_model as phase_three
from fifthstreet.agents.holdem.hand_strength import HandStrength
from fifthstreet.agents.holdem.opponent_model import OpponentModel, by_model, estimate, remember, shown
from fifthstreet.games.betting import MOST_SEATS
from fifthstreet.games.game import AnyGame, Lesson, Mind
from fifthstreet.games.holdem import HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

# Behind the mind of the second player: how often it came to a showdown, and its share of the pots there.
SHOWDOWNS, SHARE = phase_two.MIND, phase_two.MIND + 1

# Behind the mind of the third: how many hands it has played; for each stretch of hands, how often it decided and how
# often it adjusted its bet; for each player, how many hand strengths it had estimated before they were shown, the sum
# of squared errors, and the sums of the strengths and their squares.
ENDS = (10, 100, 1_000, 10_000)
HANDS = phase_three.MIND
DECISIONS = HANDS + 1
ESTIMATES = DECISIONS + 2 * (len(ENDS) + 1)
MIND = ESTIMATES + 4 * MOST_SEATS


@kernel
def count_showdown(view: HoldemView, payoff: float, mind: Mind) -> None:
    if view.live > 1 and view.folded[view.seat] == 0:
        mind[SHOWDOWNS] += 1
        mind[SHARE] += view.won[view.seat] / view.pot


@kernel
def count_adjustments(view: HoldemView, mind: Mind, rng: RngState) -> int:
    better, worse = estimate(view, mind, np.empty((MOST_SEATS, 2)))
    stretch = 0
    for end in ENDS:
        stretch += mind[HANDS] >= end
    mind[DECISIONS + 2 * stretch] += 1
    mind[DECISIONS + 2 * stretch + 1] += better != worse
    return by_model(view, mind, rng)


@kernel
def check_estimates(view: HoldemView, payoff: float, mind: Mind) -> None:
    """Compare what the model would have said about every action with the cards shown, then let it remember them."""
    mind[HANDS] += 1
    places, strengths = np.empty(view.history_length, np.int64), np.empty(view.history_length)
    shown(view, mind, places, strengths)
    for i in range(view.history_length):
        place, strength = places[i], strengths[i]
        if place >= 0 and mind[place] > 0:
            counts = ESTIMATES + 4 * view.players[view.history[i].seat]
            mind[counts] += 1
            mind[counts + 1] += (mind[place + 1] / mind[place] - strength) ** 2
            mind[counts + 2] += strength
            mind[counts + 3] += strength * strength
    remember(view, payoff, mind)


class WatchedHandStrength(HandStrength):
    """The second player, with a count of its showdowns."""

    name: ClassVar[str] = "watched-hand-strength"

    def lesson(self, game: AnyGame) -> Lesson | None:
        return count_showdown

    def mind(self, game: AnyGame) -> Mind:
        return np.concatenate([super().mind(game), np.zeros(2)])

    def memory(self, mind: Mind) -> list[dict[str, Any]]:
        return [{"showdowns": int(mind[SHOWDOWNS]), "share": float(mind[SHARE])}]


class WatchedOpponentModel(OpponentModel):
    """The third player, with a count of its adjustments and the errors of its estimates."""

    name: ClassVar[str] = "watched-opponent-model"
    plays = count_adjustments

    def lesson(self, game: AnyGame) -> Lesson | None:
        return check_estimates

    def mind(self, game: AnyGame) -> Mind:
        return np.concatenate([super().mind(game), np.zeros(MIND - HANDS)])

    def memory(self, mind: Mind) -> list[dict[str, Any]]:
        """A row for each stretch of hands that it has reached, and one for each opponent that it has estimated."""
        decided = mind[DECISIONS:ESTIMATES].reshape(-1, 2)
        rows: list[dict[str, Any]] = [
            {"after hand": after, "decisions": int(count), "adjusted": int(adjusted)}
            for after, (count, adjusted) in zip((0, *ENDS), decided, strict=True)
            if count
        ]
        for player, (count, squares, total, total_of_squares) in enumerate(mind[ESTIMATES:MIND].reshape(-1, 4)):
            if count:
                spread = math.sqrt(max(total_of_squares / count - (total / count) ** 2, 0.0))
                error = math.sqrt(squares / count)
                rows.append({"player": player, "estimates": int(count), "error": error, "spread": spread})
        return rows
