"""How precise the hand strengths of Dreher and Zharkov's simulator are, and what they cost."""

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import agent_named
from fifthstreet.agents.holdem.hand_strength import hand_strength
from fifthstreet.agents.holdem.reading import share_against_random
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.game import CHANCE, Mind
from fifthstreet.games.holdem import Holdem, HoldemView
from fifthstreet.papers.paper import Between, Claim, Experiment, Item, Run, Table, TableResult
from fifthstreet.rng import RngState, Stream, stream

PLAYERS = {
    "plain": "hand-strength",
    "improved, as printed": "improved-hand-strength:samples=20,per_card=true,hands=all",
    "improved, hands dealt": "improved-hand-strength:samples=20,per_card=true",
    "improved, hands dealt 200 times": "improved-hand-strength",
}
PRINTED = "improved, as printed"
OPPONENTS = (1, 2, 5)  # so that each spot is measured at three tables
STREETS = ("flop", "turn")  # on the river no card is missing
TRUTH = 10_000  # deals, which leave an error of at most 0.005


class Measured(NamedTuple):
    """Hand strengths of random hands on random boards, by street and number of opponents."""

    errors: dict[tuple[str, int, str], NDArray[np.float64]]  # street, opponents, player: strength minus true equity
    seconds: dict[tuple[str, int, str], NDArray[np.float64]]  # of processor time for a strength, in batches of spots

    def every(self, what: str, player: str) -> NDArray[np.float64]:
        """All values of a player, in the same order for each."""
        found: dict[tuple[str, int, str], NDArray[np.float64]] = getattr(self, what)
        return np.concatenate([values for (*_, name), values in found.items() if name == player])


_BATCH = 20  # spots whose time is measured together


def _measure(run: Run, spots: int) -> Measured:
    """Return the errors and times of each player's strengths at this many spots on each street."""
    errors, seconds = {}, {}
    for street, name in enumerate(STREETS, 1):
        for others in OPPONENTS:
            game = Holdem(seats=others + 1)
            views = [_spot(game, street, stream(run.seed, "spot", number)) for number in range(spots)]
            rng = stream(run.seed, "strengths", street, others).state
            truth = np.array([share_against_random(view, others, TRUTH, rng) for view in views])
            for player, spec in PLAYERS.items():
                mind = agent_named(spec, "holdem").mind(game)
                found, times = _strengths(views, mind, rng)
                errors[name, others, player], seconds[name, others, player] = found - truth, times
        if run.report:
            run.report(street, len(STREETS))
    return Measured(errors, seconds)


def _strengths(views: list[HoldemView], mind: Mind, rng: RngState) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the strength of each, and the processor time for one in each batch."""
    found, times = [], []
    hand_strength(views[0], mind, rng)
    for first in range(0, len(views), _BATCH):
        batch = views[first : first + _BATCH]
        begin = time.thread_time()
        found += [hand_strength(view, mind, rng) for view in batch]
        times.append((time.thread_time() - begin) / len(batch))
    return np.array(found), np.array(times)


def _spot(game: Holdem, street: int, rng: Stream) -> HoldemView:
    """A hand as the first to act sees it on this street, where everybody has called or checked."""
    state = game.start()
    while (seat := game.to_act(state)) == CHANCE or state.street < street:
        choices = game.choices(state)
        state = game.after(state, choices[rng.below(len(choices))] if seat == CHANCE else 0)
    assert seat is not None
    return game.view(state, seat)


SPOTS = Experiment("strengths after the flop", "spots on each street", _measure, (20, 240), (500, 2_000))


def _table(run: Run) -> TableResult:
    found = run.play(SPOTS)
    rows = []
    for (street, others, player), off in found.errors.items():
        cost = found.seconds[street, others, player].mean()
        rows.append(
            (
                street,
                f"{others}",
                player,
                f"{np.sqrt((off**2).mean()):.3f}",
                f"{off.mean():+.3f}",
                f"{1e6 * cost:,.0f} µs",
            )
        )
    return TableResult(
        ("street", "opponents", "hand strength", "error", "of it bias", "cost"),
        tuple(rows),
        note=f"Root mean square error against the equity against this many random hands, from {TRUTH:,} deals at each "
        f"of {len(off):,} random spots; processor time. The opponents' hands are not independent, since they share a "
        "board, so a power of the share against one is wrong with several opponents even with all cards dealt.",
    )


def _more_precise(run: Run) -> Estimate:
    """Return by how much the plain strengths' errors are larger than the improved ones', at the same spots."""
    found = run.play(SPOTS)
    return mean(abs(found.every("errors", "plain")) - abs(found.every("errors", PRINTED)))


def _slower(run: Run) -> Estimate:
    found = run.play(SPOTS)
    return mean(found.every("seconds", PRINTED) / found.every("seconds", "plain"))


ITEMS: tuple[Item, ...] = (
    Table("strengths", "How precise hand strengths are, and what they cost", _table),
    Claim(
        "improved-is-more-precise",
        "Improved hand strengths are more precise (§3.1, §3.3.2)",
        "no number; read as: nearer to the equity against random hands, on average",
        Between(low=0),
        _more_precise,
        readings={
            "opponents' hands dealt": lambda run: mean(
                abs(run.play(SPOTS).every("errors", "plain"))
                - abs(run.play(SPOTS).every("errors", "improved, hands dealt"))
            )
        },
    ),
    Claim(
        "improved-is-slower",
        "They need much more time to calculate (§3.1), and are significantly slower (§3.3.2)",
        "no number; read as: at least twice the processor time",
        Between(low=2),
        _slower,
    ),
)
