"""Small things that a person meets at the table: wrong amounts, notices, people who watch or are away, who won what."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support_browser import PHONE, Visit, accessible, hand_over, house, ready, shown, sit_down, until_over
from support_web import LEARNED, THREE_HANDED, Pupil

MOTION = "cell => getComputedStyle(cell).animationName"
POTS = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [20, 60, 100]
players = ["Ann", "Bob", "Cem"]
actions = ["d dh p1 AhAd", "d dh p2 KhQd", "d dh p3 KdQh", "p3 cbr 100", "p1 cc", "p2 cc", "d db 2c7s9h", "d db Tc",
 "d db 3d"]
"""
"""Ann wins the main pot; the others split the side pot, and nobody called Cem's last 40 chips."""


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that ends the learning of a pupil."""
    return tmp_path_factory.mktemp("pupil") / "learned"


@pytest.fixture(scope="module")
def visit(learned: Path) -> Iterator[Visit]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LEARNED, str(learned))
        with house(Pupil) as found:
            yield found


def call(page: Page) -> None:
    page.locator(".moves .call").click()


def test_an_amount_that_is_not_allowed_is_never_sent(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Texas hold", "Player 2 = call-station", "Player 3 = call-station", "Player 4 = call-station")
        least = int(page.get_by_label("Raise to", exact=True).get_attribute("min") or 0)
        amount, log = page.locator("#amount"), page.locator(".log").inner_text()
        for wrong in (str(least - 1), "", "1000000", f"{least}.5"):
            amount.fill(wrong)
            amount.press("Enter")
            expect(page.get_by_role("alert")).to_have_text(f"From {least} to 200 is allowed.")
            expect(page.locator(".moves .raise")).to_be_disabled()
            amount.press("Escape")
            page.keyboard.press("r")
        assert page.locator(".log").inner_text() == log and page.locator(".moves .call").count()
        accessible(page)
        amount.fill(str(least + 3))
        expect(page.get_by_role("alert")).to_have_count(0)
        amount.press("Enter")
        expect(page.locator(".log")).to_contain_text(f"You raise to {least + 3}")


def test_notices_replace_each_other_and_stay_behind(visit: Visit) -> None:
    with visit(PHONE) as page:
        page.goto("/#/replay")
        for text in (b"nonsense", b"more of it", b"x" * 5_400_000):
            hand_over(page, text)
            expect(page.get_by_label("Import PHH")).to_be_enabled()
        expect(page.locator(".notice")).to_have_text(re.compile("This file has 5.1 MB; up to 5.0 MB can be read"))
        box, controls = page.locator(".notice").bounding_box(), page.locator("main label.button").bounding_box()
        assert box and controls and (box["y"] + box["height"] < controls["y"] or box["y"] > controls["y"] + 40)
        page.get_by_label("Preferences").click()
        expect(page.locator(".preferences .sheet")).to_be_visible()
        page.get_by_role("link", name="Watch").click()
        expect(page.locator(".agent-line").first).to_be_visible()
        expect(page.locator(".notice")).to_have_count(0)
        expect(page.locator(".preferences .sheet")).to_be_hidden()


def test_an_imported_hand_of_many_bytes_names_its_pots_and_who_can_play_on(visit: Visit) -> None:
    with visit() as page:
        page.goto("/#/replay")
        hand_over(page, (POTS + "# a remark\n" * 27_000).encode())  # 297 KB
        expect(page.locator(".stepper")).to_be_visible()
        page.keyboard.press("End")
        lines = page.locator(".stepper .pot-line").all_inner_texts()
        assert lines == [
            "Ann wins the main pot of 60: pair of aces, ten, nine and seven kickers.",
            "Bob and Cem split the side pot of 80 (40 each): high card, king, queen, ten, nine and seven.",
            "Cem takes back 40 that nobody called.",
        ]
        expect(page.get_by_text("Play on from here")).to_have_count(0)
        page.goto("/#/replay")
        hand_over(page, THREE_HANDED.encode())
        panel = page.locator(".panel", has=page.get_by_text("Play on from here"))
        expect(panel.get_by_role("button")).to_have_text(["Ann", "Cem"])  # nobody knows what Bob holds
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        expect(panel.get_by_role("button")).to_have_text(["Cem"])  # Ann has folded
        expect(page.locator(".reasons")).to_contain_text("Cem decides here and gives no reasons.")


def test_somebody_without_a_seat_watches_and_takes_one_that_is_free(visit: Visit) -> None:
    with visit() as page, visit() as passerby:
        sit_down(page, "Texas hold", "Player 2 = you", "Player 3 = call-station", "Player 4 = call-station")
        passerby.goto(page.url)
        expect(passerby.locator(".watching")).to_contain_text("You see the open cards only.")
        assert passerby.locator(".seat [data-card]").count() == 0 and passerby.locator(".seat .back").count() == 8
        accessible(passerby)
        passerby.get_by_role("button", name="Sit down").click()
        expect(passerby.locator(".seat.you [data-card]")).to_have_count(2)
        expect(page.locator(".side")).to_contain_text("Everybody is here.")
        with visit() as third:
            third.goto(page.url)
            expect(third.locator(".watching")).to_be_visible()
            expect(third.get_by_role("button", name="Sit down")).to_have_count(0)


def test_an_agent_plays_for_a_friend_until_the_friend_comes(visit: Visit) -> None:
    with visit() as page, visit() as friend:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        sit_down(page, "Five-O", "Player 2 = you")
        page.locator(".column.open").first.click()
        expect(page.locator(".prompt")).to_contain_text("Player 2 is to act, and is not here.")
        expect(page.locator(".side")).to_contain_text("exact plays for whoever keeps you waiting")
        page.get_by_role("button", name="Let exact play for Player 2").click()
        expect(page.locator(".player").first).to_contain_text("exact for Player 2")
        ready(page)
        page.get_by_role("button", name="Copy link").click()
        friend.goto(page.evaluate("navigator.clipboard.readText()"))
        expect(page.locator(".player").first).to_have_text("Player 2")
        page.locator(".column.open").last.click()
        expect(friend.locator(".prompt")).to_contain_text("Your turn.")
        friend.locator(".column.open").last.click()
        expect(page.locator(".prompt")).to_contain_text("Your turn.")


def test_five_o_names_every_card_in_the_end_and_says_you_decide(visit: Visit) -> None:
    with visit() as page:
        sit_down(page, "Five-O", "Player 2 = greedy-2")
        until_over(page, lambda page: page.locator(".column.open").first.click())
        expect(page.locator(".log")).not_to_contain_text("a card")
        page.locator(".result").get_by_role("link", name="Replay").click()
        page.locator(".stepper").wait_for()
        assert shown(page, ".stepper .prompt").startswith("You put")
        expect(page.locator(".reasons")).to_contain_text("You decide here.")


def test_in_squares_only_the_new_card_moves_and_the_panel_knows_that_the_agent_has_played(visit: Visit) -> None:
    with visit() as page:
        page.emulate_media(reduced_motion="no-preference")
        sit_down(page, "Poker Squares", "Player 2 = greedy")
        cells = page.locator(".grid .cell")
        cells.evaluate_all("cells => cells.forEach(cell => { cell.known = true; })")
        expect(page.locator(".reasons")).to_contain_text("The agent plays the same deal when you are done.")
        page.locator("[data-cell='7']").click()
        ready(page)
        expect(page.locator(".grid .face")).to_have_count(1)
        assert cells.evaluate_all("cells => cells.filter(cell => cell.known).length") == 24
        assert page.locator(".grid .face").evaluate(MOTION) == "arrive"
        assert set(page.locator(".grid .place").evaluate_all(f"cells => cells.map({MOTION})")) == {"none"}
        until_over(page, lambda page: page.locator("button.cell").last.click())
        expect(page.locator(".reasons")).to_contain_text("The agent has played the same deal")


def test_who_learns_is_said_to_learn_and_not_to_think(visit: Visit, learned: Path) -> None:
    with visit() as page:
        sit_down(page, "Five-O", "Player 2 = pupil")
        page.get_by_label("Who coaches you").select_option("pupil")
        expect(page.locator(".coach")).to_contain_text("pupil is learning, which it does only once")
        page.locator(".column.open").first.click()
        expect(page.get_by_role("img", name="learning")).to_be_visible()
        expect(page.locator(".prompt")).to_contain_text("pupil is learning")
        expect(page.get_by_role("img", name="thinking")).to_have_count(0)
        learned.touch()
        expect(page.locator(".coach .decided")).to_contain_text("Its choice")


def test_an_agent_plays_after_the_seconds_that_were_chosen(visit: Visit) -> None:
    with visit() as page:
        wait = "Seconds until an agent plays for a friend who is away = 0"
        sit_down(page, "Five-O", "Player 2 = you", wait)
        page.locator(".column.open").first.click()
        expect(page.locator(".player").first).to_contain_text("exact for Player 2")
        expect(page.locator("#told")).to_contain_text("exact plays for Player 2")
        ready(page)
