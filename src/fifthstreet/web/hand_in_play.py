"""One hand at a table: the state that the players' actions lead to, dealt from a fixed deck.

Chairs are places at the table and stay; seats are positions in the rules and move with the dealer button. Only the
rules and the faces of games speak of seats; everything else speaks of chairs.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from fifthstreet.arena.session import Seated
from fifthstreet.errors import InputError
from fifthstreet.games import game_named
from fifthstreet.games.game import CHANCE, AnyGame
from fifthstreet.web.deck import commitment, deck_of
from fifthstreet.web.drawing import FACES, face_of
from fifthstreet.web.drawing.face import Face, Histories, Json


@dataclass(frozen=True)
class Deal:
    """How a hand starts: everything needed to play it again."""

    game: str
    order: tuple[int, ...]  # the chair of each seat; the last seat is the dealer's
    stacks: tuple[int, ...] = ()  # by seat, in games with chips
    seed: str | None = None
    deck: tuple[int, ...] = ()  # of an imported hand, which has no seed
    chips: Json | None = None  # the stakes of an imported hand, seat by seat
    branch: Json | None = None  # the hand and step that this one branches off from

    @classmethod
    def from_json(cls, given: Json) -> "Deal":
        rows = {key: tuple(given[key]) for key in ("order", "stacks", "deck")}
        return cls(given["game"], seed=given["seed"], chips=given["chips"], branch=given["branch"], **rows)

    def to_json(self) -> Json:
        return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}

    def rules(self) -> AnyGame:
        if self.chips is not None:
            return self.histories().game(self.chips)
        game = game_named(self.game, len(self.order))
        return game.seated(self.order, self.stacks) if isinstance(game, Seated) else game

    def histories(self) -> Histories:
        """How recorded hands of this game are played."""
        name = self.game.partition(":")[0]
        found = FACES[name].histories
        if found is None:
            raise InputError(f"{name} has no hand histories")
        return found

    def cards(self) -> list[int]:
        return list(self.deck) if self.seed is None else deck_of(self.seed)


@dataclass(frozen=True)
class Step:
    """An action: who did it in which phase, how the log shows it, and what the agent thought, if it was one."""

    chair: int
    action: int
    phase: int
    entry: Json  # as everybody sees it: kind, figures, text
    thought: Json | None = None
    failed: str | None = None

    def to_json(self) -> Json:
        return dict(vars(self))


@dataclass
class Hand:
    """A hand in play, or over."""

    deal: Deal
    game: AnyGame = field(init=False)
    face: Face = field(init=False)
    deck: list[int] = field(init=False)
    hash: str | None = field(init=False)
    state: Any = field(init=False)
    steps: list[Step] = field(default_factory=list)
    changes: int = 0  # actions and undos so far, by which a message names the moment it answers
    learned: bool = False  # whether learning agents have learned from it

    def __post_init__(self) -> None:
        self.game, self.deck = self.deal.rules(), self.deal.cards()
        self.face = face_of(self.game)
        self.hash = None if self.deal.seed is None else commitment(self.deal.seed, self.deck)
        self._restart()

    def _restart(self) -> None:
        self._dealt = 0
        self._seat: int | None = None
        self.state = self._with_cards(self.game.start())

    def _with_cards(self, state: Any) -> Any:
        """The state after the cards that are due have been dealt."""
        while (seat := self.game.to_act(state)) == CHANCE:
            state = self.game.after(state, self.deck[self._dealt])
            self._dealt += 1
        self._seat = None if seat is None else int(seat)
        return state

    @property
    def seat(self) -> int | None:
        """The seat whose turn it is; None when the hand is over."""
        return self._seat

    @property
    def to_act(self) -> int | None:
        """The chair whose turn it is."""
        return None if self._seat is None else self.deal.order[self._seat]

    @property
    def over(self) -> bool:
        return self._seat is None

    def seat_of(self, chair: int) -> int | None:
        return self.deal.order.index(chair) if chair in self.deal.order else None

    def view(self, chair: int) -> Any:
        """The game's view of this chair: what it is allowed to know."""
        return self.game.view(self.state, self.deal.order.index(chair))

    def after(self, action: int) -> Any:
        """The state that would follow; IllegalAction if the rules do not allow it."""
        if self.deal.chips is not None:
            return self.deal.histories().after(self.game, self.state, action)
        return self.game.after(self.state, action)

    def copy(self) -> "Hand":
        """The same hand at the same moment; what happens to one does not change the other."""
        other = copy(self)
        other.steps = list(self.steps)
        return other

    def act(self, action: int, thought: Json | None = None, failed: str | None = None) -> None:
        following, chair = self.after(action), self.to_act
        assert chair is not None
        entry, phase = self.face.logged(self.game, self.state, action), self.face.phase(self.game, self.state)
        self.steps.append(Step(chair, int(action), phase, entry, thought, failed))
        self.changes += 1
        self.state = self._with_cards(following)

    def undo(self) -> None:
        """Take the last action back; the same cards are dealt again."""
        steps, self.steps = self.steps[:-1], []
        changes = self.changes + 1
        self._restart()
        for step in steps:
            self.act(step.action, step.thought, step.failed)
        self.changes = changes

    def payoffs(self) -> dict[int, float]:
        """What each chair won or lost, when the hand is over."""
        return dict(zip(self.deal.order, map(float, self.game.payoffs(self.state)), strict=True))

    def states(self) -> Iterator[Any]:
        """The state before each action, and the last one."""
        moment = Hand(self.deal)
        for done in self.steps:
            yield moment.state
            moment.act(done.action)
        yield moment.state

    def at(self, step: int) -> "Hand":
        """The hand as it was after this many steps."""
        earlier = Hand(self.deal)
        for done in self.steps[:step]:
            earlier.act(done.action, done.thought, done.failed)
        return earlier
