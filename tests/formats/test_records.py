"""The one gate between JSON objects and records."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assize
from assize.base.conversation import Continuation, Conversation, Pair, Reference, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored, Usage
from assize.formats import Record, parse, to_json
from assize.formats.records import counted, is_table, judgment, kind_of, question
from assize.judgments import JudgmentTable

SAID = {"role": "user", "text": "hi"}
TURNS = (Turn("user", "hi"),)
JUDGED = {"item": "i", "judge": "j", "question": "q"}


@pytest.mark.parametrize(
    ("value", "record"),
    [
        ({"id": "c", "turns": [SAID]}, Conversation("c", TURNS)),
        ({"id": "p", "a": [SAID], "b": [SAID]}, Pair("p", (), TURNS, TURNS)),
        ({"id": "k", "context": [SAID], "candidate": "x"}, Continuation("k", TURNS, "x")),
        (JUDGED | {"answer": "1"}, Judgment("i", "j", "q", answer="1")),
    ],
    ids=["conversation", "pair", "continuation", "judgment"],
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


def test_a_score_that_is_no_number_is_unscored() -> None:
    found = judgment(JUDGED | {"score": math.nan})
    assert (found.score, found.unscored) == (None, Unscored("nan", "the score was not a number"))


def test_a_reason_that_is_given_is_kept_beside_a_score_that_is_no_number() -> None:
    found = judgment(JUDGED | {"score": math.nan, "unscored": {"reason": "parse"}})
    assert found.unscored == Unscored("parse")


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


def test_an_empty_text_is_written() -> None:
    assert to_json(Turn("assistant", "")) == {"role": "assistant", "text": ""}


def test_a_question_has_a_value_for_every_answer() -> None:
    with pytest.raises(DataError, match=r"^values: 1 values for 2 answers; give one an answer"):
        question({"id": "q", "kind": "ordinal", "answers": ["1", "2"], "values": [1]})


def test_whom_a_question_is_for_is_its_audience() -> None:
    found = question({"id": "q", "for": "people"})
    assert found == Question("q", audience="people")
    assert to_json(found)["for"] == "people"


def test_half_a_character_becomes_a_mark() -> None:
    value = {"id": "c\ud800", "turns": [SAID | {"text": "\udfff x", "\ud800": "\U0010fffd"}]}
    turn = Turn("user", "\ufffd x", extra={"\ufffd": "\U0010fffd"})
    assert parse(value) == Conversation("c\ufffd", (turn,))


def test_a_count_fits_into_64_bits() -> None:
    value = {"item": "i", "judge": "j", "question": "q", "answer": "1"}
    assert parse(value | {"repeat": (1 << 63) - 1})
    with pytest.raises(DataError, match=r"^repeat: received 9223372036854775808"):
        parse(value | {"repeat": 1 << 63})


def test_half_a_character_hides_no_other_problem() -> None:
    with pytest.raises(DataError, match=r"^turns\[0\]\.role: received 'wizard'"):
        parse({"id": "\ud800", "turns": [{"role": "wizard", "text": "x"}]})


def test_shared_users_turns_are_verified_on_reading() -> None:
    said = {"role": "user", "text": "a"}
    other = {"role": "user", "text": "b"}
    value = {"id": "p", "a": [said], "b": [said], "shared_user": True}
    assert parse(value) == Pair("p", (), (Turn("user", "a"),), (Turn("user", "a"),), True)
    with pytest.raises(DataError, match="shared_user: says true, but the user's turns differ"):
        parse(value | {"b": [other]})


@pytest.mark.parametrize("gold", ["A", "B", "tie", "Fair", None, {"q": "A", "n": 3}])
def test_gold_is_a_preference_or_one_a_question(gold: object) -> None:
    turn = {"role": "assistant", "text": "x"}
    pair = parse({"id": "p", "a": [turn], "b": [turn], "gold": gold})
    assert isinstance(pair, Pair)
    expected = {"Fair": "tie"}.get(gold, gold) if isinstance(gold, str) else gold
    assert pair.gold == ({"q": "A", "n": "3"} if isinstance(gold, dict) else expected)


def test_a_number_is_fine_as_an_id() -> None:
    record = parse({"id": 7, "turns": [{"role": "user", "text": "hi"}]})
    assert record == Conversation("7", (Turn("user", "hi"),))


@pytest.mark.parametrize("name", ["filled.jsonl", "filled.csv", "filled.parquet"])
def test_a_request_that_was_filled_in_is_a_rating(tmp_path: Path, name: str) -> None:
    why = '{"reason": "requested", "message": "not answered yet"}'
    rows = [
        {"item": item, "judge": "ann", "question": "Q0", "answer": answer, "unscored": why}
        for item, answer in (("i1", "3"), ("i2", None))
    ]
    path = tmp_path / name
    if name.endswith(".jsonl"):
        lines = [json.dumps({**row, "unscored": json.loads(why)}) for row in rows]
        path.write_text("\n".join(lines))
    elif name.endswith(".csv"):
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    found = {row.item: row for row in assize.read_judgments([path])}
    assert (found["i1"].answer, found["i1"].unscored) == ("3", None)
    assert found["i2"].unscored is not None


SIDE = (Turn("user", "hi"),)
JUDGMENT = Judgment("i", "j", "q", answer="1")


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (Conversation("c", SIDE), "conversations"),
        (Pair("p", (), SIDE, SIDE), "pairs"),
        (Continuation("k", SIDE, "well"), "continuations"),
        (JUDGMENT, "judgments"),
    ],
)
def test_a_record_s_kind_is_the_word_for_many_of_it(record: Record, kind: str) -> None:
    assert kind_of(record) == kind


def test_only_a_table_of_judgments_is_one() -> None:
    assert is_table(JudgmentTable.of([JUDGMENT]))
    assert not is_table(JUDGMENT)
    assert not is_table([JUDGMENT])


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 pairs"), (1, "1 pair"), (2, "2 pairs"), (9876, "9,876 pairs")]
)
def test_one_record_is_counted_in_the_singular(count: int, words: str) -> None:
    assert counted(count, "pairs") == words
