"""What leads answered where raters disagreed, as judgments of the judge `adjudicated`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import Connection, select

from assize.base.errors import AssizeError
from assize.base.judgment import Judgment
from assize.web._monitor.discussion import answers_by_label, label_of, open_questions
from assize.web._monitor.reading import number_of
from assize.web._monitor.records import read_items
from assize.web._storage.schema import discussions
from assize.web._tasks.definition import Task
from assize.web._tasks.kind import Rating
from assize.web._tasks.kinds import kind_of

JUDGE = "adjudicated"
_RATED = {"seconds", "version", "chosen"}  # details that only a rating has


def adjudicated(connection: Connection, task: Task) -> list[Judgment]:
    """The judgments that leads' answers in a task's settled discussions make.

    They are those that a rater's answers on the same form would make. Their details have what the
    raters had answered, by label, so that no name stands in them, and the lead's reason. Answers of
    which the task as it is now makes no judgments are left out.
    """
    d = discussions.c
    rows = connection.execute(
        select(d.id, d.item, d.answers, d.reason, d.settled)
        .where(d.task == number_of(connection, task), d.state == "settled")
        .order_by(d.id)
    ).all()
    records = read_items(connection, {row.item for row in rows})
    questions = open_questions(task)
    judgments: list[Judgment] = []
    for row in rows:
        rating = Rating(
            JUDGE,
            version=0,
            seconds=0.0,
            at=datetime.fromtimestamp(row.settled, UTC).isoformat(),
        )
        try:
            answers = kind_of(task).judgments(task, records[row.item], row.answers or {}, rating)
        except (AssizeError, LookupError):
            continue
        by_label = answers_by_label(
            connection, task, row.item, label_of(connection, row.id), questions
        )
        for judgment in answers:
            details = {
                name: value
                for name, value in (judgment.details or {}).items()
                if name not in _RATED
            }
            if judgment.question in by_label and judgment.turn is None:
                details["answers"] = by_label[judgment.question]
            if row.reason:
                details["reason"] = row.reason
            judgments.append(replace(judgment, details=details))
    return judgments
