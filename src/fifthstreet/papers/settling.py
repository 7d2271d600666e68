"""Play on for claims that are undecided, where that will decide most for the time it takes."""

import math
from collections.abc import Callable, Sequence

from fifthstreet.papers.paper import Claim, Run, Verdict

_UNKNOWN_GROWTH = 4.0  # how much more is played for a claim whose interval is infinite
_MOST_DOUBLINGS = 3  # at once: what is known of a claim is a rough guide to how much more it takes


def settle(
    claims: Sequence[tuple[Run, Claim]], go_on: Callable[[], bool], report: Callable[[Run, Claim], None]
) -> None:
    """Let the experiments of undecided claims grow until all are decided, none can grow, or `go_on()` is False.

    The claim that will probably be decided soonest comes first. `report(run, claim)` is called before each.
    """
    while go_on():
        waiting = [(_time_needed(run, claim), number) for number, (run, claim) in enumerate(claims)]
        time_needed, number = min(waiting, default=(math.inf, 0))
        if math.isinf(time_needed):
            return
        run, claim = claims[number]
        report(run, claim)
        doublings = math.floor(math.log2(max(_growth_needed(run, claim), 1)))
        for experiment in run.used_by(claim.measure):
            for _ in range(min(max(doublings, 1), _MOST_DOUBLINGS)):
                run.grow(experiment)
        claim.run(run)


def _time_needed(run: Run, claim: Claim) -> float:
    """Return about how many seconds of play will decide a claim; infinite if it is decided or no play will."""
    growing = [each for each in run.used_by(claim.measure) if run.can_grow(each)]
    if claim.run(run).verdict is not Verdict.UNDECIDED or not growing:
        return math.inf
    seconds = sum(run.cost.get(each, 1.0) for each in growing)
    return seconds * max(_growth_needed(run, claim) - 1, 0.1)


def _growth_needed(run: Run, claim: Claim) -> float:
    """Return how many times as much play will probably decide a claim: intervals shrink with its square root."""
    measured = claim.run(run).measured
    half = measured.half_width
    if not math.isfinite(half):
        return _UNKNOWN_GROWTH
    return float((half / max(claim.where.margin(measured.value), half / 100)) ** 2)
