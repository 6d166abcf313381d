from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import USER, lines, make_task, rows, taken

from assize.base.errors import DataError
from assize.web._tasks import Task, check_task, kind_of

SOURCES = ["old", "new"]


def said(turn: int, source: str) -> dict[str, Any]:
    return {
        "id": f"{source}-{turn}",
        "conversation": "c",
        "turn": turn,
        "context": [USER],
        "references": ["So."],
        "candidate": f"{source} {turn}",
        "source": source,
    }


def scored(item: str, answer: str) -> dict[str, Any]:
    return {
        "item": item,
        "judge": "bea",
        "question": "content",
        "answer": answer,
        "kind": "person",
    }


RECORDS = [said(turn, source) for turn in (1, 3) for source in SOURCES] + [said(1, "other")]


def task_of(folder: Path, **settings: Any) -> Task:
    return make_task(folder, "contrast", RECORDS, settings={"sources": SOURCES, **settings})


def test_both_sources_are_shown_at_every_turn_that_both_have(task: Task) -> None:
    assert {one.id for one in kind_of(task).items(task)} == {"old-1", "new-1", "old-3", "new-3"}


def test_with_ratings_only_turns_that_differ_are_drawn(tmp_path: Path) -> None:
    given = [("old-1", "5"), ("new-1", "5"), ("old-3", "4"), ("new-3", "2")]
    lines(tmp_path / "ratings.jsonl", [scored(*one) for one in given])
    task = task_of(tmp_path, ratings=["ratings.jsonl"])
    assert {one.id for one in kind_of(task).items(task)} == {"old-3", "new-3"}


def test_the_draw_is_the_same_every_time(tmp_path: Path) -> None:
    given = [("old-1", "5"), ("new-1", "4"), ("old-3", "4"), ("new-3", "2")]
    lines(tmp_path / "ratings.jsonl", [scored(*one) for one in given])
    task = task_of(tmp_path, ratings=["ratings.jsonl"], n=1)
    first, second = ([one.id for one in kind_of(task).items(task)] for _ in range(2))
    assert first == second
    assert len(first) == 2


def test_nothing_tells_whose_a_text_is(task: Task) -> None:
    shown = kind_of(task).shown(task, kind_of(task).items(task)[0], None)
    assert [name for name, _ in shown["options"]] == ["Option A", "Option B"]
    assert "source" not in shown


def test_phrasing_and_the_difference_are_asked_and_the_theme_on_request(tmp_path: Path) -> None:
    for theme, asked in (
        (False, ["phrasing", "difference"]),
        (True, ["phrasing", "difference", "theme"]),
    ):
        task = task_of(tmp_path, theme=theme)
        assert [one.id for one in kind_of(task).questions(task)] == asked
        assert [
            one.name for one in kind_of(task).form(task, kind_of(task).items(task)[0]).fields
        ] == asked


def test_a_difference_in_words_is_an_answer(task: Task) -> None:
    answers = taken(task, {"phrasing": "template", "difference": "longer"})
    assert [one.answer for one in rows(task, answers)] == ["template", "longer"]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"sources": ["a", "a"]}, "two different sources"),
        ({"sources": ["a", "b"], "ratings": ["gone.jsonl"]}, "no 'gone.jsonl'"),
        ({"sources": ["a"]}, "settings of 'contrast' are sources"),
        ({"sources": ["old", "third"]}, "no turn in common"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    tmp_path: Path, settings: dict[str, Any], problem: str
) -> None:
    task = make_task(tmp_path, "contrast", RECORDS, settings=settings)
    with pytest.raises(DataError, match=problem):
        check_task(task)
