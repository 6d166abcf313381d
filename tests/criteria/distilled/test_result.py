"""What distilling came to: tables, JSON, and scores of new conversations."""

from __future__ import annotations

import pytest
from tests.criteria.test_distill import COUNT, NEW, SILENT, distilled

from assize.criteria._distilled.result import DistilledCriteria


@pytest.fixture(scope="module")
def found() -> DistilledCriteria:
    return distilled()


def test_it_shows_itself_everywhere(found: DistilledCriteria) -> None:
    assert list(found.tables) == ["reproduced", "labelled"]
    assert "NetSAT" in list(found.to_pandas("reproduced")["criterion"])
    assert r"\begin{tabular}" in found.to_latex("labelled")
    assert "<table" in found._repr_html_()
    assert found.notes[0].startswith("labels by thumbs:up=1,down=0: 30 good")
    assert found.missing == (0, COUNT)


def test_new_conversations_are_scored_with_no_model(found: DistilledCriteria) -> None:
    table = found.predict([*NEW, SILENT], quiet=True)
    nets = {row.item: row for row in table if row.question == "NetSAT"}
    assert nets["silent"].unscored is not None
    for number, chat in enumerate(NEW):
        details = nets[chat.id].details or {}
        assert details["label"] == ("good" if number % 2 == 0 else "bad")
    assert {row.kind for row in table} == {"evaluator"}
    assert table.questions["NetSAT"].range == (-10.0, 20.0)
