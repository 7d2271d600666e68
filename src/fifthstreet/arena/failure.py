"""How an error in an agent's own code is reported: one sentence with the agent's name, and the file and line."""

from pathlib import Path
from types import CodeType
from typing import Any

from fifthstreet.agents.agent import Agent, AgentFailure
from fifthstreet.errors import sentence


def failure(agent: Agent, task: str, error: BaseException) -> AgentFailure:
    """The AgentFailure to raise from `error`, which the agent raised at this task ("to decide").

    The message ends with the place in the agent's code, like "(mine.py, line 12)".
    """
    return AgentFailure(f"{agent.name} failed {task}: {sentence(error)}{_place(agent, error)}")


def _place(agent: Agent, error: BaseException) -> str:
    """The innermost line of the traceback that lies in the agent's file or beside it; "" if there is none."""
    kinds = [kind for kind in type(agent).__mro__ if issubclass(kind, Agent) and kind is not Agent]
    files = {code.co_filename for kind in kinds for code in _code_of(kind)} - {"<string>"}  # made by dataclasses
    folders = {Path(file).parent for file in files if Path(file).is_file()}
    found, step = "", error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file in files or Path(file).parent in folders:
            found = f" ({Path(file).name}, line {step.tb_lineno})"
        step = step.tb_next
    return found


def _code_of(kind: type) -> list[CodeType]:
    """The code of the methods that a class defines itself."""
    members: list[Any] = [getattr(member, "fget", member) for member in vars(kind).values()]
    return [member.__code__ for member in members if isinstance(getattr(member, "__code__", None), CodeType)]
