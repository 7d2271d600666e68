"""What tests share: the folder of real hands and exact tables, where it is present."""

import csv
import os
from pathlib import Path

import pytest
from hypothesis import settings

from support import Rows

# The first example may compile a kernel, so examples have no time limit; the same examples are tried every time.
settings.register_profile("fifthstreet", deadline=None, derandomize=True)
settings.load_profile("fifthstreet")


GROUPS = {
    "papers": ("test_papers",),
    "five-o": ("five_o", "five-o"),
    "squares": ("squares",),
    "hold'em": ("holdem", "test_eva", "simulator", "histories"),
    "draw": ("draw",),
}
"""Tests that need the same kernels, by what is in their names: one process compiles them, not two. The first counts."""
ORDER = ("five-o", "squares", "hold'em", "draw", "papers")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests of a group together, the papers when all games are compiled; other files are groups of their own."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item.nodeid)))
    items.sort(key=lambda item: ORDER.index(_group(item.nodeid)) if _group(item.nodeid) in ORDER else len(ORDER))


def _group(test: str) -> str:
    file, _, _ = test.partition("::")
    named = file if "/web/" in file else test
    return next((name for name, parts in GROUPS.items() if any(part in named for part in parts)), file)


@pytest.fixture(scope="session", autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests keep nothing in the user's own store."""
    os.environ["FIFTHSTREET_STORE"] = str(tmp_path_factory.mktemp("store") / "runs.sqlite")


@pytest.fixture(scope="session")
def data() -> Path:
    """Data that nobody in this project wrote, in $FIFTHSTREET_DATA or beside the project."""
    place = os.environ.get("FIFTHSTREET_DATA")
    folder = Path(place) if place else Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"needs the published tables, and there is no {folder}; set FIFTHSTREET_DATA")
    return folder


@pytest.fixture(scope="session")
def rows(data: Path) -> Rows:
    """The rows of a CSV file in the data."""

    def read(name: str) -> list[dict[str, str]]:
        with (data / name).open(newline="") as file:
            return list(csv.DictReader(file))

    return read
