"""The simulator's third player: it remembers with what hands its opponents did what.

Readings. Every opponent has a model of its own. An entry is the hand strength, against one random hand on the board of
that moment, with which a player was later seen to have acted so in such a context. Of an opponent still in the hand,
the model is asked for the average of its latest action; what it has never seen says nothing. The classes as printed
leave gaps: no raise counts with 1 to 2, a third with more than 3, a check with bets of 1 to 500.

Formula 4.1 as printed, b' = b · (worse − better)/10, would make every bet nothing while the model is empty, where the
text says that then nothing is adjusted. The new bet here is b · (1 + (worse − better)/10).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Decision, Turn
from fifthstreet.agents.holdem import hand_strength as phase_two
from fifthstreet.agents.holdem.hand_strength import (
    LEVEL,
    HandStrength,
    act_on,
    hand_strength,
    strength_against_one,
    willing_to_pay,
)
from fifthstreet.agents.holdem.reading import raises
from fifthstreet.games.betting import (
    CALL,
    FOLD,
    FOLDED,
    LIVE,
    MOST_SEATS,
    PLAYERS,
    SEAT,
    SEATS,
    STREET_BETS,
    pot_of,
    to_call,
)
from fifthstreet.games.game import AnyGame, Lesson, Policy
from fifthstreet.games.holdem import ACTIONS, SMALL_BET, STREET, apply, entry, rewound, to_be_dealt
from fifthstreet.kernel import kernel

STAGES = ("before the flop", "flop", "turn", "river")
PLAYERS_IN = ("1–3", "4–7", "8–10")
RAISES_MADE = ("0–2", "3+")
ODDS = ("≤ 0.3", "> 0.3")
DEEDS = ("call", "raise")
BETS = ("≤ 500", "> 500")
CELLS = 4 * 3 * 2 * 2 * 2 * 2

MODEL = phase_two.MIND  # then for each player and cell: how often it was seen, and the sum of hand strengths
MIND = MODEL + MOST_SEATS * CELLS * 2


@kernel
def read_actions(view: Any, cells: Any) -> None:
    """The class of context and action of each action of the hand so far, −1 for a fold: the hand is played again."""
    data = rewound(view)
    for i in range(view[ACTIONS]):
        while to_be_dealt(data):
            apply(data, 0)  # any card: betting does not look at them
        seat, action = entry(view, i)
        cells[i] = -1
        if action != FOLD:
            cost = to_call(data, seat)
            bet = cost if action == CALL else action - data[STREET_BETS + seat]
            players = 0 if data[LIVE] <= 3 else 1 if data[LIVE] <= 7 else 2
            odds = cost / (pot_of(data) + cost) > 0.3
            cells[i] = data[STREET] * 3 + players
            for bit in (raises(data) > 2, odds, action > CALL, bet > 500):
                cells[i] = 2 * cells[i] + bit
        apply(data, action)


@kernel
def estimate(view: Any, mind: Any, estimates: Any) -> Any:
    """How many opponents are probably better, and how many worse; by seat, how often such was seen, and the average."""
    seats, seat = view[SEATS], view[SEAT]
    cells = np.empty(view[ACTIONS], np.int64)
    read_actions(view, cells)
    estimates[:, :] = 0.0
    for i in range(view[ACTIONS]):
        other, _ = entry(view, i)
        if other != seat and view[FOLDED + other] == 0:
            place = MODEL + 2 * (view[PLAYERS + other] * CELLS + cells[i])
            estimates[other, 0] = mind[place]
            estimates[other, 1] = mind[place + 1] / max(mind[place], 1.0)
    mine = strength_against_one(view, mind, seat, view[STREET])
    better, worse = 0, 0
    for other in range(seats):
        if estimates[other, 0] > 0:
            better += estimates[other, 1] > mine
            worse += estimates[other, 1] <= mine
    return better, worse


@kernel
def adjusted(bet: float, better: int, worse: int) -> float:
    """Formula 4.1, as it is read here."""
    return bet * (1 + (worse - better) / 10)


@kernel
def by_model(view: Any, mind: Any, words: Any) -> int:
    willing = willing_to_pay(hand_strength(view, mind, words), mind[LEVEL], view[SMALL_BET])
    better, worse = estimate(view, mind, np.empty((MOST_SEATS, 2)))
    return act_on(view, mind, adjusted(willing, better, worse))


@kernel
def remember(view: Any, payoff: float, mind: Any) -> None:
    """What those who showed their cards held each time they acted."""
    if view[LIVE] == 1:
        return
    cells = np.empty(view[ACTIONS], np.int64)
    read_actions(view, cells)
    strengths = np.full((MOST_SEATS, 4), -1.0)
    for i in range(view[ACTIONS]):
        other, _ = entry(view, i)
        if other == view[SEAT] or view[FOLDED + other] == 1:
            continue
        street = cells[i] // (CELLS // 4)
        if strengths[other, street] < 0:
            strengths[other, street] = strength_against_one(view, mind, other, street)
        place = MODEL + 2 * (view[PLAYERS + other] * CELLS + cells[i])
        mind[place] += 1
        mind[place + 1] += strengths[other, street]


@dataclass
class OpponentModel(HandStrength):
    """Adjusts what it is willing to pay by how many opponents seem better and worse, judged by hands it was shown."""

    name: ClassVar[str] = "opponent-model"
    source: ClassVar[str] = "holdem-simulator chapter 4"

    def decide(self, turn: Turn) -> Decision:
        data, estimates = turn.view.data, np.empty((MOST_SEATS, 2))
        strength = hand_strength(data, turn.mind, turn.rng.state)
        before = willing_to_pay(strength, turn.mind[LEVEL], data[SMALL_BET])
        better, worse = estimate(data, turn.mind, estimates)
        willing = adjusted(before, better, worse)
        believed = {
            seat: {"hand strength": float(average), "observations": int(count)}
            for seat, (count, average) in enumerate(estimates)
            if count > 0
        }
        return Decision(
            act_on(data, turn.mind, willing),
            reason=f"hand strength {strength:.2f}, {better} opponents seem better and {worse} worse: willing to pay "
            f"{willing:.0f} instead of {before:.0f}, and a call costs {to_call(data, turn.view.seat)}",
            figures={
                "hand strength": strength,
                "willing to pay": willing,
                "before adjustment": before,
                "better": better,
                "worse": worse,
                "opponents": believed,
            },
        )

    def policy(self, game: AnyGame) -> Policy | None:
        return by_model

    def lesson(self, game: AnyGame) -> Lesson | None:
        return remember

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        return np.concatenate([super().mind(game), np.zeros(MIND - MODEL)])

    def memory(self, mind: NDArray[np.float64]) -> list[dict[str, Any]]:
        """What it believes of whom: the average strength seen in each class of context and action, and how often."""
        names = {
            "stage": STAGES,
            "players": PLAYERS_IN,
            "raises": RAISES_MADE,
            "pot odds": ODDS,
            "action": DEEDS,
            "bet": BETS,
        }
        model = mind[MODEL:MIND].reshape(MOST_SEATS, *(len(classes) for classes in names.values()), 2)
        return [
            {"player": place[0]}
            | {what: classes[i] for (what, classes), i in zip(names.items(), place[1:], strict=True)}
            | {"observations": int(model[*place, 0]), "hand strength": float(model[*place, 1] / model[*place, 0])}
            for place in zip(*(axis.tolist() for axis in np.nonzero(model[..., 0])), strict=True)
        ]
