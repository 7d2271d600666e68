"""One hand at a table: the rules' state, reached from a fixed deck by what the players did.

Chairs are places at the table and stay; seats are positions of the rules and move with the dealer. Everything outside
the rules and their drawing speaks of chairs.
"""

from dataclasses import dataclass, field
from typing import Any

from fifthstreet.arena.session import Seated
from fifthstreet.games import game_named
from fifthstreet.games.betting import FOLD
from fifthstreet.games.game import CHANCE, AnyGame
from fifthstreet.games.holdem import Chips, Holdem, HoldemState, allowed, give_up
from fifthstreet.web.deck import commitment, deck_of
from fifthstreet.web.drawing import face_of
from fifthstreet.web.drawing.face import Face, Json


@dataclass(frozen=True)
class Deal:
    """How a hand begins: enough to play it again."""

    game: str
    order: tuple[int, ...]  # the chair of each seat; the dealer has the last
    stacks: tuple[int, ...] = ()  # of each seat, where there are chips
    seed: str | None = None
    deck: tuple[int, ...] = ()  # where no seed made it: hands from elsewhere
    chips: Json | None = None  # stakes seat by seat, of a hand from elsewhere
    branch: Json | None = None  # the hand and step that this one leaves from

    @classmethod
    def from_json(cls, given: Json) -> "Deal":
        rows = {key: tuple(given[key]) for key in ("order", "stacks", "deck")}
        return cls(given["game"], seed=given["seed"], chips=given["chips"], branch=given["branch"], **rows)

    def to_json(self) -> Json:
        return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}

    def rules(self) -> AnyGame:
        if self.chips is not None:
            chips: Any = {key: tuple(value) if isinstance(value, list) else value for key, value in self.chips.items()}
            return Holdem(chips=Chips(**chips))
        game = game_named(self.game, len(self.order))
        return game.seated(self.order, self.stacks) if isinstance(game, Seated) else game

    def cards(self) -> list[int]:
        return list(self.deck) if self.seed is None else deck_of(self.seed)


@dataclass(frozen=True)
class Step:
    """What a chair did, in which part of the hand, as everybody saw it; and why, where an agent did it."""

    chair: int
    action: int
    phase: int
    told: str
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
    changes: int = 0  # actions and undone actions, by which a choice says which moment it answers
    learned: bool = False  # whether those who learn have learned from it

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
        """The state after all cards that are to be dealt now."""
        while (seat := self.game.to_act(state)) == CHANCE:
            state = self.game.after(state, self.deck[self._dealt])
            self._dealt += 1
        self._seat = None if seat is None else int(seat)
        return state

    @property
    def seat(self) -> int | None:
        """Whose turn it is, by the rules; None when the hand is over."""
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
        """What the chair may know."""
        return self.game.view(self.state, self.deal.order.index(chair))

    def after(self, action: int) -> Any:
        """The state that would follow; IllegalAction if the rules do not allow it."""
        if self.deal.chips is not None and action == FOLD and isinstance(self.state, HoldemState):
            data = self.state.data.copy()
            if not allowed(data, action) and self.game.to_act(self.state) is not None:
                give_up(data)  # nobody is offered a fold where a check is free, but records hold it
                return HoldemState(data)
        return self.game.after(self.state, action)

    def act(self, action: int, thought: Json | None = None, failed: str | None = None) -> None:
        following, chair = self.after(action), self.to_act
        assert chair is not None
        told, phase = self.face.told(self.game, self.state, action), self.face.phase(self.game, self.state)
        self.steps.append(Step(chair, int(action), phase, told, thought, failed))
        self.changes += 1
        self.state = self._with_cards(following)

    def undo(self) -> None:
        """Take the last action back: the same cards come again."""
        steps, self.steps = self.steps[:-1], []
        changes = self.changes + 1
        self._restart()
        for step in steps:
            self.act(step.action, step.thought, step.failed)
        self.changes = changes

    def payoffs(self) -> dict[int, float]:
        """What each chair has won or lost, when the hand is over."""
        return dict(zip(self.deal.order, map(float, self.game.payoffs(self.state)), strict=True))

    def at(self, step: int) -> "Hand":
        """The hand as it was after so many steps."""
        earlier = Hand(self.deal)
        for done in self.steps[:step]:
            earlier.act(done.action, done.thought, done.failed)
        return earlier
