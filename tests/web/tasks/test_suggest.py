from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import BARE, PAIR, first, lines, make_task

from assize.base.errors import DataError
from assize.base.judgment import Order
from assize.web._tasks import Task, as_shown, kind_of
from assize.web._tasks.suggest import proposals

RUBRIC = {"rubric": "information-seeking"}
ASK = {"judgments": ["judged.jsonl"], "judge": "rubric@m"}


def said(question: str, **more: Any) -> dict[str, Any]:
    return {"item": "c2", "judge": "rubric@m", "question": question, **more}


def task_of(folder: Path, *judged: dict[str, Any], **suggestions: Any) -> Task:
    lines(folder / "judged.jsonl", judged)
    return make_task(folder, "rate", [BARE], settings=RUBRIC, suggestions={**ASK, **suggestions})


def proposed(task: Task, order: Order | None = None) -> dict[str, str] | None:
    item = first(task)
    answers = proposals(task).get(item.id)
    return as_shown(answers, kind_of(task).form(task, item), order) or None


def test_nothing_is_proposed_by_default(tmp_path: Path) -> None:
    assert proposed(make_task(tmp_path, "rate", [BARE], settings=RUBRIC)) is None


def test_an_answer_is_proposed_and_else_the_most_probable_one(tmp_path: Path) -> None:
    task = task_of(tmp_path, said("Q0", answer="3"), said("Q1", distribution={"1": 0.2, "4": 0.7}))
    assert proposed(task) == {"Q0": "3", "Q1": "4"}


def test_only_what_the_form_asks_and_offers_is_proposed(tmp_path: Path) -> None:
    task = task_of(tmp_path, said("Q0", answer="9"), said("Q2", answer="1"), said("Q6", answer="2"))
    assert proposed(task) == {"Q6": "2"}


def test_only_the_named_judge_proposes(tmp_path: Path) -> None:
    other = {**said("Q0", answer="1"), "judge": "other"}
    assert proposed(task_of(tmp_path, other, said("Q0", answer="3"))) == {"Q0": "3"}


@pytest.mark.parametrize(
    ("votes", "said", "exchanged"),
    [
        (["A"], "A", "B"),
        (["A", "B"], "tie", "tie"),
        (["A", "A"], "A", "B"),
        (["B", "B"], "B", "A"),
        (["tie", "A"], "tie", "tie"),
    ],
)
def test_what_votes_in_both_orders_agree_on_is_proposed_as_it_is_shown(
    tmp_path: Path, votes: Sequence[str], said: str, exchanged: str
) -> None:
    rows = [
        {"item": "p1", "judge": "da@m", "question": "preference", "answer": vote, "order": order}
        for vote, order in zip(votes, ("AB", "BA"), strict=False)
    ]
    lines(tmp_path / "judged.jsonl", rows)
    task = make_task(
        tmp_path,
        "compare",
        [PAIR],
        settings={"ties": True},
        suggestions={"judgments": ["judged.jsonl"], "judge": "da@m"},
    )
    assert proposed(task) == {"preference": said}
    assert proposed(task, "BA") == {"preference": exchanged}


@pytest.mark.parametrize(
    ("suggestions", "problem"),
    [
        ({"judge": "gone"}, r"'gone' answers nothing there; .*rubric@m"),
        ({"judgments": ["gone.jsonl"]}, r"there is no 'gone\.jsonl'"),
    ],
)
def test_what_proposes_nothing_is_refused(
    tmp_path: Path, suggestions: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        proposed(task_of(tmp_path, said("Q0", answer="3"), **suggestions))
