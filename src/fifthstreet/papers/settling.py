"""Play on for claims that are undecided, where that will decide most for the time it takes."""

import math
from collections.abc import Callable, Sequence

from fifthstreet.papers.paper import Claim, ClaimResult, Run, Verdict

_UNKNOWN_GROWTH = 4.0  # how much more is played for a claim whose interval is infinite


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
        for experiment in run.used_by(claim.measure):
            run.grow(experiment)
        claim.run(run)


def _time_needed(run: Run, claim: Claim) -> float:
    """Return about how many seconds of play will decide a claim; infinite if it is decided or no play will."""
    result: ClaimResult = claim.run(run)
    growing = [each for each in run.used_by(claim.measure) if run.can_grow(each)]
    if result.verdict is not Verdict.UNDECIDED or not growing:
        return math.inf
    half = result.measured.half_width
    margin = max(claim.where.margin(result.measured.value), half / 100)
    growth = (half / margin) ** 2 if math.isfinite(half) else _UNKNOWN_GROWTH
    seconds = sum(run.cost.get(each, 1.0) for each in growing)
    return seconds * max(growth - 1, 0.1)
