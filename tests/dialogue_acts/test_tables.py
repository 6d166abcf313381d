"""The findings of a study as tables."""

from __future__ import annotations

from acts_voted import ISO, PAIR, Q, T, held, ours, row

from assize.dialogue_acts.study import study_all
from assize.dialogue_acts.tables import tables_of
from assize.judgments import JudgmentTable


def test_a_study_has_the_tables_of_what_it_holds() -> None:
    rows = [row("da@x", ours([Q], [T], [Q], a=[T], b=[Q])), row("maxim@x", {"maxims": held()})]
    (both,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    (acts,) = study_all(JudgmentTable.of(rows[:1]), {"p": PAIR}, ISO)
    titles, fewer = set(tables_of(both)), set(tables_of(acts))
    assert fewer
    assert fewer < titles
    assert all(title for title in titles)
