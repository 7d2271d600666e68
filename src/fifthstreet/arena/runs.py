"""Runs in the store: their results so far, and all their numbers for other programs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.arena.store import KeptRun, KeptSeries, Store
from fifthstreet.estimate import Estimate, mean

COLUMNS = ("series", "game", "number", "hand", "agent", "figure")


@dataclass(frozen=True)
class SeriesSoFar:
    """The results so far of one series of a run."""

    series: KeptSeries
    game: str
    agents: list[dict[str, Any]]
    means: list[Estimate]

    def to_dict(self) -> dict[str, Any]:
        about = {name: value for name, value in self.series.about.items() if name not in ("game", "agents")}
        return {
            **about,
            "game": self.series.about["game"],
            "agents": [agent | {"mean": mean.to_dict()} for agent, mean in zip(self.agents, self.means, strict=False)],
            "done": min(self.series.done, self.series.wanted),
            "wanted": self.series.wanted,
        }


def so_far(store: Store, run: KeptRun) -> list[SeriesSoFar]:
    """The mean result of each agent in each series of a run, finished or not.

    In a session, the observations behind a mean are its runs.
    """
    found = []
    for series in run.series:
        agents = store.agents(series.id)
        parts = [rows if rows.ndim == 2 else rows.mean(axis=1) for rows in _rows(store, series)]
        means = [mean(column) for column in np.concatenate(parts).T] if parts else []
        found.append(SeriesSoFar(series, series.about["game"]["name"], agents, means))
    return found


def _rows(store: Store, series: KeptSeries) -> Iterator[NDArray[np.float64]]:
    """The rows that the run asked for, unit by unit."""
    for unit in store.units(series.id, series.wanted):
        yield unit.rows[: series.wanted - unit.first]


def exported(store: Store, run: KeptRun) -> Iterator[tuple[int, str, int, int | str, str, float]]:
    """Every payoff of a run (in a contest, every score), as a row with the columns COLUMNS.

    `number` counts the deals of a match or the runs of a session, and `hand` the hands of a run.
    """
    for series in run.series:
        game = series.about["game"]["name"]
        names = [agent["name"] for agent in store.agents(series.id)]
        number = 0
        for rows in _rows(store, series):
            for row in rows:
                by_hand: Iterable[tuple[int | str, NDArray[np.float64]]]
                by_hand = enumerate(row) if row.ndim == 2 else [("", row)]
                for hand, figures in by_hand:
                    for name, figure in zip(names, figures.tolist(), strict=False):
                        yield series.id, game, number, hand, name, figure
                number += 1


def records(store: Store, run: KeptRun) -> Iterator[dict[str, Any]]:
    """The recorded games of a run, with their series, deal and seating."""
    for series in run.series:
        for deal, seating, record in store.records(series.id):
            yield {"series": series.id, "deal": deal, "seating": seating, **record}
