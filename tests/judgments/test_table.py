"""Tables of judgments: choosing rows, joining, and other libraries' tables."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judgments.conftest import LIKERT, QUESTIONS, judgments

from assize.base.errors import ConfigError, DataError, MissingExtra
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.judgments.table import appearing, names_array

ROWS = [
    Judgment("b", "ann", "likert", answer="1", kind="person"),
    Judgment("a", "m", "likert", distribution={"1": 0.5, "3": 0.25}, order="AB", turn=2),
    Judgment("b", "m", "free", unscored=Unscored("parse"), details={"label": "x"}),
    Judgment("b", "ann", "likert", answer="3", kind="person"),
]
TABLE = JudgmentTable.of(ROWS, [LIKERT])


def test_names_stand_in_order_of_appearance() -> None:
    assert (TABLE.items, TABLE.judges, TABLE.asked) == (
        ("b", "a"),
        ("ann", "m"),
        ("likert", "free"),
    )
    assert (len(TABLE), TABLE.unscored, TABLE.duplicates) == (4, 1, 1)
    assert TABLE.units()[1] == (("b", None), ("a", 2))
    assert TABLE.inferred == {"free"}
    assert TABLE.rows() == ROWS


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ({"judge": "ann"}, [0, 3]),
        ({"item": ["a", "none"]}, [1]),
        ({"kind": None}, [1, 2]),
        ({"kind": ("person", None)}, [0, 1, 2, 3]),
        ({"turn": None, "judge": "m"}, [2]),
        ({"turn": 2}, [1]),
        ({"judge": []}, []),
        ({}, [0, 1, 2, 3]),
    ],
)
def test_rows_are_chosen_by_their_columns(wanted: dict[str, object], places: list[int]) -> None:
    chosen = TABLE.where(**wanted)  # type: ignore[arg-type]
    assert chosen.rows() == [ROWS[at] for at in places]
    assert chosen.questions == TABLE.questions


def test_a_column_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="no column 'rater'"):
        TABLE.where(rater="ann")


@given(st.lists(judgments(), max_size=6), st.lists(judgments(), max_size=6))
def test_tables_joined_are_their_rows_one_after_the_other(
    one: list[Judgment], two: list[Judgment]
) -> None:
    tables = [JudgmentTable.of(rows, QUESTIONS) for rows in (one, two)]
    assert JudgmentTable.concat(tables).rows() == one + two


def test_two_scales_of_one_question_are_not_joined() -> None:
    other = Question("likert", kind="number")
    with pytest.raises(DataError, match="two scales"):
        JudgmentTable.concat([TABLE, JudgmentTable.of(ROWS, [other])])
    assert JudgmentTable.concat([]).rows() == []


def test_data_frames_go_there_and_back() -> None:
    frame = TABLE.to_pandas()
    assert "explanation" not in frame.columns
    assert JudgmentTable.from_pandas(frame, [LIKERT]).rows() == ROWS


def test_a_plain_data_frame_is_a_table_of_judgments() -> None:
    frame = pd.DataFrame(
        {
            "item": [1, 2],
            "judge": "ann",
            "question": "q",
            "score": [0.5, None],
            "mood": ["up", None],
        }
    )
    frame["distribution"] = [None, {"yes": 0.5, "no": 0.5}]
    rows = JudgmentTable.from_pandas(frame).rows()
    assert [row.item for row in rows] == ["1", "2"]
    assert [row.extra for row in rows] == [{"mood": "up"}, {}]
    assert rows[1].distribution == {"no": 0.5, "yes": 0.5}


def test_a_frame_without_a_judge_is_refused_with_what_is_needed() -> None:
    with pytest.raises(DataError, match="no column 'judge'; a judgment has item, judge, question"):
        JudgmentTable.from_pandas(pd.DataFrame({"item": ["a"], "question": ["q"]}))


def test_a_notebook_sees_counts_and_no_markup_of_the_data() -> None:
    shown = JudgmentTable.of([Judgment("i", "<b>", "q", answer="1")])._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
    assert repr(TABLE) == "<4 judgments of 2 items by 2 judges: likert, free>"
    assert repr(JudgmentTable.of(ROWS[:1])).startswith("<1 judgment of 1 item by 1 judge: ")


def test_an_empty_table_is_a_table() -> None:
    table = JudgmentTable.of(())
    assert (len(table), table.items, table.duplicates, table.rows()) == (0, (), 0, [])
    assert table.to_pandas().empty


def test_without_pandas_a_frame_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"a data frame needs pandas.*'\.\[notebook\]'"):
        JudgmentTable.of(ROWS).to_pandas()


def test_shares_lie_end_to_end() -> None:
    row, share, p, known = JudgmentTable.of(ROWS).shares()
    assert (row.tolist(), [known[code] for code in share], p.tolist()) == (
        [1, 1],
        ["1", "3"],
        [0.5, 0.25],
    )


def test_texts_are_searched_without_rows() -> None:
    assert JudgmentTable.of(ROWS).mentions("details", '"label"').tolist() == [
        False,
        False,
        True,
        False,
    ]


@given(
    st.lists(judgments(), min_size=1, max_size=6),
    st.sets(st.sampled_from([one.id for one in QUESTIONS])),
    st.integers(0, 6),
)
def test_the_answers_seen_are_those_of_the_rows(
    rows: list[Judgment], known: set[str], cut: int
) -> None:
    table = JudgmentTable.concat(JudgmentTable.of(part) for part in (rows[:cut], rows[cut:]))
    seen: dict[str, set[str]] = {row.question: set() for row in rows}
    for row in rows:
        if row.question not in known:
            seen[row.question] |= {*(row.distribution or ()), row.answer} - {None}
    assert table.answers_seen(known) == seen


@given(st.lists(judgments(), max_size=4), st.lists(judgments(), max_size=4))
def test_a_table_in_pieces_is_the_table_whole(one: list[Judgment], two: list[Judgment]) -> None:
    pieces = JudgmentTable.concat([JudgmentTable.of(one), JudgmentTable.of(two)])
    whole = JudgmentTable.of(one + two)
    for name in ("item", "judge", "question", "answer"):
        codes, known = pieces.codes(name)
        assert [known[code] if code >= 0 else None for code in codes] == [
            getattr(row, name) for row in one + two
        ]
    assert (pieces.items, pieces.units()[1]) == (whole.items, whole.units()[1])
    assert [len(part) for part in pieces.shares()[:3]] == [len(part) for part in whole.shares()[:3]]
    assert pieces.rows() == one + two


@given(st.lists(st.integers(-3, 3) | st.integers(0, 1 << 40), max_size=20))
def test_places_are_in_order_of_appearance(codes: list[int]) -> None:
    place, first = appearing(np.array(codes, dtype=np.int64))
    kept = list(dict.fromkeys(codes))
    assert [codes[at] for at in first] == kept
    assert place.tolist() == [kept.index(code) for code in codes]


def test_codes_of_one_name_are_made_one() -> None:
    found = names_array(["x", "y", "x"], np.array([0, 1, 2, -1]))
    assert found.to_pylist() == ["x", "y", "x", None]
    assert found.dictionary.to_pylist() == ["x", "y"]


def test_a_table_says_what_it_holds_by_judge_and_question() -> None:
    table = JudgmentTable.of(ROWS, [LIKERT])
    assert table.tables["judgments"].rows == [
        ("ann", "likert", 2, 0),
        ("m", "likert", 1, 0),
        ("m", "free", 1, 1),
    ]
    assert "likert" in str(table.tables["judgments"])
    assert r"\begin{tabular}" in table.to_latex()
    assert JudgmentTable.of(()).tables["judgments"].rows == []


def test_a_stated_scale_takes_the_place_of_a_guess_that_it_holds() -> None:
    rows = [Judgment("i", "ann", "q", answer=one) for one in ("2", "NA")]
    table = JudgmentTable.of([*rows, Judgment("i", "ann", "s", score=2.0)])
    scale = Question("q", kind="ordinal", answers=("1", "2"))
    found = table.stated([scale, replace(scale, id="s"), replace(scale, id="other")])
    assert found.questions["q"] == scale
    assert found.inferred == {"s"}
    assert [one.id for one in found.stated_questions] == ["q"]
    assert found.questions["s"].kind == "number"
    assert table.stated([replace(scale, answers=("1", "3"))]).inferred == {"q", "s"}
