"""The one gate between JSON objects and records."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.formats.conftest import lines

import assize
from assize.base.conversation import Continuation, Conversation, Pair, Reference, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored, Usage
from assize.formats import parse, to_json
from assize.formats.records import counted, judgment, kind_of, question

SAID = {"role": "user", "text": "hi"}
TURNS = (Turn("user", "hi"),)
JUDGED = {"item": "i", "judge": "j", "question": "q"}


@pytest.mark.parametrize(
    ("value", "record"),
    [
        ({"id": "c", "turns": [SAID]}, Conversation("c", TURNS)),
        ({"id": 7, "turns": [SAID]}, Conversation("7", TURNS)),
        ({"id": "p", "a": [SAID], "b": [SAID]}, Pair("p", (), TURNS, TURNS)),
        ({"id": "k", "context": [SAID], "candidate": "x"}, Continuation("k", TURNS, "x")),
        (JUDGED | {"answer": "1"}, Judgment("i", "j", "q", answer="1")),
    ],
    ids=["conversation", "a number as its id", "pair", "continuation", "judgment"],
)
def test_fields_tell_the_kind_of_record(value: dict[str, Any], record: Any) -> None:
    assert parse(value) == record


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([SAID], "^expected a JSON object, received"),
        ({"foo": 1}, r"^no known record: the fields are \['foo'\]; a conversation has `turns`"),
        ({"turns": [SAID]}, "^id: is missing"),
        ({"id": "", "turns": [SAID]}, "^id: received ''; string should have at least 1 character"),
        ({"id": "c", "turns": [SAID | {"text": 3}]}, r"^turns\[0\]\.text: received 3; "),
        ({"turns": [{"role": "user"}]}, r"^id: is missing \(and 1 more in this record\)$"),
        ({"id": "p", "a": [], "b": [SAID]}, "^a, b: both sides of a pair need at least one turn"),
        (JUDGED, "^needs one of `answer`, `score`, `distribution` or `unscored`"),
        (JUDGED | {"score": math.inf}, "^score: received inf; a score is a finite number or null"),
        (JUDGED | {"distribution": {"1": 1.5}}, r"^distribution\.1: received 1\.5; "),
        (
            JUDGED | {"distribution": {"1": 0.8}, "outside": 0.3},
            r"^distribution: the probabilities sum to 1\.1, above 1",
        ),
        (JUDGED | {"answer": "1", "repeat": -1}, "^repeat: received -1; "),
        (JUDGED | {"answer": "1", "repeat": 1 << 63}, "^repeat: received 9223372036854775808"),
        (
            {"id": "p", "a": [SAID], "b": [SAID | {"text": "b"}], "shared_user": True},
            "shared_user: says true, but the user's turns differ",
        ),
        # Half a character hides no other problem.
        ({"id": "\ud800", "turns": [SAID | {"role": "wizard"}]}, r"^turns\[0\]\.role: received"),
    ],
    ids=lambda part: part.split(":")[0] if isinstance(part, str) else "",
)
def test_a_bad_field_is_named_with_what_was_received(value: Any, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        parse(value)


@pytest.mark.parametrize("answer", [1 / 3, 0.1 + 0.2])
def test_probabilities_may_be_off_by_rounding(answer: float) -> None:
    shares = {"1": answer, "2": 1 - answer, "3": 5e-7}
    assert judgment(JUDGED | {"distribution": shares}).distribution == shares


@pytest.mark.parametrize(
    ("more", "unscored"),
    [
        ({}, Unscored("nan", "the score was not a number")),
        ({"unscored": {"reason": "parse"}}, Unscored("parse")),
    ],
)
def test_a_score_that_is_no_number_is_unscored(more: dict[str, Any], unscored: Unscored) -> None:
    expected = Judgment("i", "j", "q", unscored=unscored)
    assert judgment(JUDGED | {"score": math.nan} | more) == expected


def test_unknown_fields_are_kept_at_every_depth() -> None:
    value = {
        "id": "c",
        "turns": [SAID | {"references": [{"id": "1", "text": "t", "url": "u"}], "at": 3}],
        "mood": {"calm": True},
    }
    record = parse(value)
    turn = Turn("user", "hi", (Reference("1", "", "t", {"url": "u"}),), {"at": 3})
    assert record == Conversation("c", (turn,), extra={"mood": {"calm": True}})
    assert to_json(record) == value


def test_fields_at_their_default_are_left_out() -> None:
    row = Judgment("i", "j", "q", score=0.0, usage=Usage())
    assert to_json(row) == JUDGED | {"score": 0.0, "usage": {}}


def test_whom_a_question_is_for_is_its_audience() -> None:
    value = {"id": "q", "for": "people"}
    assert question(value) == Question("q", audience="people")
    assert to_json(question(value))["for"] == "people"


def test_half_a_character_becomes_a_mark() -> None:
    value = {"id": "c\ud800", "turns": [SAID | {"text": "\udfff x", "\ud800": "\U0010fffd"}]}
    turn = Turn("user", "\ufffd x", extra={"\ufffd": "\U0010fffd"})
    assert parse(value) == Conversation("c\ufffd", (turn,))


def test_a_count_fits_into_64_bits() -> None:
    assert judgment(JUDGED | {"answer": "1", "repeat": (1 << 63) - 1}).repeat == (1 << 63) - 1


def test_shared_users_turns_are_verified_on_reading() -> None:
    value = {"id": "p", "a": [SAID], "b": [SAID], "shared_user": True}
    assert parse(value) == Pair("p", (), TURNS, TURNS, True)


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        ("A", "A"),
        ("B", "B"),
        ("tie", "tie"),
        ("Fair", "tie"),
        (None, None),
        ({"q": "A", "n": 3}, {"q": "A", "n": "3"}),
    ],
)
def test_gold_is_a_preference_or_one_a_question(gold: object, expected: object) -> None:
    assert parse({"id": "p", "a": [SAID], "b": [SAID], "gold": gold}).gold == expected  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["filled.jsonl", "filled.csv", "filled.parquet"])
def test_a_request_that_was_filled_in_is_a_rating(tmp_path: Path, name: str) -> None:
    why = {"reason": "requested", "message": "not answered yet"}
    rows = [
        {"item": item, "judge": "ann", "question": "Q0", "answer": answer, "unscored": why}
        for item, answer in (("i1", "3"), ("i2", None))
    ]
    cells = pd.DataFrame(rows).assign(unscored=json.dumps(why))
    write: dict[str, Callable[[Path], object]] = {
        ".jsonl": lambda path: lines(path, *rows),
        ".csv": lambda path: cells.to_csv(path, index=False),
        ".parquet": lambda path: cells.to_parquet(path, index=False),
    }
    path = tmp_path / name
    write[path.suffix](path)
    first, second = assize.read_judgments([path])
    assert (first.answer, first.unscored) == ("3", None)
    assert second.unscored is not None


KINDS: dict[str, Conversation | Pair | Continuation | Judgment] = {
    "conversations": Conversation("c", TURNS),
    "pairs": Pair("p", (), TURNS, TURNS),
    "continuations": Continuation("k", TURNS, "well"),
    "judgments": Judgment("i", "j", "q", answer="1"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_s_kind_is_the_word_for_many_of_it(kind: str) -> None:
    assert kind_of(KINDS[kind]) == kind


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 pairs"), (1, "1 pair"), (2, "2 pairs"), (9876, "9,876 pairs")]
)
def test_one_record_is_counted_in_the_singular(count: int, words: str) -> None:
    assert counted(count, "pairs") == words
