"""Processes that do what they are told, to see what the server makes of it."""

import itertools
import os
import time

from fifthstreet.web.forking import Line


def main(line: Line) -> None:
    """In place of the process in which agents think."""
    done: list[str] = []
    while True:
        order = line.order()
        if order.get("compile_s"):
            line.answer({"clock": False})
            time.sleep(order["compile_s"])
            line.answer({"clock": True})
        time.sleep(order.get("think_s", 0))
        if order.get("crash"):
            os._exit(3)
        if order.get("nonsense"):
            os.write(line._end.fileno(), b"nonsense\n")
            continue
        done.append(order["name"])
        line.answer({"done": {"before": done, "pid": os.getpid()}, "last": order.get("last", False)})


def endless_reader(line: Line) -> None:
    """In place of the process that reads a file: it reads one hand and never gets over the second."""
    while line.order()["part"]:
        pass
    hand = {"names": ["Ann", "Bob"]}
    line.answer({"hand": hand, "summary": {"title": "Ann +1", "steps": 1}})
    all(itertools.repeat(True))
