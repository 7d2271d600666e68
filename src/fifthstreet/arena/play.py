"""The one loop: a game, its agents, chance, until it is over; and the replay of its record."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fifthstreet.agents.agent import Agent, AgentFailure, Decision, Turn, mind_of
from fifthstreet.arena.failure import blamed, blamed_on_rules, failure
from fifthstreet.arena.limits import Limit
from fifthstreet.errors import InputError, is_theirs, quoted, sentence
from fifthstreet.games import game_named
from fifthstreet.games.game import CHANCE, AnyGame, IllegalAction, Mind, RuledGame
from fifthstreet.naming import spec_of
from fifthstreet.rng import Stream


@dataclass(slots=True)
class Step:
    """One action of a record: who acted, what they did, and their reasons where an agent decided."""

    seat: int
    action: int
    decision: Decision | None = None


@dataclass(frozen=True)
class Record:
    """What happened in a game, enough to play it again."""

    game: str  # as it is named, parameters included
    steps: tuple[Step, ...]
    payoffs: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        steps = [{"seat": step.seat, "action": int(step.action)} for step in self.steps]
        return {"game": self.game, "steps": steps, "payoffs": list(self.payoffs)}

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> "Record":
        try:
            steps = tuple(Step(int(step["seat"]), int(step["action"])) for step in given["steps"])
            return cls(str(given["game"]), steps, tuple(float(payoff) for payoff in given["payoffs"]))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InputError(f"this is not the record of a game: {sentence(error)}") from None


class FixedDeck:
    """A dealer who deals these cards in this order."""

    def __init__(self, cards: Iterable[int]) -> None:
        self._cards = iter(cards)

    def deal(self, game: AnyGame, state: Any) -> tuple[Any, Sequence[int]]:
        card = next(self._cards)
        return game.after(state, card), [card]


def play(
    game: AnyGame,
    agents: Sequence[Agent],
    dealer: Stream | FixedDeck,
    streams: Sequence[Stream],
    minds: Sequence[Mind] | None = None,
) -> Record:
    """Play one game; agents[i] sits in seat i, draws from streams[i] and has minds[i]."""
    return played(game, agents, dealer, streams, minds)[0]


def played(
    game: AnyGame,
    agents: Sequence[Agent],
    dealer: Stream | FixedDeck,
    streams: Sequence[Stream],
    minds: Sequence[Mind] | None = None,
    limit: Limit | None = None,
) -> tuple[Record, Any]:
    """The same, with the state at the end of the game, and perhaps a limit for each decision."""
    try:
        return _played(game, agents, dealer, streams, minds, limit)
    except BaseException:
        with blamed_on_rules(game):  # only now, since entering it takes time
            raise


def _played(
    game: AnyGame,
    agents: Sequence[Agent],
    dealer: Stream | FixedDeck,
    streams: Sequence[Stream],
    minds: Sequence[Mind] | None,
    limit: Limit | None,
) -> tuple[Record, Any]:
    if minds is None:
        minds = [mind_of(agent, game) for agent in agents]
    state, steps = game.start(), []
    while (seat := game.to_act(state)) is not None:
        if seat == CHANCE:
            state, dealt = dealer.deal(game, state) if isinstance(dealer, FixedDeck) else _deal(game, state, dealer)
            steps += [Step(CHANCE, action) for action in dealt]
            continue
        turn = Turn(game, game.view(state, seat), game.choices(state), streams[seat], minds[seat])
        try:  # `blamed` written out, because it happens at every turn
            decision = agents[seat].decide(turn) if limit is None else limit.decide(agents[seat], turn)
        except BaseException as error:
            if type(error) is AgentFailure or not is_theirs(error):
                raise
            raise failure(agents[seat], "to decide", error) from error
        if not isinstance(decision, Decision):
            raise AgentFailure(f"{agents[seat].name} decided {quoted(decision)}, which is not a Decision")
        step = Step(seat, decision.action, decision)
        try:
            state = game.after(state, step.action)
        except IllegalAction as error:
            raise IllegalAction(f"{agents[step.seat].name}: {error}") from None
        steps.append(step)
    payoffs = tuple(float(payoff) for payoff in game.payoffs(state))
    for place, agent in enumerate(agents):
        if type(agent).lesson is Agent.lesson and type(agent).learn is Agent.learn:
            continue
        with blamed(agent, "to learn"):
            lesson = agent.lesson(game)
            if lesson is None and type(agent).learn is Agent.learn:
                continue
            seen = game.view(state, place)
            if lesson is not None:
                lesson(seen, payoffs[place], minds[place])
            agent.learn(seen, payoffs[place])
    return Record(spec_of(game), tuple(steps), payoffs), state


def _deal(game: AnyGame, state: Any, dealer: Stream) -> tuple[Any, Sequence[int]]:
    """Let chance act: the state that follows, and what chance chose."""
    if isinstance(game, RuledGame):
        return game.deal(state, dealer)
    choices = game.choices(state)
    action = choices[dealer.below(len(choices))]
    return game.after(state, action), [action]


def replay(record: Record) -> Iterator[Any]:
    """The states of a recorded game from the start to the end; an error where the record breaks the rules."""
    game = game_named(record.game)
    state = game.start()
    yield state
    for number, step in enumerate(record.steps, 1):
        seat = game.to_act(state)
        if seat is None:
            raise InputError(f"action {number} of the record comes after the end of the game")
        if seat != step.seat:
            raise InputError(f"action {number} of the record is seat {step.seat}'s, but seat {seat} is to act")
        try:
            state = game.after(state, step.action)
        except IllegalAction as error:
            raise IllegalAction(f"action {number} of the record: {error}") from None
        yield state
    if game.to_act(state) is not None:
        raise InputError(f"the record ends after action {len(record.steps)}, before the game is over")
    if tuple(game.payoffs(state)) != record.payoffs:
        raise InputError(f"the record says payoffs {record.payoffs}, the rules say {tuple(game.payoffs(state))}")
