"""Qualifiers and relations as tables."""

from __future__ import annotations

from acts_voted import ISO, PAIR, ours, row

from assize.dialogue_acts.qualifier_tables import qualifier_tables
from assize.dialogue_acts.qualifiers import OfQualifiers
from assize.dialogue_acts.study import study_all
from assize.judgments import JudgmentTable

ASK = ["Task", "Set Question", {"qualifiers": ["uncertain"]}]
TELL = ["Task", "Answer", {"relations": [["functional dependence", 0]]}]


def test_marks_have_a_table_by_speaker_one_by_act_and_one_of_where_they_lead() -> None:
    rows = [row("da@m", ours([ASK], [TELL], [ASK], a=[TELL], b=[ASK]))]
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    titles = ["Qualifiers and relations, by speaker", "Which acts are marked",
              "Where relations lead"]  # fmt: skip
    assert [title for title in found.tables if title in titles] == titles
    speakers, acts, where = (found.tables[title] for title in titles)
    assert [one.name for one in speakers.columns[2:]] == ["user", "assistant", "chosen", "rejected"]
    texts = [[first for first, _ in cells] for cells in speakers.texts()[1]]
    assert texts == [
        ["uncertain", "3 (60.0)", "100.0", "0.0", "0.0", "100.0"],
        ["functional dependence", "2 (40.0)", "0.0", "100.0", "100.0", "0.0"],
    ]
    assert "2 of user" in speakers.notes[0]
    assert [tuple(row[:2]) for row in acts.rows][:2] == [
        ("uncertain", "Task, all"), ("uncertain", "Set Question"),
    ]  # fmt: skip
    (only,) = where.rows
    assert (only[0], only[1].estimate) == ("functional dependence", 1)


def test_without_marks_there_is_no_table() -> None:
    assert list(qualifier_tables(OfQualifiers(0, {}, {}, {}))) == []
