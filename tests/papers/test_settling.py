"""Claims are played on until they are decided, with a known rate of errors."""

import time

import numpy as np
import pytest

from fifthstreet.estimate import Estimate, mean
from fifthstreet.papers.paper import Between, Claim, Experiment, Paper, Run, Verdict
from fifthstreet.papers.reproduce import reproduce

FIRST, MOST = 50, 1600


def coin(true: float, name: str = "coin", first: int = FIRST, most: int = MOST) -> "Experiment[np.ndarray]":
    """Normal numbers with this mean; a larger experiment begins with the numbers of the smaller one."""
    return Experiment(
        name,
        "throws",
        lambda run, size: np.random.default_rng([run.seed, len(name)]).normal(true, 1, size),
        quick=(first, most),
        paper=(first, most),
    )


def claim(experiment: "Experiment[np.ndarray]", id: str = "positive") -> Claim:
    return Claim(id, "The mean is positive", "above 0", Between(low=0), lambda run: mean(run.play(experiment)))


def judged(*claims: Claim, seed: int = 0) -> list[tuple[Verdict, Estimate, str]]:
    found = reproduce([Paper("p", "P", "nobody", claims)], scale="paper", seed=seed)
    return [(result.verdict, result.measured, result.played) for _, _, result in found.claims]


def test_a_clear_claim_is_decided_at_once_and_a_close_one_is_played_on() -> None:
    clear, close = judged(claim(coin(2.0, "clear")), claim(coin(0.15, "close"), "close"))
    assert clear[0] is close[0] is Verdict.REPRODUCED
    assert clear[2] == "50 throws of clear"
    assert close[1].count > FIRST


def test_a_claim_that_stays_open_ends_at_the_largest_size() -> None:
    ((verdict, measured, played),) = judged(claim(coin(0.0), "open"), seed=3)
    assert (verdict, measured.count, played) == (Verdict.UNDECIDED, MOST, "1,600 throws of coin")


def test_all_looks_together_err_as_rarely_as_promised() -> None:
    """The true mean is on the border, so that every verdict is an error; 95 % intervals alone would err in 20 %."""
    wrong = sum(judged(claim(coin(0.0)), seed=seed)[0][0] is not Verdict.UNDECIDED for seed in range(600))
    assert wrong <= 45  # 30 are allowed on average


def test_a_measurement_is_repeated_when_what_it_uses_has_grown() -> None:
    experiment, calls = coin(0.2), []

    def inner(run: Run) -> Estimate:
        calls.append(run.size(experiment))
        return mean(run.play(experiment))

    run = Run("paper")
    outer = claim(experiment)
    assert run.once(lambda run: run.once(inner)).count == FIRST
    run.once(inner)
    assert calls == [FIRST]
    run.grow(experiment)
    assert run.once(inner).count == 2 * FIRST
    assert calls == [FIRST, 2 * FIRST]
    assert run.used_by(outer.measure) == {experiment: 2 * FIRST}


def test_experiments_never_grow_beyond_their_largest_size() -> None:
    experiment, run = coin(0.0, first=50, most=120), Run("paper")
    assert experiment.looks("paper") == 3
    sizes = []
    while run.can_grow(experiment):
        run.grow(experiment)
        sizes.append(run.size(experiment))
    assert sizes == [100, 120]


def test_without_time_nothing_is_played_on() -> None:
    found = reproduce([Paper("p", "P", "nobody", (claim(coin(0.0)),))], scale="quick", minutes=0)
    assert found.claims[0][2].played == "50 throws of coin"


def test_what_decides_soonest_comes_first() -> None:
    """A claim that needs a few more throws is decided before one that needs thousands."""
    near, far = claim(coin(0.3, "near", 30), "near"), claim(coin(0.05, "farther", 30, 30_000), "far")
    paper = Paper("p", "P", "nobody", (far, near))

    def order(minutes: float | None) -> list[str]:
        steps: list[str] = []
        reproduce([paper], scale="paper", report=lambda what, *_: steps.append(what), minutes=minutes)
        return [step for step in dict.fromkeys(steps) if step.startswith("deciding")]

    assert order(minutes=5) == ["deciding near", "deciding far"]
    # Without a limit nothing depends on how long it took, so that the same command gives the same result.
    assert order(minutes=None) == ["deciding far", "deciding near"]


def test_a_claim_that_took_long_in_vain_waits_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that always seems nearly decided is not played to its end before the others."""
    clock, steps = [0.0], []
    monkeypatch.setattr(time, "process_time", lambda: clock[0])

    def taking_time(run: Run, size: int) -> int:
        clock[0] += size
        return size

    def nearly(run: Run) -> Estimate:
        return Estimate(1, -0.01, 2.01, run.play(border))

    border, other = (Experiment(name, "throws", taking_time, (50, 1_600), (50, 1_600)) for name in ("border", "other"))
    later = Claim("later", "w", "p", Between(low=0), lambda run: Estimate(1, 1 - 80 / run.play(other), 1.7, 10_000))
    paper = Paper("p", "P", "nobody", (Claim("nearly", "w", "p", Between(low=0), nearly), later))
    reproduce([paper], minutes=1e6, report=lambda what, *_: steps.append(what))
    order = [step for step in steps if step.startswith("deciding")]
    assert order[:3] == ["deciding nearly", "deciding later", "deciding nearly"]


def test_what_needs_much_more_is_not_played_at_every_size_on_the_way() -> None:
    sizes: list[int] = []

    def throws(run: Run, size: int) -> np.ndarray:
        sizes.append(size)
        return np.random.default_rng(1).normal(0.04, 1, size)

    judged(claim(Experiment("far", "throws", throws, quick=(50, 102_400), paper=(50, 102_400))))
    assert sizes[:2] == [50, 400]
    assert max(sizes) >= 2_400  # (2 / 0.04)², at least, for an interval of two standard errors


@pytest.mark.parametrize("scale", ["quick", "paper"])
def test_other_interpretations_are_measured_at_full_scale_only(scale: str) -> None:
    one, other = coin(2.0, "one"), coin(-2.0, "another")
    both = Claim("c", "w", "p", Between(low=0), lambda run: mean(run.play(one)), readings={"other": _mean_of(other)})
    (_, _, result) = reproduce([Paper("p", "P", "nobody", (both,))], scale=scale).claims[0]  # type: ignore[arg-type]
    assert result.verdict is Verdict.REPRODUCED
    assert [reading.verdict for reading in result.readings] == [Verdict.NOT_REPRODUCED] * (scale == "paper")


def _mean_of(experiment: "Experiment[np.ndarray]"):  # type: ignore[no-untyped-def]
    return lambda run: mean(run.play(experiment))
