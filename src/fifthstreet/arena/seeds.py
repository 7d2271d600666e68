"""Where the random numbers of a match come from: one seed makes every stream.

Each deal has a stream for the dealer and one for each agent, named by the number of the deal. So a deal has the same
cards from every seating, an agent draws the same numbers wherever it sits, and the result does not depend on which
worker plays which deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fifthstreet.rng import RngState, Stream, fork, seeded


@dataclass(frozen=True)
class Seeds:
    """The states from which the streams of every deal are forked."""

    dealer: RngState
    agents: RngState  # a row for each agent

    @classmethod
    def of(cls, seed: int, agents: int) -> "Seeds":
        """The streams of a match with this seed between this many agents."""
        return cls(seeded(seed, "dealer"), np.array([seeded(seed, "agent", i) for i in range(agents)]))

    def apart(self, name: str) -> "Seeds":
        """Independent streams with another name, for deals that are not part of the match, like a warm-up."""
        return Seeds(_renamed(self.dealer, name), np.array([_renamed(parent, name) for parent in self.agents]))

    def for_deal(self, number: int) -> tuple[Stream, list[Stream]]:
        """The dealer's stream for this deal, and the stream of each agent."""
        dealer, *agents = (Stream(np.empty(4, np.uint64)) for _ in range(1 + len(self.agents)))
        self.restart(number, dealer, agents)
        return dealer, agents

    def restart(self, number: int, dealer: Stream, agents: Sequence[Stream]) -> None:
        """Turn the streams of an earlier deal into those of this one, which is quicker than making new ones."""
        for parent, stream in zip((self.dealer, *self.agents), (dealer, *agents), strict=True):
            fork(parent, number, stream.state)
            stream.gauss_next = None


def _renamed(parent: RngState, name: str) -> RngState:
    return seeded(int(parent[0]), name)
