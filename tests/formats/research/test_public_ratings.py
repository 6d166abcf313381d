from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored
from assize.formats import parse, read, to_json
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, open_records, recognise
from assize.formats.rows import Sample


def records(path: Path, *rows: dict[str, Any], name: str) -> list[Any]:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    with open_records(path) as opened:
        assert opened.format.name == name
        return [record for _, record in opened.records]


RATED = {
    "prompt": "p",
    "response": "r",
    "helpfulness": 3,
    "correctness": 4,
    "coherence": 2.5,
    "complexity": 2,
    "verbosity": None,
}


def test_a_response_is_a_conversation_with_its_ratings(tmp_path: Path) -> None:
    chat, *ratings = records(tmp_path / "a.jsonl", RATED, name="helpsteer")
    assert isinstance(chat, Conversation)
    assert [turn.text for turn in chat.turns] == ["p", "r"]
    assert [(one.question, one.answer, one.score) for one in ratings[:3]] == [
        ("helpfulness", "3", None),
        ("correctness", "4", None),
        ("coherence", None, 2.5),
    ]
    assert ratings[4].unscored.reason == "missing"


def test_a_list_of_ratings_is_by_raters_who_cannot_be_followed(tmp_path: Path) -> None:
    _, *ratings = records(tmp_path / "a.jsonl", RATED | {"helpfulness": [3, 1]}, name="helpsteer")
    assert [(one.judge, one.anonymous) for one in ratings[:2]] == [
        ("rater1", True),
        ("rater2", True),
    ]


def test_a_history_in_one_text_is_parted(tmp_path: Path) -> None:
    said = "Hi\n<extra_id_1>Assistant\nHello\n<extra_id_1>User\nBye"
    chat, *_ = records(tmp_path / "a.jsonl", RATED | {"prompt": said}, name="helpsteer")
    assert [turn.text for turn in chat.turns] == ["Hi", "Hello", "Bye", "r"]


@pytest.mark.parametrize(("strength", "gold"), [(-2, "A"), (0, "tie"), (3, "B")])
def test_the_sign_of_a_preference_says_who_won(tmp_path: Path, strength: int, gold: str) -> None:
    row = {"prompt": "p", "response_1": "r", "response_2": "s", "preference_strength": strength}
    (pair,) = records(tmp_path / "a.jsonl", row, name="helpsteer")
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
    pair, *votes = records(tmp_path / "a.jsonl", row, name="helpsteer")
    assert pair.gold == "B"
    assert [(one.judge, one.answer, one.explanation) for one in votes] == [
        ("rater1", "B", "why"),
        ("rater2", "A", None),
    ]
    assert all(isinstance(one, Judgment) for one in votes)


def test_a_preference_off_its_scale_is_a_bad_record(tmp_path: Path) -> None:
    row = {"prompt": "p", "response_1": "r", "response_2": "s", "preference_strength": 5}
    with pytest.raises(DataError, match="from -3 to 3"):
        records(tmp_path / "a.jsonl", row, name="helpsteer")


def records_ultrafeedback(path: Path, *rows: dict[str, Any], name: str) -> list[Any]:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    with open_records(path) as opened:
        assert opened.format.name == name
        return [record for _, record in opened.records]


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


def test_every_answer_is_a_conversation_of_one_group(tmp_path: Path) -> None:
    found = records_ultrafeedback(tmp_path / "a.jsonl", ROW, name="ultrafeedback")
    chats = [one for one in found if isinstance(one, Conversation)]
    assert [(one.id, one.system, one.metadata["group"]) for one in chats] == [
        ("a-1/0", "m1", "a-1"),
        ("a-1/1", "m2", "a-1"),
    ]


def test_a_rating_that_does_not_apply_is_no_failure(tmp_path: Path) -> None:
    found = records_ultrafeedback(tmp_path / "a.jsonl", ROW, name="ultrafeedback")
    told = {one.question: one for one in found if isinstance(one, Judgment)}
    assert (told["helpfulness"].answer, told["helpfulness"].explanation) == ("4", "why")
    assert told["honesty"].answer == "NA"
    assert told["truthfulness"].unscored == Unscored("missing", "the source holds no answer")
    assert told["overall"].score == 7.5


def test_an_answer_that_is_no_text_is_a_bad_record(tmp_path: Path) -> None:
    row = {"instruction": "i", "completions": [{"response": 5}]}
    with pytest.raises(DataError, match="expected text"):
        records_ultrafeedback(tmp_path / "a.jsonl", row, name="ultrafeedback")
    assert read is not None


TURNS = [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello!"}]


def rating(dimension: str, score: Any, judge: str = "slot0", **more: Any) -> dict[str, Any]:
    return {"judge": judge, "kind": "human", "dimension": dimension, "score": score, **more}


def row(*ratings: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "d1", "turns": TURNS, "ratings": list(ratings), **more}


SAMPLES = {"rated": row(rating("charm", 2.5))}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def test_rated_conversations_are_recognised(tmp_path: Path) -> None:
    assert recognise(Sample("json", (SAMPLES["rated"],), "x.jsonl")).name == "rated"
    for record in iter_records(written(tmp_path / "x.jsonl", SAMPLES["rated"])):
        assert parse(to_json(record)) == record


def records_rated(tmp_path: Path, value: dict[str, Any]) -> tuple[Conversation, list[Judgment]]:
    first, *rest = iter_records(written(tmp_path / "x.jsonl", value))
    assert isinstance(first, Conversation)
    return first, [one for one in rest if isinstance(one, Judgment)]


def test_the_bot_is_the_system_and_other_fields_are_metadata(tmp_path: Path) -> None:
    talk, _ = records_rated(tmp_path, row(bot="E", hit="h", topic=None))
    assert talk.system == "E"
    assert talk.metadata == {"hit": "h"}


def test_a_turn_s_rating_keeps_its_turn_and_a_run_is_a_repeat(tmp_path: Path) -> None:
    value = row(
        rating("impression", 0, turn=1),
        {"judge": "gpt-4", "kind": "llm", "dimension": "overall", "score": 4.5, "run": 3},
    )
    _, (label, run) = records_rated(tmp_path, value)
    assert (label.turn, label.answer, label.score, label.anonymous) == (1, None, 0, True)
    assert (run.repeat, run.score, run.kind, run.anonymous) == (2, 4.5, "model", False)


def test_a_score_that_is_null_is_unscored(tmp_path: Path) -> None:
    _, (empty,) = records_rated(tmp_path, row(rating("charm", None)))
    assert empty.unscored is not None
    assert empty.unscored.reason == "missing"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (row({"judge": "j", "score": 1}), "dimension: is missing"),
        (row({"kind": "human", "dimension": "charm", "score": 1}), "judge: received None"),
        ({"id": "d1", "turns": "no", "ratings": []}, "turns: received 'no'; expected a list"),
        ({"id": "d1", "turns": [{"text": "Hi"}], "ratings": []}, "turns[0].role: is missing"),
    ],
)
def test_a_bad_rating_or_turn_is_an_error_that_names_its_field(
    value: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=r"x\.jsonl:1: ") as caught:
        list(iter_records(written(tmp_path / "x.jsonl", value)))
    assert problem in str(caught.value)


def test_a_rating_that_is_no_object_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "x.jsonl", {**row(), "ratings": ["charming"]})
    with pytest.raises(DataError, match="expected an object, received 'charming'"):
        list(iter_records(file, ReadOptions(format="rated")))
