"""Files of one format made into files of another, by the function."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from assize import Conversation, Pair, Turn, convert
from assize.base.errors import AssizeError, ConfigError, DataError
from assize.formats import GoldLabels, ItemSample, StudyPairs, read, read_judgments, write

GOOD = '{"id": "a", "turns": [{"role": "user", "text": "hi"}]}\n'
BAD = GOOD.replace("user", "wizard")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_text(GOOD + BAD)
    return tmp_path / "log.jsonl"


def test_a_bad_record_stops_and_what_was_converted_is_kept(
    log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = log.parent / "out.jsonl"
    with pytest.raises(DataError, match=r":2: turns\[0\].role: received 'wizard'"):
        convert(log, out)
    assert caplog.messages == [f"what was converted so far is kept in {out}.part"]
    assert not out.exists()


def test_skipping_keeps_bad_records_in_a_file(log: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "assize")
    done = convert(read([log], on_error="skip"), log.parent / "out.jsonl")
    rejects = log.parent / "out.rejects.jsonl"
    assert caplog.messages == [f"1 bad record was left out: see {rejects}"]
    (reject,) = map(json.loads, rejects.read_text().splitlines())
    assert set(reject) == {"source", "line", "field", "problem", "raw"}
    assert (reject["line"], json.loads(reject["raw"])) == (2, json.loads(BAD))
    report = done.to_json()
    assert (report["kinds"], report["rejects"]) == ({"conversations": 1}, 1)
    assert report["formats"] == {str(log): "assize"}


def test_the_result_says_what_was_read_and_written(log: Path) -> None:
    log.write_text(GOOD)
    out = log.parent / "out.jsonl"
    done = convert(str(log), str(out), to="openai")
    assert done.notes == [f"{log}: read as assize", f"{out}: 1 conversation"]
    assert done.tables["files"].rows == [[str(out), "conversations", 1]]
    assert json.loads(out.read_text())["messages"] == [{"role": "user", "content": "hi"}]
    assert convert(log, log.parent / "other.jsonl").signature != done.signature


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"options": {"rater-column": "who"}}, "format assize has no option 'rater_column'"),
        ({"options": {"na": "zero"}}, "format assize has no option 'na'"),
        ({"to": "nope"}, "no format 'nope'; .*known are"),
        ({"to": "anthropic"}, "anthropic can be read but not written; these are: assize-parquet,"),
        ({"make": StudyPairs("amulet-nectar")}, "give that file as against"),
        ({"make": GoldLabels("x:y=1"), "options": {"na": "zero"}}, "no option of a format"),
        ({"sources": [Conversation("c", ())]}, "sources must be files: paths, URLs or -"),
        ({"sources": []}, "sources must be files"),
        ({"make": ItemSample(5, by="colour")}, "no item has the field 'colour'"),
    ],
)
def test_what_cannot_be_is_said(log: Path, given: dict[str, Any], problem: str) -> None:
    log.write_text(GOOD)
    asked = {"sources": log, "out": log.parent / "out.jsonl"} | given
    with pytest.raises(AssizeError, match=problem):
        convert(**asked)


TALK = "".join(f"\n\nHuman: ask {n}\n\nAssistant: tell {n}" for n in range(4))


def test_a_recipe_keeps_its_pairs_and_counts_each_step(tmp_path: Path) -> None:
    rows = [
        {"chosen": TALK + " well", "rejected": TALK + " badly"},
        {"chosen": TALK, "rejected": TALK},
        {"chosen": "\n\nHuman: a\n\nAssistant: b", "rejected": "\n\nHuman: a\n\nAssistant: c"},
    ]
    source, out = tmp_path / "hh.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = convert(source, out, make=StudyPairs("amulet-hh"))
    assert len(out.read_text().splitlines()) == 1
    assert [step.pairs for step in done.steps] == [3, 2, 2, 1, 0]
    assert done.steps[-2].paper == "460 (test), 8,210 (train)"
    assert [row[1] for row in done.tables["steps"].rows] == [3, 2, 2, 1, 0]


def test_what_a_recipe_leaves_out_may_be_in_memory(tmp_path: Path) -> None:
    row = {"chosen": TALK + " well", "rejected": TALK + " badly"}
    source, out = tmp_path / "hh.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(row) + "\n")
    turns = [
        turn
        for n in range(4)
        for turn in (Turn("user", f"ask {n}"), Turn("assistant", f"tell {n}"))
    ]
    known = Pair(
        "k",
        tuple(turns[:-1]),
        (Turn("assistant", "tell 3 well"),),
        (Turn("assistant", "tell 3 badly"),),
    )
    assert convert(source, out, make=StudyPairs("amulet-hh", against=[known])).kinds == {}
    assert convert(source, out, make=StudyPairs("amulet-hh", 4)).kinds == {"pairs": 1}


def thumbed(folder: Path) -> Path:
    turns = (Turn("user", "Hello?"),)
    told = {"a": "up", "b": "down", "c": None}
    write(
        folder / "chats.jsonl",
        [Conversation(one, turns, metadata={"thumbs": thumb}) for one, thumb in told.items()],
    )
    return folder / "chats.jsonl"


@pytest.mark.parametrize("out", ["labels.jsonl", "labels.parquet", "labels"])
def test_labels_become_judgments_by_gold_that_other_commands_read(tmp_path: Path, out: str) -> None:
    done = convert(thumbed(tmp_path), tmp_path / out, make=GoldLabels("thumbs:up=1,down=0"))
    assert done.kinds == {"judgments": 2}
    read = read_judgments([str(tmp_path / out)])
    assert {(row.item, row.judge, row.question, row.answer) for row in read} == {
        ("a", "gold", "label", "1"),
        ("b", "gold", "label", "0"),
    }
    assert read.questions["label"].kind == "binary"


@pytest.mark.parametrize("make", [None, GoldLabels("thumbs:up=1,down=0")])
def test_a_file_is_not_read_and_written_at_once(tmp_path: Path, make: GoldLabels | None) -> None:
    chats = thumbed(tmp_path)
    with pytest.raises(ConfigError, match="read and written at once"):
        convert(chats, chats, make=make)


def test_a_sample_is_the_same_for_both_versions_and_has_each_value(tmp_path: Path) -> None:
    drawn = []
    for version in ("old", "new"):
        source, out = tmp_path / f"{version}.jsonl", tmp_path / f"{version}-few.jsonl"
        rows = [
            {
                "id": f"{version}-{number}",
                "messages": [
                    {"role": "user", "content": f"Question {number}?"},
                    {"role": "assistant", "content": version},
                ],
                "metadata": {"lang": "de" if number % 3 == 0 else "en"},
            }
            for number in range(90)
        ]
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
        done = convert(source, out, make=ItemSample(12, by="metadata.lang"))
        assert done.kinds == {"conversations": 12}
        items = list(read(out))
        assert sum(item.metadata["lang"] == "de" for item in items) == 4
        drawn.append([item.id.partition("-")[2] for item in items])
    assert drawn[0] == drawn[1]
    with pytest.raises(AssizeError, match="sample: received 0"):
        ItemSample(0)


def test_a_sample_into_a_folder_is_a_file_there(tmp_path: Path) -> None:
    source = tmp_path / "chats.jsonl"
    source.write_text(json.dumps({"messages": [{"role": "user", "content": "Hi"}]}) + "\n")
    done = convert(source, tmp_path / "few", make=ItemSample(5))
    assert [file.file for file in done.files] == [str(tmp_path / "few" / "conversations.jsonl")]
