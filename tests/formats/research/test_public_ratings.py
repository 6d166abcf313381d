from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, only_record, records_as, turn_texts

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored
from assize.formats import parse, to_json

RATED = {
    "prompt": "p",
    "response": "r",
    "helpfulness": 3,
    "correctness": 4,
    "coherence": 2.5,
    "complexity": 2,
    "verbosity": None,
}
TWO = {"prompt": "p", "response_1": "r", "response_2": "s"}


def test_a_response_is_a_conversation_with_its_ratings(tmp_path: Path) -> None:
    chat, *ratings = records_as("helpsteer", tmp_path / "a.jsonl", RATED)
    assert turn_texts(chat) == ["p", "r"]
    assert [(one.question, one.answer, one.score) for one in ratings[:3]] == [
        ("helpfulness", "3", None),
        ("correctness", "4", None),
        ("coherence", None, 2.5),
    ]
    assert ratings[4].unscored.reason == "missing"


def test_a_list_of_ratings_is_by_raters_who_cannot_be_followed(tmp_path: Path) -> None:
    row = RATED | {"helpfulness": [3, 1]}
    _, first, second, *_ = records_as("helpsteer", tmp_path / "a.jsonl", row)
    assert (first.judge, first.anonymous) == ("rater1", True)
    assert (second.judge, second.anonymous) == ("rater2", True)


def test_a_history_in_one_text_is_parted(tmp_path: Path) -> None:
    said = "Hi\n<extra_id_1>Assistant\nHello\n<extra_id_1>User\nBye"
    chat, *_ = records_as("helpsteer", tmp_path / "a.jsonl", RATED | {"prompt": said})
    assert turn_texts(chat) == ["Hi", "Hello", "Bye", "r"]


@pytest.mark.parametrize(("strength", "gold"), [(-2, "A"), (0, "tie"), (3, "B")])
def test_the_sign_of_a_preference_says_who_won(tmp_path: Path, strength: int, gold: str) -> None:
    row = TWO | {"preference_strength": strength}
    (pair,) = records_as("helpsteer", tmp_path / "a.jsonl", row)
    assert (pair.gold, pair.metadata) == (gold, {"strength": strength})


def test_each_person_s_preference_is_a_judgment(tmp_path: Path) -> None:
    row = {
        "domain": "code",
        "language": "go",
        "context": [{"role": "user", "content": "p"}],
        "response1": "r",
        "response2": "s",
        "overall_preference": 2,
        "individual_preference": [{"score": 2, "reasoning": "why"}, {"score": -1}],
    }
    pair, *votes = records_as("helpsteer", tmp_path / "a.jsonl", row)
    assert pair.gold == "B"
    assert [(one.judge, one.answer, one.explanation) for one in votes] == [
        ("rater1", "B", "why"),
        ("rater2", "A", None),
    ]


ROW = {
    "source": "evol",
    "instruction": "i",
    "models": ["m1", "m2"],
    "completions": [
        {
            "model": "m1",
            "response": "r",
            "overall_score": 7.5,
            "fine-grained_score": 4.25,
            "annotations": {
                "helpfulness": {"Rating": "4", "Rationale": "why"},
                "honesty": {"Rating": "N/A"},
                "truthfulness": {"Rating": None},
            },
        },
        {"model": "m2", "response": "s", "annotations": {}},
    ],
}


def test_every_answer_is_a_conversation_of_one_group_with_its_ratings(tmp_path: Path) -> None:
    found = records_as("ultrafeedback", tmp_path / "a.jsonl", ROW)
    chats = [one for one in found if isinstance(one, Conversation)]
    assert [(one.id, one.system, one.metadata["group"]) for one in chats] == [
        ("a-1/0", "m1", "a-1"),
        ("a-1/1", "m2", "a-1"),
    ]
    told = {one.question: one for one in found if isinstance(one, Judgment)}
    assert (told["helpfulness"].answer, told["helpfulness"].explanation) == ("4", "why")
    assert told["honesty"].answer == "NA"  # what does not apply is no failure
    assert told["truthfulness"].unscored == Unscored("missing", "the source holds no answer")
    assert told["overall"].score == 7.5


TURNS = [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello!"}]


def rating(dimension: str, score: Any, **more: Any) -> dict[str, Any]:
    return {"judge": "slot0", "kind": "human", "dimension": dimension, "score": score, **more}


def row(*ratings: Any, **more: Any) -> dict[str, Any]:
    return {"id": "d1", "turns": TURNS, "ratings": list(ratings), **more}


SAMPLES = {"rated": row(rating("charm", 2.5))}


def test_the_bot_is_the_system_and_other_fields_are_metadata(tmp_path: Path) -> None:
    value = SAMPLES["rated"] | {"bot": "E", "hit": "h", "topic": None}
    records = records_as("rated", tmp_path / "x.jsonl", value)
    assert (records[0].system, records[0].metadata) == ("E", {"hit": "h"})
    assert [parse(to_json(record)) for record in records] == records


def test_a_turn_s_rating_keeps_its_turn_and_a_run_is_a_repeat(tmp_path: Path) -> None:
    third = rating("overall", 4.5, run=3) | {"judge": "gpt-4", "kind": "llm"}
    value = row(rating("impression", 0, turn=1), third, rating("charm", None))
    _, label, run, empty = records_as("rated", tmp_path / "x.jsonl", value)
    assert (label.turn, label.answer, label.score, label.anonymous) == (1, None, 0, True)
    assert (run.repeat, run.score, run.kind, run.anonymous) == (2, 4.5, "model", False)
    assert empty.unscored.reason == "missing"


@pytest.mark.parametrize(
    ("value", "format", "problem"),
    [
        (row({"judge": "j", "score": 1}), None, "dimension: is missing"),
        (row({"kind": "human", "dimension": "charm", "score": 1}), None, "judge: received None"),
        ({"id": "d1", "turns": "no", "ratings": []}, None, "turns: received 'no'; expected a list"),
        (
            {"id": "d1", "turns": [{"text": "Hi"}], "ratings": []},
            None,
            r"turns\[0\].role: is missing",
        ),
        (row("charming"), "rated", "expected an object, received 'charming'"),
        (TWO | {"preference_strength": 5}, None, "from -3 to 3"),
        ({"instruction": "i", "completions": [{"response": 5}]}, None, "expected text"),
    ],
)
def test_a_bad_record_is_an_error_that_names_its_field(
    value: dict[str, Any], format: str | None, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=rf"x\.jsonl:1: .*{problem}"):
        only_record(lines(tmp_path / "x.jsonl", value), format=format)
