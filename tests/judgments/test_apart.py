"""Questions of sets that differ get names of their own, and no other question does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import assize
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.judgments.apart import Apart, alike, of_set


def net(name: str | None, top: float, version: str = "v1") -> Question:
    one = Question("NetSAT", "For less against", range=(-10.0, top), higher="better")
    return one if name is None else of_set(one, name, version)


def table(question: Question, score: float = 1.0) -> JudgmentTable:
    return JudgmentTable.of([Judgment("i", "bot", "NetSAT", score=score)], [question])


def entered(*given: Question) -> list[tuple[dict[str, str], dict[str, str]]]:
    apart = Apart()
    return [apart.enter([one]) for one in given]


def test_sets_of_one_scale_keep_the_name() -> None:
    assert entered(net("a.yaml", 20), net("b.yaml", 20)) == [({}, {})] * 2


def test_sets_of_two_scales_are_told_apart() -> None:
    assert entered(net("a.yaml", 20), net("b.yaml", 30), net("a.yaml", 20)) == [
        ({}, {}),
        ({"NetSAT": "NetSAT@a.yaml"}, {"NetSAT": "NetSAT@b.yaml"}),
        ({}, {"NetSAT": "NetSAT@a.yaml"}),
    ]


def test_two_versions_of_one_file_are_told_apart_by_the_version() -> None:
    assert entered(net("a.yaml", 20, "old"), net("a.yaml", 30, "new"))[1] == (
        {"NetSAT": "NetSAT@a.yaml"},
        {"NetSAT": "NetSAT@a.yaml new"},
    )


def test_what_belongs_to_no_set_keeps_its_name() -> None:
    assert entered(net(None, 20), net("b.yaml", 30)) == [({}, {})] * 2


def test_whose_it_is_does_not_make_a_question_another() -> None:
    assert alike(net("a.yaml", 20), net(None, 20))
    assert not alike(net("a.yaml", 20), replace(net("a.yaml", 20), text="Else"))


def test_tables_of_two_sets_become_one_with_a_question_each() -> None:
    sets = (("a.yaml", 20), ("b.yaml", 30), ("a.yaml", 20))
    found = JudgmentTable.concat(
        table(net(name, top), score) for score, (name, top) in enumerate(sets, start=1)
    )
    assert [(row.question, row.score) for row in found] == [
        ("NetSAT@a.yaml", 1),
        ("NetSAT@b.yaml", 2),
        ("NetSAT@a.yaml", 3),
    ]
    assert found.questions["NetSAT@a.yaml"].range == (-10, 20)
    assert found.questions["NetSAT@b.yaml"].range == (-10, 30)
    assert not found.inferred


def test_what_no_set_owns_still_has_one_scale() -> None:
    with pytest.raises(DataError, match="two scales"):
        JudgmentTable.concat([table(net(None, 20)), table(net("b.yaml", 30))])


def test_files_of_two_sets_are_read_as_one_table(tmp_path: Path) -> None:
    for name, top, end in (("a", 20, "jsonl"), ("b", 30, "parquet"), ("c", 20, "jsonl")):
        assize.write(tmp_path / f"{name}.{end}", table(net(f"{name}.yaml", top)))
    files = [tmp_path / "a.jsonl", tmp_path / "b.parquet", tmp_path / "c.jsonl"]
    found = assize.read_judgments(files)
    assert [row.question for row in found] == ["NetSAT@a.yaml", "NetSAT@b.yaml", "NetSAT@c.yaml"]
    assert {one.range for one in found.questions.values()} == {(-10, 20), (-10, 30)}
    assert not found.inferred
    assert [row.question for row in assize.read_judgments([files[0], files[2]])] == ["NetSAT"] * 2
