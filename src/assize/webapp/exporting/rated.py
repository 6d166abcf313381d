"""From a person's judgments back to the form that they filled in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from assize.conversation import Item
from assize.errors import DataError
from assize.judgment import NOT_APPLICABLE, TRUTHS, Judgment
from assize.webapp.exporting.history import Event, Worked
from assize.webapp.exporting.ratings import SKIPPED
from assize.webapp.forms import Field, fill
from assize.webapp.tasks.definition import Task
from assize.webapp.tasks.kind import Rating
from assize.webapp.tasks.kinds import kind_of
from assize.webapp.tasks.rows import real_side


def worked_of(task: Task, records: Mapping[str, Item], rows: Iterable[Judgment]) -> list[Worked]:
    """What people did, that gave these judgments: one submitted or skipped form each.

    Args:
        records: the task's items, by their own ids.
        rows: judgments of models, of `gold` and of `adjudicated` are passed over.

    Raises:
        DataError: the task has no such item, or no answers to its form give these judgments.
    """
    forms: dict[tuple[str, str, int], list[Judgment]] = {}
    for one in rows:
        if one.kind in (None, "person") and one.judge not in TRUTHS:
            forms.setdefault((one.item, one.judge, one.repeat), []).append(one)
    found = [_worked(task, records, one) for one in forms.values()]
    return sorted(found, key=lambda one: one.created)


def _worked(task: Task, records: Mapping[str, Item], rows: Sequence[Judgment]) -> Worked:
    first = rows[0]
    if first.item not in records:
        raise DataError(f"the task {task.name!r} has no item {first.item!r}")
    details = dict(first.details or {})
    if details.get("edition") is not None:
        raise DataError(
            f"{first.judge!r} answered edition {details['edition']} of {first.item!r}, which was"
            " changed since; import the folder of an export, which holds what was shown"
        )
    rating = _rating(first, details)
    at = 0.0 if first.at is None else _seconds(first.at)
    event = Event(event="submit", version=rating.version, at=at, seconds=rating.seconds)
    if first.unscored is not None and first.unscored.reason == SKIPPED:
        event = event.model_copy(update={"event": "skip", "reason": first.unscored.message})
    else:
        answers = _answers(task, records[first.item], rows, rating)
        event = event.model_copy(update={"answers": answers})
    return Worked(
        item=first.item, rater=first.judge, repeat=first.repeat, created=at,
        purpose="gold" if rating.chosen == "gold" else "rate",
        chosen=details.get("chosen", "imported"), order=_shown(first), pilot=rating.pilot,
        suggestion=details.get("suggestion"), events=[event],
    )  # fmt: skip


def _rating(row: Judgment, details: Mapping[str, Any]) -> Rating:
    seconds, version = details.get("seconds", 0.0), details.get("version", 1)
    return Rating(
        row.judge, int(version), float(seconds), row.at or "", _shown(row), row.repeat,
        str(details.get("chosen", "imported")), bool(details.get("pilot", False)),
        details.get("suggestion"),
    )  # fmt: skip


def _shown(row: Judgment) -> Any:
    """The order in which the sides were shown, as an assignment has it."""
    return "BA" if row.order == "BA" else None


def _seconds(at: str) -> float:
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        raise DataError(f"{at!r} is no time; give ISO 8601, as 2026-03-01T09:30:00Z") from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _answers(
    task: Task, item: Item, rows: Sequence[Judgment], rating: Rating
) -> dict[str, str | list[str]]:
    """The form's answers; the kind itself says whether they give the judgments."""
    kind = kind_of(task)
    form = kind.form(task, item)
    by_question = {(one.question, one.turn): one for one in rows}
    found: dict[str, str | list[str]] = {}
    for field in form.fields:
        row = by_question.get((field.name, field.turn))
        if row is not None:
            given = _answer(field, row)
            if given is not None:
                found[field.name] = given
        elif field.name == "why":
            said = next((one.explanation for one in rows if one.explanation), None)
            if said is not None:
                found[field.name] = said
    said_of = {name: [one] if isinstance(one, str) else one for name, one in found.items()}
    wrong = fill(form, said_of).problems.keys() & found.keys()
    if wrong:
        name = min(wrong)
        raise DataError(
            f"{rows[0].judge!r} on {item.id!r}: {found[name]!r} is no answer to {name!r} of the"
            " task's form"
        )
    if _marks(kind.judgments(task, item, found, rating)) != _marks(rows):
        raise DataError(
            f"{rows[0].judge!r} on {item.id!r}: no answers to the form of kind {task.kind!r} give"
            " these judgments; import the folder of an export, which holds the answers"
        )
    return found


def _answer(field: Field, row: Judgment) -> str | None:
    """What was answered in a field; None where nothing was asked or it was passed over."""
    if row.unscored is not None:
        return None
    if row.answer == NOT_APPLICABLE and not field.not_applicable:
        return None
    if (row.details or {}).get("passed_over") or (row.details or {}).get("applies"):
        return None
    answer = row.answer if row.answer is not None else _number(row.score)
    return real_side(answer, row.order) if field.question.kind == "preference" else answer


def _number(score: float | None) -> str:
    return "" if score is None else f"{score:g}"


def _marks(rows: Iterable[Judgment]) -> dict[tuple[str, int | None], tuple[Any, ...]]:
    """What judgments say, by question and turn; how and when they were made left out."""
    return {
        (one.question, one.turn): (one.answer, one.score, one.order or "AB", one.explanation)
        for one in rows
    }
