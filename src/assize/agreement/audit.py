"""Audits of a judge from its stored judgments: does the answer depend on what it should not?

Each audit yields its figures by name, as far as the data allow it; see `assize.stats._audits`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np

from assize import stats
from assize.agreement.figures import LEVELS
from assize.agreement.options import AgreeOptions, Audit
from assize.agreement.result import POSITION
from assize.agreement.rows import AuditFigure
from assize.base.fields import word_at
from assize.judgments import JudgmentTable
from assize.judgments.answers import Columns
from assize.judgments.combine import combine, row_values
from assize.judgments.item_fields import Facts
from assize.stats import Estimate, Test
from assize.stats._arrays import FloatArray
from assize.stats._statistics import StatisticsSettings

LEAST = 10  # units below which the audit of length says nothing

Figures = Iterator[tuple[str, Estimate, Test | None]]


def audit_judge(
    table: JudgmentTable,
    answers: Columns,
    judge: str,
    gold: str | None,
    facts: Mapping[str, Facts],
    clusters: np.ndarray,
    options: AgreeOptions,
) -> list[AuditFigure]:
    """Return every figure of one judge's audits that the data allow."""
    rows = table.where(judge=judge, question=answers.question.id)
    truth = None if gold in (None, judge) else answers.by_judge[str(gold)].values
    scores, how = answers.by_judge[judge].values, options.statistics
    audit = options.audit or Audit()
    preference = answers.question.kind == "preference"
    figures = chain(
        position(rows, answers, clusters, how) if preference else (),
        length(scores, truth, answers, facts, clusters, how),
        own_answers(scores, truth, answers, facts, audit.own.get(judge), clusters, how),
        repeats(rows, answers, clusters),
        unscored(rows, facts, audit.subgroup),
    )
    return [
        AuditFigure(answers.question.id, judge, name, figure, test)
        for name, figure, test in figures
        if not np.isnan(figure.estimate)
    ]


def position(
    rows: JudgmentTable, answers: Columns, clusters: np.ndarray, how: StatisticsSettings
) -> Figures:
    """Yield how the answer changes with the order in which the sides are shown."""
    first, second = (_votes(rows.where(order=order), answers) for order in ("AB", "BA"))
    if np.isnan(first).all() or np.isnan(second).all():
        return
    shown = ~np.isnan(first) | ~np.isnan(second)
    bias = stats.position_bias(
        first[shown],
        second[shown],
        clusters=clusters[shown],
        permutations=how.permutations,
        rng=how.rng(),
    )
    yield POSITION, bias.dependent, None
    yield "preference turns round", bias.reversed, None
    yield "pull to the first shown", bias.direction, bias.test


def _votes(rows: JudgmentTable, answers: Columns) -> FloatArray:
    """The preference of each unit in one presentation order (N,), repeats put together."""
    together = combine(rows, answers.question)
    place = {unit: index for index, unit in enumerate(answers.units)}
    votes = np.full(len(place), np.nan)
    for unit, value in zip(together.unit.tolist(), together.values.tolist(), strict=True):
        votes[place[together.units[unit]]] = value
    return votes


def length(
    scores: FloatArray,
    truth: FloatArray | None,
    answers: Columns,
    facts: Mapping[str, Facts],
    clusters: np.ndarray,
    how: StatisticsSettings,
) -> Figures:
    """Yield how scores go with length, and what is left of it where gold is the same."""
    known = [facts[item].length if item in facts else None for item in answers.items]
    lengths = np.array([np.nan if one is None else one for one in known])
    rows = ~np.isnan(lengths) & ~np.isnan(scores)
    if rows.sum() < LEAST or answers.question.kind in ("nominal", "text"):
        return
    bias = stats.length_bias(
        scores[rows],
        lengths[rows],
        gold=None if truth is None else truth[rows],
        preference=answers.question.kind == "preference",
        **how.intervals(clusters[rows]),
    )
    yield "longer of a pair wins", bias.longer, None
    yield "correlation with length", bias.correlation, None
    yield "gold's correlation with length", bias.gold, None
    yield "with length, at equal gold", bias.at_equal_gold, None


def own_answers(
    scores: FloatArray,
    truth: FloatArray | None,
    answers: Columns,
    facts: Mapping[str, Facts],
    own: str | None,
    clusters: np.ndarray,
    how: StatisticsSettings,
) -> Figures:
    """Yield how much a judge favours what it wrote itself, beyond what gold gives it."""
    if own is None:
        return
    systems = [facts[item].systems if item in facts else (None,) for item in answers.items]
    known = np.array([any(name is not None for name in names) for names in systems])
    side = np.array([_own_side(names, own) for names in systems])
    if not known.any() or not side[known].any():
        return
    gold = None if truth is None else truth[known]
    if answers.question.kind == "preference":
        bias = stats.self_preference(
            scores[known],
            side[known],
            gold,
            clusters=clusters[known],
            permutations=how.permutations,
            rng=how.rng(),
        )
    else:
        bias = stats.self_scores(scores[known], side[known], gold, **how.intervals(clusters[known]))
    yield "advantage of its own", bias.judged, None
    yield "advantage of its own, by gold", bias.gold, None
    yield "excess over gold", bias.excess, bias.test


def _own_side(systems: tuple[str | None, ...], own: str) -> float:
    """1 where the judge's own system answered (in a pair as A), -1 as B, else 0."""
    hits = [float(name == own) for name in systems]
    return hits[0] - (hits[1] if len(hits) > 1 else 0.0)


def repeats(rows: JudgmentTable, answers: Columns, clusters: np.ndarray) -> Figures:
    """Yield how far a judge agrees with itself when asked again in the same order."""
    number = rows.repeats()
    if int(number.max(initial=0)) == 0:
        return
    place, units = rows.units()
    orders, names = rows.codes("order")
    keys = [
        (*units[unit], names[order] if order >= 0 else "")
        for unit, order in zip(place.tolist(), orders.tolist(), strict=True)
    ]
    asked = {key: index for index, key in enumerate(sorted(set(keys), key=str))}
    values = np.full((int(number.max()) + 1, len(asked)), np.nan)
    for row, (key, value) in enumerate(
        zip(keys, row_values(rows, answers.question).tolist(), strict=True)
    ):
        if not np.isnan(value):
            values[number[row], asked[key]] = value
    label = dict(zip(answers.units, clusters.tolist(), strict=True))
    bias = stats.self_consistency(
        values,
        level=LEVELS.get(answers.question.kind, "nominal"),
        clusters=[label[item, turn] for item, turn, _ in asked],
    )
    yield "agreement over repeats", bias.agreement, None
    yield "alpha over repeats", bias.alpha, None


def unscored(rows: JudgmentTable, facts: Mapping[str, Facts], subgroup: str) -> Figures:
    """Yield the share of rows that could not be judged: of all, and by a field of the items."""
    codes, names = rows.codes("item")
    items = np.array(names)[codes]
    lost = rows.present("unscored").astype(float)
    if not len(lost):
        return
    yield "unscored, all", stats.share(lost, clusters=items), None
    if not lost.any():
        return
    groups = defaultdict(list)
    for row, item in enumerate(items.tolist()):
        if item in facts:
            known = facts[item]
            name = known.system if subgroup == "system" else word_at(known.item, subgroup)
            if name is not None:
                groups[name].append(row)
    for name, members in sorted(groups.items()):
        yield f"unscored, {name}", stats.share(lost[members], clusters=items[members]), None
