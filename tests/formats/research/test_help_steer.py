from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats.reading import open_records


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
