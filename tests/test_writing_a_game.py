"""A game and its agent in a file of one's own, written as CONTRIBUTING.md says: tests/onecard.py."""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fifthstreet import InputError, game_named, match, play, replay, session, tournament
from fifthstreet.agents import Agent, agent_named
from fifthstreet.arena.seeds import Seeds
from fifthstreet.rng import stream

FILE = Path(__file__).parent / "onecard.py"
GAME, AGENT = f"{FILE}:OneCard", f"{FILE}:Bluffer"


def command(*words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the command line beside the file of the game, so that a path is as short as people type it."""
    return subprocess.run(
        [sys.executable, "-m", "fifthstreet", *words],
        cwd=FILE.parent,
        env=os.environ | {"FIFTHSTREET_QUIET": "1", "PYTHONIOENCODING": "utf-8"},
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def altered(folder: Path, old: str, new: str) -> tuple[str, str]:
    """Game and agent of a copy of the file in which a piece of text is another."""
    text = FILE.read_text()
    assert text.count(old) == 1
    copy = folder / "altered.py"
    copy.write_text(text.replace(old, new))
    return f"{copy}:OneCard", f"{copy}:Bluffer"


def test_eighty_lines_are_enough() -> None:
    assert len(FILE.read_text().splitlines()) <= 80


def test_contributing_shows_its_records() -> None:
    page = (FILE.parents[1] / "CONTRIBUTING.md").read_text()
    (code,) = re.findall(r"^   ```python\n(.*?)^   ```$", page, re.DOTALL | re.MULTILINE)
    shown, written = code.split(), FILE.read_text().split()
    assert any(written[i : i + len(shown)] == shown for i in range(len(written)))


def test_what_contributing_says_to_import_is_there() -> None:
    page = (FILE.parents[1] / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| `(fifthstreet\.\S+)` \| (.*) \|$", page, re.MULTILINE)
    for module, names in rows:
        found = importlib.import_module(module)
        assert all(hasattr(found, name) for name in re.findall(r"`(\w+)`", names)), module
    assert len(rows) == 5


def test_compiled_and_through_the_protocol_it_gives_the_same_payoffs() -> None:
    fast, slow = (match(GAME, [AGENT, "random"], 400, 3, compiled=compiled) for compiled in (True, False))
    assert (fast.compiled, slow.compiled) == (True, False)
    assert np.array_equal(fast.by_deal, slow.by_deal)
    assert len(np.unique(fast.by_deal)) > 3


def test_betting_good_cards_beats_random_play() -> None:
    payoff = match(GAME, [AGENT, "random"], 20_000, 1).standings[0].payoff
    assert payoff.low > 0.05


def test_it_takes_part_in_a_tournament_and_has_no_sessions() -> None:
    assert tournament(GAME, ["random", AGENT], 2_000, 1).order() == [1, 0]
    with pytest.raises(InputError, match="one-card has no sessions"):
        session(GAME, [AGENT, "random"], 10)


def games_played() -> "list[list[object]]":
    rules, agents = game_named(GAME), [agent_named(AGENT, "one-card"), agent_named("random", "one-card")]
    found = []
    for deal in range(30):
        dealer, streams = Seeds.of(5, 2).for_deal(deal)
        found.append(list(replay(play(rules, agents, dealer, streams))))
    return found


def test_its_records_replay() -> None:
    games = games_played()
    assert len(games) == 30 and {len(states) for states in games} == {4, 5}


def test_states_imagined_by_default_fit_the_view_and_differ() -> None:
    rules = game_named(GAME)
    for number, states in enumerate(games_played()[:10]):
        state = states[2]  # both cards are dealt
        view = rules.view(state, 0)
        imagined = [rules.imagine(view, stream(number, "imagine", i)) for i in range(20)]
        assert all(rules.view(each, 0) == view for each in imagined)
        assert len({*imagined}) > 10


def test_a_view_that_no_game_comes_to_is_refused() -> None:
    rules = game_named(GAME)
    view = rules.view(rules.start(), 0).replace(dealt=2, moves=0, cards=[5, 5])
    patch = pytest.MonkeyPatch()
    with patch.context() as changed, pytest.raises(InputError, match="none came to this view"):
        changed.setattr("fifthstreet.games.game._MOST_TRIES", 50)
        rules.imagine(view, stream(1, "x"))


def test_the_command_line_plays_it() -> None:
    words = ("./onecard.py:OneCard", "./onecard.py:Bluffer", "random")
    found = json.loads(command("match", *words, "--deals", "300", "--seed", "3", "--json", "--store", "none").stdout)
    direct = match(GAME, [AGENT, "random"], 300, 3).to_dict()["agents"]
    assert [agent["mean"] for agent in found["agents"]] == [agent["mean"] for agent in direct]
    assert "Bluffer" in command("tournament", *words, "--deals", "50", "--store", "none").stdout
    assert "One card each" in command("games", words[0]).stdout
    played = command("play", words[0], "--against", words[1], "--seed", "3", typed="bet\nbet\n").stdout
    assert "pass, bet?" in played and "you won 2" in played
    assert "one-card has no sessions" in command("session", *words, "--hands", "5").stderr


def said(game: str, *agents: str, compiled: bool | None = None) -> str:
    with pytest.raises(InputError) as error:
        match(game, agents, 50, 1, compiled=compiled)
    text = str(error.value)
    assert "\n" not in text
    return text


POLICY = "    return 1 if view.cards[view.seat] >= 32 or uniform(rng) < 0.1 else 0"


@pytest.mark.parametrize("compiled", [True, False])
def test_an_illegal_action_is_quoted(tmp_path: Path, compiled: bool) -> None:
    game, agent = altered(tmp_path, POLICY, "    return 7")
    text = "Bluffer: '7' is not allowed (allowed: pass, bet), seat 0 of one-card"
    assert said(game, agent, "random", compiled=compiled) == text


@pytest.mark.parametrize(("compiled", "task"), [(True, "in its kernel"), (False, "to decide")])
def test_an_error_in_the_agents_kernel_names_file_and_line(tmp_path: Path, compiled: bool, task: str) -> None:
    body = "    if view.seat < 2:\n        raise ValueError('no idea')\n    return 0"
    game, agent = altered(tmp_path, POLICY, body)
    line = (tmp_path / "altered.py").read_text().splitlines().index("        raise ValueError('no idea')") + 1
    text = f"Bluffer failed {task}: ValueError: no idea (altered.py, line {line})"
    assert said(game, "random", agent, compiled=compiled) == text


def test_an_error_in_decide_names_file_and_line(tmp_path: Path) -> None:
    game, agent = altered(tmp_path, "    plays = bluff", "    def decide(self, turn):\n        return 1 // 0")
    assert said(game, agent, "random").startswith("Bluffer failed to decide: ZeroDivisionError: ")
    last = len((tmp_path / "altered.py").read_text().splitlines())
    assert said(game, agent, "random").endswith(f"(altered.py, line {last})")


@pytest.mark.parametrize("compiled", [True, False])
def test_an_error_in_a_rule_names_file_and_line(tmp_path: Path, compiled: bool) -> None:
    wrong = "    if out[0] != 0:\n        raise ValueError('lost count')\n    out[1] = -out[0]"
    game, _ = altered(tmp_path, "    out[1] = -out[0]", wrong)
    line = (tmp_path / "altered.py").read_text().splitlines().index("        raise ValueError('lost count')") + 1
    text = f"the rules of one-card failed: ValueError: lost count (altered.py, line {line})"
    assert said(game, "random", "random", compiled=compiled) == text


def test_a_field_that_is_not_there_is_named_with_its_kernel(tmp_path: Path) -> None:
    game, _ = altered(tmp_path, "1 + state.bets // 2", "1 + state.betz // 2")
    line = next(i for i, text in enumerate(FILE.read_text().splitlines()) if text.startswith("def payoffs"))
    text = f"'payoffs' (altered.py, line {line}) cannot be compiled: there is no field 'betz'"
    assert said(game, "random", "random", compiled=True) == text


def test_an_agent_with_neither_decide_nor_a_policy_says_so() -> None:
    class Nobody(Agent):
        pass

    with pytest.raises(InputError, match="Nobody has neither `decide` nor a policy for kuhn"):
        match("kuhn", [Nobody(), "random"], 10)


def test_a_payoff_unit_of_its_own_is_shown(tmp_path: Path) -> None:
    game, agent = altered(tmp_path, '    name = "one-card"\n', '    name = "one-card"\n    payoff_unit = "peanuts"\n')
    assert "peanuts" in str(match(game, [agent, "random"], 20))


def test_machine_code_is_kept_and_a_changed_rule_is_noticed(tmp_path: Path) -> None:
    """Loops of the package close over kernels of the file, so they must not outlive a change in it."""
    file = tmp_path / "onecard.py"
    code = (
        f"from fifthstreet import match; file = {str(file)!r}\n"
        "result = match(f'{file}:OneCard', [f'{file}:Bluffer', 'random'], 300, 1, compiled=True)\n"
        "slow = match(f'{file}:OneCard', [f'{file}:Bluffer', 'random'], 300, 1, compiled=False)\n"
        "print(abs(result.by_deal).sum(), (result.by_deal == slow.by_deal).all())"
    )
    variables = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    variables |= {"FIFTHSTREET_CACHE": str(tmp_path / "cache"), "FIFTHSTREET_COMPILING": "1"}

    def run(text: str) -> "subprocess.CompletedProcess[str]":
        file.write_text(text)
        return subprocess.run(
            [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True, timeout=300
        )

    cold, warm = run(FILE.read_text()), run(FILE.read_text())
    assert cold.stdout == warm.stdout
    assert cold.stdout.endswith(" True\n")
    assert "compiling games.table.play_deals" in cold.stderr
    assert warm.stderr == ""
    changed = run(FILE.read_text().replace("1 + state.bets // 2", "1 + state.bets * 2"))
    assert changed.stdout != cold.stdout
    assert changed.stdout.endswith(" True\n")
