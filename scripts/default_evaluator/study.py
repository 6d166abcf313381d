"""Trains the default and measures it: leave-one-corpus-out, and on corpora never trained on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assize.encoders import Encoder, uncached
from assize.evaluator import Evaluator
from assize.evaluator._features.views import Level
from assize.evaluator._heads.ridge import HeadData, Ratings, fit_heads, fit_scaling, read_axes
from assize.stats import Estimate, mean
from assize.stats._arrays import FloatArray

from .carryover import CHOICES, RECIPE, Learner, added, carry_over, fit_all, held_out, learners
from .corpora import FEATURES, Corpora, Reader, Table, readable, source_file
from .held_out import HeldOut
from .recipe import DIMENSIONS, Dimension, population, sources

NAME = "assize-small-2"
PARTS = ("sgd", "mwoz", "ccpe")  # of USS


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One dimension with its held-out predictions, those of corpora that train nothing (where
    people were asked another question), and whether it ships."""

    dimension: Dimension
    held_out: tuple[HeldOut, ...]
    unseen: tuple[HeldOut, ...] = ()

    @property
    def ships(self) -> bool:
        """`overall` always; another one if it is above chance wherever conversations or pairs have
        labels for it."""
        above = all(one.above_chance for one in self.held_out if one.level != "turn")
        return above or self.dimension.question.id == "overall"


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """All that was measured.

    Args:
        dimensions: of the recipe, in its order.
        choice: of recipes for the first dimension, see `choose`.
        known_bad: by question, how often a conversation with the degraded bot is put
            below one with a real bot, by a head that saw no conversation of the corpus.
    """

    dimensions: tuple[Measured, ...]
    choice: Mapping[str, Choice]
    known_bad: Mapping[str, Estimate]


def train(corpora: Corpora, encoder: Encoder, dimensions: Iterable[Dimension]) -> Evaluator:
    """The evaluator with a head for each dimension; all share one scaling."""
    data = [
        HeadData(one.question, sources(one, corpora), population(one, corpora))
        for one in dimensions
    ]
    widths = FEATURES.widths(encoder.dimension)
    scaling, axes = fit_scaling(data[0].sources), read_axes(encoder)
    head, scored = fit_heads(data, scaling, RECIPE, widths, axes)
    about = {"data": counts(corpora)}
    return Evaluator(NAME, uncached(encoder), FEATURES, head, scored, about=about)


def counts(corpora: Corpora) -> dict[str, dict[str, int]]:
    """How many rows of each kind a corpus gives."""
    found: dict[str, dict[str, int]] = {}
    for name, one in corpora.conversations.items():
        found.setdefault(name, {})["conversations"] = len(one.rows)
    for name, one in corpora.turns.items():
        if one.ratings:
            found.setdefault(name, {})["turns"] = len(one.rows)
    for name, pairs in corpora.pairs.items():
        found.setdefault(name, {})["pairs"] = len(pairs.targets)
    return found


def study(
    corpora: Corpora, root: Path, reader: Reader, dimensions: Sequence[Dimension] = DIMENSIONS
) -> Study:
    """Everything the card reports; the same figures on every run.

    Args:
        root: has the corpora that nothing is trained on, or some of them.
    """
    models = learners(corpora, reader.encoder)
    tables = read_unseen(root, reader)
    measured = tuple(
        Measured(one, tuple(carry_over(one, models)), tuple(unseen(one, models, tables)))
        for one in dimensions
    )
    choice = choose([*measured[0].held_out, *measured[0].unseen])
    return Study(measured, choice, known_bad(models, dimensions))


@dataclass(frozen=True, slots=True)
class Choice:
    """How one recipe does: by corpus of conversations Spearman's correlation, and the mean and the
    worst of these after each is divided by what a ridge reaches inside the corpus; `best` where
    its mean plus worst is the highest, and `hidden` for how many corpora it would be so without
    their own figures."""

    figures: Mapping[str, float]
    mean: float
    worst: float
    best: bool
    hidden: int


def choose(found: Iterable[HeldOut]) -> dict[str, Choice]:
    """By recipe of `CHOICES` how it does; see the rule in README.md. None without conversations."""
    groups: dict[str, list[HeldOut]] = {}
    for one in found:
        if one.level == "conversation":
            name = "uss" if one.corpus in UNSEEN else one.corpus
            groups.setdefault(name, []).append(one)

    def figures(model: str) -> FloatArray:
        own = [[one.measure(model).estimate for one in group] for group in groups.values()]
        return np.array([np.mean(values) for values in own])

    names = [", ".join(heads) for heads in CHOICES]
    shares = np.array([figures(name) / figures("inside") for name in names])
    without = [np.delete(shares, place, axis=1) for place in range(len(groups))]
    winners = [int(np.argmax(part.mean(axis=1) + part.min(axis=1))) for part in [shares, *without]]
    return {
        name: Choice(
            dict(zip(groups, figures(name).tolist(), strict=True)),
            float(shares[place].mean()),
            float(shares[place].min()),
            winners[0] == place,
            winners[1:].count(place),
        )
        for place, name in enumerate(names)
    }


def known_bad(
    models: Mapping[str, Learner], dimensions: Iterable[Dimension] = DIMENSIONS
) -> dict[str, Estimate]:
    """How often the degraded bot's conversations are put below those with real bots.

    The heads are trained without the corpus that holds them. Intervals are over raters.
    """
    corpora = models["all"].corpora
    if corpora.degraded is None:
        return {}
    real = corpora.conversations["reliable-eval"].rows
    found = {}
    for dimension in dimensions:
        if not sources(dimension, corpora, "reliable-eval"):
            continue
        fitted = fit_all(dimension, models, "reliable-eval")
        normal, bad = (
            added({name: one(rows) for name, one in fitted.items()})["head"]
            for rows in (real, corpora.degraded.rows)
        )
        above = 1 - np.searchsorted(np.sort(normal), bad) / len(normal)
        found[dimension.question.id] = mean(above, clusters=corpora.degraded.clusters)
    return found


def read_unseen(root: Path, reader: Reader) -> dict[str, Table]:
    """The corpora of `UNSEEN` that are there."""
    return {
        name: reader.responses(readable(source, root), prefix)
        for name, (source, prefix, *_) in UNSEEN.items()
        if (root / source_file(source)).exists()
    }


def unseen(
    dimension: Dimension, models: Mapping[str, Learner], tables: Mapping[str, Table]
) -> Iterator[HeldOut]:
    """A dimension's head and what it is compared with, on corpora that train nothing; single
    responses for `overall` alone."""
    if not dimension.conversations:
        return
    fitted = fit_all(dimension, models)
    for name, table in tables.items():
        *_, question, level = UNSEEN[name]
        if level == "conversation" or dimension.question.id == "overall":
            rated = Ratings(name, table.rows, table.target({question: 1.0}), level=level)
            yield held_out(rated, fitted, models["all"], "corpus", table)


# by corpus: where it stands (as in `SOURCES`), how its ids begin, what people were asked, of what
UNSEEN: dict[str, tuple[str, str, str, Level]] = {
    "gupta": ("reference-turns", "gupta", "gupta-appropriateness", "turn"),
    "grade": ("reference-turns", "grade", "grade-coherence", "turn"),
    **{f"uss-{part}": ("uss", f"uss-{part}", "satisfaction", "conversation") for part in PARTS},
}
