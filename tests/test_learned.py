"""What is shipped of what players learn: read, checked, and learned again to the same bytes."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fifthstreet import cache, cli, learned
from fifthstreet.agents.draw import champion as draw
from fifthstreet.agents.draw import equilibrium, evolved, exchange
from fifthstreet.agents.five_o import pairs
from fifthstreet.agents.shipped import recipes
from fifthstreet.agents.squares import champion as squares
from fifthstreet.agents.squares import narl
from fifthstreet.arena import engines
from fifthstreet.errors import InputError
from fifthstreet.evaluation import preflop
from fifthstreet.games.point_systems import AMERICAN
from fifthstreet.learned import Recipe
from fifthstreet.learned.steps import State, following, in_steps
from fifthstreet.parallel import elsewhere


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of learned files, and an empty cache."""
    monkeypatch.setenv("FIFTHSTREET_LEARNED", str(tmp_path / "learned"))
    monkeypatch.setenv("FIFTHSTREET_CACHE", str(tmp_path / "cache"))
    cache.say_once.cache_clear()
    return tmp_path / "learned"


def thing(learn: Callable[[], dict[str, Any]] = lambda: {"numbers": np.arange(5.0)}, name: str = "thing") -> Recipe:
    return Recipe(__file__, name, learn, "kuhn", "random", cost=7200, games=3, shapes={"numbers": (5,)})


def never() -> dict[str, Any]:
    raise AssertionError("this is shipped and need not be learned")


SMALL: dict[str, Callable[[], Recipe]] = {
    "preflop, heads-up": preflop.recipe_against_one,
    "Five-O": lambda: pairs.recipe(600),
    "exchanges": lambda: exchange.recipe(0),
    "heads-up draw": lambda: equilibrium.recipe(2_000),
    "draw champion": lambda: draw.recipe(1, 30),
    "evolved": lambda: evolved.recipe("mixed", 1),
    "NARL": lambda: narl.recipe(AMERICAN, 0.5, True, 1_500),
    "lines": lambda: squares.lines_recipe(AMERICAN, 20),
    "crossing lines": lambda: squares.recipe(AMERICAN, 20),
}
"""A small version of each recipe."""


@pytest.mark.parametrize("what", SMALL)
def test_learned_again_it_is_the_same_to_the_last_byte(what: str) -> None:
    recipe = SMALL[what]()
    learned_here = dict(recipe.learn())
    assert recipe._fits(learned_here)
    first = learned.packed(learned_here)
    with engines.engine("threads", 1) as alone, elsewhere(alone.executor, 1):
        assert learned.packed(recipe.learn()) == first


def test_sampled_preflop_tables_are_the_same_to_the_last_byte() -> None:
    one, two = (learned.packed(preflop.compute_sampled(1_200_000, workers=workers)) for workers in (1, 2))
    assert one == two


def test_it_can_be_learned_in_other_processes() -> None:
    small = ("draw champion", "evolved", "lines", "crossing lines")  # the others are sent in the same way
    with engines.engine("processes", 1) as found:
        for what in small:
            recipe = SMALL[what]()
            with elsewhere(found.executor, found.workers):
                there = learned.packed(recipe.learn())
            assert there == learned.packed(recipe.learn()), what


def test_everything_that_is_promised_is_shipped_and_whole() -> None:
    found = {recipe.name: recipe for recipe in recipes()}
    assert len(found) == 17
    assert {recipe.state() for recipe in found.values()} <= {"current", "older"}
    assert sum(path.stat().st_size for path in learned.HERE.glob("*.npz")) < 25_000_000
    assert {path.stem for path in learned.HERE.glob("*.npz")} == set(found)  # and nothing else
    for recipe in found.values():
        about = recipe.about()
        assert {"command", "commit", "seed", "games", "hours", "key", "checksum"} <= set(about), recipe.name
        assert about["commit"] and "+" not in about["commit"]
        assert about["cpu_hours"] > 0 or about["games"] < 10_000_000


def test_what_is_shipped_is_read_and_cannot_be_changed(place: Path) -> None:
    thing().ship()
    found = thing(never).arrays()["numbers"]
    assert found.tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 9
    assert not (place.parent / "cache" / "thing").exists()


def test_it_is_written_in_the_same_bytes_at_any_time(place: Path) -> None:
    thing().ship()
    first = (place / "thing.npz").read_bytes()
    time.sleep(2.1)  # an archive keeps times in steps of two seconds
    thing().ship()
    assert (place / "thing.npz").read_bytes() == first


def test_an_older_file_is_still_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thing().ship()
    assert thing().state() == "current"
    monkeypatch.setattr(cache, "code_key", lambda file: "changed")
    assert thing().state() == "older"
    assert thing(never).arrays()["numbers"].size == 5


def damaged(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def any_shape(arrays: dict[str, Any]) -> Recipe:
    return Recipe(__file__, "thing", lambda: arrays, "kuhn", "random", cost=7200, games=3)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "is damaged": lambda place: damaged(place / "thing.npz"),
    "is damaged ": lambda place: (place / "thing.npz").write_bytes(b""),
    "is damaged  ": lambda place: damaged(place / "thing.json"),
    "is damaged   ": lambda place: (place / "thing.json").unlink(),
    "is missing": lambda place: (place / "thing.npz").unlink(),
    "is of another version": lambda place: any_shape({"numbers": np.arange(6)}).ship(),
    "is of another version ": lambda place: any_shape({"others": np.arange(5)}).ship(),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_file_is_one_sentence_and_what_it_held_is_learned(
    what: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    thing().ship()
    DAMAGE[what](place)
    for _ in range(3):
        assert thing().arrays()["numbers"].tolist() == [0, 1, 2, 3, 4]
    told = capsys.readouterr().err
    expected = (
        f"thing.npz {what.strip()}, so it is learned for now; `fifthstreet learn kuhn random` makes the file again"
    )
    assert told == expected + "\n"
    thing().ship()
    assert thing(never).arrays()["numbers"].size == 5
    assert capsys.readouterr().err == ""


def test_other_parameters_are_still_learned(place: Path) -> None:
    assert pairs.recipe().shipped and not pairs.recipe(1_000).shipped
    assert squares.recipe(AMERICAN).shipped and not squares.recipe((1,) * 10).shipped
    assert narl.recipe(AMERICAN, 0.5, False).shipped
    for other in ((0.5, False, 1_000), (0.2, False), (0.5, False, narl.LESSONS, 1)):
        assert not narl.recipe(AMERICAN, *other).shipped
    assert evolved.recipe().shipped and not evolved.recipe("tight-passive").shipped


def test_half_precision_keeps_what_was_never_met_exactly() -> None:
    start = np.linspace(-3, 90, 1_001, dtype=np.float32)
    values = start.copy()
    values[::7] += np.float32(0.3)
    kept = narl.packed("values", values, start)
    again = narl.unpacked(kept, "values", start)
    same = values == start
    assert np.array_equal(again[same], values[same])
    assert np.abs(again - values).max() < 0.04
    exact = narl.packed("values", values, start, np.float32)
    assert np.array_equal(narl.unpacked(exact, "values", start), values)


# Computations in steps, and what interrupts them.


def counting(steps: int, stop_at: int | None = None, log: list[int] | None = None) -> dict[str, Any]:
    def advance(step: int, state: State) -> State:
        if step == stop_at:
            raise KeyboardInterrupt
        if log is not None:
            log.append(step)
        return {"numbers": state["numbers"] + np.arange(5.0) * step}

    return dict(in_steps("counting to a number", steps, lambda: {"numbers": np.zeros(5)}, advance))


@pytest.mark.parametrize("how", ["shipped", "cached"])
def test_what_was_interrupted_goes_on_where_it_was(how: str, place: Path) -> None:
    def begin(**more: Any) -> dict[str, Any]:
        recipe = thing(lambda: counting(10, **more))
        if how == "cached":
            return cache.arrays(recipe.made_by, recipe.name, recipe.learn)
        recipe.ship()
        return recipe.read()

    with pytest.raises(KeyboardInterrupt, match="counting to a number: 60 % is kept, and the same command goes on"):
        begin(stop_at=6)
    left = sorted(path.name for path in place.parent.rglob("*") if path.is_file())
    assert len([name for name in left if name.endswith(".part")]) == 1
    assert not [name for name in left if name.endswith(".npz")]  # nothing is half written
    log: list[int] = []
    assert np.array_equal(begin(log=log)["numbers"], counting(10)["numbers"])
    assert log == [6, 7, 8, 9]
    assert not [*place.parent.rglob("*.part")]


def test_a_damaged_checkpoint_costs_only_time(place: Path) -> None:
    def begin(**more: Any) -> dict[str, Any]:
        return cache.arrays(__file__, "thing", lambda: counting(10, **more))

    with pytest.raises(KeyboardInterrupt):
        begin(stop_at=6)
    (part,) = place.parent.rglob("*.part")
    part.write_bytes(part.read_bytes()[:-30])
    assert np.array_equal(begin()["numbers"], counting(10)["numbers"])


def test_progress_is_told_to_who_follows() -> None:
    told: list[tuple[str, int, int]] = []
    token = following.set(lambda *each: told.append(each))
    try:
        counting(3)
    finally:
        following.reset(token)
    assert told == [("counting to a number", done, 3) for done in (1, 2, 3)]


WAITING = "from fifthstreet import cache; print(cache.arrays(cache.__file__, 'slow', lambda: 1 / 0)['numbers'].size)"


def test_two_processes_compute_a_thing_once(place: Path) -> None:
    other: list[subprocess.Popen[str]] = []
    told: list[str] = []

    def compute() -> dict[str, Any]:
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        other.append(subprocess.Popen([sys.executable, "-c", WAITING], **pipes))
        assert other[0].stderr
        told.append(other[0].stderr.readline())  # only now is it certain that it waits
        return {"numbers": np.arange(5)}

    cache.arrays(cache.__file__, "slow", compute)
    out, rest = other[0].communicate(timeout=60)
    assert (out, rest, other[0].returncode) == ("5\n", "", 0)
    assert told[0].startswith("another process computes slow-") and told[0].endswith(" already: waiting for it\n")
    assert not [*place.parent.rglob("*.lock")]


def blocked(place: Path) -> Path:
    """A folder that nobody can write to, not even the superuser: it is inside a file."""
    place.parent.mkdir(parents=True, exist_ok=True)
    (place.parent / "file").write_text("")
    return place.parent / "file" / "folder"


def test_a_cache_that_cannot_be_written_is_one_sentence(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = blocked(place)
    monkeypatch.setenv("FIFTHSTREET_CACHE", str(folder))
    for name in ("one", "two"):
        assert cache.arrays(__file__, name, lambda: {"numbers": np.arange(5)})["numbers"].size == 5
    told = f"nothing can be kept in {folder} (Not a directory), so it is computed each time\n"
    assert capsys.readouterr().err == told


def test_a_full_disk_leaves_nothing_behind(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    assert cache.arrays(__file__, "thing", lambda: {"numbers": np.arange(5)})["numbers"].size == 5
    assert "(No space left on device)" in capsys.readouterr().err
    assert [path for path in place.parent.rglob("*") if path.is_file()] == []


# The command.


def run(monkeypatch: pytest.MonkeyPatch, *words: str, only: list[Recipe] | None = None) -> int:
    """The exit code of `fifthstreet learn …`; with `only`, these recipes are all that there are."""
    if only is not None:
        monkeypatch.setattr("fifthstreet.agents.shipped._every", lambda: only)
    monkeypatch.setattr("sys.argv", ["fifthstreet", "learn", *words])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


def test_the_command_learns_what_is_not_current_and_no_more(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    only = [thing(), thing(name="other")]
    assert run(monkeypatch, "--check", only=only) == 1
    assert capsys.readouterr().out.count("missing") == 2
    assert run(monkeypatch, "kuhn", "random", only=only) == 0
    assert "2 to learn, about 4:00:00 of processor time" in capsys.readouterr().err
    assert run(monkeypatch, "--check", only=only) == 0
    assert "current" in capsys.readouterr().out
    again = [thing(never), thing(never, name="other")]
    assert run(monkeypatch, only=again) == 0
    damaged(place / "other.npz")
    only[0] = again[0]
    assert run(monkeypatch, "--json", only=only) == 0
    (about,) = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (about["name"], about["state"], about["games"]) == ("other", "current", 3)
    monkeypatch.setattr(cache, "code_key", lambda file: "changed")
    assert run(monkeypatch, "--check", only=only) == 0
    assert "2 of 2 are not current; learning them again takes about 0:0" in capsys.readouterr().out


def test_a_command_that_is_stopped_says_how_to_go_on(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended: list[int] = []

    def leave(code: int) -> None:
        ended.append(code)
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", leave)
    run(monkeypatch, "--quiet", only=[thing(lambda: counting(10, stop_at=5))])
    assert ended == [130]
    expected = "fifthstreet: stopped; counting to a number: 50 % is kept, and the same command goes on from there"
    assert capsys.readouterr().err.splitlines()[-1] == expected
    assert run(monkeypatch, "--quiet", only=[thing(lambda: counting(10))]) == 0
    assert np.array_equal(thing(never).arrays()["numbers"], counting(10)["numbers"])


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_learned(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FIFTHSTREET_LEARNED", str(blocked(place)))
    assert run(monkeypatch, only=[thing(never)]) == 2
    (told,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("fifthstreet:")]
    assert told.endswith("cannot be written (Not a directory); FIFTHSTREET_LEARNED=FOLDER names another place")


def test_names_that_are_not_shipped_are_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "kuhn") == 2
    assert "nothing is shipped for 'kuhn': there are holdem hand-strength, five-o champion," in capsys.readouterr().err
    with pytest.raises(InputError, match="'five-o narl'"):
        recipes("five-o", "narl")
