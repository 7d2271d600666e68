"""Play on for claims that are undecided, where that will decide most for the time it takes."""

import math
import time
from collections.abc import Callable, Sequence

from fifthstreet.papers.paper import Claim, Run, Verdict

_UNKNOWN_GROWTH = 4.0  # how much more is played for a claim whose interval is infinite
_MOST_DOUBLINGS = 3  # at once: what is known of a claim is a rough guide to how much more it takes


def settle(
    claims: Sequence[tuple[Run, Claim]], go_on: Callable[[], bool] | None, report: Callable[[Run, Claim], None]
) -> None:
    """Let the experiments of undecided claims grow until all are decided, none can grow, or `go_on()` is False.

    The claim that will probably be decided soonest comes first; one that has taken longer than it should is expected to
    take as long again. Without `go_on` claims come in their order, so that what is found does not depend on how long
    anything took. `report(run, claim)` is called before each.
    """
    spent = [0.0] * len(claims)
    while go_on is None or go_on():
        open_claims = [number for number, (run, claim) in enumerate(claims) if _is_open(run, claim)]
        if not open_claims:
            return
        if go_on is None:
            number = open_claims[0]
        else:
            number = min(open_claims, key=lambda number: max(_time_needed(*claims[number]), spent[number]))
        run, claim = claims[number]
        report(run, claim)
        begin = time.process_time()
        doublings = math.floor(math.log2(max(_growth_needed(run, claim), 1)))
        for experiment in run.used_by(claim.measure):
            for _ in range(min(max(doublings, 1), _MOST_DOUBLINGS)):
                run.grow(experiment)
        claim.run(run)
        spent[number] += time.process_time() - begin


def _is_open(run: Run, claim: Claim) -> bool:
    """Whether a claim is undecided, and what is played for it can grow."""
    return claim.run(run).verdict is Verdict.UNDECIDED and any(map(run.can_grow, run.used_by(claim.measure)))


def _time_needed(run: Run, claim: Claim) -> float:
    """Return about how many seconds of play will decide a claim."""
    seconds = sum(run.cost.get(each, 1.0) for each in run.used_by(claim.measure) if run.can_grow(each))
    return seconds * max(_growth_needed(run, claim) - 1, 0.1)


def _growth_needed(run: Run, claim: Claim) -> float:
    """Return how many times as much play will probably decide a claim: intervals shrink with its square root."""
    measured = claim.run(run).measured
    half = measured.half_width
    if not math.isfinite(half):
        return _UNKNOWN_GROWTH
    return float((half / max(claim.where.margin(measured.value), half / 100)) ** 2)
