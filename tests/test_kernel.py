"""How kernels are compiled and kept. Each case is a fresh process with a cache of its own."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

USE = "from fifthstreet.rng import stream; print(stream(7, 'dealer').below(1000))"


def run(code: str, cache: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    variables = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    variables |= {"FIFTHSTREET_CACHE": str(cache)} | environment
    return subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True, timeout=300
    )


def folders(cache: Path) -> list[Path]:
    return sorted(cache.glob("kernels-*"))


def test_cold_use_says_so_and_warm_use_is_silent(tmp_path: Path) -> None:
    cold, warm = run(USE, tmp_path), run(USE, tmp_path)
    assert "compiling, once: rng." in cold.stderr
    assert warm.stderr == ""
    assert cold.stdout == warm.stdout
    assert len(folders(tmp_path)) == 1


def test_a_new_folder_removes_the_old_ones(tmp_path: Path) -> None:
    old = tmp_path / "kernels-0123456789abcdef"
    old.mkdir(parents=True)
    (old / "something.nbc").write_bytes(b"old")
    run(USE, tmp_path)
    assert not old.exists()
    (first,) = folders(tmp_path)
    run(USE, tmp_path, NUMBA_BOUNDSCHECK="1")  # other machine code, so another folder
    (second,) = folders(tmp_path)
    assert first != second


def test_several_processes_may_compile_at_once(tmp_path: Path) -> None:
    variables = os.environ | {"FIFTHSTREET_CACHE": str(tmp_path)}
    started = [
        subprocess.Popen([sys.executable, "-c", USE], env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(4)
    ]
    answers = {process.communicate(timeout=300)[0] for process in started}
    assert len(answers) == 1
    assert all(process.returncode == 0 for process in started)
    assert run(USE, tmp_path).stderr == ""


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert run(USE, blocked / "cache").stdout == run(USE, tmp_path / "good").stdout


def test_a_read_only_package_works(tmp_path: Path) -> None:
    """Nothing is written beside the sources, whatever their folder allows."""
    import fifthstreet

    package = Path(fifthstreet.__file__).parent
    before = {path for path in package.rglob("*") if "__pycache__" not in path.parts or path.suffix != ".pyc"}
    mode = package.stat().st_mode
    package.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        run(USE, tmp_path)
    finally:
        package.chmod(mode)
    after = {path for path in package.rglob("*") if "__pycache__" not in path.parts or path.suffix != ".pyc"}
    assert after == before


def test_an_agent_outside_the_package_is_compiled_and_kept_apart(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from fifthstreet.kernel import kernel\n@kernel\ndef double(x):\n    return 2 * x\nprint(double(21))\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import mine"
    cold, warm = run(code, tmp_path / "cache"), run(code, tmp_path / "cache")
    assert (cold.stdout, warm.stdout) == ("42\n", "42\n")
    assert "compiling, once: mine.double" in cold.stderr
    assert warm.stderr == ""
    (tmp_path / "mine.py").write_text((tmp_path / "mine.py").read_text().replace("2 * x", "3 * x"))
    assert run(code, tmp_path / "cache").stdout == "63\n"


EVERYTHING = """
import numpy as np
from fifthstreet import equity, evaluate, match
rng = np.random.default_rng(3)
hands = np.array([rng.permutation(52)[:7] for _ in range(300)], np.uint8)
print(evaluate(hands).tolist(), evaluate(hands[:, :5]).tolist(), evaluate(hands[:, :6]).tolist())
print(equity(["AhKh", "QdQc"], "Jh Th 2c").to_dict())
print(equity(["AhKh", "QQ+:0.5, 77", "random"], samples=200, workers=1).to_dict())
for game in ("kuhn", "leduc"):
    print(match(game, ["random", "random"], deals=30, seed=5, workers=1).by_deal.tolist())
"""


@pytest.mark.parametrize("setting", [{"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}])
def test_plain_python_and_bounds_checked_kernels_give_the_same(setting: dict[str, str], tmp_path: Path) -> None:
    assert run(EVERYTHING, tmp_path / "other", **setting).stdout == run(EVERYTHING, tmp_path / "usual").stdout


def test_modules_without_kernels_hold_none() -> None:
    """Their text does not enter the name of the cache folder, so a kernel in them could become stale."""
    import fifthstreet
    from fifthstreet.cache import NO_KERNELS

    package = Path(fifthstreet.__file__).parent
    for path in package.rglob("*.py"):
        if path.relative_to(package).as_posix().startswith(NO_KERNELS):
            assert "@kernel" not in path.read_text(), path


def test_listing_needs_no_compiler() -> None:
    """Neither help nor the lists of games and agents nor one hand's evaluation imports Numba."""
    for words in (["--help"], ["games"], ["agents"], ["evaluate", "AhKhQhJhTh"]):
        code = (
            f"import sys; sys.argv = ['fifthstreet', *{words!r}]\n"
            "from fifthstreet.cli import cli\n"
            "try:\n    cli.main(standalone_mode=False)\nfinally:\n    assert 'numba' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)
