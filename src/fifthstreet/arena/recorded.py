"""Scores that other players of Poker Squares reached on the contest's deals, and how far a player is ahead of them.

The file is a CSV with a heading and a line for each game: the point system, the player, the seed of the deal and the
score; other columns are ignored.
"""

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError, quoted, sentence
from fifthstreet.estimate import Estimate, mean

COLUMNS = ("system", "player", "deal_seed", "score")

Recorded = Mapping[tuple[str, str], Mapping[int, float]]
"""For each point system and player, the scores by the seed of the deal."""


@dataclass(frozen=True)
class Beside:
    """How far a player is ahead of a recorded one on the same deals."""

    system: str
    agent: str
    other: str
    lead: Estimate

    def __str__(self) -> str:
        lead = self.lead
        ahead = f"{lead.value:+.2f}  [{lead.low:+.2f}, {lead.high:+.2f}]"
        return f"{self.system}: {self.agent} over {self.other} as recorded: {ahead}  on {lead.count:,} deals"

    def to_dict(self) -> dict[str, Any]:
        return {"system": self.system, "agent": self.agent, "other": self.other, "lead": self.lead.to_dict()}


def read_recorded(path: Path) -> Recorded:
    """The scores in this CSV file."""
    found: dict[tuple[str, str], dict[int, float]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise InputError(f"{str(path)!r} has no column {missing[0]!r}; it needs {', '.join(COLUMNS)}")
            for row in rows:
                try:
                    seed, score = int(row["deal_seed"]), float(row["score"])
                except (TypeError, ValueError):
                    what = f"{quoted(row['deal_seed'])} and {quoted(row['score'])} as seed and score"
                    raise InputError(f"line {rows.line_num} of {quoted(str(path), 120)} has {what}") from None
                if not math.isfinite(score) or row["system"] is None or row["player"] is None:
                    what = "a score that is no number" if not math.isfinite(score) else "no system or no player"
                    raise InputError(f"line {rows.line_num} of {quoted(str(path), 120)} has {what}")
                found.setdefault((row["system"].strip().lower(), row["player"]), {})[seed] = score
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{str(path)!r} is not a table of scores: {sentence(error)}") from None
    return found


def beside(recorded: Recorded, played: Iterable[tuple[str, str, NDArray[np.float64]]], first: int) -> list[Beside]:
    """How far each player is ahead of every recorded player of its system, if they share at least 2 deals.

    `played` gives the point system, the player and its scores on the deals whose seeds count up from `first`.
    """
    found = []
    for system, agent, scores in played:
        for (name, other), theirs in recorded.items():
            leads = [score - theirs[seed] for seed, score in enumerate(scores, first) if seed in theirs]
            if name == system and len(leads) > 1:
                found.append(Beside(system, agent, other, mean(np.array(leads))))
    return found
