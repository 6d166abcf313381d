"""Judgments of items as labels for an evaluator.

Letters: N labels, F features, H questions of the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Question
from assize.base.signature import sign_text
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._examples import ItemViews, read_views
from assize.evaluator._features.featuriser import ROWS, feature_rows
from assize.evaluator._features.views import View
from assize.judgments import JudgmentTable, Unit
from assize.judgments.combine import unit_means
from assize.judgments.values import scale_ends, votes
from assize.stats._arrays import FloatArray

MANY_RATERS = 10


def read_labels(
    items: Iterable[Item], table: JudgmentTable, evaluator: Evaluator
) -> dict[str, list[Labels]]:
    """Labels by question of the evaluator: of ratings and of preferences, those that there are.

    A judgment belongs to the evaluator's question of its name, and else to the first one
    (`preference` and `Overall` always where there is none of that name). Ratings on several
    questions that belong to one become their mean, each brought to mean 0 and deviation 1.
    Raters of one item are averaged.

    Raises:
        DataError: no judgment fits an item.
    """
    units = set(table.units()[1])
    judged = {item for item, _ in units}
    seen = read_views(
        (item for item in items if item.id in judged),
        evaluator.encoder,
        evaluator.featuriser,
        turns=any(turn is not None for _, turn in units),
    )
    found: dict[str, list[Labels]] = {}
    asked: dict[tuple[str, bool], list[str]] = {}
    for name in table.asked:
        paired = table.questions[name].kind == "preference" or name == PREFERENCE.id
        asked.setdefault((_home(name, paired, evaluator), paired), []).append(name)
    for (question, paired), names in asked.items():
        parts = [(table.questions[name], table.where(question=name)) for name in names]
        labels = _labels(seen, parts, question, evaluator, paired=paired)
        if labels is not None:
            found.setdefault(question, []).append(labels)
    if not found:
        raise DataError(
            "no label fits an item that can be scored; check that `item` of the labels is the"
            " `id` of the conversations"
        )
    return found


def _home(name: str, paired: bool, evaluator: Evaluator) -> str:
    """The evaluator's question that a judgment belongs to."""
    one = evaluator.scored.get(name)
    if one is not None and (paired or not one.pairs_only):
        return name
    return evaluator.main.question.id


def _read(views: Sequence[View], evaluator: Evaluator) -> tuple[FloatArray, FloatArray]:
    """Features (N, F) and raw numbers (N, H) of views, in the precision of heads that are kept."""
    features = feature_rows(views, evaluator.encoder, evaluator.featuriser)
    raw = [evaluator.raw(features[at : at + ROWS]) for at in range(0, len(views), ROWS)]
    single = (part.astype(np.float32) for part in (features, np.concatenate(raw)))
    one, two = (np.asarray(part, np.float64) for part in single)
    return one, two


Parts = Sequence[tuple[Question, JudgmentTable]]


def _labels(
    seen: ItemViews, parts: Parts, question: str, evaluator: Evaluator, *, paired: bool
) -> Labels | None:
    """Labels of one question of the evaluator; None where none fits an item."""
    values: dict[Unit, list[float]] = {}
    for asked, rows in parts:
        own = _votes(seen, rows) if paired else _ratings(seen, rows, asked, alone=len(parts) == 1)
        for unit, value in own:
            values.setdefault(unit, []).append(value)
    if not values:
        return None
    units = tuple(
        sorted(values, key=lambda unit: _hash(unit[0] if paired else f"{unit[0]}\n{unit[1]}"))
    )
    if paired:
        features, raw = _read([view for item, _ in units for view in seen.sides[item]], evaluator)
        targets = np.array([float(np.sign(np.sum(values[unit]))) for unit in units])
        groups = tuple(_hash(item) for item, _ in units)
        features, raw = (part.reshape(len(units), 2, -1) for part in (features, raw))
        return Labels(question, units, groups, targets, features, raw, paired=True, by="pair")
    by, groups = _grouped(units, parts)
    features, raw = _read([seen.views[unit] for unit in units], evaluator)
    own_scale, _ = parts[0]
    natural = len(parts) == 1 and own_scale.higher != "worse"
    ends = scale_ends(own_scale) if natural else None
    targets = np.array([float(np.mean(values[unit])) for unit in units])
    return Labels(question, units, groups, targets, features, raw, False, by, natural, ends)


def _ratings(
    seen: ItemViews, rows: JudgmentTable, asked: Question, *, alone: bool
) -> Iterator[tuple[Unit, float]]:
    """The mean of each unit that can be read; of several questions in standard deviations."""
    known = {unit: v for unit, v in unit_means(rows, asked).items() if unit in seen.views}
    units = [unit for unit, value in known.items() if value == value]
    values = np.array([known[unit] for unit in units])
    if not alone and units:
        values = (values - values.mean()) / (values.std() or 1.0)
    return zip(units, values.tolist(), strict=True)


def _votes(seen: ItemViews, rows: JudgmentTable) -> Iterator[tuple[Unit, float]]:
    about, units = rows.units()
    for unit, vote in zip(about.tolist(), votes(rows).tolist(), strict=True):
        if vote == vote and units[unit][0] in seen.sides:
            yield (units[unit][0], None), vote


def _grouped(units: Sequence[Unit], parts: Parts) -> tuple[str, tuple[str, ...]]:
    """What is not independent: raters where each item has one of many, else conversations."""
    raters: dict[str, set[str]] = {}
    for _, rows in parts:
        items, judges = (row.tolist() for row in (rows.codes("item")[0], rows.codes("judge")[0]))
        names, ids = rows.codes("judge")[1], rows.codes("item")[1]
        for item, judge in zip(items, judges, strict=True):
            raters.setdefault(ids[item], set()).add(names[judge])
    named = not any((rows.numeric("anonymous") == 1).any() for _, rows in parts)
    own = [raters[item] for item, _ in units]
    whose = [name for names in own for name in names]
    if named and len(whose) == len(own) and len(set(whose)) >= MANY_RATERS:
        return "rater", tuple(map(_hash, whose))
    return "conversation", tuple(_hash(item) for item, _ in units)


def _hash(text: str) -> str:
    return sign_text(text, 12)
