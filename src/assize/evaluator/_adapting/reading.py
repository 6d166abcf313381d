"""Judgments of items as labels for an evaluator.

Letters: N labels, F features, H questions of the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE
from assize.base.signature import sign_text
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._examples import ItemViews, read_views
from assize.evaluator._features.featuriser import ROWS, feature_rows
from assize.evaluator._features.views import View
from assize.evaluator._heads.scored_question import ends_of
from assize.judgments import JudgmentTable
from assize.judgments.combine import unit_means
from assize.judgments.values import votes
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
        read = _preferences if paired else _ratings
        one = read(seen, [(name, table) for name in names], question, evaluator)
        if one is not None:
            found.setdefault(question, []).append(one)
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


Asked = Sequence[tuple[str, JudgmentTable]]


def _ratings(seen: ItemViews, asked: Asked, question: str, evaluator: Evaluator) -> Labels | None:
    means: dict[tuple[str, int | None], list[float]] = {}
    for name, table in asked:
        rows = table.where(question=name)
        values = {
            unit: value
            for unit, value in unit_means(rows, table.questions[name]).items()
            if unit in seen.views and value == value
        }
        middle, spread = 0.0, 1.0
        if len(asked) > 1 and values:
            every = np.array(list(values.values()))
            middle, spread = float(every.mean()), float(every.std()) or 1.0
        for unit, value in values.items():
            means.setdefault(unit, []).append((value - middle) / spread)
    if not means:
        return None
    units = sorted(means, key=lambda unit: _hash(f"{unit[0]}\n{unit[1]}"))
    by, groups = _grouped(units, asked)
    features, raw = _read([seen.views[unit] for unit in units], evaluator)
    name, table = asked[0]
    own = table.questions[name]
    natural = len(asked) == 1 and own.higher != "worse"
    ends = ends_of(own) if natural else None
    targets = np.array([float(np.mean(means[unit])) for unit in units])
    return Labels(question, tuple(units), groups, targets, features, raw, False, by, natural, ends)


def _preferences(
    seen: ItemViews, asked: Asked, question: str, evaluator: Evaluator
) -> Labels | None:
    given: dict[str, list[float]] = {}
    for name, table in asked:
        rows = table.where(question=name)
        about, units = rows.units()
        for unit, vote in zip(about.tolist(), votes(rows).tolist(), strict=True):
            item = units[unit][0]
            if vote == vote and item in seen.sides:
                given.setdefault(item, []).append(vote)
    if not given:
        return None
    items = sorted(given, key=_hash)
    views = [view for item in items for view in seen.sides[item]]
    features, raw = _read(views, evaluator)
    targets = np.array([float(np.sign(np.sum(given[item]))) for item in items])
    groups = tuple(_hash(item) for item in items)
    shaped = features.reshape(len(items), 2, -1), raw.reshape(len(items), 2, -1)
    kept = tuple((item, None) for item in items)
    return Labels(question, kept, groups, targets, *shaped, paired=True, by="pair")


def _grouped(units: Sequence[tuple[str, int | None]], asked: Asked) -> tuple[str, tuple[str, ...]]:
    """What is not independent: raters where each item has one of many, else conversations."""
    raters: dict[str, set[str]] = {}
    named = True
    for name, table in asked:
        rows = table.where(question=name)
        about, found = rows.units()
        codes, names = rows.codes("judge")
        named = named and not (rows.numeric("anonymous") == 1).any()
        for unit, code in zip(about.tolist(), codes.tolist(), strict=True):
            raters.setdefault(found[unit][0], set()).add(names[code])
    own = [raters[item] for item, _ in units]
    if named and all(len(one) == 1 for one in own):
        whose = [next(iter(one)) for one in own]
        if len(set(whose)) >= MANY_RATERS:
            return "rater", tuple(_hash(one) for one in whose)
    return "conversation", tuple(_hash(item) for item, _ in units)


def _hash(text: str) -> str:
    return sign_text(text, 12)
