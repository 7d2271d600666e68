"""How the page looks on a phone, and to those who do not see it: nothing overlaps, all has names, texts stand out."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread
from playwright.sync_api import Locator, Page

from support_browser import DESKTOP, PHONE, SIDEWAYS, TURN, Visit, accessible, house, sit_down, until_over

RIVALS = ("call-station", "hand-strength", "random", "power-ranking", "call-station", *["tight-aggressive"] * 4)

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


LARGE_POT = """() => {
  const texts = [...document.querySelector('.pot').childNodes].flatMap(part => [part, ...part.childNodes]);
  texts.find(part => part.nodeType === 3 && part.data.startsWith('Pot')).data = 'Pot 1,999';
}"""


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    with house() as found:
        yield found


CLIPPED = "[...document.querySelectorAll('.plate b')].filter(name => name.scrollWidth > name.clientWidth).map(String)"


def fits(page: Page) -> None:
    assert page.evaluate(SIDEWAYS) == 0
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(OVERLAPS) == []


def fits_everywhere(page: Page) -> None:
    for width, height in (DESKTOP, (768, 1024), (320, 640), PHONE):
        page.set_viewport_size({"width": width, "height": height})
        fits(page)


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


@pytest.mark.parametrize("seats", [10, 6])
def test_many_seats_fit_every_screen(visit: Visit, seats: int) -> None:
    with visit() as page:
        page.get_by_role("button", name="Options for Texas").click()
        for _ in range(seats - 4):
            page.get_by_role("button", name="Add a player").click()
        for number, agent in enumerate(RIVALS[: seats - 1], 2):
            page.get_by_label(f"Player {number}", exact=True).select_option(agent)
        page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
        page.wait_for_selector(".moves button")
        assert page.locator(".seat").count() == seats
        page.evaluate(LARGE_POT)
        fits_everywhere(page)

        def look_and_call(page: Page) -> None:
            fits(page)
            page.locator(".moves .call").click()

        until_over(page, look_and_call)
        fits_everywhere(page)


@pytest.mark.parametrize("game", ["Texas hold", "Five-card draw", "Five-O", "Poker Squares"])
def test_every_game_fits_a_phone_and_speaks(visit: Visit, game: str) -> None:
    rivals = {"Five-O": ("Player 2 = greedy-2",), "Poker Squares": ("Player 2 = greedy",)}
    with visit(PHONE) as page:
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


def test_every_view_has_names_labels_and_contrast(visit: Visit) -> None:
    with visit() as page:
        page.wait_for_selector(".game-card")
        accessible(page)
        page.get_by_role("button", name="Options for Texas").click()
        accessible(page)
        page.keyboard.press("Escape")
        sit_down(page, "Texas hold", "Player 2 = hand-strength", "Player 3 = call-station", "Player 4 = call-station")
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
