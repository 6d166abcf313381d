"""Values by conversation, from a file of ids and labels or of judgments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from assize.base.errors import DataError
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
    if rule.good is None:
        said = [row.answer if row.answer is not None else row.score for row in people]
    else:
        worth = numbers(people, people.questions[people.asked[0]])
        said = [None if np.isnan(one) else float(one) for one in worth]
    found = [
        Judgment(
            row.item,
            row.judge,
            LABEL,
            answer=str(int(verdict == "good")),
            kind="person",
            anonymous=row.anonymous,
            repeat=row.repeat,
        )
        for row, one in zip(people, said, strict=True)
        if row.unscored is None and (verdict := rule.verdict(one)) in ("good", "bad")
    ]
    return JudgmentTable.of(found, [asked_as(LABEL)]) if found else None


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
                allowed = ", ".join(IDS)
                raise DataError(
                    f"no id; give each row one, in a column called one of {allowed}",
                    source=path,
                    line=row.line,
                )
            columns |= dict.fromkeys(row.value)
            metadata = row.value.get("metadata")
            inner = metadata if isinstance(metadata, Mapping) else {}
            value = row.value.get(rule.field, inner.get(rule.field))
            found[str(item)] += [] if value in (None, "") else [value]
    if not any(found.values()):
        there = ", ".join(name for name in columns if name not in IDS) or "none"
        how = " as in SPEC@FILE" if rule.field == LABEL else ""
        raise DataError(f"no row has {rule.field!r}; there are {there}; name one{how}", source=path)
    return dict(found)


def _judged(table: JudgmentTable, rule: Rule, path: str) -> dict[str, list[Any]]:
    """By item, what gold answered, else the mean of what people did."""
    rows = _answering(table, rule, path)
    for kept in (rows.where(judge=GOLD), rows.where(kind="person"), rows):
        if len(kept):
            rows = kept
            break
    if rule.good is None:
        return _answers(rows)
    worth = numbers(rows, rows.questions[rows.asked[0]])
    codes, items = rows.codes("item")
    known = ~np.isnan(worth)
    count = np.bincount(codes[known], minlength=len(items))
    total = np.bincount(codes[known], worth[known], len(items))
    return {
        items[at]: [float(total[at] / count[at])] if count[at] else []
        for at in dict.fromkeys(codes.tolist())
    }


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


def _answers(rows: JudgmentTable) -> dict[str, list[Any]]:
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        said = row.answer if row.answer is not None else row.score
        found[row.item] += [] if said is None or row.unscored is not None else [said]
    return dict(found)
