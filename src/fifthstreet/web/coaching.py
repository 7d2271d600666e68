"""The coaches at a table: agents that advise people and judge their choices."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fifthstreet.errors import InputError
from fifthstreet.web.coach import cost, summary
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand_in_play import Hand
from fifthstreet.web.players import Answer, Player
from fifthstreet.web.table import Table

Moment = tuple[int, int]  # the number of a hand, and of changes in it


@dataclass
class Coach:
    spec: str
    player: Player
    asked: Moment | None = None  # the moment that the advice is for
    advice: "asyncio.Task[Answer] | None" = None


class Coaching:
    def __init__(
        self,
        table: Table,
        invite: Callable[[str], Player],
        commit: Callable[[Json], None],
        tell: Callable[[], None],
    ) -> None:
        self._table, self._invite, self._commit, self._tell = table, invite, commit, tell
        self._coaches: dict[int, Coach] = {}
        self._notes: set[asyncio.Task[None]] = set()

    def choose(self, chair: int, spec: str | None) -> None:
        """Let this agent coach the chair; None ends the coaching."""
        if spec is None:
            self._coaches.pop(chair, None)
        else:
            self._coaches[chair] = Coach(spec, self._invite(spec))
            self.advise(chair)
        self._tell()

    def _moment(self, chair: int) -> Moment | None:
        """Now, if it is this chair's turn."""
        hand = self._table.hand
        return (self._table.hands, hand.changes) if hand is not None and hand.to_act == chair else None

    def advise(self, chair: int) -> None:
        """Ask the coach what it would do now in this chair."""
        coach, moment, hand = self._coaches.get(chair), self._moment(chair), self._table.hand
        if coach is None or hand is None or moment is None or coach.asked == moment:
            return
        coach.advice = asyncio.create_task(self._think(coach, coach.advice, hand.at(len(hand.steps)), chair, moment[0]))
        coach.asked = moment
        coach.advice.add_done_callback(lambda _: self._tell())
        self._tell()

    async def _think(
        self, coach: Coach, earlier: "asyncio.Task[Answer] | None", hand: Hand, chair: int, count: int
    ) -> Answer:
        if earlier is not None and not earlier.done():  # the person did not wait for the advice
            await asyncio.wait([earlier])
        return await coach.player.decide(hand, chair, count)

    def judge(self, chair: int, action: int, hand: Hand) -> None:
        """Record what a choice cost, as soon as the coach has an opinion; `hand` is as it was before the choice."""
        coach, moment = self._coaches.get(chair), (self._table.hands, hand.changes)
        if coach is None or coach.advice is None or coach.asked != moment:
            return
        face, game, advice = hand.face, hand.game, coach.advice
        about = {
            "kind": "judged",
            "hand": self._table.hands,
            "step": len(hand.steps),
            "chair": chair,
            "agent": coach.spec,
            "phase": face.phases(game)[face.phase(game, hand.state)],
            "yours": face.label(game, hand.view(chair), action),
        }

        async def note() -> None:
            answer = await advice
            if answer.decision is not None and answer.thought is not None:
                lost = cost(answer.decision, action, face)
                theirs, unit = answer.thought["action"], answer.thought["unit"]
                with contextlib.suppress(InputError):
                    self._commit({**about, "cost": lost, "theirs": theirs, "unit": unit})

        task = asyncio.create_task(note())
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    def shown(self, chair: int, hand_ids: Mapping[int, str]) -> Json | None:
        """What the coach says; it is shown to this chair only."""
        coach, moment = self._coaches.get(chair), self._moment(chair)
        if coach is None:
            return None
        found: Json = {"agent": coach.spec, "thinking": False, "preparing": False, "advice": None, "failed": None}
        if moment is not None and coach.asked == moment and coach.advice is not None:
            found["thinking"] = not coach.advice.done()
            found["preparing"] = found["thinking"] and not coach.player.ready
            if coach.advice.done() and not coach.advice.cancelled():
                answer = coach.advice.result()
                found["failed"], found["advice"] = answer.failed, answer.thought
        return found | summary(self._table.judged, chair, coach.spec, hand_ids)

    def close(self) -> None:
        for task in (*self._notes, *(coach.advice for coach in self._coaches.values())):
            if task is not None:
                task.cancel()
