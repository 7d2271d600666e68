"""Measure papers in several processes: each takes the next paper that is left, and in the end plays on for its own.

Compiling takes one core, so at the first use this halves the wait. Results travel as they are, and figures as drawings.
"""

import dataclasses
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from fifthstreet import cache, parallel
from fifthstreet.arena.laboratory import current, laboratory
from fifthstreet.errors import InputError, sentence
from fifthstreet.papers.drawing import Picture, drawn
from fifthstreet.papers.measuring import Measured, Measuring
from fifthstreet.papers.paper import FigureResult, Paper, Result

First = Callable[[Paper, Measured], None]


def in_processes(
    papers: Sequence[Paper], measuring: Measuring, first: First, processes: int
) -> tuple[dict[Paper, Measured], float]:
    """Measure papers as `measuring` says; returns what was found, and the processor time of all processes.

    `first` is called with the first results of each paper.
    """
    lab, fresh = current(), multiprocessing.get_context("spawn")
    place = str(lab.store.path) if lab.store else "none"
    workers: dict[Connection, BaseProcess] = {}
    progress: dict[Connection, list[int]] = {}
    left, by_name = list(papers), {paper.name: paper for paper in papers}
    found: dict[Paper, Measured] = {}
    spent = 0.0
    report, measuring = measuring.report, dataclasses.replace(measuring, report=None)
    try:
        for _ in range(processes):
            here, there = fresh.Pipe()
            given = (there, measuring, place, lab.run, cache.announcing)
            workers[here] = fresh.Process(target=_work, args=given, daemon=True)
            workers[here].start()
            there.close()
        while workers:
            ready = wait(list(workers))
            for pipe in [each for each in workers if each in ready]:
                try:
                    kind, *news = pipe.recv()
                    if kind == "free":
                        pipe.send(left.pop(0).name if left else None)
                except (EOFError, OSError):
                    raise InputError(
                        "a process that measures papers died (killed, or out of memory); what was played is kept"
                    ) from None
                if kind == "progress":
                    what, *progress[pipe] = news
                    if report:
                        report(what, *map(sum, zip(*progress.values(), strict=True)))
                elif kind == "news":
                    cache.announce(*news)
                elif kind == "first":
                    first(by_name[news[0]], news[1])
                elif kind == "failed":
                    raise news[0]
                elif kind == "done":
                    found |= {by_name[name]: measured for name, measured in news[0].items()}
                    spent += news[1]
                    workers.pop(pipe).join()
    finally:
        for worker in workers.values():
            worker.kill()
            worker.join()
    return found, spent


def _work(pipe: Connection, measuring: Measuring, place: str, run: int | None, announcing: bool) -> None:
    """Measure papers in this process until there are no more, then play on for them."""
    from fifthstreet.papers import paper_named

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    parallel.work_alone()
    parallel.end_with_parent()
    cache.announcing, cache.showing = announcing, lambda text: pipe.send(("news", text, "news"))
    measuring.restart(lambda *news: pipe.send(("progress", *news)))
    try:
        with laboratory(place, workers=1, joining=run):
            while True:
                pipe.send(("free",))
                name = pipe.recv()
                if name is None:
                    break
                pipe.send(("first", name, packed(measuring.measure(paper_named(name)), drawing=False)))
            found = {paper.name: packed(measured) for paper, measured in measuring.settle().items()}
            pipe.send(("done", found, measuring.spent()))
    except (EOFError, OSError):  # the parent is gone
        return
    except InputError as error:
        pipe.send(("failed", error))
    except Exception as error:
        pipe.send(("failed", RuntimeError(sentence(error))))


def packed(measured: Measured, drawing: bool = True) -> Measured:
    """The same with figures drawn, since the functions that draw them cannot be sent."""

    def travelling(result: Result) -> Result:
        if isinstance(result, FigureResult):
            return dataclasses.replace(result, draw=Picture(drawn(result) if drawing else None))
        return result

    items = {place: (travelling(result), seconds) for place, (result, seconds) in measured.items.items()}
    return Measured(items, measured.findings)
