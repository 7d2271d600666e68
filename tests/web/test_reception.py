"""Connections that keep the server waiting: they are ended, and shut nobody out."""

import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fifthstreet.web import reception
from support_web import PATIENCE, Served, process, serving

HALVES = {
    "nothing": b"",
    "half a head": b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nX-Long",
    "half a body": b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    "half a second request": b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
}
FEW_FILES = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)); "
NO_LIMIT = "from fifthstreet.web import reception; reception.most_connections = lambda: 4096; "
START = "from fifthstreet.cli import main; main()"


@pytest.fixture
def many_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    reception.allow_files()
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def half_sent(server: Served, sent: bytes, small: bool = False) -> socket.socket:
    host, _, port = server.address.removeprefix("http://").partition(":")
    connection = socket.socket()
    if small:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(PATIENCE)
    connection.connect((host, int(port)))
    connection.sendall(sent)
    server.connections.callback(connection.close)
    return connection


@pytest.mark.usefixtures("many_files")
@pytest.mark.parametrize("code", [FEW_FILES + START, FEW_FILES + NO_LIMIT + START], ids=["limit", "no more files"])
def test_half_sent_requests_shut_nobody_out(tmp_path: Path, code: str) -> None:
    """1,100 of them, with 256 open files, which are all in use where nothing else limits connections."""
    with process(tmp_path / "tables.sqlite", "-c", code) as (server, run):
        table = server.open("five-o", "you", "random")
        player = server.sit(table)
        for n in range(1100):
            half_sent(server, list(HALVES.values())[n % len(HALVES)])
            if n % 100 == 99:
                assert player.turn()["choices"]
                player.act(player.choose())
                assert len(server.get("/api/games")) == 4
        player.play_hand()
        assert server.sit(table).last["over"]
        assert run.poll() is None


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "STUCK_SECONDS", "GONE_SECONDS"):
        monkeypatch.setattr(reception, name, 0.3)
    monkeypatch.setattr(reception, "LOOK", 0.05)


def test_whoever_keeps_the_server_waiting_is_told_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    with serving() as server:
        player = server.sit(server.open("five-o", "you", "random"))
        answers = {}
        for what, sent in HALVES.items():
            connection, parts = half_sent(server, sent), []
            while part := connection.recv(65_536):
                parts.append(part)
            answers[what] = b"".join(parts)
        assert answers["nothing"] == b""
        assert answers["half a head"].startswith(b"HTTP/1.1 408 ") and answers["half a body"].startswith(
            b"HTTP/1.1 408 "
        )
        second = answers["half a second request"]
        assert second.startswith(b"HTTP/1.1 404 ") and b"HTTP/1.1 408 " in second
        player.play_hand()  # a seat may be silent for as long as it likes


def test_whoever_reads_no_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    address = "/page/js/views/solve.js"
    with serving() as server:
        often = 6_000_000 // len(server.ask(address)[1])  # more than the system's own buffers hold
        deaf = half_sent(server, f"GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * often, small=True)
        over = time.monotonic() + PATIENCE
        with pytest.raises(OSError):
            while time.monotonic() < over:
                time.sleep(0.05)
                deaf.send(b"x")  # until the connection is reset


def test_an_address_may_use_half_of_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reception, "most_connections", lambda: 8)

    def let_in() -> bool:
        """Whether somebody who says nothing at first is let in."""
        connection = half_sent(server, b"")
        connection.settimeout(0.2)
        try:
            assert connection.recv(65_536).startswith(b"HTTP/1.1 503 ")
        except TimeoutError:
            return True
        finally:
            connection.close()
        return False

    with serving() as server:
        table = server.open("five-o", "you", "random")
        players = [server.sit(table) for _ in range(4)]
        assert not let_in()
        players.pop().socket.close()
        assert any(let_in() for _ in range(100))  # as soon as the server has noticed
        for _ in range(20):  # only half-sent requests make room
            half_sent(server, HALVES["half a head"])
        assert server.get("/api/games")
        for player in players:
            assert player.refused(type="dance")
