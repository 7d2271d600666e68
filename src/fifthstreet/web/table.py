"""A table as a sequence of events: who sits there, their stacks, and the hand in play. Only `apply` changes it.

Events are JSON objects in the store; the same events always produce the same table.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

from fifthstreet.arena.session import Seated
from fifthstreet.errors import InputError
from fifthstreet.games import game_named
from fifthstreet.games.game import AnyGame
from fifthstreet.web.deck import new_seed
from fifthstreet.web.drawing import face_of
from fifthstreet.web.drawing.face import Face, Json, short
from fifthstreet.web.hand_in_play import Deal, Hand
from fifthstreet.web.refusals import NotAllowed, NotYourTurn, Outdated

PERSON = "you"
ABSENT = 60.0


@dataclass(frozen=True)
class Plan:
    """How a table is set up."""

    game: str
    chairs: tuple[str, ...]  # "you" for a person, otherwise an agent such as "eva:samples=200"
    practice: bool = False
    carry: bool = True  # stacks carry over from hand to hand
    stand_in: str | None = None  # the agent that plays for a person who is not there; None for the usual one
    absent_s: float | None = ABSENT  # seconds after which it does, while others wait; None for never

    @classmethod
    def from_json(cls, given: Json) -> "Plan":
        return cls(**given | {"chairs": tuple(given["chairs"])})

    def to_json(self) -> Json:
        return vars(self) | {"chairs": list(self.chairs)}

    @property
    def people(self) -> list[int]:
        return [chair for chair, who in enumerate(self.chairs) if who == PERSON]


@dataclass
class Table:
    plan: Plan
    game: AnyGame = field(init=False)
    face: Face = field(init=False)
    stacks: list[int] = field(init=False)  # by chair, between hands
    hand: Hand | None = None
    hands: int = 0  # started so far
    results: list[dict[int, float]] = field(default_factory=list)  # payoffs by chair of each hand, without branches
    judged: list[Json] = field(default_factory=list)  # the coaches' verdicts on people's choices
    opening: Json | None = None  # at a table that continues an earlier hand: the event that started it
    rivals: dict[int, float] = field(default_factory=dict)  # by chair: scores of agents on the same deal
    stand_ins: dict[int, str] = field(default_factory=dict)  # by chair: the agent that plays for an absent person
    joined: dict[int, str | None] = field(default_factory=dict)  # the chairs of friends who came, with new tokens

    def __post_init__(self) -> None:
        self.game = game_named(self.plan.game, len(self.plan.chairs))
        self.face = face_of(self.game)
        self.stacks = [self.game.stack if isinstance(self.game, Seated) else 0] * len(self.plan.chairs)

    @property
    def alone(self) -> bool:
        """Whether the game has one player: agents in the other chairs then play the same deal afterwards."""
        return self.game.seats == 1

    @functools.cached_property
    def names(self) -> list[str]:
        """The name of each chair, numbered if several are the same."""
        people, found = self.plan.people, []
        taken = dict.fromkeys(self.plan.chairs, 0)
        for who in self.plan.chairs:
            taken[who] += 1
            name = ("You" if len(people) == 1 else "Player") if who == PERSON else who.partition(":")[0]
            many = self.plan.chairs.count(who) > 1
            found.append(f"{name} {taken[who]}" if many else name)
        return found

    @property
    def players(self) -> list[str]:
        """Who plays in each chair now: a person, an agent, or the agent that stands in for a person."""
        return [self.stand_ins.get(chair, who) for chair, who in enumerate(self.plan.chairs)]

    @property
    def free(self) -> list[int]:
        """The chairs of friends who have not come yet: whoever comes first may sit there."""
        return [chair for chair in self.plan.people[1:] if chair not in self.joined]

    def tokens(self, given: Mapping[str, int]) -> dict[str, int]:
        """The chair of each token: those that were given at the start, less those of seats that somebody else took."""
        return {self.joined.get(chair) or token: chair for token, chair in given.items()}

    def won(self, chair: int) -> list[float]:
        """What the chair won in each hand."""
        return [result[chair] for result in self.results if chair in result]

    def hand_after(self, event: Json) -> Hand | None:
        """The hand as it will be after this event, which changes nothing yet; None if the event is not about one."""
        if event["kind"] == "hand":
            hand = Hand(Deal.from_json(event["deal"]))
            for action in event.get("before", ()):
                hand.act(action)
        elif event["kind"] in ("act", "undo"):
            assert self.hand is not None
            hand = self.hand.copy()
            if event["kind"] == "act":
                hand.act(event["action"], event.get("thought"), event.get("failed"))
            else:
                hand.undo()
        else:
            return None
        return hand

    def apply(self, event: Json, hand: Hand | None = None) -> None:
        """Let this event happen; `hand` is `hand_after(event)`, if that is known already."""
        kind = event["kind"]
        if kind in ("hand", "act", "undo"):
            self.hand = hand or self.hand_after(event)
            assert self.hand is not None
            if kind == "hand":
                self.hands += 1
                self.rivals = {}
                self.opening = event if self.hand.deal.branch else None
            if self.hand.over:
                self._finish(self.hand)
        elif kind == "rebuy":
            for chair in event["chairs"]:
                self.stacks[chair] = self._stack
        elif kind == "stand_in":
            self.stand_ins[event["chair"]] = event["agent"]
        elif kind == "joined":
            self.joined[event["chair"]] = event["token"] or self.joined.get(event["chair"])
            self.stand_ins.pop(event["chair"], None)
        elif kind == "rival":
            self.rivals[event["chair"]] = event["score"]
        elif kind == "judged":
            self.judged.append(event)

    def _finish(self, hand: Hand) -> None:
        if hand.deal.branch is None:
            self.results.append(hand.payoffs())
        if self.has_chips and hand.deal.chips is None and self.plan.carry:
            for chair, won in hand.payoffs().items():
                self.stacks[chair] = hand.deal.stacks[hand.deal.order.index(chair)] + int(won)

    @property
    def has_chips(self) -> bool:
        return isinstance(self.game, Seated)

    @property
    def _stack(self) -> int:
        return self.game.stack if isinstance(self.game, Seated) else 0

    def next_hand(self) -> Json:
        """The event that starts the next hand; InputError if it cannot start now."""
        if self.hand is not None and not self.hand.over:
            raise InputError("the next hand starts when this one is over")
        if self.opening is not None:
            return self.opening  # a branch is played again from the same step
        chairs = [0] if self.alone else list(range(len(self.plan.chairs)))
        if not self.has_chips:
            order = chairs[::-1] if self.hands % 2 else chairs  # the first player is second in the next game
            return self._hand_event(Deal(self.plan.game, tuple(order), seed=new_seed()))
        stacks = self.stacks if self.plan.carry else [self._stack] * len(chairs)
        able = [chair for chair in chairs if stacks[chair] > 0]
        if len(able) < 2:
            raise InputError("only one player has chips left: the others have to buy in again")
        people = [chair for chair in self.plan.people if stacks[chair] > 0]
        if self.plan.people and not people:
            raise InputError("you have no chips left: buy in again to go on")
        first = (self.hand.deal.order[0] if self.hand else len(chairs) - 1) + 1
        order = sorted(able, key=lambda chair: (chair - first) % len(chairs))
        return self._hand_event(Deal(self.plan.game, tuple(order), tuple(stacks[chair] for chair in order), new_seed()))

    def _hand_event(self, deal: Deal) -> Json:
        return {"kind": "hand", "deal": deal.to_json()}

    def rebuy(self) -> Json:
        """The event that gives a new stack to everybody who has no chips left."""
        out = [chair for chair, stack in enumerate(self.stacks) if stack <= 0]
        if not self.has_chips or not self.plan.carry:
            raise InputError("there is no buying in at this table")
        if self.hand is not None and not self.hand.over:
            raise InputError("chips are bought between hands, and this one is not over")
        if not out:
            raise InputError("everybody has chips")
        return {"kind": "rebuy", "chairs": out}

    def choice(self, chair: int, hand: object, number: object, given: object) -> int:
        """The action that a person asks for, if it is their turn and the rules allow it; InputError otherwise."""
        if self.hand is None:
            raise InputError("there is no hand yet")
        if any(type(each) is not int for each in (hand, number)) or (hand, number) != (self.hands, self.hand.changes):
            raise Outdated(
                f"this answers hand {short(hand)}, number {short(number)}, but the table is at hand {self.hands}, "
                f"number {self.hand.changes}"
            )
        if self.hand.over:
            raise InputError("the hand is over")
        if self.hand.to_act != chair:
            raise NotYourTurn(f"it is not your turn: {self.names[self.hand.to_act or 0]} is to act")
        if not isinstance(given, dict):
            raise InputError(f"{short(given)}: an action is an object")
        try:
            action = self.face.action(self.hand.game, self.hand.view(chair), given)
            self.hand.after(action)
        except InputError as error:
            raise NotAllowed(str(error)) from None
        return action

    def undo(self, chair: int) -> Json:
        if not (self.alone and self.plan.practice):
            raise InputError("nothing is taken back at this table: only one-player games in practice mode allow it")
        if self.hand is None or not self.hand.steps:
            raise InputError("there is nothing to take back")
        if self.hand.over:
            raise InputError("the game is over, and its cards are known")
        return {"kind": "undo"}
