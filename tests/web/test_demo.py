"""The example project to its end: rate, export, compare the raters, fit a calibrator."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.web.queue.rounds import add_people

import assize
from assize.web._forms import fill
from assize.web._opening import opened_store
from assize.web._queue import Assignment, next_assignment, submit
from assize.web._tasks import kind_of

EXAMPLES = Path(__file__).parents[2] / "examples"
ANSWERS = ("1", "2", "3", "4")


def rate(project: Path, name: str) -> None:
    """Let three people answer all items of a task, by questions that an item alone decides."""
    with opened_store(project) as (read, store):
        task = read.task(name)
        assert task is not None
        now = 1e9
        for person in store.write_now(add_people, ("ann", "bob", "cy")).values():
            while isinstance(
                item := store.write_now(next_assignment, task, person, now), Assignment
            ):
                now += 40
                rng = np.random.default_rng(len(item.key) + person % 2)
                fields = kind_of(task).form(task, item.read()).fields
                posted = {
                    field.name: [str(rng.choice(field.question.answers))]
                    for field in fields
                    if field.question.answers
                }
                filled = fill(kind_of(task).form(task, item.read()), posted)
                assert not filled.problems
                numbers = (task, item.id, person, item.revision)
                store.write_now(submit, *numbers, filled.answers, now=now, seconds=30.0)


@pytest.mark.slow("a study from its ratings to a fit")
def test_the_example_is_rated_exported_compared_and_learnt_from(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    project, out = tmp_path / "examples" / "web", tmp_path / "ratings"
    rate(project, "satisfaction")
    task = assize.web.export(project, out=out, task="satisfaction").tasks["satisfaction"]
    assert task.judgments > 100
    assert task.apart > 0
    gold = out / "satisfaction" / "gold.jsonl"
    report = assize.agreement.report_raters([task.file, gold])
    assert [row.rater for row in report.rows] == ["ann", "bob", "cy"]
    assert all(row.gold is not None for row in report.rows)
    items = {row.item for row in assize.read_judgments(task.file)}
    rng = np.random.default_rng(0)
    answers = [
        {
            "item": item,
            "judge": "model",
            "question": question,
            "distribution": dict(zip(ANSWERS, rng.dirichlet(np.ones(4)).tolist(), strict=True)),
        }
        for item in sorted(items)
        for question in ("Q0", "Q1", "Q7")
    ]
    fitted = assize.calibrate.fit(answers, ratings=task.file, target="Q0")
    assert set(fitted.raters) >= {"ann", "bob", "cy"}
