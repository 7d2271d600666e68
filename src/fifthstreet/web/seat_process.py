"""The process in which agents think, one decision after another, for whichever seat is next.

An agent is given its seat's view, its choices and its random numbers, and nothing else of the hand. What is asked for
often is kept here: each agent's mind, made once, and each seat's own copy of its agent. An agent that learns is kept by
the server instead, as it was after its last lesson, so that nothing is forgotten when a process is killed.
"""

import base64
import copy
import functools
import resource
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.errors import sentence
from fifthstreet.games.game import AnyGame, Choices, is_whole
from fifthstreet.rng import Stream
from fifthstreet.web.drawing.face import fitting
from fifthstreet.web.foreign import loaded, packed
from fifthstreet.web.forking import Json, Line, limited
from fifthstreet.web.players import ILLEGAL
from fifthstreet.web.thoughts import thought_of

MOST_SEATS = 1000
MOST_IN_MINDS = 200_000_000  # bytes
MOST_VALUES = 10_000  # of one decision
SPARE_S = 300.0  # seconds of computation beyond the limit: for what is compiled, which the server's clock leaves out
GROWTH_KB = 300_000  # of memory, after which a fresh process takes over


class Unfit(Exception):
    """What an agent did cannot be used; the message reveals nothing of its cards."""


class Seats:
    """What this process remembers: everything here can be made again."""

    def __init__(self, clock: "Clock") -> None:
        self._clock = clock
        self._ready: OrderedDict[bytes, tuple[Agent, NDArray[np.float64]]] = OrderedDict()  # by agent and game
        self._agents: OrderedDict[int, Agent] = OrderedDict()  # by seat

    def sit(self, order: Json) -> tuple[Agent, NDArray[np.float64]]:
        """The agent of a seat and its mind, made ready if it is the first time, while the clock stands still."""
        if order["state"] is not None:
            agent, mind = loaded(base64.b64decode(order["state"]))
            return agent, mind
        about, seat = order["about"], order["seat"]
        if about not in self._ready:
            with self._clock.stopped():
                agent, game = loaded(about)
                mind = np.ascontiguousarray(agent.mind(game), np.float64)
                self._ready[about] = agent, mind
                while len(self._ready) > 1 and sum(kept.nbytes for _, kept in self._ready.values()) > MOST_IN_MINDS:
                    self._ready.popitem(last=False)
        self._ready.move_to_end(about)
        agent, mind = self._ready[about]
        if agent.learns:  # a copy of its own
            return copy.deepcopy(agent), mind.copy()
        if seat not in self._agents:
            self._agents[seat] = copy.deepcopy(agent)
            if len(self._agents) > MOST_SEATS:
                self._agents.popitem(last=False)
        return self._agents[seat], mind


class Clock:
    """The server's clock for what is ordered, which stands still while something is made that lasts."""

    def __init__(self, line: Line) -> None:
        self._line, self._stops = line, 0

    def stop(self) -> None:
        self._stops += 1
        if self._stops == 1:
            self._line.answer({"clock": False})

    def go_on(self) -> None:
        self._stops -= 1
        if self._stops == 0:
            self._line.answer({"clock": True})

    @contextmanager
    def stopped(self) -> Iterator[None]:
        self.stop()
        try:
            yield
        finally:
            self.go_on()


def main(line: Line) -> None:
    """Do what is ordered, one thing after another."""
    clock, whole = Clock(line), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seats = Seats(clock)
    _compile_off(clock)
    kinds: dict[str, Callable[[Seats, Json], Json]] = {
        "prepare": _prepare,
        "decide": _decide,
        "learn": _learn,
        "believe": _believe,
    }
    while True:
        order = line.order()
        try:
            with limited(order["seconds"] + SPARE_S):
                found: Json = {"done": kinds[order["do"]](seats, order)}
        except Unfit as error:
            found = {"failed": str(error)}
        except MemoryError:
            found = {"failed": "needed more memory than is allowed", "last": True}
        except BaseException as error:
            # Everybody at the table sees the reason, and the message of an error may contain the agent's cards.
            found = {"failed": f"failed: {type(error).__name__}", "log": _told(error)}
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > whole + GROWTH_KB:
            found["last"] = True
        line.answer(found)


def _prepare(seats: Seats, order: Json) -> Json:
    seats.sit(order)
    return {}


def _decide(seats: Seats, order: Json) -> Json:
    agent, mind = seats.sit(order)
    game, face = _hand(order["hand"])
    view = loaded(order["view"])
    rng = Stream(np.frombuffer(order["rng"], np.uint64).copy())
    choices = Offered(game, view)
    decision = agent.decide(Turn(game, view, choices, rng, mind))
    if not isinstance(decision, Decision):
        raise Unfit("gave something that is not a Decision")
    if not is_whole(decision.action):
        raise Unfit(ILLEGAL)
    try:
        thought = thought_of(decision, game, view, face, order["order"])
    except Exception:
        if decision.action not in choices:  # otherwise the server finds out
            raise Unfit(ILLEGAL) from None
        raise
    values = [(int(action), float(value)) for action, value in decision.values.items()][:MOST_VALUES]
    return {"action": int(decision.action), "thought": thought, "values": values, **_kept(agent, mind, order)}


def _learn(seats: Seats, order: Json) -> Json:
    agent, mind = seats.sit(order)
    game, _ = _hand(order["hand"])
    view = loaded(order["view"])
    lesson = agent.lesson(game)
    if lesson is not None:
        lesson(view, order["payoff"], mind)
    agent.learn(view, order["payoff"])
    return _kept(agent, mind, order)


def _believe(seats: Seats, order: Json) -> Json:
    from fifthstreet.web.spot_of_hand import Moment

    agent, mind = seats.sit(order)
    return {"ranges": Moment(order["body"], order["step"]).believed(agent, mind.copy())}


def _kept(agent: Agent, mind: NDArray[np.float64], order: Json) -> Json:
    """The state of an agent that learns, if it has changed."""
    if not agent.learns:
        return {}
    state = base64.b64encode(packed((agent, mind))).decode()
    return {} if state == order["state"] else {"state": state}


class Offered(Choices[Any]):
    """What a seat may choose from, worked out from its view when somebody asks: the hand's own choices know cards."""

    def __init__(self, game: AnyGame, view: Any) -> None:
        self._game, self._view = game, view

    @functools.cached_property
    def _parts(self) -> Any:  # type: ignore[override]
        return self._game.choices(fitting(self._game, self._view))._parts


_hands: OrderedDict[bytes, Any] = OrderedDict()


def _hand(given: bytes) -> tuple[AnyGame, Any]:
    """The rules of the hand and the face of its game, which several seats ask for in turn."""
    if given not in _hands:
        _hands[given] = loaded(given)
        if len(_hands) > MOST_SEATS:
            _hands.popitem(last=False)
    found: tuple[AnyGame, Any] = _hands[given]
    return found


def _told(error: BaseException) -> str:
    try:
        return sentence(error)
    except Exception:
        return type(error).__name__


def _compile_off(clock: Clock) -> None:
    """Stop the clock whenever something is compiled: nobody is late for that."""
    from numba.core import event

    class Watch(event.Listener):
        def on_start(self, _event: Any) -> None:
            clock.stop()

        def on_end(self, _event: Any) -> None:
            clock.go_on()

    event.register("numba:compile", Watch())
