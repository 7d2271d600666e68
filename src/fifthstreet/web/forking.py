"""The process from which the server's other processes are forked, and how each of them begins.

The first imports the libraries and loads the compiled rules of all games once; a fork of it takes ten milliseconds and
shares that memory. It has one thread and runs nobody's code but ours. It also kills processes, since only a parent can
do that without ever hitting a stranger that was given the same number, and all of them when the server is gone.
"""

import contextlib
import ctypes
import importlib
import json
import os
import pickle
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

Json = dict[str, Any]

MB = 1_048_576
PR_SET_PDEATHSIG = 1  # of Linux
LARGEST_ORDER = 65_536  # bytes of an order to fork or kill


class Line:
    """A process's end of its line to the server: orders come in pickled, answers go out as lines of JSON."""

    def __init__(self, end: socket.socket) -> None:
        self._end, self._orders = end, end.makefile("rb")

    def order(self) -> Json:
        """The next order; the process ends if there will be none."""
        try:
            found: Json = pickle.load(self._orders)
            return found
        except (EOFError, OSError):
            os._exit(0)

    def answer(self, found: Json) -> None:
        try:
            self._end.sendall(json.dumps(found, separators=(",", ":"), default=str).encode() + b"\n")
        except OSError:  # nobody listens any more
            os._exit(0)


def main() -> None:
    """Fork and kill as ordered, until the server is gone."""
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what agents print does not get lost
    _load()
    children: set[int] = set()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    while True:
        ready, _, _ = select.select([control.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                children.discard(ended)
        if control.fileno() not in ready:
            continue
        text, ends, *_ = socket.recv_fds(control, LARGEST_ORDER, 1)
        if not text:
            for child in children:
                os.kill(child, signal.SIGKILL)
            os._exit(0)
        order = json.loads(text)
        if "kill" in order and order["kill"] in children:
            os.kill(order["kill"], signal.SIGKILL)
        elif "fork" in order:
            end = socket.socket(fileno=ends[0])
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for descriptor in (woken, wake):
                    os.close(descriptor)
                control.close()  # the orders are not for agents
                _begin(order, end)
            children.add(child)
            end.close()


def _load() -> None:
    """Everything that the others need, so that it is there before they are forked."""
    import gc

    from fifthstreet.web import seat_process, warm  # noqa: F401
    from fifthstreet.web.drawing import FACES

    for name in FACES:
        warm.play_through(name)
    gc.freeze()  # what is shared stays shared


def _begin(order: Json, end: socket.socket) -> NoReturn:
    """The life of a forked process, from `entry`, which is named like "module:function"."""
    code = 1
    try:
        sys.path[:] = order["path"]
        _end_with_parent()
        _give_way(order["nice"])
        limit_memory(order["memory_mb"])
        line = Line(end)
        line.answer({"pid": os.getpid()})
        module, _, name = order["fork"].partition(":")
        entry: Callable[[Line], None] = getattr(importlib.import_module(module), name)
        entry(line)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _end_with_parent() -> None:
    """Let the system kill this process when the one that forked it is gone."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _give_way(nice: int) -> None:
    """Let others compute first; from 20 on, whoever has something to do comes first at once."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(min(nice, 19))
        if nice > 19:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def limit_memory(most_mb: float) -> None:
    """Let the system refuse memory beyond this, added to what is used now."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # where it cannot, there is no limit
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + int(most_mb * MB),) * 2)


@contextlib.contextmanager
def limited(cpu_s: float) -> Iterator[None]:
    """Let the system end the process if it computes for longer than this; the server's own clock is the other limit."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + cpu_s) + 1, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)


def alone(order: Json) -> None:
    """A process that is not forked, where the system cannot be trusted to fork one that has loaded libraries."""
    end = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    _load()
    _begin(order, end)


if __name__ == "__main__":
    from fifthstreet.web import forking

    if len(sys.argv) > 1:
        forking.alone(json.loads(sys.argv[1]))
    else:
        forking.main()
