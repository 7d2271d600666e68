"""The protocol of every game. Read this first.

A game is rules on values: a state is never changed, `after` makes a new one. Chance is a player, who picks each of its
choices with the same probability, so the rules hold no randomness. An agent is given a view, never the state.

Rules are kernels (`Rules`), written once. `RuledGame` lends them to Python with checks at the door; the arena's
compiled matches call the same kernels.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Final, Generic, NamedTuple, NewType, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError
from fifthstreet.kernel import Kernel, kernel
from fifthstreet.rng import Stream

Seat = NewType("Seat", int)
CHANCE: Final = Seat(-1)
OVER: Final = -2  # what a kernel answers to "who acts?" when the game has ended

State = TypeVar("State")
View = TypeVar("View")
Action = TypeVar("Action", bound=int)


class IllegalAction(InputError):
    """An action that the rules do not allow here; the message says what they do allow."""


class Choices(Sequence[Action]):
    """The legal actions, in a fixed order: ranges or tuples of numbers joined, asked without being listed.

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


def is_whole(action: object) -> bool:
    """A number that can be an action; True is 1 to Python, but nobody means it as one."""
    return isinstance(action, _WHOLE) and not isinstance(action, bool) and -_HUGE < int(action) < _HUGE


def word(action: Any) -> str:
    """An action as it is said, from its own type."""
    return str(getattr(action, "name", action)).lower().replace("_", " ")


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
        """The same rules as kernels; None for a game in plain Python."""

    def setup(self) -> NDArray[np.int64]: ...
    def raw(self, value: Any) -> Any: ...

    def start(self) -> State: ...
    def to_act(self, state: State) -> Seat | None:
        """Whose turn it is: a seat, CHANCE, or None when the game is over."""

    def choices(self, state: State) -> Choices[Action]:
        """What may be done now, by chance too."""

    def after(self, state: State, action: Action) -> State:
        """The state that follows; the old one still stands. IllegalAction if the action is not a choice."""

    def view(self, state: State, seat: int) -> View:
        """All that this seat may know, public history included, and nothing else."""

    def imagine(self, view: View, rng: Stream) -> State:
        """A state that fits the view, hidden cards drawn at random: view(imagine(v), seat) == v."""

    def payoffs(self, state: State) -> Sequence[float]:
        """What each seat has won or lost, when the game is over."""

    def label(self, state: State, action: Action) -> str:
        """The action in words."""

    def drawing(self, view: View) -> str:
        """What a seat sees, as text for a person."""

    def lies_open(self, view: View) -> bool:
        """Whether everybody now sees all that this seat does."""


AnyGame = Game[Any, Any, Any]

Policy = Kernel[[Any, NDArray[np.float64], NDArray[np.uint64]], int]
"""A compiled agent: from a view, its parameters and memory, and a stream of random numbers to an action."""

Lesson = Kernel[[Any, float, NDArray[np.float64]], None]
"""What a compiled agent makes of a game that has ended: from its last view and its payoff into its memory."""


@kernel
def no_lesson(view: Any, payoff: float, mind: Any) -> None:
    """For those who learn nothing."""


class Rules(NamedTuple):
    """A game as kernels on raw states and views: NamedTuples of numbers, or arrays."""

    start: Callable[[NDArray[np.int64]], Any]  # from the game's setup
    to_act: Callable[[Any], int]  # a seat, CHANCE or OVER
    choice_count: Callable[[Any], int]
    choice: Callable[[Any, int], int]  # the i-th legal action
    allowed: Callable[[Any, int], bool]  # whether an action is one of them; at the end none is
    after: Callable[[Any, int], Any]
    view: Callable[[Any, int], Any]
    payoff: Callable[[Any, int], float]
    any_choice: Policy  # every legal action with the same probability
    play_out: Kernel[..., bool]
    """Plays one deal; False if a policy chose what is not allowed. At the end those learn who have a mind.

    It is given the setup; policies, lessons and minds by agent; the agent in each seat; the dealer's stream, and one
    for each agent; and where to write the payoffs by seat. Every game writes this loop out, because Numba does not keep
    compiled code that was made for functions passed in; `arena.play` is its readable twin.
    """


class ArrayState:
    """A state or a view that is made of one array: a value, equal to another with the same numbers."""

    __slots__ = ("data",)

    def __init__(self, data: NDArray[np.int64]) -> None:
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayState) and np.array_equal(self.data, other.data)

    def __hash__(self) -> int:
        return hash(self.data.tobytes())


class Ruled(Sequence[Any]):
    """The choices of a state as its rules name them, one by one when they are asked for."""

    def __init__(self, rules: Rules, raw: Any, kind: type[int], count: int) -> None:
        self._rules, self._raw, self._kind, self._count = rules, raw, kind, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < self._count:
            raise IndexError("no such choice")
        return self._kind(self._rules.choice(self._raw, index))

    def __contains__(self, action: Any) -> bool:
        return bool(self._rules.allowed(self._raw, int(action)))


class RuledGame(ABC, Generic[State, View, Action]):
    """A game whose rules are kernels, played from Python with every input checked."""

    name: ClassVar[str]
    seats: int = 2
    payoff_unit: ClassVar[str] = "chips"  # what payoffs are counted in
    rules: ClassVar[Rules]
    action_type: ClassVar[type[int]]
    chance_type: ClassVar[type[int]]

    def setup(self) -> NDArray[np.int64]:
        """The parameters of the game as numbers, for the kernels: stacks, blinds and the like."""
        return np.zeros(0, np.int64)

    @abstractmethod
    def imagine(self, view: View, rng: Stream) -> State:
        """A state that fits the view, hidden cards drawn at random."""

    def raw(self, value: State | View) -> Any:
        """What kernels take for a state or a view: itself, unless the game wraps arrays to make values of them."""
        return value

    def as_state(self, raw: Any) -> State:
        return raw

    def as_view(self, raw: Any) -> View:
        return raw

    def start(self) -> State:
        return self.as_state(self.rules.start(self.setup()))

    def to_act(self, state: State) -> Seat | None:
        seat = self.rules.to_act(self.raw(state))
        return None if seat == OVER else Seat(seat)

    def choices(self, state: State) -> Choices[Action]:
        kind = self.chance_type if self.to_act(state) == CHANCE else self.action_type
        raw = self.raw(state)
        return Choices(Ruled(self.rules, raw, kind, self.rules.choice_count(raw)))

    def after(self, state: State, action: Action) -> State:
        raw = self.raw(state)
        if not is_whole(action) or not self.rules.allowed(raw, int(action)):
            if self.to_act(state) is None:
                raise IllegalAction(f"{word(action)!r}: the game is over")
            what = "is not allowed" if is_whole(action) else "is not an action, which is a whole number,"
            where = f"(allowed: {self.choices(state)}), {self._actor(state)} of {self.name}"
            raise IllegalAction(f"{word(action)!r} {what} {where}")
        return self.as_state(self.rules.after(raw, int(action)))

    def view(self, state: State, seat: int) -> View:
        if not 0 <= seat < self.seats:
            raise InputError(f"seat {seat!r}: {self.name} has seats 0 to {self.seats - 1}")
        return self.as_view(self.rules.view(self.raw(state), seat))

    def payoffs(self, state: State) -> Sequence[float]:
        self.refuse_unless_over(state)
        return [self.rules.payoff(self.raw(state), seat) for seat in range(self.seats)]

    def refuse_unless_over(self, state: State) -> None:
        if self.to_act(state) is not None:
            raise InputError(f"there are no payoffs yet: {self._actor(state)} of {self.name} is to act")

    def label(self, state: State, action: Action) -> str:
        if self.to_act(state) == CHANCE:
            return f"deal {word(self.chance_type(action))}"
        return word(self.action_type(action))

    def drawing(self, view: View) -> str:
        return str(view)

    def lies_open(self, view: View) -> bool:
        return False

    def _actor(self, state: State) -> str:
        seat = self.to_act(state)
        return "chance" if seat == CHANCE else f"seat {seat}"
