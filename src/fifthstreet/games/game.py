"""The protocol of every game. Read this first.

A game is a set of rules on values: a state never changes, `after` returns a new one. Chance is a player that picks each
of its choices with the same probability, so the rules contain no randomness. An agent receives a view, never the state.

States and views are records (see `fifthstreet.record`). The rules are kernels on them (`Rules`), written once.
`RuledGame` offers them to Python and checks every input; the compiled loops of `games.table` call the same kernels.
"""

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from fifthstreet.errors import InputError, quoted
from fifthstreet.games.table import (
    BY_POINTER,
    CHANCE,
    OVER,
    Adjustment,
    Brains,
    Lesson,
    Mind,
    Policy,
    Seat,
    chance_dealer,
    checked_step,
    deal_loop,
    deal_player,
    listed,
    no_adjustment,
    numbered,
    two_choices,
    uniform_policy,
)
from fifthstreet.kernel import Kernel
from fifthstreet.record import Record
from fifthstreet.rng import Stream

__all__ = ["CHANCE", "OVER", "Adjustment", "AnyGame", "Choices", "Game", "IllegalAction", "Lesson", "Mind"]
__all__ += ["Policy", "RuledGame", "Rules", "Seat", "is_whole", "numbered", "two_choices", "word"]

State = TypeVar("State", bound=Record)
View = TypeVar("View", bound=Record)
Action = TypeVar("Action", bound=int)


class IllegalAction(InputError):
    """An action that the rules do not allow here; the message says what they do allow."""


class Choices(Sequence[Action]):
    """The legal actions in a fixed order: ranges and sequences of numbers joined, queried without listing them.

    >>> legal = Choices(range(2), range(80, 2001))
    >>> 500 in legal, 60 in legal, len(legal), legal[2]
    (True, False, 1923, 80)
    >>> legal
    0–1, 80–2000
    """

    def __init__(self, *parts: Sequence[Action]) -> None:
        self._parts = parts

    def __contains__(self, action: object) -> bool:
        return is_whole(action) and any(action in part for part in self._parts)

    def __len__(self) -> int:
        return len(self._parts[0]) if len(self._parts) == 1 else sum(map(len, self._parts))

    def __iter__(self) -> Iterator[Action]:
        for part in self._parts:
            yield from part

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if len(self._parts) == 1 and index >= 0:
            return self._parts[0][index]
        if index < 0:
            index += len(self)
        for part in self._parts:
            if 0 <= index < len(part):
                return part[index]
            index -= len(part)
        raise IndexError("no such choice")

    def __repr__(self) -> str:
        return ", ".join(
            f"{part[0]}–{part[-1]}" if isinstance(part, range) and len(part) > 1 else ", ".join(map(word, part))
            for part in self._parts
            if len(part)
        )


_WHOLE, _HUGE = (int, np.integer), 2**62
_MOST_DEALT = 64  # actions of chance that are taken together
_MOST_TRIES = 100_000  # games played to find a state that fits a view


def is_whole(action: object) -> bool:
    """Whether this is a number that can be an action; True is 1 to Python, but is not meant as one."""
    if type(action) is int:
        return -_HUGE < action < _HUGE
    return isinstance(action, _WHOLE) and not isinstance(action, bool) and -_HUGE < int(action) < _HUGE


def word(action: Any) -> str:
    """An action as people say it, taken from its own type."""
    return str(getattr(action, "name", action)).lower().replace("_", " ")


def _said(action: object) -> str:
    """An action for an error, whatever it is."""
    return repr(word(action)) if is_whole(action) else quoted(action)


class Game(Protocol[State, View, Action]):
    """What the arena, the agents and the page ask of a game."""

    @property
    def name(self) -> str: ...
    @property
    def seats(self) -> int: ...
    @property
    def payoff_unit(self) -> str: ...
    @property
    def rules(self) -> "Rules | None":
        """The rules as kernels; None for a game in plain Python."""

    def start(self) -> State: ...
    def to_act(self, state: State) -> Seat | None:
        """The seat whose turn it is, CHANCE, or None when the game is over."""

    def choices(self, state: State) -> Choices[Action]:
        """The legal actions of the seat, or of chance, whose turn it is."""

    def after(self, state: State, action: Action) -> State:
        """The state that follows; the old one stays as it is. IllegalAction if the action is not a choice."""

    def view(self, state: State, seat: int) -> View:
        """Everything this seat may know, public history included, and nothing else."""

    def imagine(self, view: View, rng: Stream) -> State:
        """A state that fits the view, with hidden cards drawn at random: view(imagine(v), seat) == v."""

    def payoffs(self, state: State) -> Sequence[float]:
        """What each seat has won or lost, once the game is over."""

    def label(self, state: State, action: Action) -> str:
        """The action in words."""

    def drawing(self, view: View) -> str:
        """The view as text for a person."""

    def lies_open(self, view: View) -> bool:
        """Whether every player now sees what this seat sees."""


AnyGame = Game[Any, Any, Any]


@dataclass(frozen=True)
class Rules:
    """A game as kernels on its records. Kernels change records in place and never make one."""

    state: type[Record]
    view: type[Record]
    to_act: Kernel[[Any], int]  # a seat, CHANCE or OVER
    chance_count: Kernel[[Any], int]  # how many choices chance has in a state
    chance: Kernel[[Any, int], int]  # the i-th of them
    choice_count: Kernel[[Any], int]  # how many legal actions the seat to act has, given a state or that seat's view
    choice: Kernel[[Any, int], int]  # the i-th of them
    apply: Kernel[[Any, int], None]  # carry out an action on a state
    observe: Kernel[[Any, int, Any], None]  # fill a view with what this seat may know of a state
    payoffs: Kernel[[Any, Any], None]  # write what each seat has won to an array
    is_allowed: Kernel[[Any, int], bool] | None = None  # whether an action is legal; unless given, all are searched

    @property
    def _listing(self) -> tuple[Kernel[..., int], ...]:
        return self.to_act, self.chance_count, self.chance, self.choice_count, self.choice

    @functools.cached_property
    def allowed(self) -> Kernel[[Any, int], bool]:
        return self.is_allowed or listed(*self._listing)

    # What Python calls at every turn, as machine code that takes records of this game without looking at them.

    @functools.cached_property
    def step(self) -> Callable[[Any, int, Any], bool]:
        """Fill a record with the state that follows from an action; False if the action is not legal."""
        made, state = checked_step(self.allowed, self.apply, self.state.size), self.state.blank()
        return made.entry(state, 0, state)

    @functools.cached_property
    def deal(self) -> Callable[[Any, Any, Any, Any], int]:
        """Fill a record with the state after chance has acted until a seat must."""
        size, state = self.state.size, self.state.blank()
        made = chance_dealer(self.to_act, self.chance_count, self.chance, self.apply, size)
        return made.entry(state, np.empty(4, np.uint64), state, np.empty(1, np.int64))

    @functools.cached_property
    def count_up(self) -> Callable[[Any, Any], None]:
        """Write what each seat has won to an array."""
        return self.payoffs.entry(self.state.blank(), np.empty(1))

    @functools.cached_property
    def show(self) -> Callable[[Any, int, Any], None]:
        """Fill a view with what a seat may know."""
        return self.observe.entry(self.state.blank(), 0, self.view.blank())

    @functools.cached_property
    def entries(self) -> "Entries":
        """The kernels that Python calls at every turn, without the cost of finding out the types of records."""
        state = self.state.blank()
        return Entries(
            self.to_act.entry(state),
            self.chance_count.entry(state),
            self.chance.entry(state, 0),
            self.choice_count.entry(state),
            self.choice.entry(state, 0),
            self.allowed.entry(state, 0),
            self.apply.entry(state, 0),
        )

    @functools.cached_property
    def any_choice(self) -> Policy:
        """Every legal action with the same probability."""
        return uniform_policy(self.choice_count, self.choice)

    def deal_player(self, brains: Brains = BY_POINTER) -> Kernel[..., bool]:
        """The compiled loop that plays one deal; a starting state has nothing in its last fields."""
        dealing, acting = (self.chance_count, self.chance), (self.allowed, self.apply, self.observe, self.payoffs)
        return deal_player(self.to_act, *dealing, *acting, self.state.head, *brains)

    def deal_loop(self, adjust: Adjustment = no_adjustment) -> Kernel[..., int]:
        """The compiled loop that plays deal after deal."""
        return deal_loop(self.deal_player(), adjust)


class Entries(NamedTuple):
    """Compiled code for the records of one game and for no others."""

    to_act: Callable[[Any], int]
    chance_count: Callable[[Any], int]
    chance: Callable[[Any, int], int]
    choice_count: Callable[[Any], int]
    choice: Callable[[Any, int], int]
    allowed: Callable[[Any, int], bool]
    apply: Callable[[Any, int], None]


class ListedChoices(Sequence[Any]):
    """Choices that a kernel lists, looked up one by one."""

    def __init__(self, state: Record, kind: type[int], count: int, choice: Callable[..., int], rules: Rules) -> None:
        self._state, self._kind, self._count, self._choice, self._rules = state, kind, count, choice, rules

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < self._count:
            raise IndexError("no such choice")
        return self._kind(self._choice(self._state, index))

    def __contains__(self, action: Any) -> bool:
        return bool(self._rules.allowed(self._state, int(action)))


class RuledGame(ABC, Generic[State, View, Action]):
    """A game whose rules are kernels, played from Python with every input checked."""

    name: ClassVar[str]
    seats: int = 2
    payoff_unit: ClassVar[str] = "chips"  # what payoffs are counted in
    rules: ClassVar[Rules]
    action_type: ClassVar[type[int]] = int  # an IntEnum gives actions their names
    chance_type: ClassVar[type[int]] = int

    @abstractmethod
    def start(self) -> State:
        """The state before the first card is dealt."""

    def imagine(self, view: View, rng: Stream) -> State:
        """A state that fits the view, with hidden cards drawn at random.

        This plays random games until one comes to the view, so each deal that fits is equally likely if all actions are
        public. It is for small games; others fill in the hidden cards themselves.
        """
        seats = range(self.seats)
        for _ in range(_MOST_TRIES):
            state = self.start()
            while True:
                if any(self.view(state, seat) == view for seat in seats):
                    return state
                acts = self.to_act(state)
                if acts is None:
                    break
                choices = self.choices(state)
                state = self.after(state, choices[rng.below(len(choices))])
        raise InputError(f"in {_MOST_TRIES:,} random games of {self.name} none came to this view: it needs `imagine`")

    def to_act(self, state: State | View) -> Seat | None:
        if type(state) is self.rules.view:
            seat = self.rules.to_act(state)
        else:
            seat = self.rules.entries.to_act(self._checked(state))  # type: ignore[arg-type]
        return None if seat == OVER else Seat(seat)

    def choices(self, state: State | View) -> Choices[Action]:
        """The legal actions in a state; also in the view of the seat to act."""
        seat = self.to_act(state)
        if seat is None:
            return Choices(())
        rules = self.rules
        run = rules if type(state) is rules.view else rules.entries
        if seat == CHANCE:
            return Choices(ListedChoices(state, self.chance_type, run.chance_count(state), run.chance, rules))
        return Choices(ListedChoices(state, self.action_type, run.choice_count(state), run.choice, rules))

    def after(self, state: State, action: Action) -> State:
        rules = self.rules
        out: State = rules.state.unseen()  # type: ignore[assignment]
        if is_whole(action) and rules.step(self._checked(state), int(action), out):
            return out.freeze()
        if self.to_act(state) is None:
            raise IllegalAction(f"{_said(action)}: the game is over")
        what = "is not allowed" if is_whole(action) else "is not an action, which is a whole number,"
        where = f"(allowed: {self.choices(state)}), {self._actor(state)} of {self.name}"
        raise IllegalAction(f"{_said(action)} {what} {where}")

    def deal(self, state: State, rng: Stream) -> tuple[State, Sequence[int]]:
        """Let chance act until a seat must or the game is over: the state then, and what chance chose, in order."""
        rules = self.rules
        out: State = rules.state.unseen()  # type: ignore[assignment]
        actions = np.empty(_MOST_DEALT, np.int64)
        count = rules.deal(self._checked(state), rng.state, out, actions)
        return out.freeze(), actions[:count].tolist()

    def view(self, state: State, seat: int) -> View:
        if not 0 <= seat < self.seats:
            raise InputError(f"seat {seat!r}: {self.name} has seats 0 to {self.seats - 1}")
        rules = self.rules
        out: View = rules.view.unseen()  # type: ignore[assignment]
        rules.show(self._checked(state), seat, out)
        return out.freeze()

    def payoffs(self, state: State) -> Sequence[float]:
        if self.to_act(state) is not None:
            raise InputError(f"there are no payoffs yet: {self._actor(state)} of {self.name} is to act")
        found = np.empty(self.seats)
        self.rules.count_up(state, found)
        return list(found.tolist())

    def label(self, state: State, action: Action) -> str:
        if self.to_act(state) == CHANCE:
            return f"deal {word(self.chance_type(action))}"
        return word(self.action_type(action))

    def drawing(self, view: View) -> str:
        return str(view)

    def lies_open(self, view: View) -> bool:
        return False

    def _checked(self, state: State) -> State:
        """Machine code trusts what it is given, so a state of another game must not reach it."""
        if type(state) is not self.rules.state:
            wanted = self.rules.state.__name__
            raise InputError(f"this is a {type(state).__name__}, and {self.name} is played with a {wanted}")
        return state

    def _known(self, given: State | View) -> State | View:
        return given if type(given) is self.rules.view else self._checked(given)  # type: ignore[arg-type]

    def _actor(self, state: State) -> str:
        seat = self.to_act(state)
        return "chance" if seat == CHANCE else f"seat {seat}"
