"""How an error in the code of an agent or a game is reported: one sentence with its name, and the file and line."""

import reprlib
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any

from fifthstreet.agents.agent import Agent, AgentFailure
from fifthstreet.errors import InputError, is_theirs, sentence
from fifthstreet.games.game import AnyGame
from fifthstreet.kernel import Kernel


def failure(agent: Agent, task: str, error: BaseException) -> AgentFailure:
    """The AgentFailure to raise from `error`, which the agent raised at this task ("to decide").

    The message ends with the place in the agent's code, like "(mine.py, line 12)".
    """
    if _tells_a_secret(agent, error):
        return AgentFailure(f"{agent.name}{_SECRET}{_place(agent, error)}")
    return AgentFailure(f"{agent.name} failed {task}: {sentence(error)}{_place(agent, error)}")


_SECRET = " writes to its mind, but says that it does not learn"
# The deals of a unit would be taken for independent, and cut anywhere; and others share that mind.


def _tells_a_secret(agent: Agent, error: BaseException) -> bool:
    """Whether this error arose from writing to a mind that must not be changed, by NumPy's words or by Numba's."""
    words = _words(error) + _words(error.__cause__)
    return ("is read-only" in words or "modify readonly array" in words) and not agent.learns


def _words(error: BaseException | None) -> str:
    """All that an error says; nothing if it cannot even say that."""
    try:
        return str(error)
    except BaseException as again:
        if not is_theirs(again):
            raise
        return ""


@contextmanager
def secrets_refused(agent: Agent) -> Iterator[None]:
    """Say so where an agent's kernel does not compile because it writes to a mind that it must not change."""
    try:
        yield
    except InputError as error:
        if _tells_a_secret(agent, error):
            raise AgentFailure(f"{agent.name}{_SECRET}") from error
        raise


def _place(agent: Agent, error: BaseException) -> str:
    """The innermost line of the traceback that lies in the agent's file or beside it; "" if there is none."""
    kinds = [kind for kind in type(agent).__mro__ if issubclass(kind, Agent) and kind is not Agent]
    return _innermost({code.co_filename for kind in kinds for code in _code_of(kind)}, error)


def _innermost(files: Iterable[str], error: BaseException) -> str:
    files = {*files} - {"<string>", reprlib.__file__}  # made by dataclasses
    folders = {Path(file).parent for file in files if Path(file).is_file()}
    found, step = "", error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file in files or Path(file).parent in folders:
            found = f" ({Path(file).name}, line {step.tb_lineno})"
        step = step.tb_next
    return found


def _code_of(kind: type) -> list[CodeType]:
    """The code of the methods and kernels that a class defines itself."""
    members: list[Any] = [getattr(member, "fget", member) for member in vars(kind).values()]
    members = [member.function if isinstance(member, Kernel) else member for member in members]
    return [member.__code__ for member in members if isinstance(getattr(member, "__code__", None), CodeType)]


class blamed:  # noqa: N801  # a function, to whoever uses it
    """Report any error raised within as this agent's failure at a task, like "to decide"."""

    def __init__(self, agent: Agent, task: str) -> None:
        self.agent, self.task = agent, task

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> None:
        if error is not None and type(error) is not AgentFailure and is_theirs(error):
            raise failure(self.agent, self.task, error) from error


@contextmanager
def blamed_on_rules(game: AnyGame) -> Iterator[None]:
    """Report an error raised by the rules of a game as one sentence."""
    try:
        yield
    except InputError:
        raise
    except BaseException as error:
        if not is_theirs(error):
            raise
        kernels = [rule for rule in vars(game.rules).values() if isinstance(rule, Kernel)] if game.rules else []
        files = {code.co_filename for kind in type(game).__mro__ for code in _code_of(kind)}
        place = _innermost(files | {kernel.function.__code__.co_filename for kernel in kernels}, error)
        if not place:
            raise
        raise InputError(f"the rules of {game.name} failed: {sentence(error)}{place}") from error


@contextmanager
def errors_in_kernels() -> Iterator[list[BaseException]]:
    """Collects the first error raised by the kernel of an agent within a compiled loop.

    The loop calls these kernels by their addresses and cannot pass errors on. Numba then gives an error to Python's
    hook for errors that cannot be raised, in the same thread, and the loop goes on.
    """
    _listen()
    errors: list[BaseException] = []
    _lost.errors = errors
    try:
        yield errors
    finally:
        del _lost.errors


def kernel_failure(agents: Sequence[Agent], error: BaseException) -> tuple[AgentFailure, bool]:
    """The AgentFailure for an error in the kernel of one of these agents, and whether it says where."""
    blamed = [agent for agent in agents if _place(agent, error)]
    return failure((blamed or agents)[0], "in its kernel", error), bool(blamed)


_lost = threading.local()


def _listen() -> None:
    """Collect errors that cannot be raised, in threads that wait for them; others go to the hook there was."""
    before = sys.unraisablehook
    if getattr(before, "collects", False):
        return

    def hook(given: Any) -> None:
        errors = getattr(_lost, "errors", None)
        if errors is None or given.exc_value is None:
            before(given)
        elif not errors:  # the first is enough
            errors.append(given.exc_value)

    hook.collects = True  # type: ignore[attr-defined]
    sys.unraisablehook = hook
