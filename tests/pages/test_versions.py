"""The pages of a comparison and of a gate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.pages.conftest import page_of
from tests.versions.two_versions import chats_of, two_versions

from assize.base.conversation import Turn
from assize.pages.result_page import draw
from assize.pages.versions import COLOURS, draw_differences
from assize.versions.comparing import Comparing, compare_all
from assize.versions.gate import GateLimits, check_limits
from assize.versions.version import Version

pytest.importorskip("vl_convert")
QUICK = Comparing(permutations=499)


def hostile(version: Version) -> Version:
    text = "<script>alert(1)</script>"
    items = {
        name: replace(item, turns=(Turn("user", text), *item.turns[1:]))
        for name, item in chats_of(version).items()
    }
    return Version(version.name, version.table, items)


def test_both_sides_of_a_regression_are_shown_as_text(tmp_path: Path) -> None:
    old, new = (hostile(one) for one in two_versions())
    found = compare_all([old, new], how=QUICK)
    page = page_of(found, tmp_path, reproduce=["assize compare old new"])
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "old says" in page
    assert "90 pairs, paired by id" in page
    assert set(draw(found)) == {"differences", "regressions"}


def test_a_gate_has_its_checks_and_the_comparison(tmp_path: Path) -> None:
    old, new = two_versions()
    found = check_limits(new, old, limits=GateLimits(fail_under={"helpful": 4.9}), how=QUICK)
    page = page_of(found, tmp_path)
    assert "FAILED" in page
    assert "Conversations to read" in page


def test_segments_that_fell_have_a_colour_of_their_own() -> None:
    old, new = two_versions()
    lang = {
        version.name: {name: str(item.metadata["lang"]) for name, item in version.items.items()}
        for version in (old, new)
    }
    found = compare_all([old, new], segments=lang, how=QUICK)
    chart = draw_differences(found, found.segments)
    colours = {row["name"]: row["colour"] for row in chart["data"]["values"]}
    assert colours == {"de, helpful": COLOURS["worse"], "en, helpful": COLOURS["better"]}
