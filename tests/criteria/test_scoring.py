"""Batches, prompts, the scale that answers are kept on, and NetSAT with its label."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from tests.criteria.conftest import BAD, SET, THIRTEEN

from assize.base.errors import AnswerError
from assize.base.judgment import Judgment
from assize.criteria._criterion import LIKERT, Labelling
from assize.criteria._scoring import (
    NOT_APPLICABLE,
    batches,
    form_of,
    label_details,
    label_of,
    method,
    on_scale,
)
from assize.judging.options import CriteriaOptions

EXPECTED = CriteriaOptions()
FORM = form_of("likert", "expected")
LINE = SET.criteria[0].question()


def found(text: str, options: CriteriaOptions = EXPECTED) -> Any:
    asked: Any = method(next(batches(SET)), SET, options)
    return asked.find(text, asked, BAD, [])


def test_sat_and_dsat_are_asked_apart_ten_at_most_and_evenly() -> None:
    made = list(batches(THIRTEEN))
    assert [(one.step, len(one.criteria)) for one in made] == [
        ("sat 1", 6),
        ("sat 2", 6),
        ("dsat 1", 1),
    ]
    assert [one for batch in made for one in batch.criteria] == list(THIRTEEN.criteria)


def test_the_first_token_tells_answers_apart_where_probabilities_are_asked_for() -> None:
    assert len({one[0] for one in FORM.meant}) == len(FORM.meant) == 6
    assert set(form_of("likert", "answer").meant) == {*LIKERT, NOT_APPLICABLE}
    assert list(form_of("numeric", "expected").meant)[:2] == ["0", "1"]


def test_not_applicable_counts_as_neutral_on_both_scales() -> None:
    assert FORM.meant[FORM.none] == "Neutral"
    assert form_of("numeric", "answer").meant[NOT_APPLICABLE] == "5"
    for scale in ("likert", "numeric"):
        question: Any = SET.criteria[0].question(scale)
        middle = form_of(scale, "expected").meant
        place = question.answers.index(list(middle.values())[-1])
        assert question.values[place] == 5.0


def test_a_model_that_nothing_holds_to_the_schema_may_leave_out_digit_or_word() -> None:
    assert found('{"s1": "agree", "s2": 2}') == {"s1": "4 Agree", "s2": "2 Disagree"}
    assert found('{"s1": "N/A", "s2": "5"}')["s1"] == "0 Not Applicable"
    with pytest.raises(AnswerError, match="must be one of"):
        found('{"s1": "perhaps", "s2": "Agree"}')


def test_keys_of_the_answer_are_ours_and_texts_stand_in_one_line() -> None:
    odd = replace(SET.criteria[0], text="Two\nlines:\n\n s2: of them.")
    given = replace(SET, criteria=(odd,))
    asked = method(next(batches(given)), given, EXPECTED)
    assert list(asked.schema["properties"]) == ["s1"]
    assert asked.values["statements"] == {"s1": "Two lines: s2: of them."}


def test_probabilities_move_onto_the_scale_and_their_mean_is_the_score() -> None:
    shares = dict.fromkeys(FORM.meant, 0.0) | {"4 Agree": 0.5, "3 Neutral": 0.1, FORM.none: 0.2}
    row = on_scale(
        Judgment("i", "j", "line", answer="Agree", distribution=shares, outside=0.2), LINE, FORM
    )
    assert row.distribution == pytest.approx(
        dict.fromkeys(LIKERT, 0.0) | {"Agree": 0.5, "Neutral": 0.3}
    )
    # (0.5 * 7.5 + 0.3 * 5) / 0.8, what is outside having no value
    assert row.score == pytest.approx(6.5625)


def test_labels_follow_the_window_and_sides_the_threshold() -> None:
    labelling = Labelling(0.0, low=-5.0, high=5.0)
    labels = [label_of(one, labelling) for one in (-5.0, -4.9, 5.0, 5.1)]
    assert labels == ["bad", "open", "open", "good"]
    assert label_of(100.0, Labelling(0.0)) == "open"
    assert label_details(0.0, labelling) == {"label": "open", "side": "bad"}


def test_the_probability_of_good_is_the_logistic_of_what_was_learnt() -> None:
    labelling = Labelling(0.0, slope=0.5, intercept=1.0)
    told = label_details(2.0, labelling)
    assert told["probability"] == pytest.approx(1 / (1 + math.exp(-2.0)), abs=1e-6)
    far = (label_details(one, replace(labelling, slope=1e6))["probability"] for one in (-9, 9))
    assert list(far) == [0.0, 1.0]


def test_an_answer_is_as_long_as_its_room() -> None:
    asked = method(next(batches(SET)), SET, EXPECTED)
    longest = {"s1": "1 Strongly Disagree", "s2": "1 Strongly Disagree"}
    assert len(json.dumps(longest)) < asked.max_tokens
