"""The detector finds holes that are planted: what it does not find on our pages is not there."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.attacks.detector import detecting, other_site
from tests.web.attacks.world import HOSTILE

from assize.web._security import HEADERS

PLAIN = "<!doctype html><title>x</title><link rel=icon href=data:,>"
HOLES = [
    ("<script>assizeRan(1)</script>", "script 1"),
    ("<img src=x onerror=assizeRan(2)>", "script 2"),
    ("<svg/onload=assizeRan(3)>", "script 3"),
    ("<iframe srcdoc='<script>parent.assizeRan(6)</script>'></iframe>", "script 6"),
    ("<script>alert(1)</script>", "dialog 1"),
    ("<details><summary>x</summary><p ontoggle=x>y</p></details>", "planted <p"),
    ("<b data-planted=1>bold</b>", "planted <b"),
    ('<a href=" javascript:assizeRan(4)">x</a>', "planted <a"),
    ("<style>*{display:none}</style>", "planted <style"),
    ("<p style='color:red'>x</p>", "planted <p"),
    ("<base href=//evil.example/>", "planted <base"),
    ("<form action=//evil.example></form>", "planted <form"),
]
REFUSED = [  # by the policy, before it could do harm
    ("<script>assizeRan(1)</script>", "policy script-src-elem inline"),
    ("<img src=x onerror=assizeRan(2)>", "policy script-src-attr inline"),
    ("<svg/onload=assizeRan(3)>", "policy script-src-attr inline"),
    ("<style>*{display:none}</style>", "policy style-src-elem inline"),
    ("<p style='color:red'>x</p>", "policy style-src-attr inline"),
    ("<img src=https://evil.example/z.png>", "policy img-src https://evil.example/z.png"),
    ("<script src=https://evil.example/z.js></script>", "policy script-src-elem https://evil"),
    ("<iframe src=https://evil.example/></iframe>", "policy frame-src https://evil.example"),
    ("<base href=//evil.example/>", "policy base-uri http://evil.example"),
]


@pytest.mark.parametrize(("hole", "noticed"), HOLES)
def test_a_hole_is_found(browser: Any, hole: str, noticed: str) -> None:
    with other_site(PLAIN + hole) as url, detecting(browser, url) as detector:
        assert starts(detector.open("/"), noticed)


@pytest.mark.parametrize(("hole", "noticed"), REFUSED)
def test_a_hole_that_the_policy_stops_is_found(browser: Any, hole: str, noticed: str) -> None:
    with other_site(PLAIN + hole, HEADERS) as url, detecting(browser, url) as detector:
        found = detector.open("/")
        assert starts(found, noticed)
        assert not starts(found, "script")


def test_a_request_to_another_site_is_found(browser: Any) -> None:
    with (
        other_site("") as other,
        other_site(f"{PLAIN}<img src={other}/z.png>") as url,
        detecting(browser, url) as detector,
    ):
        assert detector.open("/") == [f"request {other}/z.png"]


def test_the_hostile_text_itself_would_be_found(browser: Any) -> None:
    """As it stands in a page that escapes nothing."""
    with other_site(PLAIN + HOSTILE, HEADERS) as url, detecting(browser, url) as detector:
        found = detector.open("/")
    for one in ("policy script-src-elem inline", "policy script-src-attr", "planted <b data"):
        assert starts(found, one), one


def test_a_page_without_holes_has_none(browser: Any) -> None:
    page = f"{PLAIN}<p>5 &lt; 6</p>"
    with other_site(page, HEADERS) as url, detecting(browser, url) as detector:
        assert detector.open("/") == []


def starts(noticed: list[str], wanted: str) -> bool:
    """Whether anything of that kind was noticed."""
    return any(one.startswith(wanted) for one in noticed)
