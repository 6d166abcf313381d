"""Every question by system: what people answered, and what models expected (tables 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize import stats
from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import NO_ANSWER, Forms, IntArray
from assize.stats import Estimate
from assize.stats.estimate import nullable

PEOPLE = "people"
ALL = "all"


@dataclass(frozen=True, slots=True)
class Cell:
    """One question about one system's conversations, as one source answered it."""

    source: str  # `people`, or a model's name as a judge
    # an ordered question's id; `ID=ANSWER` is the share of one answer to a question whose answers
    # are not ordered
    question: str
    system: str
    mean: Estimate  # with an interval clustered by item
    deviation: float  # standard deviation of the answers, of a model's expected answers

    def to_json(self) -> dict[str, Any]:
        """The mean's object with its place."""
        named = {"source": self.source, "question": self.question, "system": self.system}
        return named | self.mean.to_json() | {"deviation": nullable(self.deviation)}


def by_system(forms: Forms, system_of: Mapping[str, str]) -> list[Cell]:
    """Means of every question by source and system, and over all systems."""
    ids = [item for item, _ in forms.features.units]
    known = [system_of.get(item, "") for item in ids]
    names = [ALL, *sorted({name for name in known if name})]
    of_item = np.array(known)
    found = []
    for source, question, values, items in _columns(forms):
        for name in names:
            rows = np.ones(len(items), bool) if name == ALL else of_item[items] == name
            there = rows & ~np.isnan(values)
            mean = stats.mean(values[rows], clusters=items[rows])
            deviation = float(values[there].std(ddof=1)) if there.sum() > 1 else np.nan
            found.append(Cell(source, question, name, mean, deviation))
    return found


def _columns(forms: Forms) -> Iterator[tuple[str, str, FloatArray, IntArray]]:
    """Source, question, values (n,), items (n,) of each column of the table."""
    for place, scale in enumerate(forms.scales):
        given = forms.answers[:, place]
        known = given != NO_ANSWER
        if scale.ordered:
            values = np.where(known, np.asarray(scale.values)[given], np.nan)
            yield PEOPLE, scale.id, values, forms.item
            continue
        for code, answer in enumerate(scale.question.answers):
            share = np.where(known, (given == code).astype(float), np.nan)
            yield PEOPLE, f"{scale.id}={answer}", share, forms.item
    features = forms.features
    rated = np.unique(forms.item)
    for block, columns in zip(features.blocks, features.columns, strict=True):
        p = features.x[rated, columns]
        source = f"{block.judge} {block.variant}".rstrip()
        if not block.answers:
            yield source, block.question, p[:, 0], rated
            continue
        scaled = _normalised(p)
        if block.ordered:
            yield source, block.question, scaled @ np.asarray(block.values), rated
            continue
        for code, answer in enumerate(block.answers):
            yield source, f"{block.question}={answer}", scaled[:, code], rated


def _normalised(p: FloatArray) -> FloatArray:
    """Rows divided by their mass; NaN where a question does not apply or is missing."""
    mass = p.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(p, mass, where=mass > 0, out=np.full_like(p, np.nan)))


@dataclass(frozen=True, slots=True)
class Habits:
    """How often one rater gave each answer to the target (figure 2)."""

    rater: str
    counts: tuple[int, ...]


def habits(forms: Forms) -> list[Habits]:
    """Every rater's answers to the target, those with most forms first."""
    width = len(forms.target)
    found = []
    for code, rater in enumerate(forms.raters):
        given = forms.y[(forms.rater == code) & (forms.y != NO_ANSWER)]
        counts: Sequence[int] = np.bincount(given, minlength=width).tolist()
        found.append(Habits(rater, tuple(counts)))
    return sorted(found, key=lambda one: -sum(one.counts))
