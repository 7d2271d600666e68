"""Solvers: against the literature, a linear program, plain Python, and figures of another library."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack, lil_matrix

from fifthstreet.agents.solved import with_bluff
from fifthstreet.errors import InputError
from fifthstreet.games import game_named
from fifthstreet.games.game import CHANCE, OVER
from fifthstreet.games.kuhn import Kuhn, KuhnState
from fifthstreet.kernel import kernel
from fifthstreet.solvers import cfr
from fifthstreet.solvers.best_response import Judge
from fifthstreet.solvers.sampling import Sampler
from fifthstreet.solvers.solution import METHODS, solve
from fifthstreet.solvers.strategy import Strategy
from fifthstreet.solvers.tree import Expanded, Tree, _joined, _walk_in_python, estimated_size, expand

from readable_cfr import Readable


@pytest.fixture(scope="module")
def leduc() -> Expanded:
    return expand(game_named("leduc"))


@pytest.fixture(scope="module")
def kuhn() -> Expanded:
    return expand(game_named("kuhn"))


@pytest.mark.parametrize(("name", "nodes", "sets"), [("kuhn", 58, 12), ("leduc", 9457, 936)])
def test_the_tree_of_the_rules_is_that_of_the_protocol(name: str, nodes: int, sets: int) -> None:
    game = game_named(name)
    found, walked = expand(game), _walk_in_python(game, 10**6)
    assert (found.tree.nodes, found.tree.information_sets) == (nodes, sets)
    theirs = _joined(walked)
    for field in Tree._fields:
        assert np.array_equal(getattr(found.tree, field), getattr(theirs, field)), field
    assert list(found.views) == list(walked.views)
    assert estimated_size(game, games=3000) == pytest.approx(nodes, rel=0.2)


def test_uniform_play_of_leduc_is_as_bad_as_another_library_says(leduc: Expanded) -> None:
    """OpenSpiel: NashConv / 2 after one iteration of CFR+ is 2.37361, after ten 0.61044."""
    judge, memory = Judge(leduc.tree), cfr.Memory.of(leduc.tree)
    assert judge.exploitability(cfr.uniform(leduc.tree)) == pytest.approx(2.37361, abs=1e-5)
    cfr.iterate(leduc.tree, cfr.RULES["cfr+"], memory, 1, 1, True)
    assert judge.exploitability(cfr.average(leduc.tree, memory)) == pytest.approx(2.37361, abs=1e-5)
    cfr.iterate(leduc.tree, cfr.RULES["cfr+"], memory, 2, 10, True)
    assert judge.exploitability(cfr.average(leduc.tree, memory)) == pytest.approx(0.61044, abs=1e-5)


def by_linear_program(tree: Tree) -> float:
    """The value of the game to the first seat, from its sequence form (Koller, Megiddo and von Stengel, 1994)."""
    before = []  # by seat: the last own place in a strategy before each node, −1 if there is none
    for seat in (0, 1):
        last = np.full(tree.nodes, -1)
        for node in range(1, tree.nodes):
            parent = tree.parent[node]
            last[node] = tree.edge[node] if tree.actor[parent] == seat else last[parent]
        before.append(last)
    places, chance = len(tree.action), np.ones(tree.nodes)
    for node in range(1, tree.nodes):
        chance[node] = chance[tree.parent[node]] * tree.chance[node]
    payoffs = lil_matrix((places + 1, places + 1))
    for end in np.flatnonzero(tree.actor == OVER):
        payoffs[before[0][end] + 1, before[1][end] + 1] += chance[end] * tree.payoff[end]
    constraints = []
    for seat in (0, 1):
        rows = lil_matrix((tree.information_sets + 1, places + 1))
        rows[0, 0] = 1
        for number in np.flatnonzero(tree.owner == seat):
            rows[number + 1, before[seat][tree.node[number]] + 1] = -1
            rows[number + 1, tree.start[number] + 1 : tree.start[number + 1] + 1] = 1
        constraints.append(rows.tocsr())
    # The first seat's plan x maximises q with transpose(payoffs) x ≥ transpose(second constraints) q.
    ours, theirs = constraints
    size, others = places + 1, theirs.shape[0]
    equal = hstack([ours, csr_matrix((ours.shape[0], others))])
    right = np.zeros(ours.shape[0])
    right[0] = 1
    below = hstack([-payoffs.T.tocsr(), theirs.T])
    cost = np.zeros(size + others)
    cost[size] = -1
    bounds = [(0, None)] * size + [(None, None)] * others
    found = linprog(cost, below, np.zeros(size), equal, right, bounds=bounds, method="highs")
    assert found.status == 0
    return float(-found.fun)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_linear_program_finds_the_same_value(name: str) -> None:
    value = by_linear_program(expand(game_named(name)).tree)
    found = solve(name, "predictive", until=1e-5)
    assert found.value == pytest.approx(value, abs=1e-5)
    assert value == pytest.approx({"kuhn": -1 / 18, "leduc": -0.0856064}[name], abs=1e-6)


@pytest.mark.parametrize("method", [method for method in METHODS if method in cfr.RULES])
@pytest.mark.parametrize("alternating", [True, False])
def test_every_update_rule_does_what_its_readable_twin_does(method: str, alternating: bool, kuhn: Expanded) -> None:
    twin = Readable(game_named("kuhn"), method.replace("+", "_plus"), alternating)
    memory = cfr.Memory.of(kuhn.tree)
    for t in range(1, 40):
        cfr.iterate(kuhn.tree, cfr.RULES[method], memory, t, t, alternating)
        twin.iterate()
    for number, view in enumerate(kuhn.views):
        places = slice(kuhn.tree.start[number], kuhn.tree.start[number + 1])
        for mine, theirs in ((memory.regrets, twin.regrets), (memory.total, twin.totals)):
            assert mine[places] == pytest.approx(list(theirs[view].values()), abs=1e-9)


def test_kuhn_has_the_value_and_the_family_of_solutions_that_kuhn_found(kuhn: Expanded) -> None:
    found = solve("kuhn", "predictive", until=1e-7)
    assert found.value == pytest.approx(-1 / 18, abs=1e-6)
    by_card = {
        (view.card, view.moves): chances[1] for view in found.strategy.views if (chances := found.strategy[view])
    }
    bluff = by_card[0, 0]
    assert 0 <= bluff <= 1 / 3
    assert by_card[2, 0] == pytest.approx(3 * bluff, abs=0.001)
    assert by_card[1, 2] == pytest.approx(bluff + 1 / 3, abs=0.001)
    judge = Judge(kuhn.tree)
    for bluff in (0.0, 0.1, 0.2, 1 / 3):
        assert judge.exploitability(with_bluff(found.strategy, bluff).row(kuhn)) < 1e-6


def test_a_best_response_cannot_be_improved_by_any_single_change(leduc: Expanded) -> None:
    """The value of the response, played out, is what it says; and changing any of its choices wins less or as much."""
    tree, judge, rng = leduc.tree, Judge(leduc.tree), np.random.default_rng(0)
    strategy = rng.random(len(tree.action))
    strategy /= np.repeat(np.add.reduceat(strategy, tree.start[:-1]), np.diff(tree.start))
    won, best = judge.best_response(0, strategy)

    def played(choices: Any) -> float:
        both = strategy.copy()
        for number in np.flatnonzero(tree.owner == 0):
            count = tree.start[number + 1] - tree.start[number]
            both[tree.start[number] : tree.start[number + 1]] = np.arange(count) == choices[number]
        return judge.value(both)

    assert played(best) == pytest.approx(won)
    for number in rng.choice(np.flatnonzero(tree.owner == 0), 60):
        for other in range(tree.start[number + 1] - tree.start[number]):
            changed = best.copy()
            changed[number] = other
            assert played(changed) <= won + 1e-12


@pytest.mark.parametrize(("sampling", "most"), [("external", 0.05), ("outcome", 0.1)])
def test_sampled_regrets_lead_to_the_solution_of_kuhn(sampling: Any, most: float) -> None:
    found = solve("kuhn", sampling, iterations=100_000)
    assert found.exploitability is not None and found.exploitability < most
    assert found.value == pytest.approx(-1 / 18, abs=most)


def test_sampling_makes_room_and_is_the_same_with_more_of_it() -> None:
    small, large = Sampler(game_named("leduc")), Sampler(game_named("leduc"))
    small.found = type(small.found).of_size(64, 8, small.found.known.views.shape[1])
    for sampler in (small, large):
        sampler.run(300)
    count = int(large.found.known.used[0])
    assert count == int(small.found.known.used[0]) > 500
    assert np.array_equal(small.found.known.views[:count], large.found.known.views[:count])


def test_leduc_is_solved_by_external_sampling(leduc: Expanded) -> None:
    found = solve("leduc", "external", iterations=200_000)
    assert found.exploitability is not None and found.exploitability < 0.3  # uniform play: 2.37


def test_a_strategy_is_kept_and_read_again(tmp_path: Path) -> None:
    game, path = game_named("leduc"), tmp_path / "leduc.npz"
    found = solve("leduc", until=0.01).strategy
    found.save(path)
    again = Strategy.load(path, game)
    view = found.views[17]
    assert again[view] == found[view]
    assert again.row(expand(game)) == pytest.approx(found.row(expand(game)))
    with pytest.raises(InputError, match="is a strategy for 'leduc', not for kuhn"):
        Strategy.load(path, game_named("kuhn"))
    whole = path.read_bytes()
    for damage in (whole[:-100], whole[: len(whole) // 2], b"", b"PK\3\4", b"x" * 500):
        path.write_bytes(damage)
        with pytest.raises(InputError, match="is not a kept strategy"):
            Strategy.load(path, game)
    with pytest.raises(InputError, match="there is no file"):
        Strategy.load(tmp_path / "none.npz", game)


@pytest.mark.parametrize(
    ("game", "more", "words"),
    [
        ("poker-squares", {}, "has 1 seats"),
        ("holdem:seats=3", {}, "has 3 seats"),
        ("five-o", {}, r"about 10\^\d+ positions"),
        ("leduc", {"method": "crf"}, "did you mean 'cfr'"),
        ("leduc", {"until": 0.0}, "until=0.0"),
        ("leduc", {"until": float("nan")}, "until=nan"),
        ("leduc", {"iterations": 0}, "iterations"),
        ("five-o", {"method": "external"}, "say how many --iterations"),
    ],
)
def test_what_cannot_be_solved_is_refused(game: str, more: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        solve(game, **more)


@kernel(changes="state")
def deal_only(state: KuhnState, action: int) -> None:
    """Cards are dealt; whatever is done then changes nothing."""
    if state.dealt < 2:
        state.cards[state.dealt] = action
        state.dealt += 1


@kernel(changes="state")
def deal_nothing(state: KuhnState, action: int) -> None:
    pass


@pytest.mark.parametrize("method", ["discounted", "external", "outcome"])
def test_a_game_that_never_ends_or_is_not_zero_sum_is_refused_by_every_method(method: str) -> None:
    for change, said in (
        ({"apply": deal_nothing}, "or never ends"),
        ({"apply": deal_only}, "or never ends"),
        ({"payoffs": everybody_wins}, "not zero-sum"),
    ):

        class Odd(Kuhn):
            rules = dataclasses.replace(Kuhn.rules, **change)

        with pytest.raises(InputError, match=said):
            solve(Odd(), method, iterations=10)


@kernel
def everybody_wins(state: KuhnState, out: Any) -> None:
    out[0] = out[1] = 1.0


def test_chances_and_choices_add_up(leduc: Expanded) -> None:
    tree = leduc.tree
    for node in np.random.default_rng(1).choice(tree.nodes, 200):
        end = tree.children[node + 1] if node + 1 < tree.nodes else len(tree.child)
        children = np.flatnonzero(tree.parent == node)
        if tree.actor[node] == CHANCE:
            assert tree.chance[children].sum() == pytest.approx(1)
        assert set(children) == set(tree.child[tree.children[node] : tree.children[node] + len(children)])
        assert end >= tree.children[node]


@pytest.mark.parametrize("method", ["cfr+", "external", "outcome"])
def test_solvers_run_as_plain_python(method: str) -> None:
    """The same loops without a compiler, for a debugger, find the same numbers."""
    command = [sys.executable, "-m", "fifthstreet", "solve", "kuhn", "--method", method, "--iterations", "20", "--json"]
    done = subprocess.run(command, capture_output=True, env=os.environ | {"NUMBA_DISABLE_JIT": "1"})
    assert done.returncode == 0, done.stderr.decode()
    found, compiled = json.loads(done.stdout), solve("kuhn", method, iterations=20)
    assert found["value"] == pytest.approx(compiled.value, abs=1e-12)
    assert found["exploitability"] == pytest.approx(compiled.exploitability, abs=1e-12)
