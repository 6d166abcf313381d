"""Lines of JSON that changed on the disk are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.base.line_checksum import FIELD, seal, seal_record, unseal, unseal_record
from assize.formats.questions import read_questions

CHATS = [
    Conversation(f"c{n}", (Turn("user", f"Why {n}?"), Turn("assistant", "So."))) for n in range(4)
]


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none()))
def test_a_line_is_as_it_was_once_unsealed(record: dict[str, str | int | None]) -> None:
    for ascii in (True, False):
        line = json.dumps(record, ensure_ascii=ascii).encode("utf-8", "surrogatepass") + b"\n"
        assert unseal(seal(line)) == line
        if record:
            assert {**json.loads(seal(line)), FIELD: None} == {**record, FIELD: None}


def test_what_is_no_object_or_has_no_checksum_stays_as_it_is() -> None:
    for line in (b"[1]\n", b"{}\n", b"text\n", b'{"a": 1}\n'):
        assert unseal(line) == line
        assert line == b'{"a": 1}\n' or seal(line) == line


def test_every_flipped_bit_of_the_record_is_seen() -> None:
    line = seal('{"item": "p1", "answer": "A", "explanation": "É"}\n'.encode())
    record = len(line) - len(f', "{FIELD}": "00000000"}}\n')
    for place in range(record):
        for bit in range(8):
            damaged = bytearray(line)
            damaged[place] ^= 1 << bit
            with pytest.raises(ValueError, match="checksum differs"):
                unseal(bytes(damaged))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
)


@given(st.dictionaries(st.text(), VALUES))
def test_a_record_is_as_it_was_once_unsealed_however_it_is_laid_out(record: dict[str, Any]) -> None:
    sealed = json.dumps(seal_record(record), indent=1, ensure_ascii=False)
    assert unseal_record(json.loads(sealed)) == record
    assert unseal_record(record) == record


def test_every_flipped_bit_of_a_runs_questions_is_refused_or_changes_nothing(
    tmp_path: Path,
) -> None:
    """But for one in the name of the checksum's field, which leaves the question as it was."""
    run = tmp_path / "run"
    assize.judge(CHATS, "rating@scripted:any", out=run, quiet=True)
    file = run / "questions.json"
    questions, data = read_questions(file), file.read_bytes()
    refused = 0
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 1 << (place % 8)
        file.write_bytes(damaged)
        try:
            kept = read_questions(file)
        except DataError:
            refused += 1
        else:
            assert [question.values for question in kept] == [one.values for one in questions]
            assert [question.answers for question in kept] == [one.answers for one in questions]
    assert refused > 0.8 * len(data)


def test_a_corrected_question_is_read_without_its_checksum(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assize.judge(CHATS, "rating@scripted:any", out=run, quiet=True)
    file = run / "questions.json"
    (question,) = json.loads(file.read_text())
    question["text"] = "How good is it?"
    file.write_text(json.dumps([question]))
    with pytest.raises(DataError, match=rf"questions.json: .*remove '{FIELD}'"):
        assize.read_judgments(run)
    del question[FIELD]
    file.write_text(json.dumps([question]))
    assert assize.read_judgments(run).questions["rating"].text == "How good is it?"


@pytest.mark.parametrize(
    "record",
    [
        {"text": FIELD},
        {"text": f', "{FIELD}": "74c46f81"}}'},
        {"text": f'", "{FIELD}'},
        {"distribution": {"yes": 0.5, FIELD: 0.5}},
    ],
    ids=["a text", "a text like a checksum", "a text that ends", "a field inside another"],
)
def test_what_names_the_field_is_no_checksum(record: dict[str, Any]) -> None:
    line = json.dumps(record).encode() + b"\n"
    assert unseal(line) == line
    assert unseal(seal(line)) == line


def test_a_line_whose_checksum_is_damaged_is_refused() -> None:
    line = seal(b'{"answer": "A"}\n')
    changes = [(b'32": ', b'32\xed\xa0\x80": '), (b"74c", b"74c4"), (b'32": ', b'32x": ')]
    for damaged in (line.replace(before, after) for before, after in changes):
        with pytest.raises(ValueError, match="checksum differs"):
            unseal(damaged)


def test_a_changed_answer_of_a_run_is_refused_with_its_line_and_what_to_do(tmp_path: Path) -> None:
    run = tmp_path / "run"
    rows = assize.judge(CHATS, "rating@scripted:any", out=run, quiet=True)
    file = run / "judgments.jsonl"
    assert all(FIELD in line for line in file.read_text().splitlines())
    assert all(FIELD not in row.extra for row in assize.read_judgments(run))
    lines = file.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"rating"', b'"ratinh"', 1)
    file.write_bytes(b"".join(lines))
    with pytest.raises(DataError, match=rf"judgments.jsonl:2: .*remove '{FIELD}'"):
        assize.read_judgments(run)
    with pytest.raises(DataError, match=r"judgments.jsonl:2"):
        assize.judge(CHATS, "rating@scripted:any", out=run, quiet=True)
    lines[1] = unsealed(lines[1])
    file.write_bytes(b"".join(lines))
    assert len(assize.read_judgments(run)) == len(rows)


def unsealed(line: bytes) -> bytes:
    """The line without its checksum, as somebody who edits it on purpose leaves it."""
    record = json.loads(line)
    del record[FIELD]
    return json.dumps(record).encode() + b"\n"
