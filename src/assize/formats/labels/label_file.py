"""Values by conversation, from a file of ids and labels or of judgments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from assize.base.errors import DataError
from assize.base.fields import inside
from assize.base.judgment import Judgment
from assize.formats.judgment_files import read_judgments
from assize.formats.labels.labels import GOLD, LABEL, asked_as
from assize.formats.labels.rule import Rule
from assize.formats.rows import open_rows
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers

IDS = ("id", "item", "conversation", "conversation_id")
"""Columns that say which conversation a row is about."""


def file_values(path: str, rule: Rule) -> dict[str, list[Any]]:
    """By conversation, the values of the rule's field.

    Raises:
        DataError: a row cannot be read or has no id, or there is no such column or question.
    """
    if _are_judgments(path):
        return _judged(read_judgments(path), rule, path)
    return _rows(path, rule)


def labellers(path: str, rule: Rule) -> JudgmentTable | None:
    """What each person's answers make of each item, as judgments: 1 for good, 0 for bad.

    None where labels are not several people's judgments: in other files, and where gold has
    answered.
    """
    if not _are_judgments(path):
        return None
    rows = _answering(read_judgments(path), rule, path)
    people = rows.where(kind="person")
    if len(people.judges) < 2 or GOLD in rows.judges:
        return None
    labels = [
        Judgment(
            row.item,
            row.judge,
            LABEL,
            answer=str(int(verdict == "good")),
            kind="person",
            anonymous=row.anonymous,
            repeat=row.repeat,
        )
        for row, value in zip(people, _values(people, rule), strict=True)
        if value is not None and (verdict := rule.verdict(value)) in ("good", "bad")
    ]
    return JudgmentTable.of(labels, [asked_as(LABEL)]) if labels else None


def _values(rows: JudgmentTable, rule: Rule) -> list[Any]:
    """What each row says: a number where the rule cuts numbers, else its answer; None for none."""
    if rule.good is None:
        answers = [row.score if row.answer is None else row.answer for row in rows]
        return [
            None if lost else said
            for lost, said in zip(rows.present("unscored"), answers, strict=True)
        ]
    worth = numbers(rows, rows.questions[rows.asked[0]])
    return [None if np.isnan(value) else float(value) for value in worth]


def _are_judgments(path: str) -> bool:
    with open_rows(path) as (sample, _):
        first = sample.first
    return {"item", "judge", "question"} <= first.keys() or "ratings" in first


def _rows(path: str, rule: Rule) -> dict[str, list[Any]]:
    found: defaultdict[str, list[Any]] = defaultdict(list)
    columns: dict[str, None] = {}
    with open_rows(path) as (_, rows):
        for row in rows:
            if row.problem is not None or not isinstance(row.value, Mapping):
                problem = row.problem or "a row of labels is an object with `id` and `label`"
                raise DataError(problem, source=path, line=row.line)
            item = next((row.value[name] for name in IDS if row.value.get(name) is not None), "")
            if str(item) == "":
                problem = f"no id; give each row one, in a column called one of {', '.join(IDS)}"
                raise DataError(problem, source=path, line=row.line)
            columns |= dict.fromkeys(row.value)
            value = inside(row.value, rule.field)
            if value is None:
                value = inside(row.value, f"metadata.{rule.field}")
            found[str(item)] += [] if value in (None, "") else [value]
    if not any(found.values()):
        names = [name for name in columns if name not in IDS]
        there = ", ".join(names) or "none"
        advice = f"name one, as {names[0]}@{path}" if names else "add it"
        raise DataError(
            f"no row has a column {rule.field!r} for the labels; there are {there}; {advice}",
            source=path,
        )
    return dict(found)


def _judged(table: JudgmentTable, rule: Rule, path: str) -> dict[str, list[Any]]:
    """By item, what gold answered, else the mean of what people did."""
    rows = _answering(table, rule, path)
    for chosen in (rows.where(judge=GOLD), rows.where(kind="person"), rows):
        if len(chosen):
            rows = chosen
            break
    found: dict[str, list[Any]] = {}
    for row, value in zip(rows, _values(rows, rule), strict=True):
        found.setdefault(row.item, []).extend([] if value is None else [value])
    if rule.good is None:
        return found
    return {item: [sum(said) / len(said)] if said else [] for item, said in found.items()}


def _answering(table: JudgmentTable, rule: Rule, path: str) -> JudgmentTable:
    """The judgments that answer the question of the rule."""
    name = rule.field
    if name == LABEL and name not in table.asked and len(table.asked) == 1:
        name = table.asked[0]
    if name not in table.asked:
        asked = ", ".join(table.asked)
        raise DataError(
            f"no question {name!r}; asked were {asked}; name one as in QUESTION>=4@FILE",
            source=path,
        )
    return table.where(question=name, turn=None)
