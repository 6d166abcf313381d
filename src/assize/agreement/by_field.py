"""Judges against gold, by a field of the items: a row a judge and a value, and RewardBench's
sections where the values are its subsets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.agreement.columns import Columns
from assize.agreement.items import Facts
from assize.errors import ConfigError, DataError
from assize.fields import names_in, word_at
from assize.formats.research.reward_bench import SECTIONS
from assize.results import Column, ResultTable
from assize.signature import sign
from assize.stats import Estimate, pairwise_accuracy

ALL = "mean of the sections"
_MATH = "math-prm"
_Z = 1.959964  # of a two-sided interval of 95%


@dataclass(frozen=True, slots=True)
class ByField:
    """How often judges prefer what gold prefers, by a field.

    Args:
        field: of the items.
        accuracy: by judge and by the field's value; ties of gold do not enter, an answer of tie
            counts as wrong.
        sections: by judge, RewardBench's sections and their mean; empty where the values are not
            its subsets.
        lacking: judged items without the field.
    """

    field: str
    accuracy: Mapping[str, Mapping[str, Estimate]]
    sections: Mapping[str, Mapping[str, Estimate]]
    lacking: int

    def table(self) -> ResultTable:
        """A row a judge and value, then its sections."""
        rows = [
            (judge, name, one, one.n, one.unscored)
            for judge, groups in self.accuracy.items()
            for name, one in (*groups.items(), *self.sections.get(judge, {}).items())
        ]
        named = [
            Column("judge"),
            Column(self.field),
            Column("accuracy", "number"),
            Column("n", "count"),
            Column("unscored", "count"),
        ]
        notes = [f"{self.lacking:,} judged items have no {self.field}."] if self.lacking else []
        if self.sections:
            notes.append(
                "A section counts its subsets by their items, Reasoning math as much as code; their"
                " mean counts each section once. Only subsets that are there enter."
            )
        return ResultTable(f"accuracy by {self.field}", named, rows, notes)

    def to_json(self) -> dict[str, Any]:
        """All figures, by judge."""
        kinds = {"accuracy": self.accuracy, "sections": self.sections}
        told = {
            kind: {
                judge: {name: one.to_json() for name, one in groups.items()}
                for judge, groups in by.items()
            }
            for kind, by in kinds.items()
        }
        return {"field": self.field, "lacking": self.lacking, **told}


def has_groups(found: Columns, gold: str | None) -> bool:
    """Whether a question can be looked at by a field: it is a preference, and has gold."""
    return gold is not None and gold in found.by_judge and found.question.kind == "preference"


def by_field(found: Columns, gold: str | None, facts: Mapping[str, Facts], field: str) -> ByField:
    """The accuracy of every judge by a field of the items; see `assize.fields`.

    Raises:
        ConfigError: there is no gold, or the question is no preference.
        DataError: no judged item has the field.
    """
    if gold is None or found.question.kind != "preference":
        raise ConfigError(f"by {field} needs preferences, and gold to hold them to")
    words = [word_at(facts[item].item, field) if item in facts else None for item in found.items]
    if all(word is None for word in words):
        known = ", ".join(names_in(one.item for one in facts.values())) or "none"
        raise DataError(
            f"none of the judged items has a {field}; give the items that have it as items (fields"
            f" there: {known})"
        )
    labels = np.array(["" if word is None else word for word in words])
    names = sorted({word for word in words if word is not None})
    accuracy = {
        judge: {name: _accuracy(found, judge, gold, labels == name) for name in names}
        for judge in found.by_judge
        if judge != gold
    }
    sections = {judge: dict(_sections(groups)) for judge, groups in accuracy.items()}
    return ByField(
        field,
        accuracy,
        {judge: one for judge, one in sections.items() if one},
        sum(word is None for word in words),
    )


def _accuracy(found: Columns, judge: str, gold: str, keep: np.ndarray) -> Estimate:
    one, two = found.by_judge[judge], found.by_judge[gold]
    asked = one.asked & two.asked & keep
    items = np.asarray(found.items)[asked]
    return pairwise_accuracy(one.values[asked], two.values[asked], clusters=items).without_tie


def _sections(groups: Mapping[str, Estimate]) -> Iterator[tuple[str, Estimate]]:
    """RewardBench's sections of these subsets, and their mean.

    Every subset is a stratum: the variance is the sum of w² p (1 - p) / n, with p drawn towards
    one half by one success and one failure, so that a perfect subset has some.

    Source: Lambert et al. (2024), RewardBench, section 4 (weights); the leaderboard then also
    averages prior sets, which are left out here.
    """
    subsets = {one for several in SECTIONS.values() for one in several}
    if not groups or not set(groups) <= subsets:
        return
    means: list[Mapping[str, float]] = []
    for section, names in SECTIONS.items():
        there = {name: groups[name] for name in names if name in groups and groups[name].n}
        if not there:
            continue
        weights = {name: float(one.n) for name, one in there.items()}
        code = sum(count for name, count in weights.items() if name != _MATH)
        if _MATH in weights and code:
            weights[_MATH] = code
        total = sum(weights.values())
        shares = {name: weight / total for name, weight in weights.items()}
        means.append(shares)
        yield section, _weighted(groups, shares)
    if len(means) > 1:
        whole = {name: share / len(means) for shares in means for name, share in shares.items()}
        yield ALL, _weighted(groups, whole)


def _weighted(groups: Mapping[str, Estimate], shares: Mapping[str, float]) -> Estimate:
    value = sum(share * groups[name].estimate for name, share in shares.items())
    variance = 0.0
    for name, share in shares.items():
        n = groups[name].n
        p = (groups[name].estimate * n + 1) / (n + 2)
        variance += share**2 * p * (1 - p) / n
    half = _Z * math.sqrt(variance)
    kept: Sequence[Estimate] = [groups[name] for name in shares]
    method = "mean of strata, normal interval of 95%"
    return Estimate(
        value,
        (max(0.0, value - half), min(1.0, value + half)),
        sum(one.n for one in kept),
        sum(one.unscored for one in kept),
        method=method,
        signature=sign("weighted accuracy", 1, method, sorted(shares.items())),
        clusters=sum(one.n for one in kept),
    )
