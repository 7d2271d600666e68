"""The simulator's third player: it remembers which hands its opponents held when they called and raised.

How the paper is read here. Every opponent has a model of its own. An entry is the hand strength, against one random
hand on the board of that moment, that a player turned out to have had when it acted in such a context. For an opponent
still in the hand, the model gives the average for its latest action; an action never seen before says nothing. The
printed classes leave gaps: no raise is counted with 1 to 2, a third with more than 3, a check with bets of 1 to 500.

Formula 4.1 as printed, b' = b · (worse − better)/10, would reduce every bet to nothing while the model is empty, but
the text says that nothing is adjusted then. Here the new bet is b · (1 + (worse − better)/10), unless
`adjustment=printed`. With `model=pooled` all opponents share one model: figure 4.1 and "the model" in §4.2 leave open
whether there is one for each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Decision, Turn
from fifthstreet.agents.holdem import hand_strength as phase_two
from fifthstreet.agents.holdem.hand_strength import (
    AS_PRINTED,
    POOLED,
    HandStrength,
    act_on,
    hand_strength,
    strength_against_one,
    willing,
)
from fifthstreet.agents.holdem.reading import raises
from fifthstreet.games.betting import CALL, FOLD, MOST_SEATS, action_of
from fifthstreet.games.deck import undealt
from fifthstreet.games.game import CHANCE, OVER, AnyGame, Lesson, Mind
from fifthstreet.games.holdem import HoldemState, HoldemView, apply, rewind
from fifthstreet.kernel import kernel
from fifthstreet.record import one_record
from fifthstreet.rng import RngState

STAGES = ("before the flop", "flop", "turn", "river")
PLAYERS_IN = ("1–3", "4–7", "8–10")
RAISES_MADE = ("0–2", "3+")
ODDS = ("≤ 0.3", "> 0.3")
DEEDS = ("call", "raise")
BETS = ("≤ 500", "> 500")
CELLS = 4 * 3 * 2 * 2 * 2 * 2

MODEL = phase_two.MIND  # then for each player and cell: how often it was seen, and the sum of hand strengths
MIND = MODEL + MOST_SEATS * CELLS * 2


STATE = HoldemState.dtype


@kernel
def read_actions(view: HoldemView, cells: NDArray[np.int64]) -> None:
    """Write the class of context and action of each action so far to `cells`, −1 for a fold."""
    play_again(view, one_record(STATE), cells)


@kernel
def play_again(view: HoldemView, states: Sequence[HoldemState], cells: NDArray[np.int64]) -> None:
    """Play the hand again in the first of `states`, to see each action in its context."""
    state = states[0]
    rewind(view, state)
    for i in range(view.history_length):
        while state.actor == CHANCE:
            apply(state, undealt(state, 0))  # any card: betting does not look at them
        cells[i] = -1
        if state.actor == OVER:  # only in a view made up outside
            continue
        action = action_of(view.history[i])
        if action != FOLD:
            cost = state.to_call
            bet = cost if action == CALL else action - state.bets[state.actor]
            players = 0 if state.live <= 3 else 1 if state.live <= 7 else 2
            odds = cost / (state.pot + cost) > 0.3
            cells[i] = state.street * 3 + players
            for bit in (raises(state) > 2, odds, action > CALL, bet > 500):
                cells[i] = 2 * cells[i] + bit
        apply(state, action)


@kernel
def place_of(mind: Mind, player: int, cell: int) -> int:
    """Where the mind keeps what it knows of a player's actions of this class."""
    return MODEL + 2 * (cell if mind[POOLED] else player * CELLS + cell)


@kernel
def estimate(view: HoldemView, mind: Mind, estimates: Mind) -> tuple[int, int]:
    """How many opponents are probably better, and how many worse.

    Writes by seat how often its latest action was seen in such a context, and with what average strength.
    """
    seats, seat = view.seats, view.seat
    cells = np.empty(view.history_length, np.int64)
    read_actions(view, cells)
    estimates[:, :] = 0.0
    for i in range(view.history_length):
        other = view.history[i].seat
        if other != seat and view.folded[other] == 0:
            place = place_of(mind, view.players[other], cells[i])
            estimates[other, 0] = mind[place]
            estimates[other, 1] = mind[place + 1] / max(mind[place], 1.0)
    mine = strength_against_one(view, mind, seat, view.street)
    better, worse = 0, 0
    for other in range(seats):
        if estimates[other, 0] > 0:
            better += estimates[other, 1] > mine
            worse += estimates[other, 1] <= mine
    return better, worse


@kernel
def adjusted(bet: float, better: int, worse: int, as_printed: bool) -> float:
    """Formula 4.1: as printed, or as the text has it."""
    share = (worse - better) / 10
    return bet * (share if as_printed else 1 + share)


@kernel
def by_model(view: HoldemView, mind: Mind, rng: RngState) -> int:
    pays = willing(view, mind, hand_strength(view, mind, rng))
    better, worse = estimate(view, mind, np.empty((MOST_SEATS, 2)))
    return act_on(view, mind, adjusted(pays, better, worse, mind[AS_PRINTED] > 0))


@kernel
def shown(view: HoldemView, mind: Mind, places: NDArray[np.int64], strengths: NDArray[np.float64]) -> None:
    """For each action in a hand: where the mind keeps its class, and the strength of the hand that did it.

    A place of −1 stands for actions of which nothing is learned: the player's own, and those of hands not shown.
    """
    read_actions(view, places)
    known = np.full((MOST_SEATS, 4), -1.0)
    for i in range(view.history_length):
        other = view.history[i].seat
        if other == view.seat or view.folded[other] == 1 or view.live == 1:
            places[i] = -1
            continue
        street = places[i] // (CELLS // 4)
        if known[other, street] < 0:
            known[other, street] = strength_against_one(view, mind, other, street)
        places[i], strengths[i] = place_of(mind, view.players[other], places[i]), known[other, street]


@kernel
def remember(view: HoldemView, payoff: float, mind: Mind) -> None:
    """Remember what everyone who showed their cards held each time they acted."""
    if view.live == 1:
        return
    places, strengths = np.empty(view.history_length, np.int64), np.empty(view.history_length)
    shown(view, mind, places, strengths)
    for i in range(view.history_length):
        if places[i] >= 0:
            mind[places[i]] += 1
            mind[places[i] + 1] += strengths[i]


@dataclass
class OpponentModel(HandStrength):
    """Adjusts what it is willing to pay by how many opponents seem better or worse, from hands seen at showdowns."""

    name: ClassVar[str] = "opponent-model"
    source: ClassVar[str] = "holdem-simulator chapter 4"
    plays = by_model

    adjustment: Literal["shifted", "printed"] = "shifted"
    model: Literal["each", "pooled"] = "each"

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        view, estimates = turn.view, np.empty((MOST_SEATS, 2))
        strength = hand_strength(view, turn.mind, turn.rng.state)
        before = willing(view, turn.mind, strength)
        better, worse = estimate(view, turn.mind, estimates)
        pays = adjusted(before, better, worse, turn.mind[AS_PRINTED] > 0)
        believed = {
            seat: {"hand strength": float(average), "observations": int(count)}
            for seat, (count, average) in enumerate(estimates)
            if count > 0
        }
        known = f"{better} opponents seem better and {worse} worse, so it" if better or worse else "it"
        changed = f" instead of {before:.0f}" if better != worse else ""
        return Decision(
            act_on(view, turn.mind, pays),
            reason=f"hand strength {strength:.2f}: {known} is willing to pay {pays:.0f}{changed}, "
            f"and a call costs {view.to_call}",
            figures={
                "hand strength": strength,
                "willing to pay": pays,
                "before adjustment": before,
                "better": better,
                "worse": worse,
                "opponents": believed,
            },
        )

    def lesson(self, game: AnyGame) -> Lesson | None:
        return remember

    def mind(self, game: AnyGame) -> Mind:
        mind = np.concatenate([super().mind(game), np.zeros(MIND - MODEL)])
        mind[AS_PRINTED], mind[POOLED] = self.adjustment == "printed", self.model == "pooled"
        return mind

    def memory(self, mind: Mind) -> list[dict[str, Any]]:
        """For each player, the average strength seen in each class of context and action, and how often.

        A pooled model has everything under player 0."""
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
