from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import answer_rows, make_table

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.calibrate import features_of
from assize.judgments import JudgmentTable

GOOD, LACKING = Judgment("k", "m", "Q0", answer="2"), [np.nan] * 4
READ: dict[str, tuple[list[Judgment], list[list[float]], tuple[int, int]]] = {
    "probabilities stand as given and are not normalised": (
        [Judgment("i", "m", "Q0", distribution={"1": 0.2, "4": 0.5}, outside=0.3)],
        [[0.2, 0, 0, 0.5]],
        (0, 0),
    ),
    "NA is zeros": ([Judgment("i", "m", "Q0", answer="NA"), GOOD], [[0] * 4, [0, 1, 0, 0]], (0, 0)),
    "a failure is missing": (
        [Judgment("i", "m", "Q0", unscored=Unscored("parse")), GOOD],
        [LACKING, [0, 1, 0, 0]],
        (1, 0),
    ),
    "all mass outside is missing and not NA": (
        [Judgment("i", "m", "Q0", answer="1", distribution={"1": 0.0}, outside=1.0), GOOD],
        [LACKING, [0, 1, 0, 0]],
        (1, 0),
    ),
    "repeated rows are averaged and counted": (
        [Judgment("i", "m", "Q0", answer=one, repeat=n) for n, one in enumerate("1224")],
        [[0.25, 0.5, 0, 0.25]],
        (0, 3),
    ),
}


@pytest.mark.parametrize(("rows", "x", "counts"), READ.values(), ids=READ)
def test_an_item_has_a_column_an_answer(
    rows: list[Judgment], x: list[list[float]], counts: tuple[int, int]
) -> None:
    found = features_of(make_table(rows))
    assert np.array_equal(found.x, x, equal_nan=True)
    assert found.empty.tolist() == np.isnan(x).all(axis=1).tolist()
    assert (found.unscored, found.duplicates) == counts


def test_models_and_variants_stand_side_by_side() -> None:
    rows = [
        Judgment("i", "m", "Q0", answer="1"),
        Judgment("i", "n", "Q0", answer="2"),
        Judgment("i", "m", "Q0", answer="3", details={"variant": "few-shot"}),
    ]
    found = features_of(make_table(rows))
    assert [block.key for block in found.blocks] == [
        ("m", "", "Q0"),
        ("n", "", "Q0"),
        ("m", "few-shot", "Q0"),
    ]
    assert found.x.shape == (1, 12)


def test_turns_of_one_item_are_apart() -> None:
    rows = [Judgment("i", "m", "Q0", answer=one, turn=turn) for one, turn in (("1", 1), ("2", 3))]
    assert features_of(make_table(rows)).units == (("i", 1), ("i", 3))


def test_a_score_is_a_column_of_its_own() -> None:
    question = Question("quality", kind="number", range=(0, 1))
    rows = [Judgment("i", "evaluator@x", "quality", score=0.4)]
    assert features_of(JudgmentTable.of(rows, [question])).x.tolist() == [[0.4]]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"distribution": {"1": 0.7, "2": 0.5}}, "item 7.*judge 'm'.*Q0.*sum to 1.2"),
        ({"distribution": {"1": -0.1, "2": 0.5}}, "item 7.*judge 'm'.*Q0.*-0.1"),
        ({"distribution": {"1": float("nan")}}, "item 7.*judge 'm'.*Q0.*nan"),
        ({"distribution": {"5": 0.5}}, "item 7.*Q0.*'5'.* is none of 1, 2, 3, 4, NA"),
        ({"answer": "NA", "distribution": {"1": 0.9}}, "NA and a distribution; give one of the"),
        ({"answer": "1", "kind": "person"}, "give it with the ratings"),
        ({"unscored": Unscored("parse")}, "no judgment with an answer"),
        ({"answer": "1", "distribution": {"1": 0.0}, "outside": 1.0}, "no judgment with an answer"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_place(row: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        features_of(make_table([Judgment("item 7", "m", "Q0", **row)]))


def test_a_long_id_does_not_drown_the_message() -> None:
    rows = [Judgment("x" * 5_000, "m", "Q0", answer="7")]
    with pytest.raises(DataError, match="is none of 1, 2, 3, 4, NA; mend the row") as caught:
        features_of(make_table(rows))
    assert len(str(caught.value)) < 250


def test_aligned_fills_a_lacking_block_and_refuses_a_foreign_table() -> None:
    whole = features_of(make_table(answer_rows()))
    half = features_of(make_table([row for row in answer_rows() if row.question == "Q0"]))
    found = half.aligned(whole.blocks)
    assert found.x.shape == whole.x.shape
    assert np.isnan(found.x[:, 4:]).all()
    foreign = features_of(make_table([replace(row, judge="other") for row in answer_rows()]))
    with pytest.raises(DataError, match="it reads Q0 by m, Q1 by m, received were Q0 by other"):
        foreign.aligned(whole.blocks)


def test_items_are_taken_by_place_in_any_order() -> None:
    whole = features_of(make_table(answer_rows()))
    some = whole.take(np.array([2, 0]))
    assert some.units == (whole.units[2], whole.units[0])
    assert np.array_equal(some.x, whole.x[[2, 0]], equal_nan=True)


def test_the_answer_to_what_people_were_not_asked_is_kept_or_on_request_zero() -> None:
    asked = Judgment("i", "m", "Q1", distribution={"1": 0.25, "2": 0.75}, kind="model")
    left_out = replace(asked, item="j", details={"people_asked": False})
    question = Question("Q1", kind="ordinal", answers=("1", "2"))
    table = JudgmentTable.of([asked, left_out], [question])
    assert features_of(table).x.tolist() == [[0.25, 0.75], [0.25, 0.75]]
    assert features_of(table, na="zeros").x.tolist() == [[0.25, 0.75], [0.0, 0.0]]
