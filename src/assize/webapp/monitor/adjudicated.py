"""What discussions settled, as judgments of the judge `adjudicated`."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, select

from assize.judgment import Judgment
from assize.webapp.monitor.discussion import answers_by_label, label_of, open_questions
from assize.webapp.monitor.reading import number_of
from assize.webapp.storage.schema import discussions, items
from assize.webapp.tasks.definition import Task

JUDGE = "adjudicated"


def adjudicated(connection: Connection, task: Task) -> list[Judgment]:
    """The judgments that a task's settled discussions make, one a question.

    Their details say how it was settled (`agreement` of the raters, or by a `lead`) and why, and
    what the raters had answered, by label: no name stands in them.
    """
    d = discussions.c
    rows = connection.execute(
        select(
            d.id,
            d.item,
            d.answers,
            d.reason,
            d.settled_by,
            d.settled,
            items.c.key,
        )
        .join(items, items.c.id == d.item)
        .where(d.task == number_of(connection, task), d.state == "settled")
        .order_by(d.id)
    ).all()
    questions = open_questions(task)
    asked = {one.id: one for one in questions}
    found = []
    for row in rows:
        said = answers_by_label(connection, task, row.item, label_of(connection, row.id), questions)
        at = datetime.fromtimestamp(row.settled, UTC).isoformat()
        settled = row.answers or {}
        for name in asked:
            if name not in settled:
                continue
            answer = settled[name]
            details = {
                "settled_by": "agreement" if row.settled_by is None else "lead",
                "answers": said.get(name, {}),
                **({"reason": row.reason} if row.reason else {}),
            }
            number = asked[name].kind == "number" and not asked[name].answers and answer != "NA"
            found.append(
                Judgment(
                    row.key,
                    JUDGE,
                    name,
                    answer=None if number else answer,
                    score=float(answer) if number else None,
                    kind="person",
                    details=details,
                    at=at,
                )
            )
    return found
