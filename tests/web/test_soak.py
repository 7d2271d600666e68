"""A soak test in miniature."""

from fifthstreet.benchmarks import soak


def test_nothing_acknowledged_is_lost_in_a_short_soak() -> None:
    """Players, one of them hostile, while the disk fills up and the server is killed."""
    found = {each.task: each.figure for each in soak.measure(0.1, people=4, hostile=1, period=3.0)}
    assert found["acknowledged actions lost"] == found["actions stored that nobody sent"] == 0
    assert found["shown hands lost"] == found["damaged tables and hands"] == 0
    assert found["kills"] >= 2 and found["times the disk was full"] >= 1
    assert found["actions of people acknowledged"] > 0 and found["hostile messages and connections"] > 0
