"""What each judge answered of each conversation: one number an item, question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.arguments import plain_name
from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE, Column, Columns, columns, with_people
from assize.versions.version import Version

_NAMED = 5
_WORDS = ("nominal", "text")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question by one judge, in every version.

    Args:
        values: by version, by item its number, NaN where it could not be made; an item to which
            the question does not apply, or that was not asked, is absent.
    """

    judge: str
    question: Question
    values: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that can be compared.

    Args:
        asked: in the order of the first version.
        told: what cannot, and what else a reader should know.
    """

    asked: Sequence[Asked]
    told: Sequence[str]


def gather(
    versions: Sequence[Version],
    *,
    questions: Sequence[str] | None = None,
    judges: Sequence[str] | None = None,
) -> Gathered:
    """The questions that a judge answered in every version, as numbers.

    Turns are averaged within an item where nothing was said of the whole; so are several answers
    of one judge. Several people are one judge, `people`.

    Args:
        questions, judges: only these; None for all.

    Raises:
        DataError: no question was answered by one judge in every version.
    """
    merged = JudgmentTable.concat([one.table for one in versions]).questions
    by_version = {one.name: _answers(one.table, merged, questions, judges) for one in versions}
    keys = list(dict.fromkeys(key for found in by_version.values() for key in found))
    whole = [key for key in keys if all(key in found for found in by_version.values())]
    if not whole:
        raise DataError(_nothing(versions, keys, questions, judges))
    asked = [
        Asked(judge, merged[name], {one: found[judge, name] for one, found in by_version.items()})
        for judge, name in whole
    ]
    told = []
    if len(whole) < len(keys):
        some = [f"{name} by {judge}" for judge, name in keys if (judge, name) not in whole]
        more = " and others" if len(some) > _NAMED else ""
        told.append(f"not answered in every version: {', '.join(some[:_NAMED])}{more}")
    words = [
        name
        for name, one in merged.items()
        if one.kind in _WORDS and any(name in version.table.asked for version in versions)
    ]
    if words:
        told.append(f"answers without a number are not compared: {', '.join(words)}")
    return Gathered(asked, [*told, *_signatures(versions, [judge for judge, _ in whole])])


Values = dict[tuple[str, str], Mapping[str, float]]


def _answers(
    table: JudgmentTable,
    known: Mapping[str, Question],
    questions: Sequence[str] | None,
    judges: Sequence[str] | None,
) -> Values:
    found: Values = {}
    stated = JudgmentTable(table.arrow, {**table.questions, **known}, table.inferred)
    names = None if questions is None else {plain_name(name) for name in questions}
    for name in stated.asked:
        question = stated.questions[name]
        if question.kind in _WORDS or (names is not None and plain_name(name) not in names):
            continue
        rows = stated.where(question=name)
        whole = rows.where(turn=None)
        answers = with_people(columns(whole if len(whole) else rows, name))
        for judge in _judges(answers, judges):
            found[judge, name] = _by_item(answers, answers.by_judge[judge])
    return found


def _judges(found: Columns, wanted: Sequence[str] | None) -> list[str]:
    """Those wanted, else all, people together where there are several."""
    if wanted is not None:
        return [one for one in found.by_judge if one in wanted]
    people = [name for name, one in found.by_judge.items() if one.person and name != PEOPLE]
    together = {PEOPLE} if len(people) == 1 else set(people) - {"gold"}
    return [one for one in found.by_judge if one not in together]


def _by_item(found: Columns, column: Column) -> Mapping[str, float]:
    """One number an item: the mean of its turns."""
    each: dict[str, list[float]] = {}
    rows = zip(found.items, column.values.tolist(), column.asked.tolist(), strict=True)
    for item, value, asked in rows:
        if asked:
            each.setdefault(item, []).append(value)
    return {item: mean_of(values) for item, values in each.items()}


def mean_of(values: Sequence[float]) -> float:
    """The mean of those that are known; NaN for none."""
    known = [one for one in values if one == one]
    if len(known) == 1:  # as nearly always; what follows takes ten times as long
        return float(known[0])
    return float(np.mean(known)) if known else float("nan")


def _nothing(
    versions: Sequence[Version],
    keys: Sequence[tuple[str, str]],
    questions: Sequence[str] | None,
    judges: Sequence[str] | None,
) -> str:
    there = "; ".join(
        f"{one.name} has {', '.join(one.table.asked[:_NAMED])} by"
        f" {', '.join(one.table.judges[:_NAMED])}"
        for one in versions
    )
    asked = [*(questions or ()), *(judges or ())]
    what = f" of {', '.join(asked)}" if asked else ""
    return f"no question{what} has numbers by one judge in every version: {there}"


def _signatures(versions: Sequence[Version], judges: Sequence[str]) -> list[str]:
    """Judges that are not the same in every version, by their signatures."""
    told = []
    for judge in dict.fromkeys(judges):
        made = []
        for version in versions:
            codes, known = version.table.where(judge=judge).codes("signature")
            made.append({known[at] for at in np.unique(codes[codes >= 0]).tolist()})
        if all(made) and any(one != made[0] for one in made):
            told.append(
                f"{judge} has other signatures in other versions: its model, prompt or evaluator"
                " changed, and a difference may be the judge's"
            )
    return told
