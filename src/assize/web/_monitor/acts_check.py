"""How often a judge's dialogue acts and maxims are right, by each person who checked them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from assize.acts._agree import agree
from assize.acts._agreement import ActsAgreement
from assize.acts._annotations import act_judges, maxim_judges
from assize.base.conversation import Item
from assize.base.errors import AssizeError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.web._tasks.act_labels import LABELS, labels_in
from assize.web._tasks.definition import Task

KINDS = ("acts", "maxims")
"""Of tasks in which people check a judge's labels."""


def acts_checks(
    ratings: JudgmentTable, judged: JudgmentTable, items: Collection[Item]
) -> dict[str, ActsAgreement]:
    """The judges held to each person who gave acts or maxims, by that person's name.

    Args:
        ratings: what people said; their details hold `acts` or `maxims`.
        judged: what was checked, by one judge or several.
        items: all that either is about.

    Returns:
        Shares of turns and maxims that are right, with the commonest error, as
        `assize.acts.agree` has them. Nobody who shares nothing with any judge is in it.
    """
    judges = list(dict.fromkeys([*act_judges(judged), *maxim_judges(judged)]))
    people = dict.fromkeys([*act_judges(ratings), *maxim_judges(ratings)])
    found = {}
    for name in people:
        if name in judges:
            continue
        both = JudgmentTable.concat([judged, ratings.where(judge=name)])
        held = _agreement(both, items, name, judges)
        if held is not None:
            found[name] = held
    return found


def judged_in(task: Task, items: Iterable[Item]) -> JudgmentTable | None:
    """The judge's acts or maxims that a task has people check; None of other tasks.

    Args:
        items: which hold them.
    """
    if task.kind not in KINDS:
        return None
    return JudgmentTable.of([_labelled(item.id, labels_in(item)) for item in items])


def _labelled(item: str, labels: Mapping[str, Any]) -> Judgment:
    details = {name: value for name, value in labels.items() if name != "judge"}
    return Judgment(item, str(labels["judge"]), LABELS, kind="model", details=details)


def _agreement(
    table: JudgmentTable, items: Collection[Item], person: str, judges: Iterable[str]
) -> ActsAgreement | None:
    try:
        return agree(table, items=list(items), gold=person, judges=list(judges))
    except AssizeError:  # they share no turn and no maxim
        return None
