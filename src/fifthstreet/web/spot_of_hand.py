"""What should I have done? A moment of a finished hand as a spot to be solved, with ranges that a coach believes in.

The coach holds a hand possible as far as it would have played it as its owner did: at each decision (fold, call or
raise, whatever the amount) its weight is multiplied by how often the coach would have chosen the same, by a tenth if
never. Weights are in proportion to the largest. Only what happened before the street counts: the decisions on it are
part of the spot.
"""

from fifthstreet.agents import Agent
from fifthstreet.agents.agent import AgentFailure, Turn
from fifthstreet.cards import parse_cards, show
from fifthstreet.errors import InputError
from fifthstreet.evaluation.ranges import ALL_COMBOS, CLASSES, Combo, class_of, combos_of
from fifthstreet.games.game import Mind
from fifthstreet.rng import stream
from fifthstreet.web.drawing.face import Json, number, short
from fifthstreet.web.finished_hands import hand_from
from fifthstreet.web.host import Host
from fifthstreet.web.players import Player
from fifthstreet.web.refusals import Late
from fifthstreet.web.spots import SIDES

NEVER = 0.1  # what remains of a weight where the coach would always have chosen otherwise
LEAST = 0.02  # a smaller weight is none
ASKED = 8  # times, of an agent that may choose at random
SECONDS = 20.0
EVERYTHING = "random"


async def spot_of_hand(host: Host, body: Json, given: object, who: str) -> Json:
    """The spot at a step of a stored hand, and which cards and names belong to it; `who` asks for it."""
    if not isinstance(given, dict) or set(given) - {"step", "coach"}:
        raise InputError(f"{short(given)} is not a moment: it must be an object with a step, and a coach")
    step, coach = number(given.get("step"), "step"), given.get("coach")
    if not 0 <= step < len(body["steps"]):
        raise InputError(f"step {step}: this hand has {len(body['steps'])} of them")
    agent = None if coach is None else host.guests.agent(coach, body["game"])
    moment = await host.thinkers.do(lambda: Moment(body, step))
    ranges = [EVERYTHING, EVERYTHING]
    if agent is not None:
        player = Player(agent, moment.hand.game, host.preparation, who=who)
        try:
            await player.prepare()
            found = await player.ask("believe", SECONDS, body=body, step=step)
        except AgentFailure as error:
            raise Late(f"{agent.name} was asked what to believe about both ranges, and {error}") from None
        ranges = found["ranges"]
    return moment.spot(ranges)


class Moment:
    """A step of a stored hand, with every state that led there."""

    def __init__(self, body: Json, step: int) -> None:
        self.hand = hand_from(body)
        self.game, self.face = self.hand.game, self.hand.face
        self.states = list(self.hand.states())[: step + 1]
        found = self.face.spot(self.states, [done.action for done in self.hand.steps[:step]])
        if found is None:
            raise InputError(f"step {step} is no spot: two players are left on the turn or river, and one is to act")
        self.first, self.seats, self.to_act = found.pop("first"), found.pop("seats"), found.pop("to_act")
        self.chairs = [self.hand.deal.order[seat] for seat in self.seats]
        if self.chairs[self.to_act] in body.get("unknown", ()):
            found["held"] = None
        self.found, self.names = found, [body["names"][chair] for chair in self.chairs]
        self.done = self.hand.steps[step].entry

    def spot(self, ranges: list[str]) -> Json:
        """The spot as a request for it would give it, and what the hand adds to it."""
        return {
            **self.found,
            **dict(zip(SIDES, ranges, strict=True)),
            "names": self.names,
            "to_act": SIDES[self.to_act],
            "done": self.done,
        }

    def believed(self, agent: Agent, mind: Mind) -> list[str]:
        """The range of each side in which the agent believes."""
        return [self._believed(agent, mind, side) for side in (0, 1)]

    def _believed(self, agent: Agent, mind: Mind, side: int) -> str:
        seat, board = self.seats[side], {int(card) for card in parse_cards(self.found["board"])}
        weights = {combo: 1.0 for combo in ALL_COMBOS if not board.intersection(combo)}
        policy, rng = agent.policy(self.game), stream(0, "belief", side)
        for state, step in zip(self.states[: self.first], self.hand.steps, strict=False):
            if self.game.to_act(state) != seat:
                continue
            view, choices = self.game.view(state, seat), self.game.choices(state)
            meant = self.face.choice(self.game, view, step.action)["move"]
            blind = not self.face.board(view, self.face.phase(self.game, state))
            alike: dict[object, float] = {}  # before the flop, hands of a class are played alike
            for combo in weights:
                key = class_of(combo) if blind else combo
                if key not in alike:
                    held = self.face.holding(view, combo)
                    if policy is not None:
                        chosen = [policy(held, mind, rng.state) for _ in range(ASKED)]
                    else:
                        chosen = [agent.decide(Turn(self.game, held, choices, rng, mind.copy())).action]
                    same = [self.face.choice(self.game, held, int(action))["move"] == meant for action in chosen]
                    alike[key] = max(NEVER, sum(same) / len(same))
                weights[combo] *= alike[key]
        most = max(weights.values())
        kept = {combo: round(weight / most, 2) for combo, weight in weights.items() if weight >= LEAST * most}
        if side == self.to_act and self.found["held"]:
            first, second = parse_cards(self.found["held"])
            kept[first, second] = 1.0
        return in_words(kept)


def in_words(weights: dict[Combo, float]) -> str:
    """A range as text: a class where all its hands that are there weigh the same, else hand by hand."""
    classes: dict[str, list[tuple[Combo, float]]] = {name: [] for name in CLASSES}
    for combo, weight in weights.items():
        classes[class_of(combo)].append((combo, weight))
    parts = []
    for name, found in classes.items():
        if len(found) == len(combos_of(name)) and len({weight for _, weight in found}) == 1:
            parts.append((name, found[0][1]))
        else:
            parts += [(show(combo), weight) for combo, weight in found]
    return ",".join(name if weight == 1 else f"{name}:{weight:g}" for name, weight in parts)
