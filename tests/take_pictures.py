"""Take the pictures of the documents again: `python tests/take_pictures.py`, or only those whose names follow."""

import io
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.image import imread, imsave
from playwright.sync_api import Page, expect

from support_browser import OFTEN, house, over, ready, shown, sit_down

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SIZE = (1280, 830)
SPOT = (
    "board=QsJh2h8d&oop=JJ-22,AJs-A2s,K7s%2B,Q8s%2B,J8s%2B,T7s%2B,96s%2B,85s%2B,75s%2B,64s%2B,54s,AJo-A8o,KTo%2B,QTo%2B,JTo,T9o"
    "&ip=22%2B,A2s%2B,K5s%2B,Q8s%2B,J8s%2B,T8s%2B,97s%2B,86s%2B,75s%2B,65s,A7o%2B,K9o%2B,Q9o%2B,J9o%2B,T9o"
    "&pot=180&stack=910&sizes=50%25 100%25 all-in / 100%25 all-in&raise_cap=2&until=0.5"
)
PATIENCE = 600_000  # milliseconds: champions may have to learn first


def advice(page: Page) -> str:
    return shown(page, ".coach .decided").removeprefix("Its choice: ")


def cards(page: Page, where: str) -> int:
    return page.locator(f"{where} [data-card]").count()


def turn(page: Page, click: str) -> None:
    """Act, and wait until it is your turn again or the hand is over."""
    log = "document.querySelector('.log').innerText"
    before = page.evaluate(log)
    page.locator(click).first.click()
    page.wait_for_function(f"before => {log} !== before", arg=before, polling=OFTEN)
    ready(page)


def take_turn(page: Page, call: bool = False) -> None:
    """Do as the coach advises, or check or `call` whatever it says; start the next hand when one is over."""
    if over(page):
        return turn(page, ".result button.primary")
    action, *amount = advice(page).split()
    if call or action not in ("fold", "bet", "raise"):
        return turn(page, ".moves .call")
    if action != "fold" and page.locator("#amount").count():
        page.locator("#amount").fill(amount[-1])
        page.locator("#amount").press("Tab")
    return turn(page, f".moves .{'fold' if action == 'fold' else 'raise'}")


def holdem(page: Page) -> None:
    """Facing a bet on the turn or river, with two opponents or more, when the coach would not fold."""
    page.emulate_media(color_scheme="dark")
    page.get_by_role("button", name="Options for Texas").click()
    for _ in range(2):
        page.get_by_role("button", name="Add a player").click()
    rivals = ("eva", "tight-aggressive", "opponent-model", "honest", "call-station")
    for number, agent in enumerate(rivals, 2):
        page.get_by_label(f"Player {number}", exact=True).select_option(agent)
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    ready(page)
    page.get_by_label("Who coaches you").select_option("eva")
    while (
        over(page)
        or page.locator(".moves .fold").count() == 0
        or cards(page, ".board") < 4
        or page.locator(".seat .back").count() < 4
        or advice(page) == "fold"
    ):
        take_turn(page, call=cards(page, ".board") == 0)


def replay(page: Page) -> None:
    """The same hand, at the last decision of an agent that shows figures."""
    holdem(page)
    while not over(page):
        turn(page, ".moves .call")
    page.locator(".result").get_by_role("link", name="Replay").click()
    expect(page.locator(".stepper")).to_be_visible()
    page.keyboard.press("End")
    while page.locator(".reasons .figures, .reasons .bars").count() == 0:
        assert not page.url.endswith("/0"), "no agent gave reasons in this hand"
        page.keyboard.press("ArrowLeft")


def five_card_draw(page: Page) -> None:
    """The exchange against two opponents or more, with the cards marked that the coach would exchange."""
    page.emulate_media(color_scheme="dark")
    sit_down(page, "Five-card draw")
    page.get_by_label("Who coaches you").select_option("champion")
    advised = page.locator(".coach .decided .inline-card")
    while page.locator(".markable").count() == 0 or page.locator(".seat .back").count() < 10:
        take_turn(page)
    advice(page)
    for card in advised.all():
        page.get_by_label(f"Exchange the {card.get_attribute('aria-label')}").click()


def five_o(page: Page) -> None:
    sit_down(page, "Five-O", "Player 2 = exact")
    page.get_by_label("Who coaches you").select_option("exact")
    for _ in range(7):
        turn(page, f"[aria-label^='Column {advice(page).split()[1]}']")
    advice(page)


def poker_squares(page: Page) -> None:
    sit_down(page, "Poker Squares", "Player 2 = champion")
    page.get_by_label("Who coaches you").select_option("champion")
    for _ in range(13):
        advice(page)
        turn(page, ".cell.best")
    advice(page)


def solve(page: Page) -> None:
    """A turn after a check and a bet, with the hands of a class that does several things."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"/#/solve?{SPOT}&line=check,bet 90")
    page.locator(".strategy-grid").get_by_text("T9s", exact=True).click()


def report(page: Page) -> None:
    with TemporaryDirectory() as folder:
        command = ("reproduce", "holdem-simulator", "--store", "none", "--out", folder)
        subprocess.run([sys.executable, "-m", "fifthstreet", *command], check=True)
        page.set_viewport_size({"width": 1280, "height": 1130})
        page.goto(f"file://{folder}/index.html")


def save(screenshot: bytes, file: Path) -> None:
    """Write it with 64 shades of each colour if it is large: nobody sees that, and gradients take half the space."""
    pixels = imread(io.BytesIO(screenshot))[..., :3]
    shades = 255 if len(screenshot) < 200_000 else 63
    imsave(file, np.round(pixels * shades) / shades, pil_kwargs={"optimize": True})


STAGES = {
    "holdem": holdem,
    "replay": replay,
    "five-card-draw": five_card_draw,
    "five-o": five_o,
    "poker-squares": poker_squares,
    "solve": solve,
    "report": report,
}

if __name__ == "__main__":
    expect.set_options(timeout=PATIENCE)
    for name in sys.argv[1:] or STAGES:
        with house() as visit, visit(SIZE) as page:
            page.set_default_timeout(PATIENCE)
            STAGES[name](page)
            save(page.screenshot(), PICTURES / f"{name}.png")
