"""A person at the browser: Debian's chromium, driven by Playwright."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

CHROMIUM = "/usr/bin/chromium"
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
DESKTOP, PHONE = (1280, 860), (390, 844)


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
        accept_downloads=True,
    )
    context.set_default_timeout(20_000)
    # Agents act at once; everything else is as it comes.
    context.add_init_script(
        "localStorage.fifthstreet ??= JSON.stringify({speed: 0, fourColours: true, theme: 'auto', reasons: true, coach: {}, tables: {}})"
    )
    page = context.new_page()
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def thrown(error: Error) -> None:
        complaints.append(str(error))

    page.on("console", heard)
    page.on("pageerror", thrown)
    page.goto("/")
    yield page
    context.close()
    assert complaints == []


def over(page: Page) -> bool:
    return page.locator(".result").count() > 0


def until_over(page: Page, take_turn: Callable[[Page], None], most: int = 80) -> None:
    """Take turns until the game is over."""
    for _ in range(most):
        page.wait_for_selector(".result, .moves button, .column.open, button.cell")
        if over(page):
            return
        before = page.locator("main").inner_html()
        take_turn(page)
        page.wait_for_function("before => document.querySelector('main').innerHTML !== before", arg=before)
    raise AssertionError(f"the game is not over after {most} turns")


def press(page: Page, name: str) -> None:
    """Press the button with this name."""
    page.get_by_role("button", name=name).first.click()


def text_of(page: Page, selector: str) -> str:
    expect(page.locator(selector).first).to_be_visible()
    return page.locator(selector).first.inner_text()
