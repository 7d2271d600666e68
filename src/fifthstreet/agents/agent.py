"""What an agent is: it is given a turn and answers with a decision, which carries its reasons."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.games.game import AnyGame, Choices, Policy
from fifthstreet.rng import Stream


@dataclass(frozen=True)
class Turn:
    """All that an agent has to decide on: what its seat may know, what it may do, and randomness of its own."""

    view: Any
    choices: Choices[Any]
    rng: Stream


@dataclass(frozen=True)
class Decision:
    """An action, and why: the value given to each alternative, other figures, and a sentence."""

    action: int
    values: Mapping[int, float] = field(default_factory=dict)
    reason: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)


class Agent(ABC):
    """A player of one game or of several. Subclasses are dataclasses; their fields are the agent's parameters."""

    name: ClassVar[str]
    games: ClassVar[tuple[str, ...]] = ()  # the games it plays; none named means all
    source: ClassVar[str] = ""  # paper and section

    @abstractmethod
    def decide(self, turn: Turn) -> Decision: ...

    def learn(self, view: Any, payoff: float) -> None:  # noqa: B027
        """Called when a game has ended, with all that the seat then knows."""

    def policy(self, game: AnyGame) -> Policy | None:
        """The same agent as a kernel, if it has one; a table of such agents plays at compiled speed."""
        return None

    def mind(self) -> NDArray[np.float64]:
        """The parameters and memory that the kernel is given; what it writes there lasts as long as the agent."""
        return np.zeros(0)
