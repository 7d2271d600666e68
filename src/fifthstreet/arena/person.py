"""A person at a table of agents, in a terminal or through a program: any game, drawn as text.

The person is an agent that waits. What the others thought is told on request, but no sooner than it gives nothing away:
at once where the game lies open to all, and when it is over otherwise. Advice is what an opponent would do in the
person's place, from what the person may know.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, AgentFailure, Decision, Turn
from fifthstreet.arena.play import Record, play, replay
from fifthstreet.arena.seeds import Seeds
from fifthstreet.errors import InputError
from fifthstreet.games.betting import CALL, Move
from fifthstreet.games.game import AnyGame, Choices, word

HELP = "an action as you would say it (check, bet 4) or its number · ? for advice · why for the others' reasons · quit"
_MOST_NAMED = 1_000  # choices that are compared with what was typed, word by word


@dataclass
class Thought:
    """What an agent decided, and whether everybody saw all that it went by."""

    who: str
    action: str
    decision: Decision
    open: bool

    def __str__(self) -> str:
        return f"{self.who}: {self.action}. {self.decision.reason}"


@dataclass
class Observed(Agent):
    """An agent whose decisions are kept."""

    agent: Agent
    label: str
    thoughts: list[Thought]

    def __post_init__(self) -> None:
        self.name = self.agent.name  # type: ignore[misc]  # whoever fails is called by its own

    def decide(self, turn: Turn) -> Decision:
        decision = self.agent.decide(turn)
        if isinstance(decision, Decision):
            action = said(turn.choices, decision.action)
            self.thoughts.append(Thought(self.label, action, decision, turn.game.lies_open(turn.view)))
        return decision

    def learn(self, view: Any, payoff: float) -> None:
        self.agent.learn(view, payoff)

    def lesson(self, game: AnyGame) -> Any:
        return self.agent.lesson(game)

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        return self.agent.mind(game)


@dataclass
class Person(Agent):
    """Asks somebody for every action."""

    ask: Callable[[], str | None]  # a line, or None when there are no more
    tell: Callable[[str], None]
    adviser: Agent
    thoughts: list[Thought]
    as_json: bool = False
    _told: int = field(default=0, init=False)

    def decide(self, turn: Turn) -> Decision:
        self._show(turn)
        while True:
            line = self.ask()
            if line is None:
                raise AgentFailure("the input ended before the game was over")
            words = " ".join(line.lower().split())
            if words in ("q", "quit"):
                raise KeyboardInterrupt
            if words == "?":
                self._say("advice", self._advice(turn))
            elif words == "why":
                self._say("reasons", [str(thought) for thought in self._to_tell()])
            elif words in ("h", "help"):
                self._say("help", HELP)
            else:
                try:
                    return Decision(chosen(turn.choices, as_named(turn, words)))
                except InputError as error:
                    self._say("error", str(error))

    def _show(self, turn: Turn) -> None:
        drawing, choices = turn.game.drawing(turn.view), offered(turn.choices)
        if self.as_json:
            self.tell(json.dumps({"table": drawing, "choices": choices}, ensure_ascii=False))
        else:
            self.tell(f"\n{drawing}\n{choices}?  (help: h)")

    def _say(self, kind: str, what: str | list[str]) -> None:
        if self.as_json:
            self.tell(json.dumps({kind: what}, ensure_ascii=False))
        else:
            lines = [what] if isinstance(what, str) else what
            self.tell("\n".join(lines) or "nothing to tell before the game is over")

    def _advice(self, turn: Turn) -> str:
        given = Turn(turn.game, turn.view, turn.choices, turn.rng, self.adviser.mind(turn.game))
        decision = self.adviser.decide(given)
        return f"{self.adviser.name} would: {said(turn.choices, decision.action)}. {decision.reason}"

    def _to_tell(self) -> Sequence[Thought]:
        """What was thought since the person last asked and may be told."""
        fresh = [thought for thought in self.thoughts[self._told :] if thought.open]
        self._told = len(self.thoughts)
        return fresh


def said(choices: Choices[Any], action: int) -> str:
    """An action in the words of its kind."""
    return word(type(choices[0])(action))


def can_check(choices: Choices[Any]) -> bool:
    """Whether a call costs nothing, so that players say "check": then there is no fold to choose."""
    labels = [said(choices, action) for action in choices[:2]]
    return "call" in labels and "fold" not in labels


def offered(choices: Choices[Any]) -> str:
    """The choices as a player would say them."""
    return repr(choices).replace("call", "check", 1) if can_check(choices) else repr(choices)


def as_named(turn: Turn, words: str) -> str:
    """What a poker player says (check, bet 4, all-in), as the rules name it (call, raise to 4)."""
    choices = turn.choices
    if words == "check" and can_check(choices):
        return "call"
    if words.startswith("bet ") and isinstance(choices[0], Move):
        return f"raise to {words.removeprefix('bet ')}"
    if words in ("all-in", "all in", "allin", "shove") and isinstance(choices[0], Move):
        if choices[-1] > CALL and not getattr(turn.game, "limit", False):
            return f"raise to {choices[-1]}"  # in no-limit the largest raise is the whole stack
        if turn.view.stacks[turn.view.seat] <= turn.view.cost:
            return "call"
    return words


def chosen(choices: Choices[Any], words: str) -> Any:
    """The action that the words name: as it is said, the start of that, or the number it ends with."""
    # Of very many choices the last are amounts, which are named by their number below.
    compared = choices if len(choices) <= _MOST_NAMED else [choices[i] for i in range(2)]
    labels = {said(choices, action): action for action in compared}
    first, _, last = words.rpartition(" ")
    named = [label for label in labels if label == words]
    ending = [label for label in labels if last and label.split()[-1] == last and label.startswith(first)]
    begun = [label for label in labels if words and label.startswith(words)]
    for found in (named, ending, begun):
        if len(found) == 1:
            return labels[found[0]]
    kind: Any = type(choices[0])
    with suppress(InputError):
        if words and hasattr(kind, "parse") and kind.parse(words) in choices:  # cards, in any order
            return kind.parse(words)
    number = words.split()[-1] if words else ""
    if number.isascii() and number.isdigit() and len(choices) > _MOST_NAMED and int(number) in choices:
        return int(number)
    raise InputError(f"{words!r} names no action here: there are {offered(choices)}")


def rivals(game: AnyGame) -> int:
    """How many agents a person plays against."""
    return max(1, game.seats - 1)


def sit_down(
    game: AnyGame,
    others: Sequence[Agent],
    seat: int,
    seed: int,
    ask: Callable[[], str | None],
    tell: Callable[[str], None],
    as_json: bool = False,
) -> Record:
    """Play one game against these agents, who sit in the other seats in order; tells how it ended.

    In a game for one, one agent plays the same deal alone when the person is done.
    """
    alone = game.seats == 1
    wanted = rivals(game)
    if len(others) != wanted:
        raise InputError(f"{game.name} has {game.seats} seats: {wanted} agents are wanted, not {len(others)}")
    if not 0 <= seat < game.seats:
        raise InputError(f"seat {seat + 1}: {game.name} has seats 1 to {game.seats}")
    thoughts: list[Thought] = []
    places = [place for place in range(game.seats) if place != seat]
    agents: list[Agent] = [
        Observed(agent, f"seat {place + 1}, {agent.name}", thoughts)
        for place, agent in zip(places, others, strict=not alone)
    ]
    agents.insert(seat, Person(ask, tell, others[0], thoughts, as_json))
    dealer, streams = Seeds.of(seed, game.seats).for_deal(0)
    record = play(game, agents, dealer, streams)
    *_, end = replay(record)
    payoff, theirs = record.payoffs[seat], 0.0
    if alone:
        dealer, streams = Seeds.of(seed, game.seats).for_deal(0)
        theirs = play(game, [Observed(others[0], others[0].name, thoughts)], dealer, streams).payoffs[0]
    if as_json:
        shown = {
            "table": game.drawing(game.view(end, seat)),
            "payoff": payoff,
            **({"theirs": theirs} if alone else {}),
            "reasons": [str(thought) for thought in thoughts],
            "record": record.to_dict(),
        }
        tell(json.dumps(shown, ensure_ascii=False))
        return record
    outcome = f"you won {payoff:+g}" if payoff > 0 else f"you lost {payoff:g}" if payoff < 0 else "nobody won"
    if alone:
        outcome = f"you have {payoff:g}, and {others[0].name} has {theirs:g} on the same deal"
    tell(f"\n{game.drawing(game.view(end, seat))}\n{outcome} (seed {seed})")
    tell("\nwhat the others thought:\n" + "\n".join(map(str, thoughts)))
    return record
