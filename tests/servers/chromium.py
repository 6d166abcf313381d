"""A real Chromium, for tests that look at pages as people do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = os.environ.get("ASSIZE_CHROMIUM") or shutil.which("chromium")
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Open one for a module's tests; skip them where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine (or name it in ASSIZE_CHROMIUM)")
    # The sandbox needs rights that a container's root user does not have.
    free = ("--no-sandbox",) if os.getuid() == 0 else ()
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, *free])
        yield opened
        opened.close()
