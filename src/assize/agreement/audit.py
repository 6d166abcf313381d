"""Audits of each judge from its stored judgments; see `assize.stats.audits`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.agreement.columns import Columns
from assize.agreement.items import Facts, field_of
from assize.agreement.study import Settings, alpha_level
from assize.judgments import JudgmentTable
from assize.judgments.combine import combine, row_values
from assize.stats import (
    Estimate,
    LengthBias,
    PositionBias,
    SelfConsistency,
    SelfPreference,
)

_LEAST = 10  # units below which an audit says nothing


@dataclass(frozen=True, slots=True)
class Audit:
    """What is known about one judge; None where the data do not allow it.

    Args:
        unscored: share of its rows that could not be judged, by subgroup.
    """

    judge: str
    position: PositionBias | None
    length: LengthBias | None
    own: SelfPreference | None
    repeats: SelfConsistency | None
    unscored: Mapping[str, Estimate]


def audit(
    table: JudgmentTable,
    found: Columns,
    judge: str,
    facts: Mapping[str, Facts],
    *,
    gold: str | None = None,
    own: str | None = None,
    subgroup: str = "system",
    clusters: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> Audit:
    """Audits one judge on one question.

    Args:
        facts: of the items, where they are known: length and system need them.
        gold: the judge that counts as true; None when there is none.
        own: the system that the judge itself is; None where it is no system.
        subgroup: a field of the items by which the unscored are counted.
        clusters: of the units; their items when None.
    """
    settings = Settings() if settings is None else settings
    labels = np.asarray(found.items if clusters is None else clusters)
    rows = table.where(judge=judge, question=found.question.id)
    return Audit(
        judge,
        _position(rows, found, labels, settings),
        _length(found, judge, facts, gold, labels, settings),
        _own(found, judge, facts, gold, own, labels, settings),
        _repeats(rows, found, labels),
        _unscored(rows, facts, subgroup),
    )


def _position(
    rows: JudgmentTable, found: Columns, labels: np.ndarray, settings: Settings
) -> PositionBias | None:
    if found.question.kind != "preference":
        return None
    shown = {order: _votes(rows.where(order=order), found) for order in ("AB", "BA")}
    if any(np.isnan(given).all() for given in shown.values()):
        return None
    both = ~np.isnan(shown["AB"]) | ~np.isnan(shown["BA"])
    return stats.position_bias(
        shown["AB"][both],
        shown["BA"][both],
        clusters=labels[both],
        permutations=settings.permutations,
        rng=settings.rng(),
    )


def _votes(rows: JudgmentTable, found: Columns) -> np.ndarray:
    """The preference of each unit in one presentation order, repeats together."""
    together = combine(rows, found.question)
    place = {unit: at for at, unit in enumerate(found.units)}
    given = np.full(len(place), np.nan)
    for unit, value in zip(together.unit.tolist(), together.values.tolist(), strict=True):
        given[place[together.units[unit]]] = value
    return given


def _length(
    found: Columns,
    judge: str,
    facts: Mapping[str, Facts],
    gold: str | None,
    labels: np.ndarray,
    settings: Settings,
) -> LengthBias | None:
    lengths = np.array(
        [_number(facts[item].length) if item in facts else np.nan for item in found.items]
    )
    values = found.by_judge[judge].values
    rows = ~np.isnan(lengths) & ~np.isnan(values)
    if rows.sum() < _LEAST or found.question.kind in ("nominal", "text"):
        return None
    truth = None if gold is None or gold == judge else found.by_judge[gold].values[rows]
    return stats.length_bias(
        values[rows],
        lengths[rows],
        gold=truth,
        clusters=labels[rows],
        how=settings.how,
        preference=found.question.kind == "preference",
        rng=settings.rng(),
    )


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def _own(
    found: Columns,
    judge: str,
    facts: Mapping[str, Facts],
    gold: str | None,
    own: str | None,
    labels: np.ndarray,
    settings: Settings,
) -> SelfPreference | None:
    if own is None:
        return None
    side, known = np.zeros(len(found.units)), np.zeros(len(found.units), dtype=bool)
    for at, item in enumerate(found.items):
        systems = facts[item].systems if item in facts else (None,)
        if all(name is None for name in systems):
            continue
        known[at] = True
        hits = [name == own for name in systems]
        side[at] = hits[0] if len(hits) == 1 else float(hits[0]) - float(hits[1])
    if not known.any() or not side.any():
        return None
    values = found.by_judge[judge].values[known]
    truth = None if gold is None or gold == judge else found.by_judge[gold].values[known]
    if found.question.kind == "preference":
        return stats.self_preference(
            values,
            side[known],
            truth,
            clusters=labels[known],
            permutations=settings.permutations,
            rng=settings.rng(),
        )
    return stats.self_scores(
        values, side[known], truth, clusters=labels[known], how=settings.how, rng=settings.rng()
    )


def _repeats(rows: JudgmentTable, found: Columns, labels: np.ndarray) -> SelfConsistency | None:
    """Agreement over repeats: the same question about the same unit in the same order."""
    number = rows.repeats()
    count = int(number.max(initial=0)) + 1
    if count < 2:
        return None
    place, units = rows.units()
    orders, names = rows.codes("order")
    shown = [names[code] if code >= 0 else "" for code in orders.tolist()]
    keys = [(*units[at], order) for at, order in zip(place.tolist(), shown, strict=True)]
    asked = sorted(set(keys), key=str)
    column = {key: at for at, key in enumerate(asked)}
    worth = row_values(rows, found.question)
    values = np.full((count, len(asked)), np.nan)
    for at, key in enumerate(keys):
        if not np.isnan(worth[at]):
            values[number[at], column[key]] = worth[at]
    label = dict(zip(found.units, labels.tolist(), strict=True))
    clusters = [label[item, turn] for item, turn, _ in asked]
    return stats.self_consistency(values, level=alpha_level(found), clusters=clusters)


def _unscored(
    rows: JudgmentTable, facts: Mapping[str, Facts], subgroup: str
) -> dict[str, Estimate]:
    codes, names = rows.codes("item")
    lost = rows.present("unscored").astype(float)
    group = {name: _group(facts.get(name), subgroup) for name in set(rows.items)}
    items = [names[code] for code in codes.tolist()]
    failed: dict[str, list[float]] = defaultdict(list)
    clusters: dict[str, list[str]] = defaultdict(list)
    for item, value in zip(items, lost.tolist(), strict=True):
        for name in ("all", group[item]):
            if name is not None:
                failed[name].append(value)
                clusters[name].append(item)
    if not lost.any():
        failed = {"all": failed["all"]} if failed else {}
    return {
        name: stats.share(values, clusters=clusters[name])
        for name, values in sorted(failed.items(), key=lambda pair: (pair[0] != "all", pair[0]))
    }


def _group(known: Facts | None, subgroup: str) -> str | None:
    if known is None:
        return None
    return known.system if subgroup == "system" else field_of(known.item, subgroup)
