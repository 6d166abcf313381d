from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import parse, to_json
from assize.formats.reading import iter_records, recognise
from assize.formats.rows import Sample

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


def records(tmp_path: Path, value: dict[str, Any]) -> tuple[Conversation, list[Judgment]]:
    first, *rest = iter_records(written(tmp_path / "x.jsonl", value))
    assert isinstance(first, Conversation)
    return first, [one for one in rest if isinstance(one, Judgment)]


def test_the_bot_is_the_system_and_other_fields_are_metadata(tmp_path: Path) -> None:
    talk, _ = records(tmp_path, row(bot="E", hit="h", topic=None))
    assert talk.system == "E"
    assert talk.metadata == {"hit": "h"}


def test_a_turn_s_rating_keeps_its_turn_and_a_run_is_a_repeat(tmp_path: Path) -> None:
    value = row(
        rating("impression", 0, turn=1),
        {"judge": "gpt-4", "kind": "llm", "dimension": "overall", "score": 4.5, "run": 3},
    )
    _, (label, run) = records(tmp_path, value)
    assert (label.turn, label.answer, label.score, label.anonymous) == (1, None, 0, True)
    assert (run.repeat, run.score, run.kind, run.anonymous) == (2, 4.5, "model", False)


def test_a_score_that_is_null_is_unscored(tmp_path: Path) -> None:
    _, (empty,) = records(tmp_path, row(rating("charm", None)))
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
