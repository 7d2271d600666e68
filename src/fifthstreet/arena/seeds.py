"""Which stream of random numbers is for whom: one seed makes them all.

The dealer of a deal and each agent in a deal have streams of their own, named by the number of the deal. So a deal is
the same from every seating, an agent draws the same numbers wherever it sits, and nothing depends on who computes what.
"""

from dataclasses import dataclass

import numpy as np

from fifthstreet.rng import RngState, Stream, fork, seeded


@dataclass(frozen=True)
class Seeds:
    """The parents of all streams of a match."""

    dealer: RngState
    agents: RngState  # one row for each agent

    @classmethod
    def of(cls, seed: int, agents: int) -> "Seeds":
        return cls(seeded(seed, "dealer"), np.array([seeded(seed, "agent", i) for i in range(agents)]))

    def apart(self, name: str) -> "Seeds":
        """Streams of another name, for games beside these."""
        return Seeds(_renamed(self.dealer, name), np.array([_renamed(parent, name) for parent in self.agents]))

    def for_deal(self, number: int) -> tuple[Stream, list[Stream]]:
        """The dealer's stream for this deal, and each agent's."""
        return _child(self.dealer, number), [_child(parent, number) for parent in self.agents]


def _child(parent: RngState, number: int) -> Stream:
    state = np.empty(4, np.uint64)
    fork(parent, number, state)
    return Stream(state)


def _renamed(parent: RngState, name: str) -> RngState:
    return seeded(int(parent[0]), name)
