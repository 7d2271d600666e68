"""Agents in hold'em spots: what an agent does with each hand there, as fixed play that the other side can answer.

The agent is shown a hand of heads-up hold'em that comes to the spot: the button raises to half the pot and is called,
and both check until the street of the spot. Bets that the spot does not have are taken for the nearest that it has.
"""

from collections.abc import Callable, Sequence

import numpy as np

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.agent import Turn, acted, mind_of
from fifthstreet.arena.failure import blamed
from fifthstreet.cards import DECK_SIZE, Card
from fifthstreet.errors import InputError, quoted, whole
from fifthstreet.evaluation.ranges import Combo
from fifthstreet.games.betting import CALL, FOLD
from fifthstreet.games.holdem import Holdem, HoldemState
from fifthstreet.rng import stream
from fifthstreet.solvers.betting_tree import SIDES
from fifthstreet.solvers.spot import Spot
from fifthstreet.solvers.spot_solver import Chooser, Lock

SAMPLES = 20  # decisions with each hand of an agent that does not state its probabilities


def play_of(agent: str | Agent, spot: Spot, samples: int = SAMPLES, seed: int = 0) -> Chooser:
    """What an agent does with each hand in a spot, to be locked there.

    samples  how often an agent that does not state its probabilities is asked at each decision
    """
    samples = whole(samples, "samples", least=1, most=100_000)
    player = agent_named(agent, "holdem") if isinstance(agent, str) else agent
    if spot.pot % 2:
        raise InputError(f"a pot of {spot.pot}: half of it must be whole chips, so that an agent can have come here")
    half = spot.pot // 2
    blind = spot.pot // 5 if spot.pot >= 5 else half
    game = Holdem(seats=2, stack=spot.stack + half, small_blind=blind // 2, big_blind=blind)
    with blamed(player, "to set up its mind"):
        mind, policy = mind_of(player, game), player.policy(game)
    rng = stream(seed, "spot", player.name)

    def choose(line: tuple[str, ...], board: list[Card], combo: Combo, actions: Sequence[str]) -> list[float]:
        seat = _seat(line)
        state = _state(game, line, board, combo, seat, half)
        view = game.view(state, seat)
        with blamed(player, "to decide"):
            stated = player.probabilities(view, game)
            if stated is None:
                stated = {}
                choices = game.choices(state)
                for _ in range(samples):
                    if policy is not None:
                        action = acted(policy, view, mind, rng.state)
                    else:
                        action = player.decide(Turn(game, view, choices, rng, mind)).action
                    stated[action] = stated.get(action, 0.0) + 1 / samples
            found = np.zeros(len(actions))
            for action, chance in stated.items():
                found[_nearest(int(action), actions)] += chance
        return [float(chance) for chance in found / found.sum()]

    return choose


def _seat(line: tuple[str, ...]) -> int:
    """Who acts after a line: out of position, seat 0, begins on each street."""
    return (line[::-1].index("/") if "/" in line else len(line)) % 2


def _state(game: Holdem, line: tuple[str, ...], board: list[Card], combo: Combo, seat: int, half: int) -> HoldemState:
    """A hand in which this seat holds these cards, and the other any."""
    free = [Card(card) for card in range(DECK_SIZE) if card not in (*board, *combo)]
    pairs = [combo, (free[0], free[1])]
    actions = [half if half > game.big_blind else CALL, CALL]  # before the flop
    actions += [CALL, CALL] * (len(board) - 3 - line.count("/"))
    for step in line:
        word, *amount = step.split()
        if word != "/":
            actions.append(int(amount[0]) if amount else FOLD if word == "fold" else CALL)
    cards = [*pairs[seat], *pairs[1 - seat]] if seat == 0 else [*pairs[1], *pairs[0]]
    cards += board
    state = game.start()
    while cards or actions:
        chance = game.to_act(state) == -1
        state = game.after(state, cards.pop(0) if chance else actions.pop(0))
    return state


def _nearest(action: int, actions: Sequence[str]) -> int:
    """Which of the spot's actions an agent's action is."""
    passive = next(i for i, name in enumerate(actions) if name in ("check", "call"))
    if action == FOLD:
        return actions.index("fold") if "fold" in actions else passive
    bets = {i: int(name.split()[1]) for i, name in enumerate(actions) if " " in name}
    if action == CALL or not bets:
        return passive
    return min(bets, key=lambda i: abs(bets[i] - action))


def locks_of(given: Sequence[str], play: Callable[[str], Lock]) -> dict[str, Lock]:
    """Fixed play from texts such as "ip=eva", or "check, bet 90=any fold 0.5 call 0.5; AA call 1".

    play  what the agent of this name does, as from `play_of`
    """
    found: dict[str, Lock] = {}
    for text in given:
        place, _, wanted = (part.strip() for part in text.partition("="))
        if not wanted:
            raise InputError(
                f"{quoted(text)} fixes nothing: give a place and play, like 'ip=eva' or 'check=any check 1'"
            )
        agent = place in SIDES and len(wanted.split()) == 1
        found[place] = play(wanted) if agent else _by_hand(wanted)
    return found


def _by_hand(play: str) -> dict[str, dict[str, float]]:
    """Probabilities by range: 'any fold 0.5 call 0.5; AA call 1'."""
    found: dict[str, dict[str, float]] = {}
    for part in play.split(";"):
        hands, *rest = part.split() or [""]
        chances: dict[str, float] = {}
        name: list[str] = []
        for word in rest:
            if name and (name[0] in ("check", "call", "fold") or len(name) == 2):
                try:
                    chances[" ".join(name)] = float(word)
                except ValueError:
                    raise InputError(f"{quoted(word)} is no probability of {' '.join(name)}") from None
                name = []
            else:
                name.append(word)
        if name or not chances:
            raise InputError(
                f"{quoted(play)} is no play: give hands, then actions with probabilities, like 'any fold 0.5 call 0.5'"
            )
        found[hands] = chances
    return found
