"""The pictures of `docs/guides/`: each a part of the page that the guide makes.

    python -m scripts.guide_pictures [NAME ...]

follows each guide's commands in a temporary folder, as the tests do, opens its page in Chromium
(or what ASSIZE_CHROMIUM names) and writes `docs/guides/images/NAME.png`, 900 pixels wide, in 32
colours. Needs the extra `dev` and Pillow.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "servers")]
IMAGES = ROOT / "docs" / "guides" / "images"
# By guide: its page, from which line of text on it is shown, and how many pixels of it.
SHOWN = {
    "support-chats": ("compare.html", "By metadata.topic", 760),
    "preference-pairs": ("agree.html", "preference: by field", 820),
    "ratings-spreadsheet": ("agree.html", "rating: all judges together", 620),
    "ci-gate": ("gate.html", "Checks", 1150),
    "nightly": ("pages/2026-10-06.html", "How well did the assistant do? over time", 425),
}
WIDTH, COLOURS = 900, 32


def page_of(guide: str, folder: Path) -> Path:
    """Follows the guide; the page that it makes."""
    from chat_server import ChatServer
    from tests.docs.answering import answer
    from tests.docs.example_files import write_files
    from tests.docs.pages import blocks, saved_files
    from tests.docs.running import typed

    name = f"guides/{guide}"
    write_files(name, folder)
    for file, content in saved_files(name).items():
        (folder / file).write_text(content)
    wanted = folder / SHOWN[guide][0]
    with ChatServer(answer) as server:
        os.environ |= {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "of-the-picture"}
        for block in blocks(name):
            for line, _ in block.commands if block.not_run is None else ():
                typed(line, folder)
            if wanted.exists():
                return wanted
    raise SystemExit(f"{guide}: its commands make no {wanted.name}")


def picture(browser: Any, page: Path, start: str, height: int) -> bytes:
    """The page from a line of text on, as a PNG with a palette."""
    from PIL import Image

    tab = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
    tab.goto(page.as_uri())
    tab.wait_for_timeout(500)
    line = tab.get_by_role("heading", name=start, exact=True).or_(
        tab.locator("caption", has_text=start)
    )
    line.first.evaluate("one => window.scrollTo(0, one.getBoundingClientRect().top - 16)")
    tab.wait_for_timeout(200)
    shot = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
    tab.close()
    packed = io.BytesIO()
    shot.quantize(COLOURS, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def main(guides: list[str]) -> None:
    """Makes the pictures of these guides anew, of all where none is named."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("ASSIZE_CHROMIUM") or shutil.which("chromium")
    IMAGES.mkdir(exist_ok=True)
    made = {}
    for guide in guides or list(SHOWN):
        folder = Path(tempfile.mkdtemp())
        made[guide] = page_of(guide, folder)
    with sync_playwright() as playwright:
        alone = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=alone)
        for guide, page in made.items():
            data = picture(browser, page, *SHOWN[guide][1:])
            (IMAGES / f"{guide}.png").write_bytes(data)
            sys.stdout.write(f"{guide}: {len(data):,} bytes\n")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
