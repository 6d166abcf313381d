"""A conversation's judgments and record, as they were given."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.dashboard.project import conversations, lengths, others, predictions

from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.web._dashboard.prepared import rows as module
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.rows import item_of, judgments_of
from assize.web._dashboard.prepared.view import View


def test_every_judgment_of_a_conversation_is_found_in_its_order(view: View) -> None:
    rows = [*predictions(), *others(), *lengths()]
    for place, item in enumerate(conversations()):
        assert judgments_of(view, place) == [one for one in rows if one.item == item.id]


def test_blocks_do_not_cut_a_conversation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 7)
    told = [Judgment(f"i{at % 5}", f"j{at}", "q", score=float(at)) for at in range(50)]
    view = prepare_view(JudgmentTable.of(told), [], tmp_path / "view")
    for place in range(5):
        assert judgments_of(view, place) == [one for one in told if one.item == f"i{place}"]


def test_a_record_comes_back_whole(view: View) -> None:
    assert [item_of(view, place) for place in range(view.size)] == conversations()


def test_a_record_that_was_not_given_is_none(tmp_path: Path) -> None:
    view = prepare_view(JudgmentTable.of([Judgment("i", "j", "q", score=1.0)]), [], tmp_path / "v")
    assert item_of(view, 0) is None
