"""What tests share."""

from collections.abc import Callable
from pathlib import Path

from fifthstreet import tournament
from fifthstreet.arena.laboratory import laboratory

Rows = Callable[[str], list[dict[str, str]]]

RIVALS = ("equilibrium", "random")


def play_tournament(place: Path, agent: str) -> None:
    """What children play that may be killed: a tournament, kept in a store. It lies here, where they can import it."""
    with laboratory(place, workers=1, command="tournament", given={"agents": [agent, *RIVALS]}):
        tournament("kuhn", [agent, *RIVALS], 1_500, 5)
