"""Questions of several sources: one scale a name, and inferred where none states it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import assize
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.judgments.questions import MOST_ANSWERS, Apart, Questions, alike, of_set


def test_a_question_is_worded_as_its_judgments_were_asked() -> None:
    questions = Questions()
    questions.begin("a.csv", ())
    details = {"asked": "Was it good?", "label": "Good"}
    questions.add_row(Judgment("i", "ann", "Q1", answer="4", details=details))
    found, inferred = questions.result()
    assert (found["Q1"].text, found["Q1"].labels) == ("Was it good?", {"4": "Good"})
    assert inferred == {"Q1"}


def test_questions_of_two_sets_get_names_and_those_of_before_change_theirs() -> None:
    first = of_set(Question("net", range=(0.0, 1.0)), "a.yaml", "v1")
    second = of_set(Question("net", range=(0.0, 2.0)), "b.yaml", "v1")
    questions = Questions()
    assert questions.merge("a", [first]) == ({}, {})
    assert questions.merge("b", [second]) == ({"net": "net@a.yaml"}, {"net": "net@b.yaml"})
    assert {name: one.range for name, one in questions.result()[0].items()} == {
        "net@a.yaml": (0.0, 1.0),
        "net@b.yaml": (0.0, 2.0),
    }
    with pytest.raises(DataError, match=r"^c: question 'net@a.yaml' has two scales: .* in a"):
        questions.begin("c", [Question("net@a.yaml", range=(0.0, 3.0))])


def test_an_inferred_scale_stays_as_wide_as_it_was() -> None:
    table = JudgmentTable.of([Judgment("i", "j", "q", answer=one) for one in "135"])
    kept = table.where(judge="j").filter(table.numeric("repeat") == 0).where(answer="3")
    assert JudgmentTable.concat([kept, kept]).questions["q"].answers == ("1", "3", "5")


def test_a_question_with_very_many_answers_is_free_text() -> None:
    questions = Questions()
    for number in range(MOST_ANSWERS + 2):
        questions.add_row(Judgment("i", "j", "why", answer=f"because {number}"))
    assert questions.result()[0]["why"].kind == "text"


def net(name: str | None, top: float, version: str = "v1") -> Question:
    one = Question("NetSAT", "For less against", range=(-10.0, top), higher="better")
    return one if name is None else of_set(one, name, version)


def table(question: Question, score: float = 1.0) -> JudgmentTable:
    return JudgmentTable.of([Judgment("i", "bot", "NetSAT", score=score)], [question])


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


A_YAML = {"NetSAT": "NetSAT@a.yaml"}


@pytest.mark.parametrize(
    ("given", "entered"),
    [
        ([net("a.yaml", 20), net("b.yaml", 20)], [({}, {})] * 2),  # one scale
        (
            [net("a.yaml", 20), net("b.yaml", 30), net("a.yaml", 20)],
            [({}, {}), (A_YAML, {"NetSAT": "NetSAT@b.yaml"}), ({}, A_YAML)],
        ),
        (
            [net("a.yaml", 20, "old"), net("a.yaml", 30, "new")],
            [({}, {}), (A_YAML, {"NetSAT": "NetSAT@a.yaml new"})],
        ),
        ([net(None, 20), net("b.yaml", 30)], [({}, {})] * 2),  # of no set
    ],
)
def test_sets_of_two_scales_are_told_apart_by_file_and_version(
    given: list[Question], entered: list[object]
) -> None:
    apart = Apart()
    assert [apart.enter([one]) for one in given] == entered
