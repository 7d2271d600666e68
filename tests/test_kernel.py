"""How kernels are compiled and kept. Each case is a fresh process with a cache of its own."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import fifthstreet
from fifthstreet.cache import folder

USE = "from fifthstreet.rng import stream; print(stream(7, 'dealer').below(1000))"


def run(code: str, cache: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    variables = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    variables |= {"FIFTHSTREET_CACHE": str(cache), "FIFTHSTREET_COMPILING": "1"} | environment
    return subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True, timeout=300
    )


def folders(cache: Path) -> list[Path]:
    return sorted(cache.glob("kernels-*"))


def test_cold_use_says_so_and_warm_use_is_silent(tmp_path: Path) -> None:
    cold, warm = run(USE, tmp_path), run(USE, tmp_path)
    assert "compiling rng." in cold.stderr
    assert warm.stderr == ""
    assert cold.stdout == warm.stdout
    assert len(folders(tmp_path)) == 1


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that a test may change."""
    copy = tmp_path / "copy" / "fifthstreet"
    shutil.copytree(Path(fifthstreet.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_a_change_in_a_callee_of_another_file_is_noticed_and_the_old_folder_goes(package: Path, tmp_path: Path) -> None:
    """The random policy of Kuhn poker calls `below` in rng.py, which Numba by itself does not watch."""
    code = (
        "import numpy as np; from fifthstreet.games.kuhn import Kuhn, KuhnView\n"
        "view, policy = KuhnView.of(dealt=2, shown=-1), Kuhn.rules.any_choice\n"
        "print([policy(view, np.zeros(0), np.array([i, 1, 1, 1], np.uint64)) for i in range(9)])"
    )
    settings = {"PYTHONPATH": str(package.parent)}
    before = run(code, tmp_path / "cache", **settings).stdout
    (first,) = folders(tmp_path / "cache")
    rng = package / "rng.py"
    rng.write_text(rng.read_text().replace("return np.int64(product >> _SHIFT_32)", "return np.int64(77)"))
    after = run(code, tmp_path / "cache", **settings).stdout
    (second,) = folders(tmp_path / "cache")
    assert after == "[77, 77, 77, 77, 77, 77, 77, 77, 77]\n" != before
    assert first != second


def test_a_link_that_leads_nowhere_among_the_sources_does_no_harm(package: Path, tmp_path: Path) -> None:
    (package / ".#rng.py").symlink_to("nowhere")
    assert run(USE, tmp_path / "cache", PYTHONPATH=str(package.parent)).stdout == run(USE, tmp_path / "cache").stdout


def test_other_settings_have_a_folder_of_their_own(tmp_path: Path) -> None:
    run(USE, tmp_path)
    run(USE, tmp_path, NUMBA_BOUNDSCHECK="1")
    assert len(folders(tmp_path)) == 2
    assert run(USE, tmp_path).stderr == ""


def test_several_processes_may_compile_at_once(tmp_path: Path) -> None:
    """Each compiles other signatures of the same functions, so they compete for the names of files."""
    (tmp_path / "many.py").write_text(
        "import sys; import numpy as np; from fifthstreet.kernel import kernel\n"
        "@kernel\ndef double(x):\n    return x + x\n"
        "types = [np.int8, np.int16, np.int32, np.uint8, np.uint16, np.float32, np.float64, np.int64]\n"
        "for i in range(8):\n"
        "    kind = types[(i + int(sys.argv[1])) % 8]\n"
        "    print(kind.__name__, double(np.full(2, 3, kind)).dtype)\n"
    )
    variables = os.environ | {"FIFTHSTREET_CACHE": str(tmp_path / "cache")}
    for _ in range(2):  # the second time all comes from the cache
        started = [
            subprocess.Popen(
                [sys.executable, str(tmp_path / "many.py"), str(number)],
                env=variables,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for number in range(4)
        ]
        outputs = [process.communicate(timeout=300) for process in started]
        assert all(process.returncode == 0 for process in started), outputs
        for out, _ in outputs:
            assert all(line.split()[0] == line.split()[1] for line in out.splitlines())
            assert len(out.splitlines()) == 8
    assert all(err == "" for _, err in outputs)


def test_damaged_machine_code_is_compiled_again(tmp_path: Path) -> None:
    good = run(USE, tmp_path).stdout
    for damage in (b"", b"garbage", None):
        for kind in ("*.nbi", "*.nbc"):
            for file in tmp_path.rglob(kind):
                file.write_bytes(file.read_bytes()[:-20] if damage is None else damage)
            found = run(USE, tmp_path)
            assert found.stdout == good
            assert "compiling " in found.stderr
            assert run(USE, tmp_path).stderr == ""


def test_kernels_made_by_factories_are_found_in_the_cache_and_kept_apart(tmp_path: Path) -> None:
    """The deal loops of two games are one function closed over other rules; each is found again by the next process."""
    code = "from fifthstreet import match\n"
    code += (
        "for game in ('kuhn', 'leduc'): print(match(game, ['random', 'random'], 50, 1).by_deal.sum(axis=0).tolist())"
    )
    cold, warm = run(code, tmp_path), run(code, tmp_path)
    assert "compiling games.table.play_deals" in cold.stderr
    assert warm.stderr == ""
    assert cold.stdout == warm.stdout
    assert len(set(cold.stdout.splitlines())) == 2


def test_threads_may_compile_at_once(tmp_path: Path) -> None:
    """A cold compiled match beside a cold equity: two kernels that need others, each under Numba's lock in turn."""
    code = (
        "import threading; from fifthstreet import equity, match\n"
        "works = [lambda: equity(['AhKh', 'QdQc']), lambda: match('kuhn', ['random', 'equilibrium'], 10),\n"
        "         lambda: match('leduc', ['random', 'random'], 10)]\n"
        "threads = [threading.Thread(target=work) for work in works]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]; print('done')"
    )
    assert run(code, tmp_path).stdout == "done\n"


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert run(USE, blocked / "cache").stdout == run(USE, tmp_path / "good").stdout


def test_a_read_only_package_works(tmp_path: Path) -> None:
    """Nothing is written beside the sources, whatever their folder allows."""
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
    assert "compiling mine.double" in cold.stderr
    assert warm.stderr == ""
    (tmp_path / "mine.py").write_text((tmp_path / "mine.py").read_text().replace("2 * x", "3 * x"))
    assert run(code, tmp_path / "cache").stdout == "63\n"


def test_an_agent_may_keep_kernels_in_several_files(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    helper = tmp_path / "library" / "helper.py"
    helper.write_text("from fifthstreet.kernel import kernel\n@kernel\ndef factor():\n    return 2\n")
    (tmp_path / "mine.py").write_text(
        "from fifthstreet.kernel import kernel\nfrom library.helper import factor\n"
        "@kernel\ndef times(x):\n    return factor() * x\nprint(times(21))\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import mine"
    assert run(code, tmp_path / "cache").stdout == "42\n"
    helper.write_text(helper.read_text().replace("return 2", "return 3"))
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
    assert run(EVERYTHING, tmp_path, **setting).stdout == run(EVERYTHING, folder()).stdout


def test_modules_without_kernels_hold_none() -> None:
    """Their text does not enter the name of the cache folder, so a kernel in them could become stale."""
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


def test_a_kernel_that_says_it_allocates_nothing_is_held_to_it(tmp_path: Path) -> None:
    (tmp_path / "lean.py").write_text(
        "import numpy as np\nfrom fifthstreet.kernel import kernel\n"
        "@kernel(allocates=False)\ndef total(row):\n    return row.sum()\n"
        "@kernel(allocates=False)\ndef doubled(row):\n    return (row + row).sum()\n"
        "print(total(np.arange(4)))\n"
        "try:\n    doubled(np.arange(4))\nexcept Exception as error:\n    print(type(error).__name__)\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import lean"
    assert run(code, tmp_path / "cache").stdout.split() == ["6", "TypingError"]


LINKED = """
import numpy as np
from fifthstreet.kernel import kernel

@kernel
def shared(x):
    return x + 1 if x < 2**40 else large(x)

@kernel
def large(x):
    if x == 2**41:
        raise ValueError("too large")
    return -x

@kernel
def both(x):  # the literal 3 compiles `shared` without a call of `large`, the variable with one
    return shared(3) + shared(x)

@kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

@kernel
def rows(n):
    return np.full(n, shared(n)), np.zeros(1)

print(both(5), both(2**40), factorial(10), rows(2)[0].tolist(), shared(2**40))
try:
    both(2**41)
except ValueError as error:
    print(error)
"""


def test_kernels_are_linked_with_all_that_they_call(tmp_path: Path) -> None:
    """Compiled and from the cache: shared functions, recursion, errors and arrays that are returned."""
    (tmp_path / "linked.py").write_text(LINKED)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import linked"
    for _ in range(2):
        found = run(code, tmp_path / "cache")
        assert found.stdout == f"10 {4 - 2**40} 3628800 [3, 3] {-(2**40)}\ntoo large\n"
    assert found.stderr == ""


def test_processors_without_an_instruction_deal_the_same(tmp_path: Path) -> None:
    code = "from fifthstreet import match; print(match('holdem:seats=3', ['random'] * 3, 20, 1).by_deal.tolist())"
    assert run(code, tmp_path, NUMBA_CPU_NAME="generic").stdout == run(code, folder()).stdout


MADE = """
import sys
from typing import NamedTuple
import numpy as np
from fifthstreet.kernel import factory, kernel

@kernel
def two():
    return 2

@kernel
def three():
    return 3

@factory
def times(factor):
    @kernel
    def product(x):
        return factor() * x
    return product

class Pair(NamedTuple):
    rows: object
    count: int

@kernel
def pair(n):
    return Pair(np.zeros(n), n)

@kernel
def size(n):
    return pair(n).rows.size

does = {
    "double": lambda: times(two)(7),
    "triple": lambda: times(three)(7),
    "size": lambda: size(4),
    "pair": lambda: pair(5).count,
}
print(*[does[name]() for name in sys.argv[1].split()])
"""


def test_kernels_from_the_cache_and_new_ones_are_kept_apart(tmp_path: Path) -> None:
    """Numba numbers functions anew in every process, so that two made by one factory could have one name.

    What a wrapper needs to return a tuple must not be lost when another kernel that calls the same one is loaded first.
    """
    (tmp_path / "made.py").write_text(MADE)
    answers = {"double": "14", "triple": "21", "size": "4", "pair": "5"}
    for case in ["double", "double triple", "triple double", "size pair", "size pair", "pair size"]:
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['', {case!r}]; import made"
        assert run(code, tmp_path / "cache").stdout.split() == [answers[name] for name in case.split()]


def test_a_kernel_that_allocates_nothing_may_call_one_that_counts_references(tmp_path: Path) -> None:
    """Loaded from the cache before any other kernel, it needs Numba's runtime all the same."""
    code = "from fifthstreet.games import game_named; "
    code += "from fifthstreet.solvers.tree import expand; print(expand(game_named('kuhn')).tree.nodes)"
    assert [run(code, tmp_path).stdout for _ in range(2)] == ["58\n", "58\n"]
