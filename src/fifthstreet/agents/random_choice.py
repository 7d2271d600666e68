"""The agent that every comparison starts from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.games.game import AnyGame, Policy


@dataclass
class RandomChoice(Agent):
    """Takes every legal action with the same probability."""

    name: ClassVar[str] = "random"

    def decide(self, turn: Turn[Any]) -> Decision:
        count = len(turn.choices)
        action = turn.choices[turn.rng.below(count)]
        return Decision(action, reason=f"one of {count} legal actions, each with the same probability")

    def probabilities(self, view: Any, game: AnyGame) -> Mapping[int, float]:
        choices = list(game.choices(view))
        return dict.fromkeys(choices, 1 / len(choices))

    def policy(self, game: AnyGame) -> Policy | None:
        return game.rules.any_choice if game.rules else None
