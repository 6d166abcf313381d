"""A real server and a real Chromium, and what no page may do in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest
from tests.web.browser.serving import Served, served

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
VIOLATIONS = """document.addEventListener("securitypolicyviolation", (event) =>
  assizeViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));"""


@dataclass
class Trouble:
    """What a page did that no page may do."""

    violations: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def watch(self, context: Any, origin: str, allowed: tuple[str, ...] = ()) -> None:
        """Notes all that the context's pages do."""
        context.expose_binding("assizeViolation", lambda _, said: self.violations.append(said))
        context.add_init_script(VIOLATIONS)
        context.on("request", lambda request: self._asked(request.url, origin))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("console", lambda message: self._said(message))

    def _asked(self, address: str, origin: str) -> None:
        if urlsplit(address).scheme not in ("data", "blob") and not address.startswith(origin):
            self.outside.append(address)

    def _said(self, message: Any) -> None:
        # What a test asks for: a status that is no success, a request that does not arrive.
        refused = message.text.startswith(("Failed to load resource", "htmx:"))
        if message.type in ("error", "warning") and not refused:
            self.errors.append(message.text)


class Visit(Protocol):
    """Opens a browser of a person."""

    def __call__(
        self,
        name: str | None = "ann",
        *,
        phone: bool = False,
        scripts: bool = True,
        role: str = "rater",
    ) -> Any:
        """A page of theirs, signed in; None is nobody."""
        ...


@pytest.fixture(scope="module")
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The project that the module's `write_project(folder)` writes, served."""
    folder = tmp_path_factory.mktemp("project")
    request.module.write_project(folder)
    with served(folder) as found:
        yield found


@pytest.fixture
def visit(browser: Any, server: Served) -> Iterator[Visit]:
    """Opens pages; at the end nothing may have been violated, gone wrong or asked outside."""
    opened: list[Any] = []
    trouble = Trouble()

    def one(
        name: str | None = "ann", *, phone: bool = False, scripts: bool = True, role: str = "rater"
    ) -> Any:
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,
            has_touch=phone,
            java_script_enabled=scripts,
            base_url=server.url,
            locale="en-GB",
            timezone_id="UTC",
            reduced_motion="reduce",
        )
        context.set_default_timeout(10_000)
        trouble.watch(context, server.url)
        if name is not None:
            context.add_cookies([server.cookie(name, role)])
        opened.append(context)
        return context.new_page()

    yield one
    for context in opened:
        context.close()
    assert trouble == Trouble()
