"""Agreement about acts and maxims as tables."""

from __future__ import annotations

from typing import Any

from acts_voted import PAIR, Q, T, held, ours, row

from assize import acts_agreement
from assize.dialogue_acts.agreement import ActsAgreement


def held_to(*judges: str, **maxims: str) -> ActsAgreement:
    details = {**ours([Q], [T], [Q], a=[T], b=[Q]), "maxims": {**held(better=2, both=2), **maxims}}
    judged: dict[str, Any] = {**ours([T], [T], [Q], a=[T], b=[Q]), "maxims": held(better=2, both=2)}
    rows = [row("anna", details, order=None, kind="person")]
    return acts_agreement([*rows, *(row(name, judged) for name in judges)], items=[PAIR])


def test_turns_functions_and_maxims_have_a_table_each() -> None:
    found = held_to("both@m", Quality="neither")
    turns, functions, maxims = found.tables.values()
    shown = [[first for first, _ in cells] for cells in turns.texts()[1]]
    assert shown[0][:1] == ["right, all turns"]
    assert shown[0][1].startswith("4 (80.0)")
    assert [shown[5][0], shown[5][2]] == ["a function is wrong", "1"]
    assert turns.notes[1] == "The commonest error: a function is wrong."
    by_name = {str(cells[0]): cells[1:6] for cells in functions.rows}
    assert by_name["Set Question"] == (3, 2, 2, 1, 0)
    assert maxims.rows[0][1].count == 11
    assert maxims.notes == [
        "both@m held to anna: 12 labels of 1 items. Of those that differ: 0 too harsh, 1 too mild,"
        " 0 other.",
        "Most often the judge is too mild.",
    ]


def test_tables_of_several_judges_carry_their_names() -> None:
    found = held_to("x@m", "y@m")
    assert "x@m: Acts, turn by turn" in found.tables
    assert len(found.tables) == 6
