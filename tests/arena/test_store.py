"""The store keeps what was played, whatever happens to the program, the disk or the machine."""

import itertools
import json
import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fifthstreet import InputError, match, replay, session, tournament
from fifthstreet.agents import agent_named
from fifthstreet.arena import store as stores
from fifthstreet.arena.contest import contest
from fifthstreet.arena.identity import identity
from fifthstreet.arena.laboratory import laboratory
from fifthstreet.arena.play import Record
from fifthstreet.arena.runs import exported, records
from fifthstreet.arena.salvage import mend
from fifthstreet.arena.store import Health, Store, Unit

from support import RIVALS, Failing, play_tournament

LOUD = """
from dataclasses import dataclass
from pathlib import Path
from fifthstreet import Agent, Decision

@dataclass
class Loud(Agent):
    '''Plays at random and marks every decision in a file.'''

    def decide(self, turn):
        with Path(__file__).with_suffix(".log").open("a") as file:
            file.write("x")
        return Decision(turn.choices[turn.rng.below(len(turn.choices))])
"""


@pytest.fixture
def loud(tmp_path: Path) -> str:
    """An agent in plain Python, by path; its decisions can be counted."""
    (tmp_path / "loud.py").write_text(LOUD)
    return f"{tmp_path / 'loud.py'}:Loud"


def decisions(loud: str) -> int:
    log = Path(loud.rpartition(":")[0]).with_suffix(".log")
    return len(log.read_text()) if log.exists() else 0


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


def test_what_was_played_is_not_played_again(place: Path, loud: str) -> None:
    with laboratory(place):
        first = match("kuhn", [loud, "random"], 300, 1)
    played = decisions(loud)
    with laboratory(place):
        again = match("kuhn", [loud, "random"], 300, 1)
    assert decisions(loud) == played > 0
    assert np.array_equal(first.by_deal, again.by_deal)


def test_more_deals_play_only_the_difference(place: Path, tmp_path: Path, loud: str) -> None:
    with laboratory(place):
        match("kuhn", [loud, "random"], 300, 1)
        before = decisions(loud)
        more = match("kuhn", [loud, "random"], 500, 1)
        added = decisions(loud) - before
        fewer = match("kuhn", [loud, "random"], 100, 1)
    at_once = match("kuhn", [loud, "random"], 500, 1)
    assert added < before  # 200 deals after 300
    assert decisions(loud) == 2 * (before + added)
    assert np.array_equal(more.by_deal, at_once.by_deal)
    assert np.array_equal(fewer.by_deal, at_once.by_deal[:100])


def test_other_deals_other_agents_and_other_code_are_other_series(place: Path, loud: str) -> None:
    with laboratory(place):
        for agents, seed in (([loud, "random"], 1), ([loud, "random"], 2), (["random", loud], 1)):
            match("kuhn", agents, 50, seed)
        file = Path(loud.rpartition(":")[0])
        file.write_text(LOUD + "\n# changed\n")
        match("kuhn", [loud, "random"], 50, 1)
    assert series_in(place) == 4


def test_what_an_agent_imports_from_beside_it_is_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("from deeper import FACTOR\n")
    (tmp_path / "mine.py").write_text("import helper\n" + LOUD.replace("Loud", "Mine"))
    (tmp_path / "stranger.py").write_text("")
    found = []
    for factor, strange in ((2, 1), (2, 2), (3, 2)):
        (tmp_path / "deeper.py").write_text(f"FACTOR = {factor}\n")
        (tmp_path / "stranger.py").write_text(f"{strange}\n")
        found.append(identity(agent_named(f"{tmp_path / 'mine.py'}:Mine", "kuhn"), fresh=True))
    assert found[0] is not None and found[0] == found[1] != found[2]


def series_in(place: Path) -> int:
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        return int(db.execute("SELECT count(*) FROM series").fetchone()[0])


def test_a_file_that_an_agent_reads_is_part_of_it(tmp_path: Path) -> None:
    values = tmp_path / "values.json"
    trained = session("five-card-draw:seats=2", ["adaptive", "loose-passive"], 50).memories[0]
    found = []
    for rows in (trained, [row | {"value": 5.0} for row in trained]):
        values.write_text(json.dumps({"memory": rows}))
        found.append(identity(agent_named(f"adaptive:values={values}", "five-card-draw"), fresh=True))
    assert found[0] != found[1]
    adaptive = agent_named("adaptive", "five-card-draw")
    assert identity(adaptive, fresh=True) == identity(agent_named("adaptive", "five-card-draw"), fresh=True)
    assert identity(adaptive) is None  # what an object has learned is not in its parameters, so nothing is kept


def test_a_learners_units_are_whole(place: Path) -> None:
    """Deals of a unit hang together: a short one at the end is played again in full when more is asked for."""
    agents = ["adaptive", "loose-passive", "tight-passive"]
    with laboratory(place):
        short = match("five-card-draw:seats=3", agents, 250, 1, unit=100)
        longer = match("five-card-draw:seats=3", agents, 350, 1, unit=100)
    alone = match("five-card-draw:seats=3", agents, 350, 1, unit=100)
    assert np.array_equal(longer.by_deal, alone.by_deal)
    assert np.array_equal(short.by_deal, alone.by_deal[:250])
    with Store(place) as kept:
        assert kept.stretches(1) == [(0, 100), (100, 200), (200, 300), (300, 350)]


def test_sessions_keep_their_curves_and_memories(place: Path) -> None:
    agents = ["adaptive", "loose-passive", "tight-passive"]
    found = []
    for runs in (2, 2, 3):
        with laboratory(place):
            found.append(session("five-card-draw:seats=3", agents, 200, 1, runs=runs, stacks="carry"))
    assert np.array_equal(found[0].by_hand, found[1].by_hand)
    assert np.array_equal(found[0].by_hand, found[2].by_hand[:2])
    assert found[0].memories == found[1].memories
    assert found[0].hands_played == found[1].hands_played == found[2].hands_played[:2]
    with Store(place) as kept:
        assert kept.stretches(1) == [(0, 1), (1, 2), (2, 3)]


def test_contests_keep_their_games(place: Path, loud: str) -> None:
    with laboratory(place):
        first = contest(["american"], ["greedy", loud], games=6, seed=3)
        played = decisions(loud)
        again = contest(["american"], ["greedy", loud], games=6, seed=3)
    assert decisions(loud) == played == 6 * 25 + 1  # and one to warm up
    assert first.to_dict() == again.to_dict()


def test_records_are_kept_where_asked_for(place: Path) -> None:
    with laboratory(place):
        found = match("leduc", ["random", "random"], 20, 1, records=True)
    assert np.array_equal(found.by_deal, match("leduc", ["random", "random"], 20, 1).by_deal)
    with Store(place) as kept:
        games = list(kept.records(1))
    assert [(deal, seating) for deal, seating, _ in games] == [(d, s) for d in range(20) for s in range(2)]
    for deal, seating, record in games:
        *_, end = replay(Record.from_dict(record))
        payoffs = record["payoffs"] if seating == 0 else record["payoffs"][::-1]
        assert end is not None and len(payoffs) == 2 and deal < 20


def test_units_are_committed_once() -> None:
    with Store(stores.MEMORY) as kept:
        number = kept.series({"game": {"name": "a game"}}, [])
        rows = np.arange(20.0).reshape(10, 2)
        kept.commit(number, Unit(2, rows[2:5]))
        kept.commit(number, Unit(0, rows))
        kept.commit(number, Unit(4, rows[4:8] + 1))  # somebody else was quicker
        assert kept.stretches(number) == [(0, 2), (2, 5), (5, 10)]
        assert np.array_equal(np.concatenate([unit.rows for unit in kept.units(number)]), rows)


def test_an_older_store_is_brought_up_to_date(place: Path) -> None:
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        db.executescript(stores.MIGRATIONS[0])
        db.execute("INSERT INTO runs (command, given, code, started) VALUES ('match', '{}', 'c', '2026-01-01')")
        db.execute("PRAGMA user_version = 1")
    with Store(place) as kept:
        assert [run.command for run in kept.runs()] == ["match"]
        assert list(kept.records(1)) == []
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(stores.MIGRATIONS),)


@pytest.mark.parametrize("content", ["nonsense " * 200, "newer", "foreign"])
def test_what_is_no_store_is_refused_and_left_alone(place: Path, content: str) -> None:
    if content == "newer":
        Store(place).close()
        with closing(sqlite3.connect(place, isolation_level=None)) as db:
            db.execute("PRAGMA user_version = 99")
    elif content == "foreign":
        with closing(sqlite3.connect(place, isolation_level=None)) as db:
            db.execute("CREATE TABLE songs (title TEXT)")
    else:
        place.write_text(content)
    before = place.read_bytes()
    with pytest.raises(InputError, match=r"runs\.sqlite") as error:
        Store(place)
    assert "\n" not in str(error.value)
    assert place.read_bytes() == before


@pytest.mark.parametrize("lasting", [False, True])
def test_any_write_may_fail(tmp_path: Path, lasting: bool) -> None:
    """The n-th statement fails, once or until somebody makes room, for every n: what is refused leaves no trace."""
    rows = np.arange(20.0).reshape(10, 2)
    units = [Unit(0, rows[:4], records=[(0, 0, "{}")]), Unit(4, rows[4:8]), Unit(8, rows[8:]), Unit(2, rows[2:6])]

    def play(kept: Store, disk: Failing) -> int:
        refusals = 0

        def insist(step: Any) -> Any:
            nonlocal refusals
            before = list(kept._db.database.iterdump())  # type: ignore[attr-defined]
            for _ in range(2):
                disk.full = True
                try:
                    return step()
                except stores.StoreError as error:
                    assert "all that was committed is kept" in str(error)
                    refusals += 1
                    disk.lasting = False  # somebody made room
                finally:
                    disk.full = False
                kept.stretches(1)
                assert list(kept._db.database.iterdump()) == before  # type: ignore[attr-defined]
            raise AssertionError("it is refused again, though nothing fails any more")

        run = insist(lambda: kept.begin("match", {"deals": 10}, "code"))
        number = insist(lambda: kept.series({"game": {"name": "a game"}}, [{"name": "random"}]))
        insist(lambda: kept.ask(run, number, 10))
        for unit in units:
            insist(lambda unit=unit: kept.commit(number, unit, whole=unit.first == 8))
        insist(lambda: kept.end(run, {"text": "done"}))
        assert np.array_equal(np.concatenate([unit.rows for unit in kept.units(number)]), rows)
        assert list(kept.records(number)) == [(0, 0, {})] and kept.agents(number) == [{"name": "random"}]
        assert (kept.run(run).done, kept.run(run).result) == (10, {"text": "done"})
        assert kept.check() == Health(3, 0, 0, "")
        return refusals

    for n in itertools.count(1):
        with Store(tmp_path / f"{n}.sqlite") as kept:
            kept._db = disk = Failing(kept._db, n, lasting)  # type: ignore[assignment]
            if play(kept, disk) == 0:
                break
    assert n > 30


def test_units_without_a_checksum_are_accepted(place: Path) -> None:
    """A store of the version before checksums, read as it is and after it was brought up to date."""
    rows = np.arange(8.0).reshape(4, 2)
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        db.executescript(stores.MIGRATIONS[0] + stores.MIGRATIONS[1])
        db.execute("INSERT INTO series VALUES (1, 'key', '{}')")
        for first, numbers in ((0, zlib.compress(rows.tobytes())), (4, b"no numbers")):
            db.execute("INSERT INTO units VALUES (1, ?, 4, '[2]', ?, '', 0.5)", (first, numbers))
        db.execute("PRAGMA user_version = 2")
    for read_only in (True, False):
        with Store(place, read_only=read_only) as kept:
            (unit,) = kept.units(1, 4)
            assert np.array_equal(unit.rows, rows)
            with pytest.raises(stores.StoreError, match=r"the unit at row 4 of series 1 .* 1 of 2 units are good"):
                list(kept.units(1))


def test_a_damaged_store_never_gives_another_result(tmp_path: Path) -> None:
    """Flipped bytes are reported in one sentence, or what they hit is played again with the same result."""
    whole, place = tmp_path / "whole.sqlite", tmp_path / "damaged.sqlite"
    agents, rng = ["equilibrium", "random"], random.Random(5)

    def play(path: Path, seed: int) -> Any:
        with laboratory(path, workers=1, command="match", given={"seed": seed}) as playing:
            found = match("kuhn", agents, 40, seed, records=True).by_deal
            assert playing.store is not None and playing.run is not None
            playing.store.end(playing.run, {"text": "done"})
            return found

    def shown(path: Path) -> Any:
        with Store(path, read_only=True) as kept:
            return [(run.given, run.result, list(exported(kept, run)), list(records(kept, run))) for run in kept.runs()]

    expected = [play(whole, seed) for seed in (1, 2)]
    listed, content = shown(whole), whole.read_bytes()
    refused = repaired = 0
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(rng.choice((1, 1, 1, 4))):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        for other in tmp_path.glob("damaged.sqlite*"):
            other.unlink()
        place.write_bytes(damaged)
        try:
            assert shown(place) == listed
        except InputError as error:
            assert "\n" not in str(error)
            refused += 1
        for attempt in ("as it is", "repaired"):
            try:
                assert all(np.array_equal(play(place, seed), expected[seed - 1]) for seed in (1, 2))
                repaired += attempt == "repaired"
                break
            except InputError as error:
                assert "\n" not in str(error) and str(place) in str(error)
            try:
                with Store(place) as kept:
                    kept.check(repair=True)
            except InputError as error:
                assert "\n" not in str(error)
                break
    assert refused > 50 and repaired > 0


def test_a_bad_page_costs_only_what_was_on_it(tmp_path: Path) -> None:
    """Each page in turn is overwritten; what is left is salvaged, and the rest played again with the same result."""
    whole, place = tmp_path / "whole.sqlite", tmp_path / "damaged.sqlite"
    rng = np.random.default_rng(3)
    numbers = [rng.random((400, 2)) for _ in range(8)]
    with Store(whole) as kept:
        run, series = kept.begin("match", {}, "code"), kept.series({"game": {"name": "kuhn"}}, [{"name": "random"}])
        kept.ask(run, series, 3_200)
        for n, rows in enumerate(numbers):
            kept.commit(series, Unit(400 * n, rows, records=[(n, 0, '{"n": 1}')]))
        kept.end(run, {"text": "done"})
    content, good, runs = whole.read_bytes(), 0, 0
    for page in range(len(content) // 4096):
        for other in tmp_path.glob("damaged.sqlite*"):
            other.unlink()
        place.write_bytes(content[: 4096 * page] + rng.bytes(4096) + content[4096 * (page + 1) :])
        mend(place, Store)
        with Store(place) as kept:
            kept.check(repair=True)
            health = kept.check()
            assert health.sound
            good += health.good
            for unit in kept.units(series):
                assert np.array_equal(unit.rows, numbers[unit.first // 400])
            with suppress(InputError):
                runs += kept.run(run).done == 3_200
    pages = len(content) // 4096
    assert pages > 20 and good > 0.75 * 8 * pages and runs > 0


def test_a_damaged_unit_is_dropped_and_played_again(place: Path) -> None:
    words = ["match", "kuhn", "equilibrium", "random", "--deals", "3000", "--json", "--quiet"]
    expected = json.loads(run(place, *words).stdout)
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        units = db.execute("SELECT count(*) FROM units").fetchone()[0]
        db.execute("UPDATE units SET seconds = 0.25, numbers = zeroblob(9) WHERE first > 0")
    assert units > 1
    for again in (words, ["runs", "show", "1"], ["runs", "export", "1"]):
        refused = run(place, *again)
        assert refused.returncode == 2 and refused.stderr.count("\n") == 1
        assert f"1 of {units} units are good" in refused.stderr + refused.stdout
    checked = run(place, "runs", "check")
    assert (checked.returncode, checked.stdout) == (1, f"1 good units, {units - 1} damaged\n")
    assert run(place, "runs", "check").stdout == checked.stdout  # it only looks
    assert json.loads(run(place, "runs", "check", "--repair", "--json").stdout)["repaired"]
    sound = run(place, "runs", "check")
    assert (sound.returncode, sound.stdout) == (0, "1 good units, 0 damaged\n")
    assert json.loads(run(place, *words).stdout) == expected
    assert run(place.with_name("none.sqlite"), "runs", "check", "--repair").returncode == 2
    assert not place.with_name("none.sqlite").exists()


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of its own, which only the system can mount."""
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_full_disk_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    agents = ["equilibrium", "random"]
    with small_disk(tmp_path / "disk", "400k") as disk:
        place = disk / "runs.sqlite"
        with (
            pytest.raises(InputError, match="cannot be used: database or disk is full; all that was committed is kept"),
            laboratory(place, workers=1),
        ):
            for seed in range(50):
                match("kuhn", agents, 20_000, seed)
        with closing(sqlite3.connect(place, isolation_level=None)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        subprocess.run(["mount", "-o", "remount,size=4m", disk], check=True)
        with laboratory(place):
            assert np.array_equal(match("kuhn", agents, 20_000, 0).by_deal, match_alone(agents))
        with Store(place) as kept:
            assert kept.stretches(1)[-1][1] == 20_000


def match_alone(agents: list[str]) -> Any:
    with laboratory("none"):
        return match("kuhn", agents, 20_000, 0).by_deal


def test_a_read_only_store_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "1m") as disk:
        place = disk / "runs.sqlite"
        with laboratory(place, given={"deals": 100}):
            match("kuhn", ["equilibrium", "random"], 100)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with pytest.raises(InputError, match=r"runs\.sqlite' cannot be used: "), laboratory(place):
            match("kuhn", ["equilibrium", "random"], 200)
        with Store(place, read_only=True) as kept:
            assert len(kept.runs()) == 1


def test_no_folder_for_the_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot be used: .*; nothing was changed"):
        Store(tmp_path / "file" / "runs.sqlite")
    with pytest.raises(InputError, match="there is no store"):
        Store(tmp_path / "none.sqlite", read_only=True)


# Being killed. Children come from a server that has imported everything, so that they start in no time.

POOL = multiprocessing.get_context("forkserver")
POOL.set_forkserver_preload(["numba", "support"])


def test_twenty_kills_lose_nothing_and_count_nothing_twice(place: Path, loud: str) -> None:
    rng = random.Random(20)
    kept_after = []
    for _ in range(20):
        child, before = POOL.Process(target=play_tournament, args=(place, loud)), decisions(loud)
        child.start()
        while child.is_alive() and decisions(loud) == before:  # it begins to play
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.2))
        child.kill()
        child.join()
        if place.exists():
            with closing(sqlite3.connect(place, isolation_level=None)) as db:
                assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                if db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'units'").fetchone()[0]:
                    kept_after.append(db.execute("SELECT coalesce(sum(count), 0) FROM units").fetchone()[0])
    assert kept_after == sorted(kept_after)  # nothing that was committed is lost
    assert kept_after[-1] > 0
    with laboratory(place):
        resumed = tournament("kuhn", [loud, *RIVALS], 1_500, 5)
    with laboratory("none"):
        whole = tournament("kuhn", [loud, *RIVALS], 1_500, 5)
    for pair, result in whole.matches.items():
        assert np.array_equal(result.by_deal, resumed.matches[pair].by_deal)
    assert whole.to_dict() == resumed.to_dict()
    with Store(place) as kept:
        for number in (1, 2, 3):
            ends = [0, *(end for _, end in kept.stretches(number))]
            assert [first for first, _ in kept.stretches(number)] == ends[:-1]  # one after the other, none twice
            assert ends[-1] == 1_500


def test_two_programs_may_write_at_once(place: Path, loud: str) -> None:
    children = [POOL.Process(target=play_tournament, args=(place, loud)) for _ in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0]
    with Store(place) as kept:
        assert [len(kept.runs()), series_in(place)] == [1, 3]
        assert sum(end - first for n in (1, 2, 3) for first, end in kept.stretches(n)) == 4_500
        found = [np.concatenate([unit.rows for unit in kept.units(n)]) for n in (1, 2, 3)]
    with laboratory("none"):
        whole = tournament("kuhn", [loud, *RIVALS], 1_500, 5)
    for rows, result in zip(found, whole.matches.values(), strict=True):
        assert np.array_equal(rows, result.by_deal)


def run(place: Path, *words: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    given = [sys.executable, "-m", "fifthstreet", *words, "--store", str(place)]
    return subprocess.run(given, capture_output=True, text=True, **more)


INTERRUPTIBLE = (  # a child inherits whether Ctrl-C is ignored, as it is for a test run in the background of a shell
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from fifthstreet.cli import main; main()"
)


def test_whoever_stops_is_told_how_to_go_on(place: Path, loud: str) -> None:
    words = ["match", "kuhn", loud, "random", "--deals", "5000"]
    given = [sys.executable, "-c", INTERRUPTIBLE, *words, "--store", str(place)]
    child = subprocess.Popen(given, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while decisions(loud) < 500:  # in the midst of it, with something committed
        assert child.poll() is None
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert child.returncode == 130
    assert errors.splitlines()[-1] == f"fifthstreet: stopped; to go on: fifthstreet runs resume 1 --store {place}"
    listed = json.loads(run(place, "runs", "--json").stdout)
    assert [(entry["id"], entry["state"], entry["wanted"]) for entry in listed] == [(1, "unfinished", 5_000)]
    assert 0 < listed[0]["done"] < 5_000
    shown = json.loads(run(place, "runs", "show", "1", "--json").stdout)
    assert shown["series"][0]["done"] == listed[0]["done"]
    done = run(place, "runs", "resume", "1", "--json", "--quiet")
    assert json.loads(done.stdout)["deals"] == 5_000
    assert done.stderr == ""
    exported = run(place, "runs", "export", "1").stdout.splitlines()
    assert exported[0] == "series,game,number,hand,agent,figure"
    assert len(exported) == 1 + 2 * 5_000
    assert json.loads(run(place, "runs", "--json").stdout)[0]["state"] == "finished"


def test_an_unknown_run_is_one_sentence(place: Path) -> None:
    Store(place).close()
    found = run(place, "runs", "show", "7")
    assert (found.returncode, found.stderr) == (2, f"fifthstreet: there is no run 7 in '{place}': it has no runs yet\n")
    assert os.environ.get("FIFTHSTREET_STORE") is not None  # tests keep away from the user's own store
