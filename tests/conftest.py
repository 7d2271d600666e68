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

FIRST = ("test_five_o", "squares", "test_holdem", "draw", "test_papers")
"""Files that take long, in the order in which they begin; the papers need what the others have compiled."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: next((i for i, part in enumerate(FIRST) if part in item.path.name), len(FIRST)))


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
