"""Notices in a real Chromium what no page may do with what strangers wrote: run it, hold it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from local_server import Handler, serving

from assize.web._accounts.sessions import COOKIE

WATCH = """document.addEventListener("securitypolicyviolation", (event) =>
  assizeViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));"""
UNFOLD = """() => { for (const one of document.querySelectorAll("details")) one.open = true; }"""
PLANTED = """() => [
  ...document.querySelectorAll("[data-planted], script:not([src]), iframe, base, style"),
  ...[...document.querySelectorAll("*")].filter((one) => [...one.attributes].some((at) =>
    at.name.startsWith("on") || /^\\s*javascript:/i.test(at.value) || at.name === "style"
    || (/^(href|src|action)$/.test(at.name) && at.value.includes("evil")))),
].map((one) => one.outerHTML.slice(0, 300))"""


@dataclass
class Detector:
    """A browser of somebody, and all that it noticed so far.

    Args:
        url: of the site, which may be asked for files; no other may.
        noticed: scripts that ran and called `assizeRan`, dialogs, requests to other sites, and
            what the policy refused.
    """

    url: str
    page: Any
    noticed: list[str] = field(default_factory=list)

    def open(self, path: str) -> list[str]:
        """Opens a page whole; returns what was noticed, elements that strangers planted with it."""
        self.page.goto(f"{self.url}{path}")
        self.page.evaluate(UNFOLD)
        if self.page.query_selector(".chart"):
            self.page.wait_for_selector(".picture[hx-get]", state="detached")
        planted = [f"planted {one}" for one in self.page.evaluate(PLANTED)]
        return [*self.noticed, *planted]


@contextmanager
def detecting(browser: Any, url: str, token: str | None = None) -> Iterator[Detector]:
    """A fresh browser on a site.

    Args:
        token: of the session of who looks; None for nobody.
    """
    context = browser.new_context()
    if token is not None:
        context.add_cookies([{"name": COOKIE, "value": token, "url": url}])
    found = Detector(url, None)
    notice = found.noticed.append
    context.expose_binding("assizeRan", lambda _, what: notice(f"script {what}"))
    context.expose_binding("assizeViolation", lambda _, what: notice(f"policy {what}"))
    context.add_init_script(WATCH)

    def asked(request: Any) -> None:
        if not request.url.startswith((f"{url}/", "data:")):
            notice(f"request {request.url}")

    def told(dialog: Any) -> None:
        notice(f"dialog {dialog.message}")
        dialog.dismiss()

    context.on("request", asked)
    context.on("dialog", told)
    found.page = context.new_page()
    yield found
    context.close()


@contextmanager
def other_site(page: str, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """Another site on this machine, which answers with one page: for cookies the same site as
    the app, and another origin."""

    class Site(Handler):
        def do_GET(self) -> None:
            html = {"content-type": "text/html; charset=utf-8"}
            self.send(page.encode(), more={**html, **(headers or {})})

    with serving(Site) as url:
        yield url
