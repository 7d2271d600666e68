import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import grimp
import numpy as np
import pytest

from fifthstreet import cache

SOURCES = {path.relative_to(cache.PACKAGE).as_posix(): path.read_text() for path in cache.PACKAGE.rglob("*.py")}
USES = re.compile(r"\b(?:cache\.(?:arrays|key)|Recipe)\(\s*(\w+)")
KEEPERS = {"cache.py", "learned/__init__.py"}  # they keep for others, under the name that these give
MAKERS = sorted(name for name, source in SOURCES.items() if USES.search(source) and name not in KEEPERS)
"""The modules that keep something in the cache or ship it, or name something by the code that made it."""


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
        assert cache.arrays(__file__, "thing", compute)["numbers"].tolist() == [0, 1, 2, 3, 4]
    assert len(calls) == 1
    cache.arrays(cache.__file__, "thing", compute)
    assert len(calls) == 2


def test_a_damaged_file_is_computed_again(place: Path) -> None:
    cache.arrays(__file__, "thing", lambda: {"numbers": np.arange(50)})
    (file,) = place.glob("*.npz")
    whole = file.read_bytes()
    flipped = [whole[:i] + bytes([whole[i] ^ 255]) + whole[i + 1 :] for i in range(0, len(whole), 3)]
    for damaged in (b"", b"nonsense", whole[: len(whole) // 2], whole[:-1], *flipped):
        file.write_bytes(damaged)
        found = cache.arrays(__file__, "thing", lambda: {"numbers": np.arange(50)})["numbers"]
        assert found.tolist() == list(range(50))
    file.write_bytes(whole[: len(whole) // 2])
    assert cache.arrays(__file__, "thing", lambda: {"numbers": np.arange(3)})["numbers"].tolist() == [0, 1, 2]
    assert cache.arrays(__file__, "thing", lambda: {"numbers": np.arange(9)})["numbers"].tolist() == [0, 1, 2]


def test_a_foreign_file_is_refused(place: Path) -> None:
    np.savez(place / f"thing-{cache.key(__file__)}.npz", numbers=np.arange(4), checksum=np.array("wrong"))
    assert cache.arrays(__file__, "thing", lambda: {"numbers": np.arange(3)})["numbers"].tolist() == [0, 1, 2]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FIFTHSTREET_CACHE", str(tmp_path / "file" / "cache"))
    assert cache.arrays(__file__, "thing", lambda: {"numbers": np.arange(3)})["numbers"].tolist() == [0, 1, 2]


def test_whatever_is_kept_is_kept_under_the_module_that_makes_it() -> None:
    assert {"evaluation/strength.py", "agents/draw/champion.py", "agents/five_o/pairs.py"} <= set(MAKERS)
    assert {name: found for name in MAKERS if set(found := USES.findall(SOURCES[name])) != {"__file__"}} == {}
    assert [name for name, source in SOURCES.items() if "from fifthstreet.cache import" in source] == []


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, whose files can be changed."""
    place = tmp_path_factory.mktemp("copy") / "fifthstreet"
    shutil.copytree(cache.PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__", "page"))
    return place


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    """Who imports whom, found by a library that knows nothing of the cache."""
    return grimp.build_graph("fifthstreet", cache_dir=None)


def module_of(name: str) -> str:
    """The dotted name of a file of the package."""
    return ".".join(("fifthstreet", *name.removesuffix(".py").removesuffix("__init__").strip("/").split("/"))).strip(
        "."
    )


def files_in_the_key(maker: Path, sources: Mapping[str, str], package: Path) -> set[str]:
    """Those of these files of a package in which one more byte changes the key of what the maker makes."""
    before, found = cache.key(str(maker)), set()
    for name, source in sources.items():
        (package / name).write_text(source + "\n")
        if cache.key(str(maker)) != before:
            found.add(name)
        (package / name).write_text(source)
    assert cache.key(str(maker)) == before
    return found


@pytest.mark.parametrize("maker", MAKERS)
def test_one_byte_in_an_imported_module_changes_the_key_and_elsewhere_it_does_not(
    maker: str, copied: Path, imports: grimp.ImportGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "PACKAGE", copied)
    needed = {module_of(maker), *imports.find_upstream_modules(module_of(maker))}
    found = files_in_the_key(copied / maker, SOURCES, copied)
    assert {module_of(name) for name in found} == needed
    assert maker.startswith("web/") or not any(name.startswith("web/") for name in found)


@pytest.mark.parametrize(
    ("maker", "rules"),
    [
        ("agents/draw/champion.py", "games/betting.py"),
        ("agents/draw/evolved.py", "games/betting.py"),
        ("agents/five_o/pairs.py", "games/five_o.py"),
        ("agents/squares/champion.py", "games/poker_squares.py"),
    ],
)
def test_a_player_learns_again_when_the_rules_change(
    maker: str, rules: str, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "PACKAGE", copied)
    assert files_in_the_key(copied / maker, {rules: SOURCES[rules]}, copied) == {rules}


def test_imports_are_followed_wherever_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "fifthstreet"
    written = {
        "__init__.py": "import fifthstreet.unused",
        "unused.py": "",
        "maker.py": "import math, fifthstreet.first\ndef make():\n    if math:\n        from fifthstreet import inside",
        "first.py": "from fifthstreet.games import (\n    rules,\n    game,\n)",
        "inside.py": "try:\n    from fifthstreet.deep import *\nexcept ImportError:\n    import fifthstreet.maker",
        "games/__init__.py": "from fifthstreet.games.listed import game",
        "games/listed.py": "",
        "games/rules.py": "",
        "games/other.py": "from fifthstreet import maker",
        "deep/__init__.py": "",
        "deep/unseen.py": "",
    }
    monkeypatch.setattr(cache, "PACKAGE", package)
    for name, source in written.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(source)
    maker = package / "maker.py"
    unimported = {"__init__.py", "unused.py", "games/other.py", "deep/unseen.py"}
    assert files_in_the_key(maker, written, package) == set(written) - unimported
    (package / "games/rules.py").write_text("from . import other")
    with pytest.raises(ImportError, match="relative"):
        cache.key(str(maker))


def test_another_numpy_has_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.key(__file__)
    monkeypatch.setattr(np, "__version__", "0.0")
    assert cache.key(__file__) != before


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    with cache.replacing(file) as writing:
        writing.write(b"first")
        assert not file.exists()
    file.chmod(0o640)
    with pytest.raises(OSError, match="full"), cache.replacing(file) as writing:
        writing.write(b"sec")
        raise OSError("the disk is full")
    assert file.read_bytes() == b"first"
    with cache.replacing(file) as writing:
        writing.write(b"second")
    assert file.read_bytes() == b"second"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]  # nothing else is left behind


def test_a_link_stays_a_link_and_a_folder_is_refused(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    with cache.replacing(link) as writing:
        writing.write(b"through the link")
    assert link.is_symlink() and file.read_bytes() == b"through the link"
    with pytest.raises(IsADirectoryError), cache.replacing(tmp_path):
        pass
    with cache.replacing(Path("/dev/null")) as writing:
        writing.write(b"written to, not replaced")
    assert not Path("/dev/null").is_file()


def test_only_one_place_writes_files() -> None:
    """A file that somebody keeps is written by `replacing`; the notes of a benchmark's helper process are not kept."""
    writers = {name for name, source in SOURCES.items() if re.search(r"\.write_(text|bytes)\(|open\(\"w", source)}
    assert writers == {"cache.py", "benchmarks/table.py"}
