"""What was posted, read against the form: answers that are allowed, and what is wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assize.base.judgment import NOT_APPLICABLE
from assize.web._forms.form import END, Answers, Field, Form, PassedOver

LONGEST = 20_000  # characters of a free text
MOST = 40  # answers to one field of several


@dataclass(frozen=True, slots=True)
class Filled:
    """A form that was sent.

    Args:
        answers: by field; fields that were passed over or left empty are not in it.
        problems: by field, what must be put right before it can be submitted.
        passed_over: fields that an answer made needless.
    """

    answers: dict[str, str | list[str]]
    problems: dict[str, str]
    passed_over: tuple[str, ...] = ()


def fill(form: Form, posted: Mapping[str, Sequence[str]]) -> Filled:
    """Reads what was posted; names that the form does not have are passed over.

    Args:
        posted: by field name all values that were sent, as a browser sends them.
    """
    answers: dict[str, str | list[str]] = {}
    problems: dict[str, str] = {}
    skipped: list[str] = []
    over = 0
    names = [one.name for one in form.fields]
    for place, one in enumerate(form.fields):
        if place < over or (one.when is not None and not one.when.holds(answers)):
            skipped.append(one.name)
            continue
        values = _values(one, posted.get(one.name, ()))
        problem = _problem(one, values)
        if problem is not None:
            problems[one.name] = problem
        elif values:
            answers[one.name] = values if one.widget in ("checks", "pick") else values[0]
            over = max(over, _goes_to(form, one.name, values[0], names))
    if not problems and form.check is not None:
        problems.update(form.check(answers))
    return Filled(answers, problems, tuple(skipped))


def passed_over(form: Form, answers: Answers) -> dict[str, PassedOver]:
    """What becomes of the fields that answers made needless, by name.

    `NA` is an answer in the records, `nothing` leaves no row. A field whose `when` does not hold
    leaves none.
    """
    found: dict[str, PassedOver] = {}
    names = [one.name for one in form.fields]
    over, becomes = 0, form.passed_over
    for place, one in enumerate(form.fields):
        if place < over:
            found[one.name] = becomes
        elif one.when is not None and not one.when.holds(answers):
            found[one.name] = "nothing"
        elif isinstance(given := answers.get(one.name), str):
            target = form.skips.get(one.name, {}).get(given)
            if target is not None:
                over = max(over, _goes_to(form, one.name, given, names))
                becomes = form.passed_over if target == END else "NA"
    return found


def ended_by(form: Form, answers: Answers) -> str | None:
    """The field whose answer ended the form; None where none did."""
    over = passed_over(form, answers)
    for name in (one.name for one in form.fields if one.name not in over):
        given = answers.get(name)
        if isinstance(given, str) and form.skips.get(name, {}).get(given) == END:
            return name
    return None


def _goes_to(form: Form, name: str, answer: str, names: Sequence[str]) -> int:
    """The place at which the form goes on; 0 where the answer passes over nothing.

    A target that does not stand in this form (it does not apply to the item) is taken for the
    next field of its kind: nothing is passed over.
    """
    target = form.skips.get(name, {}).get(answer)
    if target is None:
        return 0
    if target == END:
        return len(names)
    return names.index(target) if target in names else 0


def _values(one: Field, given: Sequence[str]) -> list[str]:
    found = [value.replace("\r\n", "\n").strip() for value in given]
    found = [value for value in found if value]
    return list(dict.fromkeys(found)) if one.widget in ("checks", "pick") else found


def _problem(one: Field, values: Sequence[str]) -> str | None:
    if not values:
        return "Please answer this question." if one.required else None
    if one.widget in ("checks", "pick"):
        if len(values) > MOST:
            return f"At most {MOST} answers, not {len(values)}."
    elif len(values) > 1:
        return "Please give one answer."
    if one.widget in ("text", "lines"):
        longest = max(map(len, values))
        return f"At most {LONGEST:,} characters, not {longest:,}." if longest > LONGEST else None
    if one.widget == "number":
        return _out_of_range(one, values[0])
    return _not_offered(one, values)


def _not_offered(one: Field, values: Sequence[str]) -> str | None:
    allowed = {*one.question.answers, *([NOT_APPLICABLE] if one.not_applicable else [])}
    unknown = [value for value in values if value not in allowed]
    if not unknown:
        return None
    if one.widget == "pick":
        return f"“{unknown[0][:60]}” is not in the list."
    return "Please choose one of the answers."


def _out_of_range(one: Field, value: str) -> str | None:
    try:
        number = float(value)
    except ValueError:
        return "Please give a number."
    if one.question.range is None:
        return None if math.isfinite(number) else "Please give a number."
    low, high = one.question.range
    return None if low <= number <= high else f"Please give a number from {low:g} to {high:g}."
