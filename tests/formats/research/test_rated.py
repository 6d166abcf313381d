from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.conversation import Conversation
from assize.errors import DataError
from assize.formats import parse, read, to_json
from assize.formats.reading import recognise
from assize.formats.research.rated import (
    FED_CONTURE,
    IEVAL,
    RATED,
    RELIABLE_EVAL,
    TOPICAL_CHAT,
    USS,
)
from assize.formats.rows import Sample
from assize.judgment import Judgment

TURNS = [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello!"}]


def rating(dimension: str, score: Any, judge: str = "slot0", **more: Any) -> dict[str, Any]:
    return {"judge": judge, "kind": "human", "dimension": dimension, "score": score, **more}


def row(*ratings: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "d1", "turns": TURNS, "ratings": list(ratings), **more}


SAMPLES = {
    USS.name: row(rating("satisfaction", 4), corpus="SGD"),
    RELIABLE_EVAL.name: row(rating("fun", 49, "rater1"), bot="E", rater_passed_qc=True, hit="h"),
    IEVAL.name: row(rating("repetitive", 5, "worker1"), bot="Pink", group="g", scenario={}),
    FED_CONTURE.name: row(rating("overall_impression", 2, "majority3", turn=1)),
    TOPICAL_CHAT.name: row(rating("conversation_quality", 5, "human1"), split="test_rare"),
    RATED.name: row(rating("charm", 2.5)),
}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


@pytest.mark.parametrize("name", SAMPLES)
def test_a_corpus_is_recognised_by_what_only_it_holds(name: str, tmp_path: Path) -> None:
    assert recognise(Sample("json", (SAMPLES[name],), "x.jsonl")).name == name
    for record in read(written(tmp_path / "x.jsonl", SAMPLES[name])):
        assert parse(to_json(record)) == record


def records(tmp_path: Path, value: dict[str, Any]) -> tuple[Conversation, list[Judgment]]:
    first, *rest = read(written(tmp_path / "x.jsonl", value))
    assert isinstance(first, Conversation)
    return first, [one for one in rest if isinstance(one, Judgment)]


def test_the_bot_is_the_system_and_other_fields_are_metadata(tmp_path: Path) -> None:
    talk, _ = records(tmp_path, SAMPLES[RELIABLE_EVAL.name])
    assert talk.system == "E"
    assert talk.metadata == {"rater_passed_qc": True, "hit": "h"}


def test_a_turn_s_rating_keeps_its_turn_and_a_run_is_a_repeat(tmp_path: Path) -> None:
    value = row(
        rating("overall_impression", 0, turn=1),
        {"judge": "gpt-4", "kind": "llm", "dimension": "overall", "score": 4.5, "run": 3},
    )
    _, (label, run) = records(tmp_path, value)
    assert (label.turn, label.answer, label.score, label.anonymous) == (1, "0", None, True)
    assert (run.repeat, run.score, run.kind, run.anonymous) == (2, 4.5, "model", False)


def test_only_raters_of_a_corpus_with_stable_ids_have_names(tmp_path: Path) -> None:
    _, (stable,) = records(tmp_path, SAMPLES[IEVAL.name])
    assert not stable.anonymous
    _, (slot,) = records(tmp_path, SAMPLES[USS.name])
    assert slot.anonymous


def test_the_scale_says_which_way_is_better() -> None:
    higher = {question.id: question.higher for question in IEVAL.questions}
    assert [name for name, way in higher.items() if way == "worse"] == [
        "insulting_statement",
        "inattentive_statement",
        "repetitive",
    ]
    reliable = {question.id: question for question in RELIABLE_EVAL.questions}
    assert reliable["repetitive"].higher == "better"
    assert reliable["repetitive"].range == (0, 100)


def test_speakers_of_a_talk_between_people_get_roles_and_keep_their_names(tmp_path: Path) -> None:
    turns = [
        {"role": "human1", "text": "Hi", "sentiment": "Happy"},
        {"role": "human2", "text": "Y"},
    ]
    value = SAMPLES[TOPICAL_CHAT.name] | {"turns": turns}
    talk, _ = records(tmp_path, value)
    assert [turn.role for turn in talk.turns] == ["user", "assistant"]
    assert talk.turns[0].extra == {"speaker": "human1", "sentiment": "Happy"}


def test_a_score_that_is_null_is_unscored(tmp_path: Path) -> None:
    _, (empty,) = records(tmp_path, row(rating("satisfaction", None), corpus="SGD"))
    assert empty.unscored is not None
    assert empty.unscored.reason == "missing"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (
            row(rating("satisfaction", 9), corpus="SGD"),
            "score: received '9' for question satisfaction; allowed are 1, 2, 3, 4, 5",
        ),
        (
            row(rating("fun", 101), bot="E", rater_passed_qc=True),
            "score: received 101 for question fun; allowed is 0 to 100",
        ),
        (row({"judge": "j", "score": 1}), "dimension: is missing"),
        ({"id": "d1", "turns": "no", "ratings": []}, "turns: received 'no'; expected a list"),
    ],
)
def test_a_bad_rating_is_an_error_that_says_what_is_allowed(
    value: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=r"x\.jsonl:1: ") as caught:
        list(read(written(tmp_path / "x.jsonl", value)))
    assert problem in str(caught.value)


def test_a_dimension_that_is_not_known_is_read_as_a_number(tmp_path: Path) -> None:
    _, (new,) = records(tmp_path, SAMPLES[RATED.name])
    assert (new.question, new.score, new.answer) == ("charm", 2.5, None)
