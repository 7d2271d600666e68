"""What a person sees beside the table: reasons, coach, replay, branches, agents watched, statistics, the scorecard."""

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fifthstreet.agents import Agent, Decision, Turn
from support_browser import CARDS, Visit, hand_over, house, ready, shown, sit_down, until_over


@dataclass
class Broken(Agent):
    """Divides by nothing."""

    games = ("holdem",)

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(1 // 0)


@dataclass
class Slow(Agent):
    """Thinks until the test has seen that it does, then calls."""

    games = ("holdem",)
    seen = threading.Event()

    def decide(self, turn: Turn[Any]) -> Decision:
        self.seen.wait(15)
        return Decision(0)


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    with house(Broken, Slow) as found:
        yield found


def call(page: Page) -> None:
    page.locator(".moves .call").click()


def one_hand(page: Page) -> None:
    """A hand against somebody who never folds, so that cards are shown."""
    sit_down(page, "Texas hold", "Player 2 = hand-strength", "Player 3 = call-station", "Player 4 = call-station")
    until_over(page, call)


def test_reasons_are_hidden_in_the_hand_and_open_after_it(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Texas hold", "Player 2 = hand-strength", "Player 3 = call-station", "Player 4 = call-station")
        if page.locator(".sealed").count() == 0:  # the agents act after you
            call(page)
        expect(page.locator(".sealed")).to_contain_text("open when the hand is over")
        expect(page.locator(".reasons .decided, .reasons .bars, .reasons .figures")).to_have_count(0)
        assert page.locator(".seat:not(.you) [data-card]").count() == 0
        until_over(page, call)
        page.get_by_role("button", name="hand-strength").click()
        expect(page.locator(".reasons")).to_contain_text("hand strength")
        expect(page.locator(".reasons .decided")).to_be_visible()
        expect(page.locator(".sealed")).to_have_count(0)
        page.get_by_role("switch", name="show").click()
        expect(page.locator(".reasons .decided")).to_have_count(0)
        expect(page.locator(".reasons")).to_contain_text("Switched off")


def test_the_coach_advises_and_leads_back_to_what_was_dear(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Five-O", "Player 2 = greedy-2")
        page.get_by_label("Who coaches you").select_option("greedy-2")
        expect(page.locator(".coach .decided")).to_contain_text("Its choice: column")

        def against_advice(page: Page) -> None:
            if page.locator(".coach .decided").count() or page.locator(".coach").get_by_text("thinking").count():
                advised = shown(page, ".coach .decided").split()[3]
                others = [
                    column
                    for column in page.locator(".column.open").all()
                    if f"Column {advised}:" not in (column.get_attribute("aria-label") or "")
                ]
                (others or page.locator(".column.open").all())[0].click()
            else:
                page.locator(".column.open").first.click()

        until_over(page, against_advice)
        worst = page.locator(".worst li")
        expect(worst).to_have_count(3)
        costs = [float(text.rstrip("% ").replace("\u202f", "")) for text in worst.locator(".bad").all_inner_texts()]
        assert costs == sorted(costs, reverse=True) and costs[-1] > 0
        words = worst.first.inner_text()
        worst.first.get_by_role("link").click()
        expect(page.locator(".stepper .prompt")).to_contain_text("You")
        column = re.search(r"column (\d), not", words)
        assert column is not None and f"in column {column[1]}" in shown(page, ".stepper .prompt")


def test_a_hand_is_replayed_with_all_cards_and_left_for_another_end(visit: Visit) -> None:
    with visit() as page:
        one_hand(page)
        page.locator(".result").get_by_role("link", name="Replay").click()
        expect(page.locator(".seat [data-card]")).to_have_count(8)  # four hands lie open from the start
        slider = page.get_by_label("Step", exact=True)
        last = int(slider.get_attribute("max") or 0)
        seen = {shown(page, ".stepper .prompt")}
        for step in range(1, last + 1):
            page.keyboard.press("ArrowRight")
            expect(slider).to_have_value(str(step))
            seen.add(shown(page, ".stepper .prompt"))
        assert any("hand-strength" in words for words in seen) and "win" in shown(page, ".stepper .prompt")
        expect(page.locator(".board [data-card]")).to_have_count(5)
        page.keyboard.press("Home")
        expect(page.locator(".board [data-card]")).to_have_count(0)
        page.keyboard.press(" ")
        expect(slider).not_to_have_value("0")
        page.keyboard.press(" ")
        page.get_by_role("button", name="First step").click()
        page.keyboard.press("ArrowRight")
        address = page.url
        assert address.endswith("/1")
        page.goto("/#/")
        page.goto(address)  # a link to that moment
        expect(slider).to_have_value("1")
        page.get_by_role("button", name="You", exact=True).click()
        ready(page)
        assert "#/table/" in page.url
        until_over(page, call)


def test_a_hand_goes_out_as_phh_and_comes_in_again(visit: Visit) -> None:
    with visit() as page:
        one_hand(page)
        page.locator(".result").get_by_role("link", name="Replay").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="Export PHH").click()
        text = download.value.path().read_text()
        assert "variant" in text
        page.keyboard.press("End")
        board = page.locator(".board [data-card]").evaluate_all(CARDS)
        assert len(board) == 5
        page.goto("/#/replay")
        expect(page.get_by_role("link", name=re.compile("Hand 1"))).to_be_visible()
        hand_over(page, text.encode())
        expect(page.locator(".stepper")).to_be_visible()
        page.keyboard.press("End")
        assert page.locator(".board [data-card]").evaluate_all(CARDS) == board
        page.goto("/#/replay")
        hand_over(page, b"nonsense")
        expect(page.locator(".notice.error")).to_contain_text("no hand can be read")


def test_who_thinks_and_who_fails_is_shown_and_the_table_goes_on(visit: Visit) -> None:
    with visit() as page:
        page.get_by_role("button", name="Options for Texas").click()
        for player, agent in ((2, "Slow"), (3, "Broken"), (4, "call-station")):
            page.get_by_label(f"Player {player}", exact=True).select_option(agent)
        page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
        thinking = ".prompt:has-text('Slow is thinking')"
        page.wait_for_selector(f".moves .call, {thinking}")
        if page.locator(".moves .call").count():  # you act first
            call(page)
        page.wait_for_selector(f"{thinking} >> visible=true")
        assert page.get_by_role("img", name="thinking").count() == 1
        Slow.seen.set()
        expect(page.locator(".said.trouble")).to_have_text("failed")
        expect(page.get_by_role("group", name=re.compile("^Broken"))).to_have_attribute(
            "aria-label", re.compile("folded, failed: Broken failed")
        )
        until_over(page, call)


def test_agents_are_watched(visit: Visit) -> None:
    with visit() as page:
        page.goto("/#/watch")
        page.get_by_label("Game").select_option("five-o")
        page.get_by_label("Deals").fill("100")
        page.get_by_role("button", name="Add an agent").click()
        page.get_by_label("Agent 3", exact=True).select_option("reflex-1")
        page.get_by_role("button", name="Tournament").click()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("300 of 300 deals, finished")).to_be_visible(timeout=60_000)
        expect(page.locator(".standings tbody tr")).to_have_count(3)
        column = page.locator(".standings td.number:nth-child(2)").all_inner_texts()
        means = [float(text.replace("−", "-")) for text in column]
        assert means == sorted(means, reverse=True)
        page.goto("/#/watch")
        page.get_by_role("button", name="Table", exact=True).click()
        page.get_by_role("button", name="Sit and watch").click()
        expect(page.locator(".seat [data-card]")).to_have_count(4)  # both hands lie open


def test_statistics_and_the_scorecard(visit: Visit) -> None:
    with visit() as page:
        one_hand(page)
        page.goto("/#/statistics")
        row = page.get_by_role("row", name=re.compile("^You"))
        expect(row).to_contain_text("1/1")  # called before the flop in the one hand that there was
        expect(page.get_by_role("row", name=re.compile("^call-station"))).to_be_visible()
        page.goto("/#/papers")
        expect(page.locator(".claims li")).not_to_have_count(0)
        expect(page.locator("main")).to_contain_text("Aharon")


def test_a_table_is_deleted_from_the_lobby(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Texas hold")
        table = page.url.rpartition("/")[2]
        page.goto("/#/")
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name=re.compile("^Delete the table of Texas hold")).click()
        expect(page.locator(".resume")).to_have_count(0)
        assert page.request.get(f"/api/tables/{table}/hands").status == 404


def test_preferences_are_kept(visit: Visit) -> None:
    with visit() as page:
        inks = (
            "document.querySelector('.game-card .suit-d') && getComputedStyle(document.querySelector('.suit-d')).color"
        )
        ground = "getComputedStyle(document.body).backgroundColor"
        page.wait_for_selector(".game-card .suit-d")
        four, light = page.evaluate(inks), page.evaluate(ground)
        page.get_by_label("Preferences").click()
        page.get_by_label("Four-colour deck").uncheck()
        page.get_by_role("button", name="dark").click()
        page.reload()
        page.wait_for_selector(".game-card .suit-d")
        two, dark = page.evaluate(inks), page.evaluate(ground)
        assert two != four and dark != light
        assert two == page.evaluate("getComputedStyle(document.querySelector('.suit-h')).color")
