"""How the page looks on a phone, and to those who do not see it: nothing overlaps, all has names, texts stand out."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from matplotlib.image import imread
from playwright.sync_api import Locator, Page

from support_browser import DESKTOP, PHONE, TURN, Visit, house, sit_down, until_over

TEN = ("call-station", "hand-strength", "tight-aggressive", "random", "power-ranking", "call-station") + ("random",) * 3
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Pairs of things on the table that cover each other; what belongs to the same seat may.
OVERLAPS = """() => {
  const wanted = '.plate, .said, .bet, .bet-here, .pot, .board .card, .you .held .card, .next, .chance, .points';
  const words = ({part}) => `${part.className} ${part.innerText}`;
  const parts = [...document.querySelectorAll(wanted)]
    .map(part => ({part, box: part.getBoundingClientRect(), seat: part.closest('.seat, .board, .cell, .next') ?? part}))
    .filter(({box}) => box.width && box.height);
  const found = [];
  for (const [i, a] of parts.entries()) for (const b of parts.slice(i + 1)) {
    const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (a.seat !== b.seat && wide > 1 && high > 1) found.push(`${words(a)} on ${words(b)}`);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    with house() as found:
        yield found


def fits(page: Page) -> None:
    assert page.evaluate(SIDEWAYS) == 0
    assert page.evaluate(OVERLAPS) == []


def accessible(page: Page) -> None:
    """No rule of WCAG A and AA that axe knows is broken: names, labels, roles, contrast."""
    found: dict[str, Any] = Axe().run(page, options={"runOnly": RULES}).response
    assert [(rule["id"], node["html"][:120]) for rule in found["violations"] for node in rule["nodes"]] == []
    assert len(found["passes"]) > 10  # it did look


def contrast(text: Locator) -> float:
    """Of a text on the felt, whose gradient axe cannot judge: its colour against the median of the pixels around it."""
    rgb = [
        float(part) / 255
        for part in text.evaluate("text => getComputedStyle(text).color.match(/[0-9.]+/g).slice(0, 3)")
    ]
    pixels = imread(io.BytesIO(text.screenshot()))[..., :3].reshape(-1, 3)
    shades = sorted((luminance(np.array(rgb)), luminance(np.median(pixels, axis=0))))
    return (shades[1] + 0.05) / (shades[0] + 0.05)


def luminance(rgb: Any) -> float:
    """Relative luminance as WCAG defines it."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize("size", [PHONE, (320, 640), (768, 1024), DESKTOP], ids=["phone", "small", "tablet", "desktop"])
def test_ten_seats_fit(visit: Visit, size: tuple[int, int]) -> None:
    with visit(size) as page:
        page.get_by_role("button", name="Options for Texas").click()
        for _ in range(6):
            page.get_by_role("button", name="Add a player").click()
        for number, agent in enumerate(TEN, 2):
            page.get_by_label(f"Player {number}", exact=True).select_option(agent)
        page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
        page.wait_for_selector(".moves button")
        assert page.locator(".seat").count() == 10
        fits(page)

        def take_turn(page: Page) -> None:
            page.locator(".moves .call").click()
            fits(page)

        until_over(page, take_turn)
        fits(page)


@pytest.mark.parametrize("game", ["Texas hold", "Five-card draw", "Five-O", "Poker Squares"])
def test_every_game_fits_a_phone_and_speaks(visit: Visit, game: str) -> None:
    rivals = {"Five-O": ("Player 2 = greedy-2",), "Poker Squares": ("Player 2 = greedy",)}
    with visit(PHONE, "dark") as page:
        fits(page)
        sit_down(page, game, *rivals.get(game, ()))
        if game in rivals:
            page.get_by_label("Who coaches you").select_option(rivals[game][0].split()[-1])
            page.wait_for_selector(".coach .decided")
        fits(page)
        accessible(page)
        for words in page.locator(".pot, .whose, .points, .player span").all():
            assert contrast(words) >= 4.5, words.inner_text()
        boxes = [box for button in page.locator(TURN).all() if (box := button.bounding_box())]
        assert boxes and all(box["height"] >= 40 and box["width"] >= 40 for box in boxes)  # for fingers


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_has_names_labels_and_contrast(visit: Visit, scheme: str) -> None:
    with visit(DESKTOP, scheme) as page:
        page.wait_for_selector(".game-card")
        accessible(page)
        page.get_by_role("button", name="Options for Texas").click()
        accessible(page)
        page.keyboard.press("Escape")
        sit_down(page, "Texas hold", "Player 2 = hand-strength", "Player 3 = call-station", "Player 4 = call-station")
        accessible(page)
        until_over(page, lambda page: page.locator(".moves .call").click())
        accessible(page)
        page.locator(".result").get_by_role("link", name="Replay").click()
        page.wait_for_selector(".stepper")
        accessible(page)
        for view, ready in (
            ("replay", ".hand-list"),
            ("watch", ".agent-line"),
            ("papers", ".claims"),
            ("statistics", "table"),
        ):
            page.goto(f"/#/{view}")
            page.wait_for_selector(ready)
            accessible(page)
            for width, height in (DESKTOP, PHONE):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(SIDEWAYS) == 0
