from pathlib import Path

import numpy as np
import pytest

from fifthstreet import cache


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIFTHSTREET_CACHE", str(tmp_path))
    return tmp_path


def test_what_is_stored_is_not_computed_again(place: Path) -> None:
    calls = []

    def compute() -> dict[str, np.ndarray]:
        calls.append(1)
        return {"numbers": np.arange(5)}

    for _ in range(3):
        assert cache.arrays("thing", "1", compute)["numbers"].tolist() == [0, 1, 2, 3, 4]
    assert len(calls) == 1
    cache.arrays("thing", "2", compute)
    assert len(calls) == 2


def test_a_damaged_file_is_computed_again(place: Path) -> None:
    cache.arrays("thing", "1", lambda: {"numbers": np.arange(50)})
    (file,) = place.glob("*.npz")
    whole = file.read_bytes()
    flipped = [whole[:i] + bytes([whole[i] ^ 255]) + whole[i + 1 :] for i in range(0, len(whole), 3)]
    for damaged in (b"", b"nonsense", whole[: len(whole) // 2], whole[:-1], *flipped):
        file.write_bytes(damaged)
        found = cache.arrays("thing", "1", lambda: {"numbers": np.arange(50)})["numbers"]
        assert found.tolist() == list(range(50))
    file.write_bytes(whole[: len(whole) // 2])
    assert cache.arrays("thing", "1", lambda: {"numbers": np.arange(3)})["numbers"].tolist() == [0, 1, 2]
    assert cache.arrays("thing", "1", lambda: {"numbers": np.arange(9)})["numbers"].tolist() == [0, 1, 2]


def test_a_foreign_file_is_refused(place: Path) -> None:
    np.savez(place / "thing-1.npz", numbers=np.arange(4), checksum=np.array("wrong"))
    assert cache.arrays("thing", "1", lambda: {"numbers": np.arange(3)})["numbers"].tolist() == [0, 1, 2]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FIFTHSTREET_CACHE", str(tmp_path / "file" / "cache"))
    assert cache.arrays("thing", "1", lambda: {"numbers": np.arange(3)})["numbers"].tolist() == [0, 1, 2]
