"""What an agent is: it gets a turn and returns a decision, with its reasons."""

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame, Choices, Lesson, Mind, Policy
from fifthstreet.rng import RngState, Stream

View = TypeVar("View")


@dataclass(slots=True)
class Turn(Generic[View]):
    """Everything an agent decides by: what its seat may know, what it may do, its random numbers and its memory.

    A search plays on from `game.imagine(view, rng)`, a state that fits the view.
    """

    game: AnyGame
    view: View
    choices: Choices[Any]
    rng: Stream
    mind: Mind  # what `Agent.mind` returned at the start of the unit, with everything written to it since


@dataclass(slots=True)
class Decision:
    """An action, and why: the value given to each alternative, other figures, and a sentence."""

    action: int
    values: Mapping[int, float] = field(default_factory=dict)
    reason: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)


class AgentFailure(InputError):
    """An agent raised an error or returned something that is not a decision; the message says which agent and what."""


class Stuck(AgentFailure):
    """An agent takes too long, and its thread cannot be ended."""

    leaves_threads = True


def acted(policy: Policy, view: Any, mind: Mind, rng: RngState) -> int:
    """What a policy does. An index outside its array is reported with the line on which it stands."""
    before = rng.copy()
    try:
        return policy(view, mind, rng)
    except IndexError:  # machine code does not say where
        policy.in_python(view, mind, before)
        raise


class Agent(ABC):
    """A player of one game or of several. Subclasses are dataclasses; their fields are the agent's parameters."""

    name: ClassVar[str]  # the name of the class, unless it says otherwise
    games: ClassVar[tuple[str, ...]] = ()  # the games it plays; none named means all
    source: ClassVar[str] = ""  # paper and section
    plays: ClassVar[Policy | None] = None  # the same agent as a kernel, unless that depends on the game: see `policy`

    def __init_subclass__(cls) -> None:
        cls.name = cls.__dict__.get("name", cls.__name__)

    @property
    def learns(self) -> bool:
        """Whether one game changes how it plays the next."""
        return type(self).learn is not Agent.learn or type(self).lesson is not Agent.lesson

    @property
    def warm_up(self) -> int:
        """How many practice hands it plays at the same table first; they do not count."""
        return 0

    def effort(self, game: AnyGame) -> str:
        """What its time limit amounts to on this computer, like "53,210 placements a card"; "" if it has none."""
        return ""

    def decide(self, turn: Turn[Any]) -> Decision:
        """The agent's action in this turn, with its reasons. Unless overridden, it does what its policy says."""
        policy = self.policy(turn.game)
        if policy is None:
            raise AgentFailure(f"{self.name} has neither `decide` nor a policy for {turn.game.name}")
        return Decision(acted(policy, turn.view, turn.mind, turn.rng.state))

    def probabilities(self, view: Any, game: AnyGame) -> Mapping[int, float] | None:
        """The probability of each action, if the agent can state it; others are sampled to find out."""
        return None

    def learn(self, view: Any, payoff: float) -> None:  # noqa: B027
        """Called when a game has ended, with everything the seat then knows and what it won."""

    def policy(self, game: AnyGame) -> Policy | None:
        """The same agent as a kernel, if there is one; a table of such agents plays at compiled speed."""
        return self.plays

    def lesson(self, game: AnyGame) -> Lesson | None:
        """The kernel with which a compiled agent learns; it writes to the agent's mind."""
        return None

    def mind(self, game: AnyGame) -> Mind:
        """Parameters, what was learned for this game, and memory, as one row of numbers.

        Asked for at the start of a unit of deals. The mind of an agent that does not learn is read-only, so it may be
        the same row for all of them; what an agent that learns writes to its own lasts until the unit ends.
        """
        return np.zeros(0)

    def memory(self, mind: Mind) -> list[dict[str, Any]]:
        """What the agent remembers, as rows of a table for people to read."""
        return []


def mind_of(agent: Agent, game: AnyGame) -> Mind:
    """The mind that an agent plays this game with: a row of its own if it learns, else one that nobody can write to."""
    mind = np.ascontiguousarray(agent.mind(game), dtype=np.float64)
    if mind.ndim != 1:
        raise AgentFailure(f"{agent.name} has a mind of shape {mind.shape}: it must be a row of numbers")
    if agent.learns:
        return mind if mind.flags.writeable else mind.copy()
    return read_only(mind)


def read_only(row: Mind) -> Mind:
    """The same numbers, not copied, as an array that cannot be written to."""
    shown = row.view()
    shown.flags.writeable = False
    return shown
