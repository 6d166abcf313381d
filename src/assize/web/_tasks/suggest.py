"""A judge's answers as proposals: what is filled in before a person answers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from assize.base.conversation import Item
from assize.base.judgment import Judgment, Order
from assize.formats import read_judgments
from assize.judgments import JudgmentTable
from assize.judgments.combine import agreed_vote
from assize.web._forms.form import Form
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.rows import real_side

Proposed = dict[str, dict[str, str]]
"""By item and question an answer."""


def suggested(task: Task, item: Item, form: Form, order: Order | None) -> dict[str, str] | None:
    """What the task's judge proposes for an item, by field; None where nothing is proposed."""
    if task.suggestions is None:
        return None
    return as_shown(proposals(task).get(item.id, {}), form, order) or None


def as_shown(proposed: Mapping[str, str] | None, form: Form, order: Order | None) -> dict[str, str]:
    """A judge's answers, by question, as the form has them, by field.

    Only what the form offers is proposed. Sides stand as they are shown.
    """
    found: dict[str, str] = {}
    for one in form.fields:
        answer = (proposed or {}).get(one.name)
        if answer is None:
            continue
        if one.question.kind == "preference":
            answer = real_side(answer, order)
        if not one.question.answers or answer in one.question.answers:
            found[one.name] = answer
    return found


def proposals(task: Task) -> Proposed:
    """All that the task's judge proposes; of a preference what its votes in all orders agree on.

    Raises:
        DataError: a file cannot be read, or the judge answered nothing in it.
    """
    given = task.suggestions
    if given is None:
        return {}
    places = tuple(task.file(name) for name in given.judgments)
    for name, place in zip(given.judgments, places, strict=True):
        if not os.path.exists(place):
            raise problem_in(task, f"there is no {name!r}", "suggestions", "judgments")
    stamps = tuple(place.stat().st_mtime_ns for place in places)
    found = _read(places, stamps, given.judge)
    if not found:
        judges = ", ".join(_judges(places)) or "nobody"
        problem = f"{given.judge!r} answers nothing there; those who do: {judges}"
        raise problem_in(task, problem, "suggestions", "judge")
    return found


@lru_cache(maxsize=16)
def _read(places: tuple[Path, ...], stamps: tuple[int, ...], judge: str) -> Proposed:
    """Read once for as long as the files stay as they are."""
    said: dict[tuple[str, str], list[Judgment]] = {}
    prefers = set[str]()
    for place in places:
        table = read_judgments(place)
        prefers |= {one.id for one in table.questions.values() if one.kind == "preference"}
        for row in table:
            if row.judge == judge and row.turn is None:
                said.setdefault((row.item, row.question), []).append(row)
    found: Proposed = {}
    for (item, question), rows in said.items():
        answer = agreed_vote(rows) if question in prefers else _first(rows)
        if answer is not None:
            found.setdefault(item, {})[question] = answer
    return found


def _first(rows: Sequence[Judgment]) -> str | None:
    """The first answer, or the most probable one, or the score; of repeats the first."""
    return next((said for row in rows if not row.repeat and (said := _said(row)) is not None), None)


def _said(row: Judgment) -> str | None:
    if row.answer is None and row.distribution:
        return max(row.distribution, key=row.distribution.__getitem__)
    return f"{row.score:g}" if row.answer is None and row.score is not None else row.answer


def _judges(places: tuple[Path, ...]) -> list[str]:
    tables: list[JudgmentTable] = [read_judgments(place) for place in places]
    return list(dict.fromkeys(name for table in tables for name in table.judges))
