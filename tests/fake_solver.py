"""A solver's process that does what the pot says, to see what the server makes of it."""

import os
import time
from typing import Any

from fifthstreet.web.forking import Json, Line
from fifthstreet.web.solver_process import Report, serve

WELL, ENDLESS, GREEDY, GONE, BABBLING, BROKEN, SLOW_ANSWER = range(1, 8)


class Fake:
    def __init__(self, pot: int) -> None:
        self.pot = pot

    def summary(self) -> Json:
        return {"memory_mb": 0.0}

    def node(self, line: list[str]) -> Json:
        if self.pot == SLOW_ANSWER:
            time.sleep(60)
        return {"line": line}


def solved(spot: Json, report: Report) -> Any:
    pot = spot["pot"]
    if pot == GREEDY:
        bytearray(2_000_000_000)
    if pot == GONE:
        os._exit(3)
    if pot == BABBLING:
        os.write(2, b"noise")
        print("noise")
    if pot == BROKEN:
        raise ValueError("a secret: /home/somebody/.ssh")
    if pot == ENDLESS:
        time.sleep(600)
    iterations = 0
    while pot % 100 == 50 and report(iterations := iterations + 10, 1.0):
        time.sleep(0.02)
    return Fake(pot)


def main(line: Line) -> None:
    serve(line, lambda: None, solved)
