"""A set scored by an evaluator: rows as from a model, and what is unscored."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import pytest
from tests.criteria.conftest import BAD, GOOD, SET

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Unscored
from assize.criteria._distilled.heads import Line
from assize.criteria._distilled.judge import DistilledJudge
from assize.judging.judge import Task, is_local
from assize.judgments.questions import alike

LINES = {"line": Line(2.0, 5.0), "works": Line(1.0, 5.0), "again": Line(-2.0, 5.0)}
SILENT = Conversation("silent", (Turn("user", "Hello?"),))


def read(items: Iterable[Conversation]) -> Iterator[Mapping[str, float] | Unscored]:
    """One raw number for all heads: 2 for GOOD, -2 for BAD."""
    for item in items:
        if item.id == "silent":
            yield Unscored("no_assistant", "nobody answers")
        else:
            yield dict.fromkeys(("overall", *LINES), 2.0 if item.id == "good" else -2.0)


JUDGE = DistilledJudge(SET, "criteria@set.yaml@evaluator:small", LINES, read, "abc")


def test_rows_are_those_of_a_model_with_expected_values() -> None:
    good, bad = JUDGE.judge_many([Task(GOOD), Task(BAD, repeat=1)])
    assert [row.question for row in good] == ["NetSAT", "line", "works", "again"]
    assert [row.score for row in good] == [9 + 7 - 1, 9.0, 7.0, 1.0]
    assert [row.score for row in bad] == [1 + 3 - 9, 1.0, 3.0, 9.0]
    assert {row.repeat for row in bad} == {1}
    assert {row.judge for row in good} == {JUDGE.name}
    assert good[0].details == {"label": "good", "side": "good", "probability": 0.999447}
    assert bad[0].details is not None
    assert bad[0].details["label"] == "bad"
    for one, theirs in zip(JUDGE.questions, SET.questions, strict=True):
        assert alike(one, theirs)


def test_where_there_is_no_text_every_row_is_unscored_with_the_reason() -> None:
    rows, _ = JUDGE.judge_many([Task(SILENT), Task(GOOD)])
    assert [row.unscored for row in rows] == [Unscored("no_assistant", "nobody answers")] * 4


def test_one_task_is_judged_like_many() -> None:
    assert is_local(JUDGE)
    assert asyncio.run(JUDGE.judge(Task(GOOD))) == JUDGE.judge_many([Task(GOOD)])[0]


@pytest.mark.parametrize(
    "given",
    [
        {"made_of": "other"},
        {"lines": {**LINES, "line": Line(2.5, 5.0)}},
        {"given": replace(SET, labelling=None)},
        {"given": replace(SET, criteria=SET.criteria[:2])},
    ],
)
def test_the_signature_changes_with_whatever_changes_a_number(given: dict[str, object]) -> None:
    assert replace(JUDGE, **given).signature != JUDGE.signature  # type: ignore[arg-type]
    assert replace(JUDGE, name="elsewhere").signature == JUDGE.signature


def test_a_run_with_another_set_gives_its_questions_names_of_their_own() -> None:
    apart = JUDGE.renamed({"NetSAT": "NetSAT@set.yaml"})
    names = ["NetSAT@set.yaml", "line", "works", "again"]
    assert [one.id for one in apart.questions] == names
    read, silent = apart.judge_many([Task(GOOD), Task(SILENT)])
    assert [row.question for row in read] == [row.question for row in silent] == names
    assert apart.signature == JUDGE.signature
