"""The page of quality over time."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.pages.conftest import page_of
from tests.versions.test_over_time import CHATS, WHOLE, watched

from assize._doors.plot import charts_of


def test_the_page_shows_what_changed_and_every_question(tmp_path: Path) -> None:
    text = page_of(WHOLE, tmp_path, reproduce=["assize compare --over"])
    assert text.count("<svg") == 2  # NetSAT, and the criterion that broke
    for part in (
        "900 conversations",
        "The user asks the same question again.",
        WHOLE.signature,
        "assize compare --over",
    ):
        assert part in text


def test_groups_are_lines_of_one_figure(tmp_path: Path) -> None:
    groups = {one.id: f"<{one.system}>" for one in CHATS}
    text = page_of(watched(groups=groups, questions=["s2"]), tmp_path)
    assert text.count("<svg") == 1
    assert "&lt;a&gt;" in text
    assert "<a>" not in text


def test_the_plot_is_the_chart_of_the_first_question() -> None:
    altair = pytest.importorskip("altair")
    assert list(charts_of(WHOLE)) == ["NetSAT over time", "changes"]
    assert isinstance(WHOLE.plot(), altair.LayerChart | altair.Chart)
    assert "temporal" in WHOLE.plot("changes").to_json()
    assert isinstance(WHOLE.plot("latest"), altair.LayerChart)
