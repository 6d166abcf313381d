"""The pictures of the web app in `docs/images/`.

    python -m scripts.web_pictures

serves a copy of the example project in which four people have rated, opens it in Chromium (or
what ASSIZE_CHROMIUM names) and writes the pictures anew, in 64 colours. Needs the extra `dev`,
Pillow, and nothing of the network.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "servers")]
IMAGES = ROOT / "docs" / "images"


def main() -> None:
    """Makes all pictures anew."""
    from playwright.sync_api import sync_playwright
    from tests.web.browser.example_project import write_project
    from tests.web.browser.pictures import PICTURES, make_pictures
    from tests.web.browser.serving import served

    path = os.environ.get("ASSIZE_CHROMIUM") or shutil.which("chromium")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_project(Path(folder))
        alone = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=alone)
        with served(Path(folder) / "web") as server:
            make_pictures(browser, server, IMAGES)
        browser.close()
    for name in PICTURES:
        size = (IMAGES / f"{name}.png").stat().st_size
        sys.stdout.write(f"{name}: {size:,} bytes\n")


if __name__ == "__main__":
    main()
