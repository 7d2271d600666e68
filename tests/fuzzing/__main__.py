"""`make fuzz`: try many inputs on every parser and endpoint, keep what fails in the corpus, and report.

python -m fuzzing --inputs 20000 --only history
python -m fuzzing --minutes 60
python -m fuzzing --hypothesis 500     also inputs that Hypothesis makes up, made smaller where they fail
python -m fuzzing --atheris "range"    guided by coverage, if atheris is installed
"""

import argparse
import contextlib
import importlib
import json
import sys
import time
from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from fuzzing.corpus import keep
from fuzzing.endpoints import endpoints
from fuzzing.parsers import Parser, parsers
from fuzzing.rule import Fault, Tried, attempt, superlinear, tried

BATCH = 2_000  # inputs for a parser before the next has its turn


def main() -> int:
    words = argparse.ArgumentParser(prog="fuzzing", description="Try many inputs on everything that reads input.")
    words.add_argument("--inputs", type=int, help="for each parser (default: 20,000)")
    words.add_argument("--minutes", type=float, help="in place of --inputs: go on for this long")
    words.add_argument("--only", default="", help="parsers with this in their names")
    words.add_argument("--seed", type=int, default=int(time.time()))
    words.add_argument("--hypothesis", type=int, default=0, metavar="N", help="also N inputs each from Hypothesis")
    words.add_argument("--atheris", metavar="PARSER", help="let atheris try this one, until it is stopped")
    words.add_argument("--no-growth", action="store_true", help="do not look at how time grows")
    asked = words.parse_args()
    chosen = {name: parser for name, parser in (parsers() | endpoints()).items() if asked.only in name}
    if asked.atheris:
        return _atheris(chosen[asked.atheris])
    begin, cpu = time.monotonic(), time.process_time()
    all_tried = {name: Tried(name) for name in chosen}
    wanted, turn = asked.inputs or (10**12 if asked.minutes else 20_000), 0
    print(f"{len(chosen)} parsers and endpoints, seed {asked.seed}", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        while turn * BATCH < wanted and not (asked.minutes and time.monotonic() - begin > 60 * asked.minutes):
            for name, parser in chosen.items():
                _add(all_tried[name], tried(parser, min(BATCH, wanted - turn * BATCH), asked.seed + turn))
            turn += 1
            print(f"{sum(each.inputs for each in all_tried.values()):,} inputs", flush=True)
        for name, parser in chosen.items():
            if asked.hypothesis:
                _hypothesis(parser, asked.hypothesis, all_tried[name])
            if not asked.no_growth:
                all_tried[name].faults += superlinear(parser)
    return _report([*all_tried.values()], time.process_time() - cpu)


def _add(total: Tried, more: Tried) -> None:
    total.inputs += more.inputs
    total.seconds += more.seconds
    total.outcomes += more.outcomes
    total.slowest = max(total.slowest, more.slowest)
    total.faults += more.faults[:20]
    for fault in more.faults[:1]:
        print(f"fault in {fault.parser}: {fault.data[:100]!r}: {fault.why.strip().splitlines()[-1]}", flush=True)


def _hypothesis(parser: Parser, inputs: int, total: Tried) -> None:
    anything = some.recursive(some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
                              lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner))  # fmt: skip
    data = some.binary() | some.text().map(lambda text: text.encode("utf-8", "surrogatepass"))
    data |= anything.map(lambda value: json.dumps(value).encode())
    data |= some.lists(some.sampled_from(parser.examples) | some.binary(max_size=5)).map(b"".join)

    @settings(max_examples=inputs, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(data)
    def attempts(data: bytes) -> None:
        before = len(total.faults)
        attempt(parser, data, total)
        assert len(total.faults) == before

    try:
        attempts()
    except AssertionError:
        total.faults = total.faults[:20] + total.faults[-1:]  # the last is the smallest


def _atheris(parser: Parser) -> int:
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        print("atheris is not installed", file=sys.stderr)
        return 2

    def test(data: bytes) -> None:
        once = Tried(parser.name)
        attempt(parser, data, once)
        for fault in once.faults:
            print(f"kept in {keep(fault)}")
            raise RuntimeError(fault.why)

    atheris.instrument_all()
    atheris.Setup(sys.argv[:1], test)
    atheris.Fuzz()
    return 0


def _report(found: list[Tried], cpu: float) -> int:
    outcomes: Counter[str] = sum((each.outcomes for each in found), Counter())
    for each in sorted(found, key=lambda each: -each.seconds):
        kinds = ", ".join(f"{name} {count:,}" for name, count in each.outcomes.most_common())
        mean = 1e6 * each.seconds / max(each.inputs, 1)
        print(f"{each.parser:44} {each.inputs:>9,}  {mean:>6.0f} µs, at most {each.slowest[0]:.4f} s  {kinds}")
    print(f"{sum(each.inputs for each in found):,} inputs in {cpu / 60:.1f} minutes of processor time")
    print(", ".join(f"{name}: {count:,}" for name, count in outcomes.most_common()))
    slowest = max(found, key=lambda each: each.slowest[0])
    print(f"slowest: {slowest.parser}, {slowest.slowest[0]:.3f} s, {slowest.slowest[1][:60]!r}")
    different: dict[tuple[str, str], Fault] = {}
    for each in found:
        for fault in each.faults:
            known = fault.parser, fault.why.strip().splitlines()[-1][:60]
            if known not in different or len(fault.data) < len(different[known].data):
                different[known] = fault
    for fault in different.values():
        print(f"\nFAULT in {fault.parser}, kept in {keep(fault)}\n{fault.data[:200]!r}\n{fault.why}")
    print(f"{len(different)} different faults" if different else "no faults")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
