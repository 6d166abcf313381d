"""Versions that share judgments, or are equal, are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.versions.two_versions import HELPFUL, chats_of, made, two_versions

from assize.base.errors import DataError
from assize.judgments import JudgmentTable
from assize.versions.distinct import check_distinct, check_ids
from assize.versions.version import Version

OLD, NEW = two_versions(12)


def test_one_file_of_two_versions_with_ids_of_their_own_passes() -> None:
    new = made("new", [1.0, 2.0], ids=["n0", "n1"])
    sources = {"scores.jsonl": [*OLD.table.items, *new.table.items]}
    check_distinct([replace(version, sources=sources) for version in (OLD, new)])


def test_equal_judgments_are_refused_in_any_order() -> None:
    backwards = JudgmentTable.of(reversed(list(OLD.table)), [HELPFUL])
    with pytest.raises(DataError, match="old, copy: both versions hold the same 12 judgments"):
        check_distinct([OLD, Version("copy", backwards)])


def test_equal_judgments_of_items_that_differ_in_system_pass() -> None:
    items = {name: replace(chat, system="new") for name, chat in chats_of(OLD).items()}
    check_distinct([OLD, Version("new", OLD.table, items)])


def test_equal_answers_at_another_time_pass() -> None:
    later = [replace(row, at="2026-02-01T00:00:00Z") for row in OLD.table]
    check_distinct([OLD, Version("later", JudgmentTable.of(later, [HELPFUL]), OLD.items)])


def test_an_id_of_two_items_is_refused() -> None:
    first, second = OLD.items["c0"], NEW.items["c0"]
    assert check_ids([first, first], "chats.jsonl", "") == {"c0": first}
    with pytest.raises(DataError, match=r"chats.jsonl: the id 'c0' names two items .*; rename one"):
        check_ids([first, second], "chats.jsonl", "rename one")
