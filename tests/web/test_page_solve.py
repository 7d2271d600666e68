"""The solver in the browser: a spot put together by mouse, finger and keyboard, solved, and walked through."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from fifthstreet.web.spot_solution import prepare
from support_browser import DESKTOP, PHONE, SIDEWAYS, Visit, accessible, drag, hand_over, house
from support_web import THREE_HANDED

TOY = "#/solve?board=As9c4d3h2c&oop=AA,QJs&ip=KK&pot=100&stack=100&sizes=all-in&raise_cap=&until=0.1"
TURN = TOY.replace("3h2c", "3h").replace("AA,QJs", "AA,QJs,KQs:0.5")
LONG = "#/solve?board=Ks8d5c3h&oop=random&ip=random&pot=100&stack=400&sizes=50%25&raise_cap=1&until=0.01"


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    prepare()
    with house() as found:
        yield found


def at(page: Page, address: str) -> None:
    page.goto(f"/{address}")
    expect(page.locator(".range-grid .in").first).to_be_visible()


def cell(page: Page, side: str, name: str) -> Locator:
    return page.get_by_label(f"Range: {side}").get_by_text(name, exact=True)


def typed(page: Page, side: str) -> Locator:
    return page.get_by_label(f"Range: {side}").get_by_label("or typed")


def solve(page: Page) -> None:
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".solution")).to_be_visible()


def test_a_board_is_picked_and_typed(visit: Visit) -> None:
    with visit() as page:
        at(page, TOY)
        board = page.get_by_role("region", name="Board")
        board.get_by_role("button", name="Clear").click()
        for card in ("queen of spades", "jack of hearts", "two of hearts", "eight of diamonds"):
            board.get_by_label(card, exact=True).last.click()
        expect(board.get_by_label("or typed")).to_have_value("QsJh2h8d")
        board.get_by_role("grid").get_by_label("jack of hearts").click()  # taken away again
        expect(board.get_by_label("or typed")).to_have_value("Qs2h8d")
        board.get_by_label("or typed").fill("As As 4d")
        expect(page.locator(".go .bad")).to_contain_text("there twice")
        expect(page.get_by_role("button", name="Solve", exact=True)).to_be_disabled()
        board.get_by_label("or typed").fill("Kc 7d 2h")
        expect(page.locator(".go p")).to_contain_text("decisions on all boards")
        assert "board=Kc%207d%202h" in page.url


def test_a_range_is_painted_and_typed(visit: Visit) -> None:
    side = "Out of position"
    with visit() as page:
        at(page, TOY)
        typed(page, side).fill("77+, ATs+, KQo:0.5")
        expect(cell(page, side, "ATs")).to_have_attribute("aria-selected", "true")
        expect(cell(page, side, "KQo")).to_have_attribute("aria-label", re.compile("king queen offsuit, 50"))
        expect(page.get_by_label(f"Range: {side}")).to_contain_text("combos")
        cell(page, side, "KQo").click()
        cell(page, side, "KQo").click()
        expect(typed(page, side)).to_have_value("77+,ATs+")
        cells = f"[aria-label='Range: {side}'] [data-cell='%d']"
        drag(page, cells % 15, cells % 17)
        expect(typed(page, side)).to_have_value("77+,ATs+,KTs+")
        cell(page, side, "KTs").click()  # what is there with this weight is taken away
        expect(typed(page, side)).to_have_value("77+,ATs+,KJs+")
        page.get_by_label(f"Range: {side}").get_by_label("Paint with").fill("25")
        cell(page, side, "65s").click()
        expect(typed(page, side)).to_have_value("77+,ATs+,KJs+,65s:0.25")
        typed(page, side).fill("AhKh, AKo")
        expect(cell(page, side, "AKs")).to_have_attribute("aria-label", re.compile("25"))
        cell(page, side, "22").click()  # a hand that was named by itself stays
        expect(typed(page, side)).to_have_value("AKo,22:0.25,AhKh")
        typed(page, side).fill("77+, AKx")
        expect(page.get_by_label(f"Range: {side}")).to_contain_text("is not a range")
        page.get_by_label(f"Range: {side}").get_by_role("button", name="all").click()
        expect(page.get_by_label(f"Range: {side}")).to_contain_text("combos, 82")  # without those of the board


def test_the_keyboard_is_enough(visit: Visit) -> None:
    side = "In position"
    with visit() as page:
        at(page, TOY)
        cell(page, side, "AA").focus()
        page.keyboard.press("Space")
        expect(typed(page, side)).to_have_value("KK+")
        for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
            page.keyboard.press(key)
        expect(cell(page, side, "KQo")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Shift+ArrowDown")
        expect(typed(page, side)).to_have_value("KK+,KJo+")
        page.keyboard.press("End")
        expect(cell(page, side, "J2s")).to_be_focused()
        typed(page, side).press("Enter")
        expect(page.locator(".solution")).to_be_visible()
        page.keyboard.press("1")  # check
        expect(page.locator(".line .here")).to_contain_text("IP to act")
        page.keyboard.press("Backspace")
        expect(page.locator(".line .here")).to_contain_text("OOP to act")
        page.locator(".strategy-grid [tabindex='0']").focus()
        for key in ("Control+Home", "ArrowRight"):
            page.keyboard.press(key)
        expect(page.locator(".hands h2")).to_contain_text("AKs")


def test_what_is_solved_is_walked_through(visit: Visit) -> None:
    with visit() as page:
        at(page, TOY)
        solve(page)
        expect(page.locator("#told")).to_contain_text(re.compile("Solved to 0.* of the pot"))
        expect(page.get_by_role("group", name="OOP: choose an action").get_by_role("button")).to_have_count(2)
        sets = page.locator(".strategy-grid").get_by_text("AA", exact=True).locator("..")
        expect(sets).to_have_attribute(
            "aria-label", re.compile(r"^pair of aces: all-in 100 (9\d|100)\u202f%.*EV 1[45]\d")
        )
        sets.click()
        expect(page.locator(".hands tbody tr")).to_have_count(3)  # one ace lies on the board
        expect(page.locator(".hands tbody tr").first).to_contain_text("100.0")
        page.locator(".strategy-grid").get_by_text("QJs", exact=True).hover()
        expect(page.locator(".hands h2")).to_contain_text("QJs")
        page.mouse.move(5, 5)
        expect(page.locator(".hands h2")).to_contain_text("AA")
        versus = page.get_by_label("Range against range")
        expect(versus.get_by_role("row", name=re.compile("^EV"))).to_have_count(1)
        expect(versus.get_by_role("row", name=re.compile(r"^EV.*64\."))).to_be_visible()  # 450/7 in theory
        page.get_by_role("button", name="All-in 100").click()
        expect(page.locator(".tableau")).to_contain_text("200")
        share = page.get_by_role("group", name="IP: choose an action").get_by_role("button", name="Call")
        assert 45 <= int(re.search(r"(\d+)\u202f%", share.inner_text())[1]) <= 55  # type: ignore[index]
        page.get_by_role("button", name="EV", exact=True).click()
        expect(page.locator(".strategy-grid .figure").first).to_be_visible()
        assert page.url.endswith("line=allin%20100")
        page.go_back()
        expect(page.locator(".line .here")).to_contain_text("OOP to act")
        page.goto("/#/")
        page.goto(f"/{TOY}&line=allin%20100,call")  # a link
        expect(page.locator(".line .here")).to_contain_text("showdown")
        page.locator(".crumb").first.click()
        expect(page.locator(".line .here")).to_contain_text("OOP to act")
        page.get_by_role("button", name="Change the spot").click()
        expect(typed(page, "In position")).to_have_value("KK")


def test_play_is_fixed_where_one_is_and_the_other_side_answers(visit: Visit) -> None:
    with visit(PHONE) as page:
        at(page, TOY)
        solve(page)
        page.get_by_role("button", name="All-in 100").click()
        expect(page.locator(".line .here")).to_contain_text("IP to act")
        page.get_by_text("Fix what IP does here").focus()
        page.keyboard.press("Enter")  # the keyboard is enough
        form = page.get_by_role("form", name="Fixed play here")
        form.get_by_label("Fold, %").fill("90")
        expect(form.get_by_role("status")).to_contain_text("of 100")
        expect(form.get_by_role("button")).to_be_disabled()
        form.get_by_label("Call, %").fill("10")
        assert page.evaluate(SIDEWAYS) == 0
        accessible(page)
        form.get_by_label("Call, %").press("Enter")
        note = page.get_by_role("region", name="Fixed play")
        expect(note).to_contain_text("allin 100: any fold 0.9 call 0.1")
        expect(page.locator(".line .here")).to_contain_text("IP to act")
        answers = page.get_by_role("group", name="IP: choose an action")
        expect(answers.get_by_role("button", name="Fold")).to_contain_text(re.compile(r"90\u202f%"))
        page.keyboard.press("Backspace")
        expect(page.locator(".line .here")).to_contain_text("OOP to act")
        bets = page.get_by_role("group", name="OOP: choose an action").get_by_role("button", name="All-in 100")
        expect(bets).to_contain_text(re.compile(r"(9\d|100)\u202f%"))  # the bluffs, too
        accessible(page)
        note.get_by_role("button").click()
        expect(note).to_have_count(0)
        expect(bets).to_contain_text(re.compile(r"6\d\u202f%"))


def test_a_side_plays_like_an_agent(visit: Visit) -> None:
    with visit() as page:
        at(page, TOY)
        fixed = page.get_by_role("region", name="Fixed play")
        fixed.get_by_label("In position plays").select_option("like call-station")
        expect(fixed.get_by_label("or typed")).to_have_value("ip=call-station")
        accessible(page)
        solve(page)
        expect(page.get_by_role("region", name="Fixed play")).to_contain_text("IP, everywhere: call-station")
        versus = page.get_by_label("Range against range")
        expect(versus.get_by_role("row", name=re.compile(r"^EV.*85\.[67]"))).to_be_visible()  # 3 sets of 7 hands: 600/7
        assert "lock=ip%3Dcall-station" in page.url
        page.get_by_role("button", name="Change the spot").click()
        fixed.get_by_label("or typed").fill("ip=nobody")
        expect(page.locator(".go .bad")).to_contain_text("is not an agent")


def test_a_card_comes(visit: Visit) -> None:
    with visit() as page:
        at(page, TURN)
        solve(page)
        for count in (1, 2):
            page.locator(".action").first.click()  # a check
            expect(page.locator(".crumb")).to_have_count(count)
        expect(page.locator(".line .here")).to_contain_text("the next card")
        page.get_by_role("grid", name="The next card").get_by_label("king of hearts").click()
        expect(page.locator(".tableau [data-card]")).to_have_count(5)
        assert page.url.endswith("line=check,check,Kh")


def test_progress_is_shown_and_a_solve_is_cancelled(visit: Visit) -> None:
    with visit() as page:
        at(page, LONG)
        page.get_by_role("button", name="Solve", exact=True).click()
        expect(page.locator(".solving-figures")).to_contain_text(re.compile(r"iterations\d\d"))
        expect(page.locator(".solving-figures")).to_contain_text(re.compile(r"exploitable for\d"))
        expect(page.locator("#told")).to_contain_text("Solving")
        accessible(page)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Solve", exact=True)).to_be_enabled()
        page.get_by_role("button", name="Solve", exact=True).click()
        page.get_by_role("button", name="Good enough").click()
        expect(page.locator(".solution")).to_be_visible()


def test_a_hand_is_brought_from_the_replay(visit: Visit) -> None:
    with visit() as page:
        page.goto("/#/replay")
        hand_over(page, THREE_HANDED.encode())
        expect(page.locator(".stepper")).to_be_visible()
        expect(page.get_by_role("button", name="Solve this spot")).to_have_count(0)
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        accessible(page)
        page.get_by_role("button", name="Solve this spot").click()
        expect(page.locator(".hand-note")).to_contain_text("Cem calls 30")
        expect(page.locator(".line")).to_contain_text("Bob")
        expect(page.locator(".hands .own")).to_have_count(1)  # his nines
        expect(page.locator(".verdicts li")).to_have_count(page.locator(".action").count())
        expect(page.locator(".verdicts li").first).to_contain_text(re.compile("Fold .* EV 0"))
        accessible(page)
        expect(page.locator(".hands h2")).to_contain_text("99")
        page.get_by_role("button", name="Call").click()
        page.get_by_role("button", name="Back to that moment").click()
        expect(page.locator(".line .here")).to_contain_text("Cem to act")
        page.get_by_role("link", name="The replay").click()
        page.get_by_label("Ranges").select_option("I paint them myself")
        page.get_by_role("button", name="Solve this spot").click()
        expect(page.get_by_label("Range: In position")).to_contain_text("Cem")


@pytest.mark.parametrize("size", [PHONE, (320, 640), (768, 1024), DESKTOP])
def test_it_fits_every_screen_and_speaks(visit: Visit, size: tuple[int, int]) -> None:
    with visit(size) as page:
        at(page, TURN)
        assert page.evaluate(SIDEWAYS) == 0
        if size in (PHONE, DESKTOP):
            accessible(page)
        solve(page)
        assert page.evaluate(SIDEWAYS) == 0
        if size in (PHONE, DESKTOP):
            accessible(page)
            page.get_by_role("button", name="Equity", exact=True).click()
            accessible(page)
        boxes = [box for button in page.locator(".action").all() if (box := button.bounding_box())]
        assert boxes and all(box["height"] >= 40 and box["width"] >= 40 for box in boxes)  # for fingers


def test_a_finger_paints_by_tapping(visit: Visit) -> None:
    with visit(PHONE) as page:
        at(page, TOY)
        cell(page, "In position", "QQ").dispatch_event("pointerdown")  # and nothing more: it may be a scroll
        expect(typed(page, "In position")).to_have_value("KK")
