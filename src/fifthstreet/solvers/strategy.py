"""A strategy: for each information set, a probability for each action."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.errors import InputError, quoted
from fifthstreet.games.game import AnyGame, word
from fifthstreet.record import Record
from fifthstreet.solvers.tree import Expanded, Floats, Views

_FORMAT = 1


@dataclass(frozen=True)
class Strategy:
    """What a player does in each information set, which is a view.

    >>> from fifthstreet.games.kuhn import Kuhn
    >>> from fifthstreet.solvers.solution import solve
    >>> game = Kuhn()
    >>> strategy = solve(game, until=1e-6).strategy
    >>> king_facing_a_bet = next(view for view in strategy.views if view.card == 2 and view.bets == 1)
    >>> round(strategy[king_facing_a_bet][1], 4)
    1.0
    """

    game: str  # as on the command line
    views: Sequence[Any]
    start: NDArray[np.int32]  # (views + 1,) where the actions of each begin
    actions: NDArray[np.int64]
    probabilities: Floats
    _numbers: dict[Any, int] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, view: Any) -> dict[int, float]:
        """The probability of each action; a KeyError if the strategy does not know the view."""
        if not self._numbers:
            rows = self.views.rows if isinstance(self.views, Views) else None
            keys = map(bytes, rows) if rows is not None else self.views
            self._numbers.update({key: number for number, key in enumerate(keys)})
        return self.by_number(self._numbers[bytes(view.data) if isinstance(view, Record) else view])

    def get(self, view: Any) -> dict[int, float] | None:
        """The probability of each action, None if the strategy does not know the view."""
        try:
            return self[view]
        except KeyError:
            return None

    def __len__(self) -> int:
        return len(self.views)

    def by_number(self, number: int) -> dict[int, float]:
        """The probability of each action in the information set with this number."""
        places = slice(self.start[number], self.start[number + 1])
        return dict(zip(self.actions[places].tolist(), self.probabilities[places].tolist(), strict=True))

    def row(self, expanded: Expanded) -> Floats:
        """The probabilities in the order of a tree; all actions are equally likely where the strategy knows nothing."""
        tree, found = expanded.tree, []
        for number, view in enumerate(expanded.views):
            actions = tree.action[tree.start[number] : tree.start[number + 1]].tolist()
            known = self.get(view)
            found += [1 / len(actions)] * len(actions) if known is None else [known.get(each, 0.0) for each in actions]
        return np.array(found)

    def rows(self, game: AnyGame) -> list[tuple[str, dict[str, float]]]:
        """Every information set in words, with the probability of each action by its name.

        Those that look alike and are played alike, such as two jacks, are one row.
        """
        rows: dict[tuple[Any, ...], tuple[str, dict[str, float]]] = {}
        for number, view in enumerate(self.views):
            named = {name_of(game, action): chance for action, chance in self.by_number(number).items()}
            text = in_words(game, view)
            rows.setdefault((text, *(round(chance, 3) for chance in named.values())), (text, named))
        return [*rows.values()]

    def save(self, path: str | Path) -> None:
        """Write the strategy to a file, whole or not at all."""
        if not isinstance(self.views, Views):
            raise InputError(f"a strategy for {self.game} cannot be kept: the game has no compiled rules")
        about = json.dumps({"format": _FORMAT, "game": self.game, "view": self.views.kind.__name__})
        try:
            with cache.replacing(Path(path)) as file:
                np.savez_compressed(
                    file,
                    about=np.array(about),
                    views=self.views.rows,
                    start=self.start,
                    actions=self.actions,
                    probabilities=self.probabilities,
                )
        except OSError as error:
            raise InputError(f"the strategy cannot be written to {quoted(str(path))}: {error.strerror}") from None

    @classmethod
    def load(cls, path: str | Path, game: AnyGame) -> "Strategy":
        """Read a strategy for this game from a file; an InputError says what is wrong with it."""
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                about: Mapping[str, Any] = json.loads(str(stored["about"]))
                views, start = stored["views"], stored["start"]
                actions, probabilities = stored["actions"], stored["probabilities"]
        except FileNotFoundError:
            raise InputError(f"there is no file {quoted(str(path))}") from None
        except Exception as error:  # a damaged file, in one of many ways
            raise InputError(f"{quoted(str(path))} is not a kept strategy ({type(error).__name__})") from None
        rules = game.rules
        if rules is None or not isinstance(about, dict) or about.get("view") != rules.view.__name__:
            raise InputError(f"{quoted(str(path))} is a strategy for {quoted(about.get('game'))}, not for {game.name}")
        sound = (
            views.dtype == np.uint8
            and views.shape == (len(start) - 1, rules.view.size)
            and start.ndim == actions.ndim == probabilities.ndim == 1
            and len(actions) == len(probabilities) == start[-1]
            and start[0] == 0
            and (np.diff(start) > 0).all()
            and np.isfinite(probabilities).all()
            and (probabilities >= 0).all()
            and np.allclose(np.add.reduceat(probabilities, start[:-1]), 1, atol=1e-6)
        )
        if not sound:
            raise InputError(f"{quoted(str(path))} is damaged: its numbers are not a strategy")
        return cls(str(about.get("game")), Views(views, rules.view), start, actions, probabilities)


def in_words(game: AnyGame, view: Any) -> str:
    """What a seat sees, in one line."""
    return " · ".join(line.strip() for line in game.drawing(view).splitlines())


def name_of(game: AnyGame, action: int) -> str:
    """The action as people say it."""
    return word(getattr(game, "action_type", int)(action))
