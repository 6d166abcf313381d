"""From files to files: where each kind of record goes, and that none is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.formats import Record, read, read_questions, write
from assize.formats.converting import Written, convert
from assize.formats.reading import iter_records

TURNS = (Turn("user", "hi"), Turn("assistant", "ho"))
RECORDS: list[Record] = [
    Judgment("c", "j", "stars", answer="2"),
    Conversation("c", TURNS),
    Pair("p", TURNS[:1], TURNS[1:], (Turn("assistant", "no"),), gold="A"),
    Continuation("k", TURNS[:1], "well"),
    Judgment("p", "j", "preference", answer="A"),
    Judgment("c", "k", "stars", answer="10"),
]
STARS = Question("stars", "How many?", "ordinal", ("1", "2", "10"), (1.0, 2.0, 10.0))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    write(tmp_path / "mixed.jsonl", RECORDS, questions=[STARS])
    return tmp_path / "mixed.jsonl"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"mixed.jsonl", "mixed.questions.json"}


def test_a_folder_gets_one_file_a_kind_and_only_those_that_occur(mixed: Path) -> None:
    out = mixed.parent / "corpus"
    done = convert(read([mixed]), out)
    assert names(out) == {
        "conversations.jsonl",
        "pairs.jsonl",
        "continuations.jsonl",
        "judgments.jsonl",
        "questions.json",
    }
    assert dict(done.kinds) == {"judgments": 3, "conversations": 1, "pairs": 1, "continuations": 1}
    assert list(iter_records(out / "judgments.jsonl")) == [RECORDS[0], RECORDS[4], RECORDS[5]]
    assert done.inferred == ("preference",)
    stars, preference = read_questions(out / "questions.json")
    assert stars == STARS
    assert (preference.kind, preference.extra) == ("preference", {"inferred": True})


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "txt"])
def test_a_file_gets_the_items_and_judgments_stand_beside_it(mixed: Path, suffix: str) -> None:
    out = mixed.parent / f"out.{suffix}"
    other = mixed.with_name("other.parquet")
    write(other, [Conversation("d", TURNS)])
    done = convert(read([mixed, other]), out)
    beside = "out.judgments.jsonl" + (".gz" if suffix.endswith(".gz") else "")
    assert names(mixed.parent) == {
        other.name,
        out.name,
        beside,
        "out.judgments.questions.json",
    }
    assert list(iter_records(out)) == [*RECORDS[1:4], Conversation("d", TURNS)]
    assert len(list(iter_records(out.with_name(beside)))) == 3
    assert done.questions == str(out.with_name("out.judgments.questions.json"))


@pytest.mark.parametrize("out", ["out.jsonl", "out.parquet", "out.csv", "out.csv.zst", "memory"])
def test_a_file_of_nothing_but_judgments_holds_them_itself(tmp_path: Path, out: str) -> None:
    rows = [record for record in RECORDS if isinstance(record, Judgment)]
    write(tmp_path / "in.jsonl", rows)
    place = "memory://converted/out.jsonl" if out == "memory" else str(tmp_path / out)
    done = convert(read([tmp_path / "in.jsonl"]), place)
    assert list(iter_records(place)) == rows
    assert done.files == [Written(place, "judgments", 3)]
    assert out == "memory" or names(tmp_path) == {"in.jsonl", out, "out.questions.json"}


def test_a_record_that_the_format_cannot_hold_stops_or_is_handed_over(mixed: Path) -> None:
    words = r"mixed\.jsonl:2: received a conversation; trl holds pairs"
    with pytest.raises(DataError, match=words):
        convert(read([mixed]), mixed.parent / "out.jsonl", to="trl")
    source = read([mixed], on_error="skip")
    done = convert(source, mixed.parent / "out.jsonl", to="trl")
    assert [reject.line for reject in source.rejects] == [2, 4]
    assert dict(done.kinds) == {"judgments": 3, "pairs": 1}


@pytest.mark.parametrize(
    ("out", "error", "words"),
    [
        ("../mixed.jsonl", ConfigError, "is read and written at once"),
        ("../mixed.jsonl/corpus/", DataError, "this folder cannot be made"),
    ],
)
def test_a_place_that_holds_the_input_is_refused(
    mixed: Path, out: str, error: type[Exception], words: str
) -> None:
    before = mixed.read_bytes()
    (mixed.parent / "inner").mkdir()
    with pytest.raises(error, match=words):
        convert(read([mixed]), f"{mixed.parent}/inner/{out}")
    assert mixed.read_bytes() == before


def test_a_scale_of_very_many_answers_is_text(tmp_path: Path) -> None:
    rows = (Judgment(str(n), "j", "why", answer=f"because {n}") for n in range(1200))
    write(tmp_path / "in.jsonl", rows)
    convert(read([tmp_path / "in.jsonl"]), tmp_path / "out.jsonl")
    (question,) = read_questions(tmp_path / "out.questions.json")
    assert (question.kind, question.answers) == ("text", ())
