"""What a function returns: every shape that is allowed, and what each nonsense is told."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from assize.base.judgment import PREFERENCE, Judgment, Question, Unscored
from assize.judging.own.answers import InvalidAnswer, rows_of

NUMBER = Question("q")
SPAN = Question("q", range=(0, 1))
BINARY = Question("q", kind="binary", answers=("no", "yes"))
SCALE = Question("q", kind="ordinal", answers=("bad", "fair", "good"), values=(1, 2, 4))
NUMERALS = Question("q", kind="ordinal", answers=("1", "2", "3"))
COLOUR = Question("q", kind="nominal", answers=("red", "blue"))
TEXT = Question("q", kind="text")


def row(value: Any, question: Question) -> Judgment:
    (found,) = rows_of(value, "c1", "j", [question])
    assert (found.item, found.judge, found.question) == ("c1", "j", question.id)
    return found


@pytest.mark.parametrize(
    ("value", "question", "answer", "score"),
    [
        (3, NUMBER, None, 3.0),
        (np.float32(0.5), SPAN, None, 0.5),
        (np.int64(2), NUMBER, None, 2.0),
        (True, NUMBER, None, 1.0),
        ("yes", BINARY, "yes", None),
        (True, BINARY, "yes", None),
        (np.bool_(False), BINARY, "no", None),
        ("good", SCALE, "good", None),
        (4, SCALE, "good", 4.0),
        (2.5, SCALE, None, 2.5),
        (2, NUMERALS, "2", 2.0),
        ("NA", COLOUR, "NA", None),
        ("NA", NUMBER, "NA", None),
        ("any words", TEXT, "any words", None),
        ("tie", PREFERENCE, "tie", None),
        (-0.5, PREFERENCE, None, -0.5),
    ],
)
def test_an_answer_a_truth_value_or_a_number(
    value: Any, question: Question, answer: str | None, score: float | None
) -> None:
    found = row(value, question)
    assert (found.answer, found.score) == (answer, score)


def test_a_dict_answers_several_questions_and_nothing_is_unscored() -> None:
    asked = [Question("a"), Question("b", kind="binary", answers=("no", "yes"))]
    first, second = rows_of({"b": True, "a": None}, "c1", "j", asked)
    assert (first.question, second.question, second.answer) == ("a", "b", "yes")
    assert first.unscored == Unscored("missing", "the function gave no answer")
    assert [one.unscored is None for one in rows_of(None, "c1", "j", asked)] == [False, False]


def test_judgments_get_the_judges_name_and_what_is_missing_is_unscored() -> None:
    asked = [NUMBER, Question("other")]
    first, second = rows_of(Judgment("c1", "?", "q", score=1.0), "c1", "j", asked)
    assert (first.judge, first.score) == ("j", 1.0)
    assert (second.question, second.unscored is None) == ("other", False)
    given = Judgment("c1", "?", "q", distribution={"no": 0.25, "yes": 0.75}, explanation="so")
    assert row(given, BINARY).explanation == "so"
    refused = Judgment("c1", "?", "q", unscored=Unscored("refused"))
    assert row([refused], BINARY).unscored == Unscored("refused")


@pytest.mark.parametrize(
    ("value", "question", "told"),
    [
        (math.nan, NUMBER, "received nan .float. for 'q'; give a finite number; return None"),
        (math.inf, NUMBER, "received inf .float. for 'q'; give a finite number"),
        (2, SPAN, "received 2 .int. for 'q'; allowed are numbers 0 to 1"),
        (9, SCALE, "allowed are numbers 1 to 4"),
        ("maybe", BINARY, "received 'maybe' .str. for 'q'; allowed are no, yes"),
        ("3", NUMBER, "received '3' .str. for 'q'; allowed are numbers"),
        ("  ", TEXT, "allowed are text"),
        (0.5, BINARY, "received 0.5 .float. for 'q'; allowed are no, yes"),
        (1, COLOUR, "allowed are red, blue"),
        (True, SCALE, "received True .bool. for 'q'; allowed are bad, fair, good"),
        (object, NUMBER, "return an answer, a number, a dict by question"),
        ([], NUMBER, "received .. .list.; return an answer"),
        ([1, 2], NUMBER, "received .1, 2. .list.; return an answer"),
        (np.array([1, 2]), NUMBER, "received array"),
        (b"yes", BINARY, "received b'yes' .bytes."),
        ({"other": 1}, NUMBER, "received an answer to 'other'; return a dict with q"),
        ({}, NUMBER, "received no answer to 'q'; return a dict with q"),
        (Judgment("c2", "j", "q", score=1), NUMBER, "return judgments of item 'c1'"),
        (Judgment("c1", "j", "p", score=1), NUMBER, "question='p'.* that answer q"),
        (Judgment("c1", "j", "q"), NUMBER, "without answer, score or reason"),
        (Judgment("c1", "j", "q", answer="maybe"), BINARY, "allowed are no, yes"),
        (Judgment("c1", "j", "q", answer=1), BINARY, "allowed are no, yes"),  # type: ignore[arg-type]
        (Judgment("c1", "j", "q", score=math.nan), NUMBER, "give a finite number"),
        (Judgment("c1", "j", "q", distribution={"yes": 2}), BINARY, "as a probability"),
        (Judgment("c1", "j", "q", distribution={"maybe": 1}), BINARY, "allowed are no, yes"),
        ([Judgment("c1", "j", "q", score=1)] * 2, NUMBER, "two answers to 'q'"),
        ([Judgment("c1", "j", "q", score=1), 3], NUMBER, "received 3 .int. among judgments"),
    ],
)
def test_nonsense_says_what_was_received_and_what_is_allowed(
    value: Any, question: Question, told: str
) -> None:
    with pytest.raises(InvalidAnswer, match=told):
        row(value, question)


def test_several_questions_need_a_dict() -> None:
    with pytest.raises(InvalidAnswer, match="it answers a, b: return a dict with each of them"):
        rows_of(1.0, "c1", "j", [Question("a"), Question("b")])
