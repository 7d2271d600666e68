"""The command line of the table, and the bot in the documentation, which plays at it."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fifthstreet.benchmarks.table import played
from fifthstreet.errors import InputError
from fifthstreet.web.serve import serve
from fifthstreet.web.store import Store
from support_web import Served


def refused(*options: str) -> str:
    command = [sys.executable, "-m", "fifthstreet", "serve", "--no-browser", *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and run.stdout == "", run
    lines = run.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("fifthstreet: ")
    return lines[0]


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"port {port}" in refused("--port", port, "--store", str(tmp_path / "t.sqlite"))


def test_a_store_or_host_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no database, but long enough to look at" * 50)
    for place in (tmp_path / "file", tmp_path / "file" / "inside.sqlite", tmp_path):
        with pytest.raises(InputError, match="tables cannot be stored in"):
            serve("127.0.0.1", 0, place, tmp_path, browser=False, tell=lambda text: None)
    with pytest.raises(InputError, match="nothing can listen on"):
        serve("no.such.host.invalid", 0, tmp_path / "t.sqlite", tmp_path, browser=False)
    first = Store(tmp_path / "taken.sqlite")
    with pytest.raises(InputError, match="database is locked"):
        Store(tmp_path / "taken.sqlite")  # two servers would spoil each other's tables
    first.close()
    assert (tmp_path / "taken.sqlite").stat().st_mode & 0o077 == 0  # seeds and tokens are nobody else's
    newer = tmp_path / "newer.sqlite"
    store = Store(newer)
    store._database.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(InputError, match="another version"):
        Store(newer)


def test_another_host_says_what_that_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: sockets[0].close())
    said: list[str] = []
    serve("0.0.0.0", 0, tmp_path / "t.sqlite", tmp_path, browser=False, tell=said.append)
    assert "everybody who can reach this machine" in said[1]
    said.clear()
    serve("127.0.0.1", 0, tmp_path / "other.sqlite", tmp_path, browser=False, tell=said.append)
    assert len(said) == 1 and said[0].startswith("the table is at http://127.0.0.1:")


def test_the_bot_of_the_documentation_plays(server: Served, tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "table-protocol.md").read_text(encoding="utf-8")
    bot = tmp_path / "bot.py"
    bot.write_text(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[-1])
    command = [sys.executable, str(bot), server.address.removeprefix("http://")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert [line.split()[:2] for line in run.stdout.splitlines()] == [["hand", "1"], ["hand", "2"], ["hand", "3"]]


@pytest.mark.parametrize("hostile", [False, True])
def test_at_many_tables_at_once_no_action_is_lost_or_doubled_and_no_agent_fails(hostile: bool) -> None:
    found = played(tables=12, hands=1, hostile=hostile)
    assert found["lost or doubled"] == found["failed"] == 0 and found["actions"] > 12
