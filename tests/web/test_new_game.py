"""A new game at the table, added as CONTRIBUTING.md says: its rules, a line in FACES, a module of the page."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, Route, expect

from fifthstreet import games
from fifthstreet.cards import Card
from fifthstreet.games.game import CHANCE, Choices, IllegalAction, Seat
from fifthstreet.rng import Stream
from fifthstreet.web.drawing import FACES
from fifthstreet.web.drawing.face import Face
from fifthstreet.web.server import PAGE
from support_browser import Visit, house, ready, shown, sit_down, until_over
from support_web import Served, serving


class State(NamedTuple):
    cards: tuple[int, ...] = ()
    stakes: tuple[int, ...] = ()


class View(NamedTuple):
    seat: int
    cards: tuple[int | None, ...]
    stakes: tuple[int, ...]


class HigherCard:
    """One card each, one or two chips each: the higher card wins what the other staked."""

    name: ClassVar[str] = "higher-card"
    seats = 2
    rules = None

    def setup(self) -> NDArray[np.int64]:
        return np.zeros(0, np.int64)

    def raw(self, value: Any) -> Any:
        return value

    def start(self) -> State:
        return State()

    def to_act(self, state: State) -> Seat | None:
        if len(state.cards) < 2:
            return CHANCE
        return Seat(len(state.stakes)) if len(state.stakes) < 2 else None

    def choices(self, state: State) -> Choices[int]:
        if len(state.cards) < 2:
            return Choices([card for card in range(52) if card not in state.cards])
        return Choices(range(1, 3) if len(state.stakes) < 2 else ())

    def after(self, state: State, action: int) -> State:
        if action not in self.choices(state):
            raise IllegalAction(f"{action} is not allowed")
        if len(state.cards) < 2:
            return State((*state.cards, int(action)), ())
        return State(state.cards, (*state.stakes, int(action)))

    def view(self, state: State, seat: int) -> View:
        seen = len(state.stakes) == 2
        cards = tuple(card if seen or i == seat else None for i, card in enumerate(state.cards))
        return View(seat, cards, state.stakes)

    def imagine(self, view: View, rng: Stream) -> State:
        left = [card for card in range(52) if card not in view.cards]
        cards = tuple(left.pop(rng.below(len(left))) if card is None else card for card in view.cards)
        return State(cards, view.stakes)

    def payoffs(self, state: State) -> Sequence[float]:
        first_wins = state.cards[0] > state.cards[1]
        won = state.stakes[1] if first_wins else -state.stakes[0]
        return [float(won), -float(won)]

    def label(self, state: State, action: int) -> str:
        return f"stake {action}"

    def drawing(self, view: View) -> str:
        cards = [str(Card(card)) if card is not None else "a hidden card" for card in view.cards]
        return f"yours: {cards[view.seat]}, theirs: {cards[1 - view.seat]}"

    def lies_open(self, view: View) -> bool:
        return False


@pytest.fixture(scope="module", autouse=True)
def listed() -> Iterator[None]:
    """The game in the two lists of the package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "GAMES", (*games.GAMES, HigherCard))
        patch.setitem(FACES, "higher-card", Face("Higher card", (2, 2)))
        yield


@pytest.fixture(scope="module")
def visit(listed: None) -> Iterator[Visit]:
    with house() as found:
        yield found


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as found:
        yield found


def test_it_is_served_with_its_choices_and_hides_what_is_hidden(served: Served, fixed_deals: None) -> None:
    assert served.get("/api/games")[-1]["title"] == "Higher card"
    player = served.sit(served.open("higher-card", "you", "random"))
    seen = player.turn()
    assert seen["choices"] == {"actions": [{"action": 1, "label": "stake 1"}, {"action": 2, "label": "stake 2"}]}
    assert re.fullmatch(r"yours: [2-9TJQKA][cdhs], theirs: a hidden card", seen["text"])
    assert "action 3 is not allowed now: 1–2 are" in player.refused(type="act", hand=1, number=0, action={"action": 3})
    assert player.code == "not_allowed"
    assert "has 'action'" in player.refused(type="act", hand=1, number=0, action={"move": "call"})
    player.send(type="coach", agent="random")
    advice = player.until(lambda picture: picture["coach"] and picture["coach"]["advice"])["coach"]["advice"]
    assert advice["action"] == f"stake {advice['choice']['action']}"
    end = player.act({"action": 2}) and player.turn()
    deck = end["deal"]["deck"]
    theirs = deck[2:4]
    assert end["text"].endswith(f"theirs: {theirs}")
    frames = [frame for frame in map(json.loads, player.frames) if frame["type"] == "table" and not frame["over"]]
    assert frames and not any(theirs in frame["text"] for frame in frames)
    assert end["log"][0]["lines"][0] == {"seat": 0, "kind": "act", "text": "stake 2", "failed": None}
    replay = served.get(f"/api/hands/{end['hand_id']}")
    assert theirs in replay["frames"][0]["text"] and not replay["phh"]
    assert "is not written as PHH" in served.refused(f"/api/hands/{end['hand_id']}.phh")


def play(page: Page) -> str:
    """Play one hand on the board of text; what it said before the end."""
    ready(page)
    before = shown(page, ".plain pre")
    page.get_by_role("button", name="stake 2").click()
    expect(page.locator(".result")).to_contain_text("You")
    return before


def test_it_is_played_on_the_plain_board(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Higher card")
        assert "a hidden card" in play(page)
        assert re.search(r"You [+−]\d, random [+−]\d", shown(page, ".result"))
        expect(page.locator(".log")).to_contain_text("You choose stake 2")
        page.keyboard.press("n")
        expect(page.locator(".table-title")).to_contain_text("hand 2")
        until_over(page, lambda page: page.keyboard.press("1"))
        page.get_by_role("link", name="Replay").last.click()
        expect(page.locator(".plain pre")).to_contain_text("Seat 2")  # a replay shows both hands
        page.goto("/#/watch")
        page.get_by_label("Game").select_option("higher-card")
        expect(page.get_by_label("Agent 1", exact=True)).to_have_value("random")
        page.goto("/#/statistics")
        expect(page.get_by_role("heading", name="Higher card")).to_be_visible()


MODULE = """
export const higherCard = {
  name: "higher-card",
  line: "One card each.",
  fan: ["As"],
  seats: ["you", "random"],
  describe: (line, mine) => `${mine ? "put" : "puts"} in: ${line.text}`,
};
"""


def test_a_module_of_the_page_changes_what_it_wants_to(visit: Visit) -> None:
    """Two lines in all.js list it."""

    def listing(route: Route) -> None:
        text = (PAGE / "js" / "games" / "all.js").read_text(encoding="utf-8")
        assert "export const GAMES = [" in text
        text = 'import { higherCard } from "./higher_card.js";\n' + text.replace("GAMES = [", "GAMES = [higherCard, ")
        route.fulfill(body=text, content_type="text/javascript")

    with visit() as page:
        page.route("**/games/all.js", listing)
        page.route("**/games/higher_card.js", lambda route: route.fulfill(body=MODULE, content_type="text/javascript"))
        page.reload()
        expect(page.get_by_text("One card each.")).to_be_visible()
        sit_down(page, "Higher card")
        play(page)
        expect(page.locator(".log")).to_contain_text("You put in: stake 2")
