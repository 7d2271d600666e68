"""What an agent is: it is given a turn and answers with a decision, which carries its reasons."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError
from fifthstreet.games.game import AnyGame, Choices, Lesson, Policy
from fifthstreet.rng import Stream


@dataclass(frozen=True)
class Turn:
    """All that an agent has to decide on: what its seat may know, what it may do, and what is its own.

    A search plays on from `game.imagine(view, rng)`, a state that fits the view.
    """

    game: AnyGame
    view: Any
    choices: Choices[Any]
    rng: Stream
    mind: NDArray[np.float64]  # what `Agent.mind` gave at the start of the unit, with what was written to it since


@dataclass(frozen=True)
class Decision:
    """An action, and why: the value given to each alternative, other figures, and a sentence."""

    action: int
    values: Mapping[int, float] = field(default_factory=dict)
    reason: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)


class AgentFailure(InputError):
    """An agent raised an error or gave something that is no decision; the message names it and says what."""


class Agent(ABC):
    """A player of one game or of several. Subclasses are dataclasses; their fields are the agent's parameters."""

    name: ClassVar[str]  # the name of the class, unless it says otherwise
    games: ClassVar[tuple[str, ...]] = ()  # the games it plays; none named means all
    source: ClassVar[str] = ""  # paper and section

    def __init_subclass__(cls) -> None:
        cls.name = cls.__dict__.get("name", cls.__name__)

    @property
    def learns(self) -> bool:
        """Whether one game changes how it plays the next."""
        return type(self).learn is not Agent.learn or type(self).lesson is not Agent.lesson

    @property
    def warm_up(self) -> int:
        """How many hands it first plays at the same table, which count for nobody."""
        return 0

    @abstractmethod
    def decide(self, turn: Turn) -> Decision: ...

    def learn(self, view: Any, payoff: float) -> None:  # noqa: B027
        """Called when a game has ended, with all that the seat then knows."""

    def policy(self, game: AnyGame) -> Policy | None:
        """The same agent as a kernel, if it has one; a table of such agents plays at compiled speed."""
        return None

    def lesson(self, game: AnyGame) -> Lesson | None:
        """The kernel with which a compiled agent learns; it is given `mind`."""
        return None

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        """Parameters, what was learned for this game and memory, as numbers.

        It is asked for at the start of a unit, and what is written to it lasts until the end."""
        return np.zeros(0)

    def memory(self, mind: NDArray[np.float64]) -> list[dict[str, Any]]:
        """What is in its mind, as rows of a table, for people to look at."""
        return []
