"""AMULET's tables and figures in their shape; what the data do not determine is a dash."""

from __future__ import annotations

import math
from typing import Any, Literal

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row

from assize.acts._published import ActsStudied, tables_of
from assize.acts._study import ActStudy, cautions, study_all
from assize.base.conversation import Pair
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.results import ResultTable

TITLES = (
    "Table 1:",
    "Table 5:",
    "Table 12:",
    "Table 13:",
    "Table 14:",
    "Table 15:",
    "Table 16:",
    "Table 17:",
    "Figures 3a and 6:",
    "Figure 7:",
    "Figures 3b and 8:",
    "Figures 3c and 3d:",
    "Figure 4:",
)


def study(*rows: Judgment, gold: Literal["A"] | None = "A", agreed: bool = False) -> ActStudy:
    pair = Pair("p", PAIR.context, PAIR.a, PAIR.b, gold=gold)
    (found,) = study_all(JudgmentTable.of(rows), {"p": pair}, ISO, agreed=agreed)
    return found


ACTS = [
    row("da@m", ours([Q], [T], [T], a=[T], b=[Q])),
    row("da@m", ours([Q], [T], [T], a=[T], b=[T]), order="BA"),
]
MAXIMS = [
    row("maxim@m", {"maxims": held(better=2, worse=1)}),
    row("maxim@m", {"maxims": held(better=1, worse=1)}, order="BA", answer="B"),
]
BOTH = study(*ACTS, *MAXIMS)


def tables(**studies: ActStudy) -> dict[str, ResultTable]:
    """By the first words of their titles."""
    found = tables_of(ActsStudied(studies))
    return {
        start: one for start in TITLES for title, one in found.items() if title.startswith(start)
    }


def cells(table: ResultTable) -> list[list[str]]:
    return [[first for first, _ in line] for line in table.texts()[1]]


def test_every_table_and_figure_of_the_paper_is_there_in_its_order() -> None:
    found = [title.split(":")[0] + ":" for title in ActsStudied({"HH": BOTH}).tables]
    assert found == [title for title in TITLES if title != "Table 5:"]  # see the notes below


def test_a_data_set_has_a_column_or_a_row_and_a_table_of_its_own_figures() -> None:
    found = ActsStudied({"HH": BOTH, "Nectar": BOTH}).tables
    table_1 = found["Table 1: maxims satisfied, by same and different acts"]
    heads = [f"{name} {acts}" for name in ("HH", "Nectar") for acts in ("same", "diff.")]
    assert [one.name for one in table_1.columns[1:]] == heads
    assert [line[0] for line in cells(found["Table 16: maxim asymmetry"])] == ["HH", "Nectar"]
    assert "Figure 4: who satisfies each maxim, Nectar" in found


def test_tables_are_rounded_as_the_paper_rounds_them() -> None:
    found = tables(HH=BOTH)
    assert cells(found["Table 1:"]) == [
        ["Chosen satisfies more", "0.0", "100.0"],
        ["Rejected satisfies more", "0.0", "0.0"],
        ["Both satisfy equally", "0.0", "0.0"],
        ["Total", "0.0", "100.0"],
    ]
    assert cells(found["Table 12:"]) == [
        ["instances", "1"],
        ["instances with valid acts and maxims", "1"],
        ["user turns", "2"],
        ["consecutive turns", "1"],
        ["% labels with valid dimensions", "100.0"],
        ["% labels with valid functions", "100.0"],
        # by place: first votes T, Q; second votes, b shown first, T, T
        ["% turns with different dimensions across votes", "0.0"],
        ["% turns with different functions across votes", "20.0"],
    ]
    assert cells(found["Table 14:"])[:2] == [
        ["User turns", "Function", "1.00"],
        ["User turns", "Dimension", "0.00"],
    ]
    assert cells(found["Table 15:"]) == [["HH", "1.00", "0.00"]]
    assert cells(found["Table 16:"]) == [["HH", "3.00"]]
    assert cells(found["Figures 3b and 8:"])[1] == ["≥ 2", "1 (100.00)", "0 (0.00)"]


def test_table_17_counts_maxims_on_which_both_votes_agree() -> None:
    # of three maxims that tell the responses apart both votes say the same of the first alone: A
    table = tables(HH=BOTH)["Table 17:"]
    assert cells(table) == [["HH", "0.0", "100.0", "0.0", "1"]]
    first, second = "by the first vote 100.0%", "by the second 0.0%"
    assert any(first in note and second in note for note in table.notes)


def test_the_caution_is_said_of_each_study_that_has_both_votes() -> None:
    assert len(cautions({"HH": BOTH, "one": study(MAXIMS[0])})) == 1
    assert cautions({"HH": BOTH})[0].startswith("Caution: by")
    assert cautions({"HH": BOTH, "N": BOTH})[1].startswith("Caution, N: by")


def test_agreed_votes_change_table_1_and_figure_4_and_say_so() -> None:
    agreed = tables(HH=study(*ACTS, *MAXIMS, agreed=True))
    assert "both votes agree" in agreed["Table 1:"].notes[1]
    assert [one.name for one in agreed["Figure 4:"].columns][-1] == "Votes differ"
    assert cells(agreed["Figure 4:"])[1] == ["Quantity-2", "0.0", "0.0", "0.0", "0.0", "100.0"]


@pytest.mark.parametrize(
    ("rows", "gold", "table", "reason"),
    [
        ([*ACTS], "A", "Table 1:", "needs acts and maxims of the same pairs"),
        ([*ACTS], "A", "Table 16:", "no judge of maxims has a valid vote"),
        ([*ACTS], "A", "Table 17:", "needs both votes"),
        ([*ACTS, *MAXIMS], None, "Table 17:", "which response is preferred"),
        ([*ACTS, *MAXIMS], None, "Table 1:", "which response is preferred"),
        ([ACTS[0], MAXIMS[0]], "A", "Table 17:", "needs both votes"),
        ([ACTS[0], MAXIMS[0]], "A", "Table 12:", "needs both votes"),
        ([*MAXIMS], "A", "Table 12:", "no judge of acts has a valid vote"),
        ([*MAXIMS], "A", "Table 13:", "no judge of acts has a valid vote"),
        ([*MAXIMS], "A", "Table 15:", "no judge of acts has a valid vote"),
        ([*MAXIMS], "A", "Figures 3c and 3d:", "no judge of acts has a valid vote"),
    ],
)
def test_what_is_not_determined_is_a_dash_with_its_reason(
    rows: Any, gold: Literal["A"] | None, table: str, reason: str
) -> None:
    found = tables(HH=study(*rows, gold=gold))[table]
    assert any("–" in line for line in cells(found))
    assert any(
        note.startswith("Not determined for HH: ") and reason in note for note in found.notes
    )


def test_a_table_without_a_row_is_left_out_and_the_notes_say_why() -> None:
    without_acts = ActsStudied({"HH": study(*MAXIMS)})
    without_maxims = ActsStudied({"HH": study(*ACTS)})
    assert all(table.rows for table in without_acts.tables.values())
    no_acts = "Not determined: no judge of acts has a valid vote."
    assert f"left out: Figures 3a and 6: most common functions. {no_acts}" in without_acts.notes
    no_maxims = "Not determined: no judge of maxims has a valid vote."
    assert f"left out: Figure 4: who satisfies each maxim. {no_maxims}" in without_maxims.notes
    (example,) = [note for note in without_acts.notes if "Table 5:" in note]
    assert example.endswith("Not determined for HH: no three turns whose acts change.")


def test_what_the_paper_prints_stands_behind_each_table_where_it_is_wanted() -> None:
    titles = list(ActsStudied({"HH": BOTH}, paper=True).tables)
    assert [titles[at + 1] for at, one in enumerate(titles) if one.startswith("Table 17:")] == [
        "Table 17, as printed"
    ]
    assert sum(title.endswith(", as printed") for title in titles) == 7


def test_a_study_leaves_as_json_with_its_studies_by_name_and_a_signature() -> None:
    result = ActsStudied({"HH": BOTH})
    found = result.to_json()
    assert found["studies"]["HH"]["rules"][0]["chosen_more"]["count"] == 1
    assert "examples" not in found["studies"]["HH"]  # what users wrote
    assert found["signature"] == result.signature != ActsStudied({"x": BOTH}).signature
    assert result.missing == (0, 2)
    frame = result.to_pandas("Table 16: maxim asymmetry")
    assert math.isclose(frame["Maxim asymmetry"][0], 3)
