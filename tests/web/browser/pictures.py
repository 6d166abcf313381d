"""The pictures of the web app in `docs/images/`, each made by using the app as people do.

`python -m scripts.web_pictures` writes them there; the tests make them in a temporary folder.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.browser.serving import Served

DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
COLOURS = 64


def rating(page: Any) -> None:
    """A form with its first answers given by keys."""
    page.goto("/t/satisfaction")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("html.scripts #answers")
    for key in "dcd":
        page.keyboard.press(key)
    page.locator("#draft-state", has_text="Draft saved").wait_for()


def chat(page: Any) -> None:
    """Two messages to a hidden system, answered from sources."""
    page.goto("/collect/ask-the-office")
    page.get_by_role("button", name="Start a conversation").click()
    page.wait_for_selector(".scripts #text")
    topic = page.locator("h1", has_text="where the wait is shortest")
    while not topic.count():
        before = page.locator("h1").inner_text().splitlines()[-1]
        page.get_by_role("button", name="another topic").click()
        page.wait_for_selector(f'h1:not(:has-text("{before}"))')
        page.wait_for_selector(".scripts #text")
    for count, text in enumerate(("How long is the wait for a plot?", "When is the list open?")):
        page.fill("#text", text)
        page.keyboard.press("Enter")
        page.locator(".turn.assistant.whole").nth(count).wait_for()
    page.locator("#end button:enabled").wait_for()


def monitor(page: Any) -> None:
    """Progress and agreement of the task that four people rate."""
    page.goto("/monitor/satisfaction")
    page.locator(".drawing svg").first.wait_for()


def dashboard(page: Any) -> None:
    """Densities by kind of conversation, with bands."""
    page.goto("/dashboards/quality?by=metadata.kind")
    page.locator(".drawing svg").first.wait_for(timeout=60_000)


Use = Callable[[Any], None]
PICTURES: dict[str, tuple[str, str, dict[str, int], Use]] = {
    "web-rate": ("mara", "rater", DESKTOP, rating),
    "web-phone": ("noor", "rater", PHONE, rating),
    "web-chat": ("otto", "rater", DESKTOP, chat),
    "web-monitor": ("lead", "admin", DESKTOP, monitor),
    "web-dashboard": ("lead", "admin", DESKTOP, dashboard),
}
"""By file: who looks, in which role, on which screen, and what they do before it is taken."""


def make_pictures(browser: Any, server: Served, folder: Path) -> dict[str, list[str]]:
    """Writes all pictures into a folder; by name the addresses outside that its page asked."""
    from PIL import Image

    outside: dict[str, list[str]] = {}
    for file, (name, role, screen, use) in PICTURES.items():
        context = browser.new_context(
            viewport=screen,
            base_url=server.url,
            locale="en-GB",
            timezone_id="UTC",
            color_scheme="light",
            reduced_motion="reduce",
            has_touch=screen is PHONE,
        )
        context.add_cookies([server.cookie(name, role)])
        asked: list[str] = []
        context.on("request", lambda request, asked=asked: asked.append(request.url))
        page = context.new_page()
        use(page)
        shot = Image.open(io.BytesIO(page.screenshot(caret="hide"))).convert("RGB")
        context.close()
        few = shot.quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(folder / f"{file}.png", optimize=True)
        inside = (server.url, "data:", "blob:")
        outside[file] = [one for one in asked if not one.startswith(inside)]
    return outside
