"""A person at the browser: the real server on a free port, and Debian's chromium, driven by Playwright."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from fifthstreet.agents import Agent
from support_web import serving

CHROMIUM = "/usr/bin/chromium"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = (1280, 860), (390, 844)
OFTEN = 30  # milliseconds between two looks; looking at every frame keeps the browser painting
PATIENCE = 60_000  # milliseconds: kernels that were never compiled here take their time

expect.set_options(timeout=PATIENCE)

Visit = Callable[..., AbstractContextManager[Page]]
"""Opens the page as somebody new: `with visit(PHONE, "dark") as page`."""


@contextmanager
def house(*agents: type[Agent]) -> Iterator[Visit]:
    """A server whose deals are the same every time, with more agents if wished, and one browser for all who visit."""
    seeds = itertools.count(1)
    with pytest.MonkeyPatch.context() as patch, serving(agents=agents) as server, chromium() as browser:
        patch.setattr("fifthstreet.web.table.new_seed", lambda: f"{next(seeds):032x}")
        yield lambda *looks: visitor(browser, server.address, *looks)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@contextmanager
def visitor(browser: Browser, url: str, size: tuple[int, int] = DESKTOP, scheme: Any = "light") -> Iterator[Page]:
    """Somebody who opens the page; whatever the console complains about fails the test at the end."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    # Agents act at once; everything else is as it comes.
    context.add_init_script("localStorage.fifthstreet ??= JSON.stringify({speed: 0})")
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if _complains(message) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto("/")
    yield page
    context.close()
    if complaints:
        raise AssertionError(f"the console complained: {complaints}")


def _complains(message: ConsoleMessage) -> bool:
    """Errors and warnings, but not that a request was refused: the page tells the person so itself."""
    return message.type in ("error", "warning") and "status of 400" not in message.text


def sit_down(page: Page, game: str, *options: str) -> None:
    """Press Play in the lobby; options are pressed in the dialog first, or chosen: "Player 2 = greedy-2"."""
    if not options:
        page.get_by_role("button", name=f"Play {game}").click()
    else:
        page.get_by_role("button", name=f"Options for {game}").click()
        for option in options:
            label, _, value = option.partition(" = ")
            field = page.get_by_label(label, exact=True)
            if not value:
                field.click()
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    ready(page)


CARDS = "cards => cards.map(card => card.dataset.card)"  # what drawn cards are
TURN = ".moves button, .column.open, button.cell:not([aria-disabled])"


def ready(page: Page) -> None:
    """Wait until something can be done, or the hand is over."""
    page.wait_for_function("wanted => document.querySelector(wanted)", arg=f".result, {TURN}", polling=OFTEN)


def over(page: Page) -> bool:
    return page.locator(".result").count() > 0


# What the table shows of where the hand stands.
MOMENT = "[...document.querySelectorAll('.log, .prompt')].map(part => part.innerText).join(' ')"


def until_over(page: Page, take_turn: Callable[[Page], object], most: int = 80) -> None:
    """Take turns until the game is over."""
    for _ in range(most):
        ready(page)
        if over(page):
            return
        before = page.evaluate(MOMENT)
        take_turn(page)
        page.wait_for_function(f"before => {MOMENT} !== before", arg=before, polling=OFTEN)
    raise AssertionError(f"the game is not over after {most} turns")


def hand_over(page: Page, text: bytes) -> None:
    """Give a file to whoever asks for one."""
    page.get_by_label("Import PHH").set_input_files({"name": "h.phh", "mimeType": "text/plain", "buffer": text})


def shown(page: Page, selector: str) -> str:
    expect(page.locator(selector).first).to_be_visible()
    return page.locator(selector).first.inner_text()


def drag(page: Page, what: str, where: str) -> None:
    """Drag by the mouse, from middle to middle."""
    start, end = (page.locator(selector).first.bounding_box() for selector in (what, where))
    assert start is not None and end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()


LOOKS: list[tuple[Any, list[str]]] = [
    ("dark", ["color-contrast"]),
    ("light", ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]),
]
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def accessible(page: Page) -> None:
    """No rule of WCAG A and AA that axe knows is broken: names, labels, roles; contrast in light and in dark."""
    for scheme, rules in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found: dict[str, Any] = Axe().run(page, options={"runOnly": rules}).response
        broken = [(rule["id"], node["html"][:120]) for rule in found["violations"] for node in rule["nodes"]]
        assert not broken, broken
        assert found["passes"]  # it did look
