"""Audits of each judge from its stored judgments; see `assize.stats.audits`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.agreement.columns import Columns, value_of
from assize.agreement.items import Facts, field_of
from assize.agreement.study import Settings, alpha_level
from assize.judgment import Judgment, JudgmentTable
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
    rows = [row for row in table if row.judge == judge and row.question == found.question.id]
    return Audit(
        judge,
        _position(rows, found, labels, settings),
        _length(found, judge, facts, gold, labels, settings),
        _own(found, judge, facts, gold, own, labels, settings),
        _repeats(rows, found, labels),
        _unscored(rows, facts, subgroup),
    )


def _position(
    rows: Sequence[Judgment], found: Columns, labels: np.ndarray, settings: Settings
) -> PositionBias | None:
    if found.question.kind != "preference":
        return None
    shown = {order: _votes(rows, found, order) for order in ("AB", "BA")}
    if any(np.isnan(votes).all() for votes in shown.values()):
        return None
    both = ~np.isnan(shown["AB"]) | ~np.isnan(shown["BA"])
    return stats.position_bias(
        shown["AB"][both], shown["BA"][both], clusters=labels[both],
        permutations=settings.permutations, rng=settings.rng(),
    )  # fmt: skip


def _votes(rows: Sequence[Judgment], found: Columns, order: str) -> np.ndarray:
    """The preference of each unit in one presentation order, repeats together."""
    place = {unit: at for at, unit in enumerate(found.units)}
    total = np.full(len(place), np.nan)
    for row in rows:
        value = value_of(row, found.question) if row.order == order else None
        if value is not None:
            at = place[row.item, row.turn]
            total[at] = value if np.isnan(total[at]) else total[at] + value
    return np.asarray(np.sign(total))


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
        values[rows], lengths[rows], gold=truth, clusters=labels[rows], how=settings.how,
        preference=found.question.kind == "preference", rng=settings.rng(),
    )  # fmt: skip


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
            values, side[known], truth, clusters=labels[known],
            permutations=settings.permutations, rng=settings.rng(),
        )  # fmt: skip
    return stats.self_scores(
        values, side[known], truth, clusters=labels[known], how=settings.how, rng=settings.rng()
    )


def _repeats(
    rows: Sequence[Judgment], found: Columns, labels: np.ndarray
) -> SelfConsistency | None:
    """Agreement over repeats: the same question about the same unit in the same order."""
    repeats = sorted({row.repeat for row in rows})
    if len(repeats) < 2:
        return None
    asked = sorted({(row.item, row.turn, row.order or "") for row in rows}, key=str)
    place = {key: at for at, key in enumerate(asked)}
    values = np.full((len(repeats), len(asked)), np.nan)
    for row in rows:
        value = value_of(row, found.question)
        if value is not None:
            values[repeats.index(row.repeat), place[row.item, row.turn, row.order or ""]] = value
    label = dict(zip(found.units, labels.tolist(), strict=True))
    clusters = [label[item, turn] for item, turn, _ in asked]
    return stats.self_consistency(values, level=alpha_level(found), clusters=clusters)


def _unscored(
    rows: Sequence[Judgment], facts: Mapping[str, Facts], subgroup: str
) -> dict[str, Estimate]:
    failed: dict[str, list[float]] = defaultdict(list)
    items: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        known = facts.get(row.item)
        name = None
        if known is not None:
            name = known.system if subgroup == "system" else field_of(known.item, subgroup)
        for group in ("all", name):
            if group is not None:
                failed[group].append(float(row.unscored is not None))
                items[group].append(row.item)
    if not any(sum(values) for values in failed.values()):
        failed = {"all": failed["all"]} if failed else {}
    return {
        name: stats.share(values, clusters=items[name])
        for name, values in sorted(failed.items(), key=lambda pair: (pair[0] != "all", pair[0]))
    }
