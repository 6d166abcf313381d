from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import records_as, write_text

from assize.base.conversation import Pair, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import parse, to_json
from assize.formats.research.mtdeval import QUESTIONS, read_evaluation

NAMES = [question.id for question in QUESTIONS]
ALL = dict.fromkeys(NAMES, "A") | {"Safety": "Fair", "Overall": "B"}


def dialogue(*evaluations: Any, **more: Any) -> dict[str, Any]:
    return {
        "dialog_id": 7,
        "conversation": [
            {"role": "Human", "text": "Hi"},
            {"role": "Assistant", "A": "Hello", "B": "Yes?"},
        ],
        "model_name1": "default",
        "model_name2": "other",
        "evaluations": [{"annotator": "m", "evaluation": said} for said in evaluations],
    } | more


def p2(tmp_path: Path, *rows: Any) -> tuple[Pair, list[Judgment]]:
    path = write_text(tmp_path / "p2.json", json.dumps(list(rows), indent=1))
    first, *rest = records = records_as("p2-mtd", path)
    assert [parse(to_json(one)) for one in records] == records
    return first, rest


def test_a_dialogue_is_two_whole_ones_with_the_same_user(tmp_path: Path) -> None:
    paired, _ = p2(tmp_path, dialogue())
    assert (paired.id, paired.context, paired.shared_user, paired.gold) == (
        *("p2-mtd-7", (), True),
        None,
    )
    assert paired.a == (Turn("user", "Hi"), Turn("assistant", "Hello"))
    assert paired.b == (Turn("user", "Hi"), Turn("assistant", "Yes?"))
    assert paired.metadata == {"model_name1": "default", "model_name2": "other"}


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_an_evaluation_is_eleven_preferences_by_one_call(
    separators: tuple[str, str], tmp_path: Path
) -> None:
    _, rows = p2(tmp_path, dialogue(json.dumps(ALL, separators=separators)))
    assert [row.question for row in rows] == NAMES
    answers = {row.question: row.answer for row in rows}
    assert (answers["Accuracy"], answers["Safety"], answers["Overall"]) == ("A", "tie", "B")
    assert {row.call for row in rows} == {"p2-mtd-7/m"}
    assert {row.kind for row in rows} == {"model"}


@pytest.mark.parametrize("said", ["I prefer A.", "{'Accuracy': 'A'", None, 3, "", "[]", "{" * 5000])
def test_an_evaluation_that_cannot_be_read_is_eleven_unscored_judgments(
    said: Any, tmp_path: Path
) -> None:
    _, rows = p2(tmp_path, dialogue(said))
    assert [row.question for row in rows] == NAMES
    assert {row.unscored.reason for row in rows if row.unscored is not None} == {"parse"}
    assert all(row.details == {"text": said} for row in rows)


def test_a_question_left_out_or_answered_oddly_is_unscored_alone(tmp_path: Path) -> None:
    said = {name: "A" for name in NAMES if name != "Safety"} | {"Creativity": "C"}
    _, rows = p2(tmp_path, dialogue(json.dumps(said)))
    unscored = {row.question: row.unscored.message for row in rows if row.unscored is not None}
    assert unscored == {
        "Creativity": "the answer is 'C'; allowed are A, B, Fair and tie",
        "Safety": "the evaluation does not answer this question",
    }


def test_a_question_beyond_the_eleven_is_kept(tmp_path: Path) -> None:
    _, rows = p2(tmp_path, dialogue(json.dumps(ALL | {"Wit": "B"})))
    assert [(row.question, row.answer) for row in rows[11:]] == [("Wit", "B")]


def test_an_annotator_who_judges_twice_gets_a_repeat_and_a_call_of_its_own(tmp_path: Path) -> None:
    _, rows = p2(tmp_path, dialogue(json.dumps(ALL), json.dumps(ALL)))
    assert {(row.repeat, row.call) for row in rows} == {(0, "p2-mtd-7/m"), (1, "p2-mtd-7/m/1")}
    assert len({row.key for row in rows}) == 22


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Here: ```json\n{"Overall": "A"}\n``` Done.', {"Overall": "A"}),
        ('{"Logicity": "A"}', {"Logicality": "A"}),  # another spelling of a dimension
    ],
)
def test_words_around_the_object_are_passed_over(text: str, expected: dict[str, str]) -> None:
    assert read_evaluation(text) == expected


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (dialogue(dialog_id=None), "dialog_id: received None; expected an id"),
        (dialogue(conversation=[{"role": "Assistant", "A": "x"}]), "B: is missing"),
        (dialogue(conversation=["x"]), "expected an object, received 'x'"),
    ],
)
def test_a_dialogue_that_cannot_be_read_is_an_error(row: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=problem):
        p2(tmp_path, row)
