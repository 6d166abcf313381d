"""The page of `assize reference score`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.pages.conftest import page_of

import assize
from assize.base.conversation import Continuation
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.reference._metrics.table import METRICS
from assize.reference._scores import ReferenceScores

pytest.importorskip("altair")
EVIL = "<script>alert(1)</script>"


def scored(*, turns: bool) -> ReferenceScores:
    """Two conversations, each of two sources, of which one is named by an attacker."""
    items = [
        Continuation(f"{id}{turn}{source}", (), "x", ("y",), id, turn if turns else None, source)
        for id in "ab"
        for turn in (1, 3)
        for source in ("small", EVIL)
    ]
    rows = [
        Judgment(item.id, "metrics", name, score=at / 10)
        for name in ("cosine", "rouge2-f1")
        for at, item in enumerate(items)
    ]
    return ReferenceScores.of(
        JudgmentTable.of(rows, [METRICS[name].question for name in ("cosine", "rouge2-f1")]), items
    )


def test_the_page_draws_sources_and_turns(tmp_path: Path) -> None:
    page = page_of(scored(turns=True), tmp_path)
    assert "By source" in page
    assert "Drift along the conversation" in page
    assert page.count("<svg") == 3
    assert "rouge2-f1" in page
    assert EVIL not in page


def test_without_turns_there_is_no_such_section(tmp_path: Path) -> None:
    assize.report(scored(turns=False), tmp_path / "page.html")
    assert "Drift along the conversation" not in (tmp_path / "page.html").read_text("utf-8")
