"""A person plays every game in the browser: by mouse, by keys alone, after a reload, after a lost connection."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from support_browser import CARDS, Visit, drag, house, over, ready, shown, sit_down, until_over


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    with house() as found:
        yield found


def call(page: Page) -> None:
    page.locator(".moves .call").click()


def test_holdem_by_mouse_is_one_press_away(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Texas hold")
        raise_button = page.locator(".moves .raise")
        page.get_by_role("group", name="Sizes").get_by_role("button").first.click()
        preset = raise_button.inner_text()
        slider = page.get_by_label("Raise to", exact=True)
        least = int(slider.get_attribute("min") or 0)
        slider.fill(str(least + 5))
        expect(raise_button).to_contain_text(f"Raise to {least + 5}")
        assert preset != raise_button.inner_text()
        page.locator("#amount").fill(str(least + 9))
        page.locator("#amount").press("Tab")
        expect(raise_button).to_contain_text(f"Raise to {least + 9}")
        raise_button.click()
        expect(page.locator(".log")).to_contain_text(f"You raise to {least + 9}")
        until_over(page, call)
        assert re.search(r"wins?\b", shown(page, ".result"))
        expect(page.locator(".session")).to_contain_text("1 hand")
        page.locator(".result button.primary").click()
        expect(page.locator(".table-title")).to_contain_text("hand 2")
        expect(page.locator(".seat.you .card")).to_have_count(2)


def test_five_card_draw_by_mouse(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Five-card draw")
        exchanged = []

        def take_turn(page: Page) -> None:
            cards = page.locator(".markable")
            if cards.count() == 0:
                return call(page)
            before = page.locator(".seat.you [data-card]").evaluate_all(CARDS)
            cards.nth(0).click()
            drag(page, ".markable:nth-child(4)", ".discards")
            expect(page.locator(".markable[aria-pressed=true]")).to_have_count(2)
            cards.nth(2).click()  # two may go, and no third
            expect(page.locator(".markable[aria-pressed=true]")).to_have_count(2)
            page.get_by_role("button", name="Exchange 2 cards").click()
            expect(page.locator(".log")).to_contain_text("You exchange 2 cards")
            after = page.locator(".seat.you [data-card]").evaluate_all(CARDS)
            exchanged.append(set(before) - set(after) == {before[0], before[3]})
            return None

        until_over(page, take_turn)
        assert exchanged == [True]
        assert re.search(r"wins?\b", shown(page, ".result"))


def test_five_o_by_mouse(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Five-O", "Player 2 = greedy-2")
        card = page.locator(".next-card [data-card]").get_attribute("data-card")
        drag(page, ".next-card", ".column.open >> nth=2")
        expect(page.locator(".columns").last.locator(f".column:nth-child(3) [data-card='{card}']")).to_be_visible()
        until_over(page, lambda page: page.locator(".column.open").last.click())
        assert page.locator(".column [data-card]").count() == 50  # all lie open at the end
        assert re.search(r"(You win|greedy-2 wins|A draw), \d to \d columns", shown(page, ".result"))


def test_poker_squares_by_mouse_with_a_placement_taken_back(visit: Visit) -> None:
    with visit() as page:
        system = "Point system = 0 2 3 6 12 5 10 16 30 31"
        sit_down(page, "Poker Squares", "Player 2 = greedy", system, "Practice: moves can be taken back")
        assert page.locator(".system dd").all_inner_texts()[:2] == ["31", "30"]
        card = page.locator(".next-card [data-card]").get_attribute("data-card")
        drag(page, ".next-card", "[data-cell='12']")
        expect(page.locator(f".grid [data-card='{card}']")).to_be_visible()
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(f".next-card [data-card='{card}']")).to_be_visible()
        assert page.locator("button.cell").count() == 25
        until_over(page, lambda page: page.locator("button.cell").last.click())
        assert page.locator(".grid [data-card]").count() == 25
        expect(page.locator(".result")).to_contain_text(re.compile(r"-?\d+ points\. On the same deal greedy has -?\d+"))
        points = [int(text.split()[-1]) for text in page.locator(".points").all_inner_texts()]
        assert len(points) == 11 and sum(points) == 2 * int(page.locator(".total").inner_text().split()[-1])


def test_holdem_and_squares_by_keys_alone(visit: Visit) -> None:
    with visit() as page:
        page.get_by_role("button", name="Play Texas").wait_for()
        page.keyboard.press("Tab")  # to the table
        for _ in range(8):  # the name, five views, preferences, and the first game
            page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Play Texas")).to_be_focused()
        page.keyboard.press("Enter")
        ready(page)
        page.keyboard.press("2")  # a fraction of the pot
        page.keyboard.press("ArrowUp")
        page.keyboard.press("r")
        expect(page.locator(".log")).to_contain_text(re.compile("You (raise to|bet)"))
        until_over(page, lambda page: page.keyboard.press("c"))
        page.keyboard.press("n")
        expect(page.locator(".table-title")).to_contain_text("hand 2")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("fractions of the pot")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.goto("/#/")
        page.get_by_role("button", name="Play Poker Squares").wait_for()
        page.keyboard.press("4")
        ready(page)
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(page.locator(".log")).to_contain_text("2.2")
        expect(page.locator("#told")).to_contain_text("Place the")


def test_a_reload_in_mid_hand_goes_on_where_it_was(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Texas hold")
        cards = page.locator(".seat.you [data-card]").evaluate_all(CARDS)
        assert len(cards) == 2 and not over(page)
        prompt = shown(page, ".prompt")
        page.reload()
        ready(page)
        assert page.locator(".seat.you [data-card]").evaluate_all(CARDS) == cards
        assert shown(page, ".prompt") == prompt
        call(page)
        expect(page.locator(".log")).to_contain_text(re.compile("You (call|check)"))
        page.goto("/#/")
        page.get_by_role("link", name="Texas hold").click()  # the lobby knows the table too
        expect(page.locator(".table-title")).to_contain_text("Texas hold")


def test_a_friend_sits_down_by_a_link(visit: Visit) -> None:
    with visit() as page, visit() as other:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        sit_down(page, "Five-O", "Player 2 = you")
        page.get_by_role("button", name="Copy link").click()
        other.goto(page.evaluate("navigator.clipboard.readText()"))
        for turn in range(6):
            player = (page, other)[turn % 2]
            player.locator(".column.open").first.click()
            expect(player.locator(".column.open")).to_have_count(0)
        for player in (page, other):
            expect(player.locator(".column [data-card]")).to_have_count(10 + 6)


def test_a_lost_connection_is_shown_and_comes_back_by_itself(visit: Visit) -> None:
    with visit() as page:
        lines: list[WebSocketRoute] = []

        def connect(line: WebSocketRoute) -> None:
            lines.append(line)
            line.connect_to_server()

        page.route_web_socket("**/ws", connect)
        sit_down(page, "Five-O", "Player 2 = greedy-2")
        lines[0].close()
        expect(page.get_by_text("The connection is lost.")).to_be_visible()
        expect(page.get_by_text("The connection is lost.")).to_be_hidden()
        assert len(lines) == 2
        page.locator(".column.open").first.click()
        expect(page.locator(".log")).to_contain_text("You")
