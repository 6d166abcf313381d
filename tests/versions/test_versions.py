"""What is given as versions, read."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.versions.two_versions import HELPFUL, two_versions

import assize
from assize.base.errors import DataError
from assize.formats import write
from assize.judgments import JudgmentTable
from assize.versions import OverTime
from assize.versions.version import Version
from assize.versions.versions import Reading, field_of, split, two, versions_of

OLD, NEW = two_versions(12)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for one in (OLD, NEW):
        write(tmp_path / f"{one.name}.jsonl", list(one.table), questions=[HELPFUL])
        write(tmp_path / f"{one.name}-chats.jsonl", list(one.items.values()))
    return tmp_path


def test_files_of_one_name_belong_together(folder: Path) -> None:
    given = [f"a={folder}/old.jsonl", f"a={folder}/old-chats.jsonl", f"{folder}/new.jsonl"]
    found = versions_of(given, Reading())
    assert [one.name for one in found] == ["a", "new"]
    assert found[0].items == OLD.items
    assert found[1].items == {}
    assert len(found[1].table) == 12


@pytest.mark.parametrize(
    "given",
    [
        {"old": [OLD.table, list(OLD.items.values())], "new": NEW.table},
        [OLD.table, NEW.table],
        [OLD.table.to_pandas(), list(NEW.table)],
    ],
)
def test_memory_is_read_as_files_are(given: Any) -> None:
    found = versions_of(given, Reading(items=list(OLD.items.values())))
    assert [one.name for one in found] == ["old", "new"]
    assert all(len(one.table) == 12 for one in found)
    assert found[0].items == OLD.items


def test_conversations_alone_are_scored(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("onnxruntime")
    with caplog.at_level(logging.INFO, logger="assize"):
        (found,) = versions_of({"new": list(NEW.items.values())}, Reading(quiet=True))
    assert "overall" in found.table.asked
    assert "new: no judgments, so its 12 items are scored by the evaluator default" in caplog.text


def test_a_field_that_nothing_has_is_said_before_anything_is_scored(
    caplog: pytest.LogCaptureFixture,
) -> None:
    given = {"new": list(NEW.items.values())}
    with (
        caplog.at_level(logging.INFO, logger="assize"),
        pytest.raises(DataError, match="no item has the field 'colour'"),
    ):
        versions_of(given, Reading(quiet=True, fields=("lang", "colour")))
    assert "are scored" not in caplog.text


@pytest.mark.parametrize("by", [["metadata.version"], []])
def test_judgments_beside_their_own_conversations_are_refused_before_any_is_scored(
    by: list[str], folder: Path
) -> None:
    files = [f"{folder}/old.jsonl", f"{folder}/old-chats.jsonl"]
    over = None if by else OverTime("metadata.started")
    with pytest.raises(DataError) as refusal:
        assize.compare(files, by=by, against=over, evaluator="nowhere/no-evaluator")
    message = str(refusal.value)
    assert "old: its judgments are of 12 conversations of old-chats, which would be" in message
    assert f"write x={files[0]} x={files[1]}, or {files[0]} --items {files[1]};" in message


def test_one_file_is_split_by_a_field() -> None:
    rows = [*OLD.table, *(replace(row, item=f"n{row.item}") for row in NEW.table)]
    items = {
        **OLD.items,
        **{f"n{one}": replace(item, id=f"n{one}") for one, item in NEW.items.items()},
    }
    both = Version("both", JudgmentTable.of(rows, [HELPFUL]), items)
    found = split(both, "metadata.version")
    assert [one.name for one in found] == ["new", "old"]
    assert list(found[1].table) == list(OLD.table)
    with pytest.raises(DataError, match="all conversations have the same system, 'old'"):
        split(OLD, "system")
    with pytest.raises(DataError, match="no item has the field 'colour'"):
        split(both, "colour")


def test_a_field_needs_the_conversations() -> None:
    assert field_of([OLD, NEW], "metadata.lang")["new"]["c0"] == "de"
    with pytest.raises(DataError, match="none of those judged is here"):
        field_of([Version("old", OLD.table)], "lang")


def test_two_fields_at_most() -> None:
    assert two(["a", "b"]) == ("a", ["b"])
    with pytest.raises(Exception, match="give two at most"):
        two(["a", "b", "c"])


def test_nothing_that_can_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        versions_of([str(tmp_path / "x.jsonl"), str(tmp_path / "y.jsonl")], Reading())
