from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import TALK, make_task

from assize.base.errors import DataError
from assize.web._tasks import Task, examples_of, instructions_of

EXAMPLE = {"item": "c1", "answers": {"Q0": "4"}, "why": "All is there.", "reasons": {"Q0": "Yes."}}


def task_of(folder: Path, *examples: dict[str, Any], **fields: Any) -> Task:
    return make_task(
        folder,
        "rate",
        [TALK],
        settings={"rubric": "information-seeking"},
        examples=list(examples),
        **fields,
    )


def test_an_example_is_an_item_with_its_answers_and_reasons(tmp_path: Path) -> None:
    (one,) = examples_of(task_of(tmp_path, EXAMPLE))
    assert (one.item.id, one.answers, one.why) == ("c1", {"Q0": "4"}, "All is there.")
    assert one.reasons == {"Q0": "Yes."}


def test_without_examples_of_its_own_a_task_has_those_of_its_kind(tmp_path: Path) -> None:
    assert len(examples_of(task_of(tmp_path))) == 2


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"item": "gone"}, r"item: the task has no item 'gone'"),
        ({"answers": {"Q9": "1"}}, r"Q9: this item is not asked 'Q9'"),
        ({"answers": {"Q0": "7"}}, r"Q0: Please choose one of the answers"),
        ({"reasons": {"Q9": "x"}}, r"Q9: this item is not asked 'Q9'"),
    ],
)
def test_an_example_that_does_not_fit_names_its_line(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DataError, match=rf"task\.yaml:\d+: examples\[0\].*{problem}"):
        examples_of(task_of(tmp_path, {**EXAMPLE, **change}))


def test_instructions_are_those_of_the_kind_and_of_the_task(tmp_path: Path) -> None:
    (tmp_path / "how.md").write_text("Be *kind*.")
    text = instructions_of(task_of(tmp_path, instructions="how.md"))
    assert text.startswith("Read the whole dialogue first")
    assert text.endswith("\n\nBe *kind*.")
