"""Hold'em compared with its peers: six players with 100 big blinds, all legal actions and amounts equally likely."""

import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.holdem.simple import CallStation
from fifthstreet.agents.random_choice import RandomChoice
from fifthstreet.arena.play import play
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.session import session
from fifthstreet.arena.units import play_unit
from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.games.holdem import Holdem
from fifthstreet.rng import stream

NAME = "holdem"
HANDS = 20_000
FEW = 200


def measure() -> Iterator[list[Measurement]]:
    for what, agent, choose in (("random", RandomChoice(), _any), ("call-only", CallStation(), _call)):
        times = {HERE: _play(agent, HANDS, compiled=True), **dict(_peers(choose))}
        yield compare(NAME, f"{what} hands at a compiled table", "hands/s", 1, times, True)
        times[HERE] = _play(agent, FEW, compiled=False)
        yield compare(NAME, f"{what} hands through the protocol", "hands/s", 1, times, True)
    text = _recorded_hands(FEW)
    yield compare(NAME, "PHH hands read and replayed", "hands/s", FEW, dict(_replays(text)), True)
    yield compare(NAME, "Table 4.2: ten players, 10,000 hands", "s", 1, {HERE: _table_4_2()}, False)
    yield compare(NAME, "EVA with 1,000 samples", "decisions/s", 1, {HERE: _eva()}, True)


def _play(agent: Agent, hands: int, compiled: bool) -> float:
    game, agents, order = Holdem(), [agent] * 6, np.arange(6).reshape(1, -1)
    seeds = Seeds.of(1, 6)
    return seconds(lambda: play_unit(game, agents, order, seeds, 0, hands, compiled)) / hands


Choose = Callable[[int, int, bool, random.Random], int]


def _any(lowest: int, highest: int, fold: bool, rng: random.Random) -> int:
    """Return a legal action or amount, all equally likely."""
    pick = rng.randrange(1 + fold + (highest - lowest + 1 if highest else 0)) - fold
    return pick if pick <= 0 else lowest + pick - 1


def _call(lowest: int, highest: int, fold: bool, rng: random.Random) -> int:
    return 0


def _peers(choose: Choose) -> Iterator[tuple[str, float]]:
    """Yield the seconds per hand of every installed peer, with the same stakes and the same choice of actions."""
    rng = random.Random(1)
    try:
        import pyspiel

        game = _openspiel_game(pyspiel)
        yield "OpenSpiel universal_poker", seconds(lambda: [_openspiel(game, choose, rng) for _ in range(500)]) / 500
    except ImportError:
        pass
    try:
        import pokerkit

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield "pokerkit", seconds(lambda: [_pokerkit(pokerkit, choose, rng) for _ in range(20)]) / 20
    except ImportError:
        pass


def _openspiel_game(pyspiel: Any) -> Any:
    stacks, blinds = " ".join(["200"] * 6), "1 2 0 0 0 0"
    settings = f"betting=nolimit,numPlayers=6,numRounds=4,blind={blinds},firstPlayer=3 1 1 1,stack={stacks}"
    cards = "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,bettingAbstraction=fullgame"
    return pyspiel.load_game(f"universal_poker({settings},{cards})")


def _openspiel(game: Any, choose: Choose, rng: random.Random) -> object:
    state = game.new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        if state.is_chance_node():
            state.apply_action(legal[rng.randrange(len(legal))])
        elif choose is _call:
            state.apply_action(1)
        else:
            state.apply_action(legal[rng.randrange(len(legal))])
    return state.returns()


def _pokerkit(pokerkit: Any, choose: Choose, rng: random.Random) -> object:
    table = pokerkit.NoLimitTexasHoldem.create_state(tuple(pokerkit.Automation), True, 0, (1, 2), 2, 200, 6)
    while table.status:
        lowest, highest = 0, 0
        if table.can_complete_bet_or_raise_to():
            lowest = table.min_completion_betting_or_raising_to_amount
            highest = table.max_completion_betting_or_raising_to_amount
        action = choose(lowest, highest, table.checking_or_calling_amount > 0, rng)
        if action < 0:
            table.fold()
        elif action == 0:
            table.check_or_call()
        else:
            table.complete_bet_or_raise_to(action)
    return table


def _recorded_hands(count: int) -> str:
    """Return random hands played here, as the text of a .phhs file."""
    from fifthstreet.histories import phh
    from fifthstreet.histories.record import recorded

    game, hands = Holdem(), []
    for number in range(count):
        rng, state = stream(number, "bench"), game.start()
        while game.to_act(state) is not None:
            choices = game.choices(state)
            state = game.after(state, choices[rng.below(len(choices))])
        hands.append(phh.from_record(recorded(state)))
    return phh.write(hands)


def _replays(text: str) -> Iterator[tuple[str, float]]:
    """Yield the seconds it takes to read and replay all hands of the text, here and in pokerkit."""
    from fifthstreet.histories import phh
    from fifthstreet.histories.record import replay_hand

    def here() -> object:
        return [replay_hand(phh.to_record(fields), words=False) for _, fields in phh.read(text)]  # type: ignore[arg-type]

    yield HERE, seconds(here)
    try:
        import pokerkit
    except ImportError:
        return

    def there() -> object:
        ends = []
        for history in pokerkit.HandHistory.loads_all(text):
            *_, end = history
            ends.append(end.stacks)
        return ends

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield "pokerkit", seconds(there)


def _table_4_2() -> float:
    from fifthstreet.papers.holdem_simulator.tables import CARD_ROOM_RULES, TABLE_4_2, agents_of

    agents = agents_of(TABLE_4_2, CARD_ROOM_RULES)
    return seconds(lambda: session(CARD_ROOM_RULES.table(), agents, 10_000, 1, workers=1))


def _eva() -> float:
    """Return the seconds per decision when two EVA agents play heads-up."""
    eva, decisions = agent_named("eva", "holdem"), 0
    game, order, seeds, hands = Holdem(seats=2), np.arange(2).reshape(1, -1), Seeds.of(1, 2), 300
    for number in range(hands):
        dealer, streams = seeds.for_deal(number)
        decisions += sum(step.seat >= 0 for step in play(game, [eva, eva], dealer, streams).steps)
    return seconds(lambda: play_unit(game, [eva, eva], order, seeds, 0, hands, True)) / decisions
