"""The process in which a match, a tournament or a paper is played, and from which its standings are reported."""

import time
from collections.abc import Callable

from fifthstreet.agents import Agent
from fifthstreet.arena.match import Match
from fifthstreet.arena.party import invited
from fifthstreet.arena.tournament import Tournament, TournamentResult
from fifthstreet.errors import InputError, sentence
from fifthstreet.papers import paper_named
from fifthstreet.papers.reproduce import reproduce
from fifthstreet.web.foreign import loaded
from fifthstreet.web.forking import Json, Line

UNIT = 50  # short, so that the standings of agents that learn also change while they are watched
PAUSE = 0.1  # seconds between two reports

Report = Callable[[Json], None]
"""Called with the figures so far."""


def main(line: Line) -> None:
    order, told = line.order(), 0.0

    def report(news: Json) -> None:
        nonlocal told
        if time.monotonic() - told > PAUSE:
            line.answer({"state": "playing", **news})
            told = time.monotonic()

    try:
        line.answer({"state": "done", **_played(order, report)})
    except InputError as error:
        line.answer({"state": "failed", "error": str(error)[:300]})
    except BaseException as error:
        line.answer({"state": "failed", "error": sentence(error)})


def _played(order: Json, report: Report) -> Json:
    """Do what is ordered; returns the last report."""
    if order["kind"] == "paper":
        paper = paper_named(order["paper"])
        found = reproduce([paper], report=lambda what, done, total: report(_progress(what, done, total)))
        return {"done": 1, "total": 1, "results": found.to_dict()}
    agents: list[str | Agent] = loaded(order["agents"])
    spec, deals, seed = order["game"], order["deals"], order["seed"]
    if order["kind"] == "match":
        return play_match(Match(invited(spec, agents, workers=1), deals, seed, UNIT), report)
    return play_tournament(Tournament.between(spec, agents, deals, seed, 1, UNIT), report)


def _progress(what: str, done: int, total: int) -> Json:
    return {"what": what, "done": done, "total": total}


def play_match(match: Match, report: Report) -> Json:
    """Play a match and report its standings after every round; returns the last report."""
    news: Json = {}
    for _ in match.rounds():
        result = match.result().to_dict()
        standings = {"standings": result["agents"], "payoff_unit": result["payoff_unit"]}
        news = {"done": match.played, "total": match.deals, **standings}
        report(news)
    return news


def play_tournament(tournament: Tournament, report: Report) -> Json:
    """Let all pairs play a round in turn, so that the table compares like with like; returns the last report."""
    news: Json = {}
    total = len(tournament.matches) * tournament.deals
    playing = [match.rounds() for match in tournament.matches.values()]
    while playing:
        unfinished = []
        for rounds in playing:
            if next(rounds, None) is not None:
                unfinished.append(rounds)
                report({**news, "done": tournament.played, "total": total})
        playing = unfinished
        news = {"done": tournament.played, "total": total, **_cross_table(tournament.result())}
        report(news)
    return news


def _cross_table(result: TournamentResult) -> Json:
    """Standings, best first, and what each agent won per deal from each other."""
    order, found = result.order(), result.to_dict()
    cells = [[None if i == j else result.cell(i, j).to_dict() for j in order] for i in order]
    return {
        "standings": found["agents"],
        "payoff_unit": found["payoff_unit"],
        "order": [result.names[i] for i in order],
        "cells": cells,
    }
