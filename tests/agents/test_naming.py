"""Agents by name, with parameters, and by path; and what can be wrong with that."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fifthstreet.agents import agent_named
from fifthstreet.arena.match import match
from fifthstreet.errors import InputError

MINE = """
from dataclasses import dataclass
from typing import Any, Literal
from fifthstreet import Agent, Decision, Turn

@dataclass
class Mine(Agent):
    often: float = 0.5
    mood: Literal["calm", "wild"] = "calm"
    loud: bool = False
    times: int = 1

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(turn.choices[-1])

@dataclass
class Cheat(Agent):
    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(7)
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return str(tmp_path / "mine.py")


def test_by_name() -> None:
    assert repr(agent_named("equilibrium:bluff=0.25", "kuhn")) == "KuhnEquilibrium(bluff=0.25)"
    assert agent_named("equilibrium", "kuhn") == agent_named("equilibrium:", "kuhn")


def test_by_path(mine: str) -> None:
    found = agent_named(f"{mine}:Mine:often=0.1,mood=wild,loud=yes,times=3", "leduc")
    assert repr(found) == "Mine(often=0.1, mood='wild', loud=True, times=3)"
    result = match("leduc", [f"{mine}:Mine", "random"], deals=200)
    assert not result.compiled
    assert result.deals == 200


def test_an_agent_that_breaks_the_rules_is_named(mine: str) -> None:
    with pytest.raises(InputError, match=r"Cheat: '7'.*allowed"):
        match("kuhn", [f"{mine}:Cheat", "random"], deals=10)


@pytest.mark.parametrize(
    ("spec", "quoted"),
    [
        ("nobody", "'nobody' is not an agent for leduc"),
        ("eva", "'eva' does not play leduc"),
        ("random:bluff=1", "'bluff=1' is not a parameter"),
        ("random:bluff", "'bluff' is not a parameter"),
        ("{}:Mine:often=x", "'x' is not a number"),
        ("{}:Mine:times=1.5", "'1.5' is not a whole number"),
        ("{}:Mine:mood=sad", "'sad' is not one of calm, wild"),
        ("{}:Mine:loud=perhaps", "'perhaps' is not true or false"),
        ("{}:Nobody", "has no Agent 'Nobody'"),
        ("/no/such/file.py:Mine", "there is no file"),
    ],
)
def test_wrong_names_are_quoted(spec: str, quoted: str, mine: str) -> None:
    with pytest.raises(InputError) as error:
        agent_named(spec.format(mine), "leduc")
    assert quoted in str(error.value)


def test_a_wrong_value_of_a_parameter() -> None:
    for value in ("0.5", "-1", "nan"):
        with pytest.raises(InputError, match="bluff"):
            agent_named(f"equilibrium:bluff={value}", "kuhn")


def test_a_file_that_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def")
    with pytest.raises(InputError, match=r"cannot be loaded: SyntaxError"):
        agent_named(f"{tmp_path}/broken.py:Mine", "kuhn")


@given(st.text())
def test_any_text_is_an_agent_or_an_input_error(text: str) -> None:
    try:
        agent_named(text, "kuhn")
    except InputError:
        return
    assert text.split(":")[0] in ("random", "equilibrium")


FAULTS = {
    "ReturnsNone": "def decide(self, turn): return None",
    "ReturnsText": "def decide(self, turn): return 'bet'",
    "Raises": "def decide(self, turn): return 1 / 0",
    "Exits": "def decide(self, turn): sys.exit(3)",
    "WrongAction": "def decide(self, turn): return Decision('bet')",
    "HalfAction": "def decide(self, turn): return Decision(0.5)",
    "FailsToLearn": "def decide(self, turn): return Decision(0)\n    def learn(self, view, payoff): 1 / 0",
    "NoDecide": "pass",
    "NeedsMore": "x: int\n    def decide(self, turn): return Decision(0)",
    "WrongPolicy": "def decide(self, turn): return Decision(0)\n    def policy(self, game): return print",
    "BadKernel": "def decide(self, turn): return Decision(0)\n    def policy(self, game): return bad",
    "IllegalKernel": "def decide(self, turn): return Decision(0)\n    def policy(self, game): return nine",
    "TwoArguments": "def decide(self, turn): return Decision(0)\n    def policy(self, game): return two",
    "NoMind": "def decide(self, turn): return Decision(0)\n    def mind(self, game): return 'x'",
    "WideMind": "def decide(self, turn): return Decision(0)\n    def mind(self, game): return [[1, 2], [3, 4]]",
    "Locked": "def decide(self, turn): return Decision(0)\n    def __post_init__(self): self.x = threading.Lock()",
}
HEAD = """
import sys, threading
from dataclasses import dataclass
from fifthstreet import Agent, Decision
from fifthstreet.kernel import kernel

@kernel
def bad(view, mind, words):
    return view.nothing

@kernel
def nine(view, mind, words):
    return 9

@kernel
def two(view, mind):
    return 0

"""


@pytest.mark.parametrize("name", FAULTS)
def test_what_goes_wrong_in_an_agent_is_said_in_one_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(HEAD + f"@dataclass\nclass {name}(Agent):\n    {FAULTS[name]}\n")
    with pytest.raises(InputError) as error:
        match("kuhn", [f"{tmp_path}/faulty.py:{name}", "random"], deals=20)
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 500
    assert name in text or "bad" in text or "two" in text


def test_a_parameter_given_twice() -> None:
    with pytest.raises(InputError, match="'bluff' is given twice"):
        agent_named("equilibrium:bluff=0.1,bluff=0.2", "kuhn")
