"""A person plays any game against agents, in a terminal or through a program; the table is drawn as text.

The person is an agent that waits for a line of input. The reasons of the other agents are shown on request, but only
when they give nothing away: at once in a game without hidden cards, otherwise at the end. Advice is what an opponent
would do in the person's seat, knowing only what the person knows.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, AgentFailure, Decision, Turn
from fifthstreet.arena.failure import blamed
from fifthstreet.arena.play import Record, play, replay
from fifthstreet.arena.seeds import Seeds
from fifthstreet.errors import InputError, quoted
from fifthstreet.games.betting import CALL, Move
from fifthstreet.games.game import AnyGame, Choices, Lesson, word

HELP = "an action as you would say it (check, bet 4) or its number · ? for advice · why for the others' reasons · quit"
_MOST_DIGITS = 18  # of an amount that was typed
_MOST_NAMED = 1_000  # choices that are compared with what was typed, word by word


@dataclass
class Thought:
    """A decision of an agent, for the person to read."""

    who: str
    action: str
    decision: Decision
    open: bool  # whether it may be shown before the game is over, because nothing about it is hidden

    def __str__(self) -> str:
        return f"{self.who}: {self.action}. {self.decision.reason}"


@dataclass
class Observed(Agent):
    """An agent whose decisions are added to a list of thoughts."""

    agent: Agent
    label: str
    thoughts: list[Thought]

    def __post_init__(self) -> None:
        self.name = self.agent.name  # type: ignore[misc]  # under which its failures are reported

    def decide(self, turn: Turn[Any]) -> Decision:
        with blamed(self.agent, "to decide"):
            decision = self.agent.decide(turn)
        if isinstance(decision, Decision):
            action = said(turn.choices, decision.action)
            self.thoughts.append(Thought(self.label, action, decision, turn.game.lies_open(turn.view)))
        return decision

    def learn(self, view: Any, payoff: float) -> None:
        self.agent.learn(view, payoff)

    def lesson(self, game: AnyGame) -> Lesson | None:
        return self.agent.lesson(game)

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        return self.agent.mind(game)


@dataclass
class Person(Agent):
    """An agent that asks a person for every action."""

    ask: Callable[[], str | None]  # returns the next line of input, or None at its end
    tell: Callable[[str], None]  # shows a text, or a line of JSON
    adviser: Agent  # whose decision is the advice
    thoughts: list[Thought]  # of the other agents
    as_json: bool = False
    _told: int = field(default=0, init=False)  # thoughts that the person has already asked for

    def decide(self, turn: Turn[Any]) -> Decision:
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

    def _show(self, turn: Turn[Any]) -> None:
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
            self.tell("\n".join(lines) or "nothing can be shown before the game is over")

    def _advice(self, turn: Turn[Any]) -> str:
        given = Turn(turn.game, turn.view, turn.choices, turn.rng, self.adviser.mind(turn.game))
        decision = self.adviser.decide(given)
        return f"{self.adviser.name} would: {said(turn.choices, decision.action)}. {decision.reason}"

    def _to_tell(self) -> Sequence[Thought]:
        """The thoughts since the person last asked that may be shown."""
        fresh = [thought for thought in self.thoughts[self._told :] if thought.open]
        self._told = len(self.thoughts)
        return fresh


def said(choices: Choices[Any], action: int) -> str:
    """The name of an action, like "raise to 20"."""
    return word(type(choices[0])(action))


def can_check(choices: Choices[Any]) -> bool:
    """Whether a call costs nothing, so that players say "check": then there is no fold to choose."""
    labels = [said(choices, action) for action in choices[:2]]
    return "call" in labels and "fold" not in labels


def offered(choices: Choices[Any]) -> str:
    """The choices as a player would say them."""
    return repr(choices).replace("call", "check", 1) if can_check(choices) else repr(choices)


def as_named(turn: Turn[Any], words: str) -> str:
    """What a poker player says (check, bet 4, all-in), as the rules name it (call, raise to 4)."""
    choices = turn.choices
    if words == "check" and can_check(choices):
        return "call"
    if words.startswith("bet ") and isinstance(choices[0], Move):
        return f"raise to {words.removeprefix('bet ')}"
    if words in ("all-in", "all in", "allin", "shove") and isinstance(choices[0], Move):
        if choices[-1] > CALL and not getattr(turn.game, "limit", False):
            return f"raise to {choices[-1]}"  # in no-limit the largest raise is the whole stack
        if turn.view.stacks[turn.view.seat] <= turn.view.to_call:
            return "call"
    return words


def chosen(choices: Choices[Any], words: str) -> Any:
    """The action that these words name: its name, the start of its name, or the number at the end of its name."""
    # Where there are very many choices, all but the first two are amounts, and are found by their number below.
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
    number = last if len(last) <= _MOST_DIGITS and last.isascii() and last.isdigit() else ""
    if number and len(choices) > _MOST_NAMED and int(number) in choices:
        return int(number)
    raise InputError(f"{quoted(words)} names no action here: there are {offered(choices)}")


def rivals(game: AnyGame) -> int:
    """The number of agents that a person plays against; in a one-player game, one plays the same deal."""
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
    """Let a person play one game, show how it ended, and return its record.

    others   the agents in the other seats, in order; in a one-player game one agent, who then plays the same deal
    seat     where the person sits, from 0
    ask      returns the next line of input, or None at its end
    tell     shows a text; with `as_json`, a line of JSON
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
    outcome = f"you won {payoff:g}" if payoff > 0 else f"you lost {-payoff:g}" if payoff < 0 else "you broke even"
    if alone:
        outcome = f"you have {payoff:g} {game.payoff_unit}, and {others[0].name} has {theirs:g} on the same deal"
    tell(f"\n{game.drawing(game.view(end, seat))}\n{outcome} (seed {seed})")
    tell("\nwhy the others played as they did:\n" + "\n".join(map(str, thoughts)))
    return record
