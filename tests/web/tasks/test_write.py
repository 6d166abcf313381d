from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import ANNA, first, make_task, rows, sent, taken

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.web._tasks import Task, kind_of
from assize.web._tasks.write import token_of

BRIEF = {"id": "b1", "text": "A parcel is late.", "persona": "impatient", "style": "short lines"}
TEXTS = {"turn-0": "where is it", "turn-1": "On its way.", "turn-2": "since when"}


def task_of(folder: Path, **settings: Any) -> Task:
    return make_task(folder, "write", [BRIEF], settings={"least": 2, "most": 5, **settings})


def made(task: Task, answers: Any, person: int = 1, rater: str = "anna") -> Conversation:
    rating = replace(ANNA, rater=rater, person=person)
    (one,) = kind_of(task).made(task, first(task), answers, rating)
    assert isinstance(one, Conversation)
    return one


@pytest.mark.parametrize(
    ("texts", "problems"),
    [
        ({"turn-0": "where is it"}, {"turn-1": "Please answer this question."}),
        (
            {**TEXTS, "turn-4": "hello?"},
            {"turn-3": "Write this turn, or empty those that follow it."},
        ),
    ],
    ids=["too short", "a gap, which would exchange the speakers"],
)
def test_turns_stand_one_after_the_other(
    task: Task, texts: dict[str, str], problems: dict[str, str]
) -> None:
    assert sent(task, texts).problems == problems


def test_a_conversation_is_its_writers_whatever_they_are_called(task: Task) -> None:
    assert made(task, TEXTS, rater="deleted-12ab") == made(task, TEXTS)
    assert made(task, TEXTS, 2).id != made(task, TEXTS).id


def test_scenario_persona_and_style_are_shown(task: Task) -> None:
    assert kind_of(task).shown(task, first(task), None) == {
        "scenario": "A parcel is late.",
        "about": {"persona": "impatient", "style": "short lines"},
    }


@pytest.mark.parametrize(
    ("settings", "roles"),
    [
        ({}, ["user", "assistant", "user"]),
        ({"first": "assistant"}, ["assistant", "user", "assistant"]),
    ],
)
def test_one_person_writes_both_sides_in_turn(
    tmp_path: Path, settings: dict[str, str], roles: list[str]
) -> None:
    task = task_of(tmp_path, **settings)
    talk = made(task, taken(task, TEXTS))
    said = [(one.role, one.text) for one in talk.turns]
    assert said == list(zip(roles, TEXTS.values(), strict=True))


def test_turns_stand_in_their_order_beyond_ten(tmp_path: Path) -> None:
    task = task_of(tmp_path, most=12)
    texts = {f"turn-{place}": str(place) for place in range(12)}
    assert [one.text for one in made(task, texts).turns] == [str(place) for place in range(12)]


def test_what_was_written_says_for_what_and_not_by_whom(task: Task) -> None:
    talk = made(task, TEXTS)
    assert talk.metadata["scenario"] == "A parcel is late."
    assert talk.metadata["persona"] == "impatient"
    assert talk.metadata["written"] == {"task": "task", "brief": "b1", "by": token_of(task, 1)}
    assert "anna" not in repr(talk)


def test_tokens_of_writers_differ_by_the_tasks_seed(task: Task) -> None:
    tokens = {token_of(replace(task, seed=seed), person) for seed in (0, 1) for person in (1, 2)}
    assert len(tokens) == 4


def test_the_row_counts_the_turns(tmp_path: Path) -> None:
    (row,) = rows(task_of(tmp_path), {**TEXTS, "note": "hard to end"})
    assert (row.item, row.question, row.score) == ("b1", "written", 3.0)
    assert row.explanation == "hard to end"


def test_fewest_turns_above_the_most_are_refused(tmp_path: Path) -> None:
    task = task_of(tmp_path, least=6)
    with pytest.raises(DataError, match=r"task\.yaml:\d+: .*least is above most, 5"):
        kind_of(task).check(task)


def test_briefs_that_are_not_there_are_refused(tmp_path: Path) -> None:
    task = make_task(tmp_path, "write")
    with pytest.raises(DataError, match="name a file of briefs"):
        kind_of(task).items(task)
