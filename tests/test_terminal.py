"""How far work has come, as a terminal, a log or a program hears it."""

import json

import pytest

from fifthstreet import cache
from fifthstreet.estimate import Estimate
from fifthstreet.terminal import Display, print_table, progress

STANDINGS = [("honest", Estimate(1.5, 1.25, 1.75, 100)), ("call-station", Estimate(-1.5, -1.75, -1.25, 100))]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that goes when it is told to."""
    now = [100.0]
    monkeypatch.setattr("fifthstreet.terminal.time.monotonic", lambda: now[0])
    return now


def at_work(display: Display, clock: list[float]) -> None:
    """A hundred deals were there already; then a hundred a second."""
    display.follow(lambda: STANDINGS)
    for done in range(100, 1001, 100):
        display(done, 1000)
        clock[0] += 1


def test_a_log_has_plain_lines(capsys: pytest.CaptureFixture[str], clock: list[float]) -> None:
    with progress("playing", unit="deals") as display:
        at_work(display, clock)
    lines = capsys.readouterr().err.splitlines()
    standings = "honest 1.5 [1.25, 1.75], call-station -1.5 [-1.75, -1.25]"
    assert lines == [
        f"playing: 20 %, 100 deals/s, 0:08 left; {standings}",
        f"playing: 70 %, 100 deals/s, 0:03 left; {standings}",
    ]


def test_a_program_hears_events(capsys: pytest.CaptureFixture[str], clock: list[float]) -> None:
    with progress("playing", json_=True) as display:
        at_work(display, clock)
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [event["done"] for event in events] == [200, 300, 400, 500, 600, 700, 800, 900]
    assert events[0] == {
        "event": "progress",
        "what": "playing",
        "done": 200,
        "total": 1000,
        "rate": 100,
        "seconds_left": 8,
        "standings": [{"name": name, "mean": mean.to_dict()} for name, mean in STANDINGS],
    }


def test_nothing_is_told_that_nobody_knows(capsys: pytest.CaptureFixture[str], clock: list[float]) -> None:
    with progress("measuring", steady=False) as display:
        at_work(display, clock)
    assert capsys.readouterr().err.splitlines()[0].startswith("measuring: 20 %; honest")


def test_news_is_one_line_that_changes(
    capsys: pytest.CaptureFixture[str], clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a log there is a line from time to time; a live display shows the latest below its bar."""
    monkeypatch.setattr(cache, "_told", {})
    for number in range(1, 31):
        cache.announce(f"compiling: {number}", "compiling")
        clock[0] += 1
    assert capsys.readouterr().err.splitlines() == ["compiling: 1", "compiling: 11", "compiling: 21"]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    with progress("playing", unit="deals"):
        for number in (1, 2):
            cache.announce(f"compiling: {number}", "compiling")
    shown = capsys.readouterr().err
    assert "compiling: 1" in shown
    assert "compiling: 2" in shown
    assert cache.showing is None


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str], clock: list[float]) -> None:
    with progress("playing", quiet=True) as display:
        at_work(display, clock)
    assert capsys.readouterr().err == ""


def test_a_terminal_has_a_live_display(
    capsys: pytest.CaptureFixture[str], clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    with progress("playing", unit="deals") as display:
        at_work(display, clock)
    shown = capsys.readouterr().err
    for part in ("900 of 1,000", "100 deals/s", "0:01 left", "honest", "[1.25, 1.75]"):
        assert part in shown


@pytest.mark.parametrize(("columns", "widest"), [("60", 60), ("nonsense", 130), ("0", 130), (None, 130)])
def test_a_table_in_a_pipe_is_as_wide_as_columns_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str | None, widest: int
) -> None:
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", columns)
    print_table("", ["agent", "about"], [["random", "word " * 100]], right=None)
    widths = [len(line.rstrip()) for line in capsys.readouterr().out.splitlines()]
    assert widest - 8 <= max(widths) <= widest
