"""What an evaluator is taught about criteria, and the folds in which it is measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.criteria._clusters import Clusters
from assize.criteria._criterion import CriteriaSet, Criterion
from assize.criteria._distilled.heads import Line
from assize.criteria._distilled.measuring import Given
from assize.formats.labels import Labels
from assize.judgments import JudgmentTable
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies.splits import dealt_in_classes

TEACHER = "evaluations"  # the judge of what is taught


def dealt(
    chats: Sequence[Conversation],
    values: FloatArray,
    labels: Labels | None,
    clusters: Clusters | None,
    folds: int,
    seed: int,
) -> Given:
    """What is taught, dealt to folds: labels as even as clusters allow.

    Args:
        values: (N, M) the evaluations.
        labels: None where nothing is to be labelled.

    Raises:
        DataError: too few conversations, clusters or labels for the folds.
    """
    items = [one.id for one in chats]
    good = np.full(len(items), np.nan) if labels is None else labels.column(items)
    together = None if clusters is None else clusters.labels(items)
    groups = items if together is None else together.tolist()
    if len(set(groups)) < 2 * folds:
        units = "conversations" if clusters is None else f"clusters by {clusters.field}"
        raise DataError(
            f"{folds} folds of {len(set(groups))} {units}: at least {2 * folds} are needed; score"
            " more conversations, or ask for fewer folds"
        )
    rng = np.random.default_rng([seed, 1])
    fold = dealt_in_classes(np.nan_to_num(good, nan=-1.0).tolist(), groups, folds, rng)
    if labels is not None:
        _check_labels(good, fold, folds, labels)
    return Given(items, values, np.full(values.shape, np.nan), fold, good, together)


def _check_labels(good: FloatArray, fold: IntArray, folds: int, labels: Labels) -> None:
    for kind, label in (("good", 1.0), ("bad", 0.0)):
        counts = np.bincount(fold[good == label], minlength=folds)
        if counts.sum() < 2 * folds or counts.min() < 1:
            raise DataError(
                f"{counts.sum()} {kind} conversations for {folds} folds: {2 * folds} are needed,"
                f" and one in each fold; label more, ask for fewer folds, or leave label out and"
                f" nothing is labelled; {labels.line}"
            )


def learnable(given: Given) -> list[int]:
    """Places of the criteria that are not scored all the same outside of any fold."""
    folds = range(int(given.fold.max()) + 1)
    return [
        at
        for at in range(given.values.shape[1])
        if all(_varies(given.values[given.fold != fold, at]) for fold in folds)
    ]


def _varies(values: FloatArray) -> bool:
    known = values[~np.isnan(values)]
    return bool(known.size > 1 and np.ptp(known) > 0)


def lessons_of(given: Given, whole: CriteriaSet, taught: Sequence[int]) -> JudgmentTable:
    """The evaluations as judgments: what the evaluator is trained on.

    Args:
        taught: places of the criteria that it learns.
    """
    rows = []
    for at in taught:
        one = whole.criteria[at].id
        for item, value in zip(given.items, given.values[:, at].tolist(), strict=True):
            known = value == value
            rows.append(
                Judgment(
                    item,
                    TEACHER,
                    one,
                    score=value if known else None,
                    anonymous=True,
                    unscored=None if known else Unscored("unscored"),
                )
            )
    asked = [
        Question(one.id, one.text, range=(0.0, 10.0), higher="better" if one.sat else "worse")
        for one in (whole.criteria[at] for at in taught)
    ]
    return JudgmentTable.of(rows, asked)


def unlearnt(criteria: Sequence[Criterion], lines: Sequence[Line]) -> list[str]:
    """What a reader should know of criteria that the text does not tell."""
    flat = [one.id for one, line in zip(criteria, lines, strict=True) if line.slope == 0]
    if not flat:
        return []
    more = f" and {len(flat) - 3} more" if len(flat) > 3 else ""
    return [
        f"{len(flat)} criteria cannot be told from the text here, so every conversation gets"
        f" their mean: {', '.join(flat[:3])}{more}"
    ]
