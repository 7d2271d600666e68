"""One server for all tests of this folder that need no other, and deals that are the same every time."""

import itertools
from collections.abc import Iterator

import pytest

from support_web import Served, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.fixture
def fixed_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = itertools.count(1)
    monkeypatch.setattr("fifthstreet.web.table.new_seed", lambda: f"{next(seeds):032x}")
