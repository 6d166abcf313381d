"""A judge's answers as proposals: what is filled in before a person answers."""

from __future__ import annotations

from collections.abc import Mapping

from assize.base.judgment import Judgment, Order
from assize.judgments.combine import agreed_vote
from assize.web._forms.form import Form
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.inputs import read_votes
from assize.web._tasks.rows import real_side

Proposed = dict[str, dict[str, str]]
"""By item and question an answer."""


def as_shown(proposed: Mapping[str, str] | None, form: Form, order: Order | None) -> dict[str, str]:
    """Return a judge's answers, by question, as the form has them, by field.

    Only what the form offers is proposed. Sides stand as they are shown.
    """
    shown: dict[str, str] = {}
    for field in form.fields:
        answer = (proposed or {}).get(field.name)
        if answer is None:
            continue
        if field.question.kind == "preference":
            answer = real_side(answer, order)
        if not field.question.answers or answer in field.question.answers:
            shown[field.name] = answer
    return shown


def proposals(task: Task) -> Proposed:
    """Return all that the task's judge proposes; of a preference what both orders agree on.

    Raises:
        DataError: a file cannot be read, or the judge answered nothing in it.
    """
    if task.suggestions is None:
        return {}
    judge = task.suggestions.judge
    votes: dict[tuple[str, str], list[Judgment]] = {}
    preferences, judges = set[str](), set[str]()
    for table in read_votes(task, task.suggestions.judgments, "suggestions", "judgments"):
        judges.update(table.judges)
        preferences |= {one.id for one in table.questions.values() if one.kind == "preference"}
        for row in table:
            if row.judge == judge and row.turn is None:
                votes.setdefault((row.item, row.question), []).append(row)
    proposed: Proposed = {}
    for (item, question), rows in votes.items():
        answer = agreed_vote(rows) if question in preferences else _first_answer(rows)
        if answer is not None:
            proposed.setdefault(item, {})[question] = answer
    if not proposed:
        known = ", ".join(sorted(judges)) or "nobody"
        problem = f"{judge!r} answers nothing there; those who do: {known}"
        raise problem_in(task, problem, "suggestions", "judge")
    return proposed


def _first_answer(rows: list[Judgment]) -> str | None:
    """Return the first answer, or the most probable one, or the score; of repeats the first."""
    for row in rows:
        if row.repeat:
            continue
        if row.answer is not None:
            return row.answer
        if row.distribution:
            return max(row.distribution, key=row.distribution.__getitem__)
        if row.score is not None:
            return f"{row.score:g}"
    return None
