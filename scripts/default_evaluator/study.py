"""Trains the default and measures it: leave-one-corpus-out, and on corpora never trained on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assize.encoders import Encoder, uncached
from assize.evaluator import Evaluator
from assize.evaluator._heads.ridge import RIDGES, HeadData, fit_heads, fit_scaling
from assize.stats import Estimate, mean

from .carryover import Learner, carry_over, learners, rated
from .corpora import FEATURES, SHAPE, Corpora, Reader, readable, source_file
from .held_out import HeldOut, Verdict, verdict
from .recipe import DIMENSIONS, Dimension, population, sources
from .systems import better_from_worse

NAME = "assize-small-2"
SEED = 20251120


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One dimension with its held-out predictions and whether it ships."""

    dimension: Dimension
    held_out: tuple[HeldOut, ...]
    verdict: Verdict

    @property
    def ships(self) -> bool:
        """`overall` always; another one where it beats both baselines."""
        return self.dimension.question.id == "overall" or self.verdict.ships


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """All that was measured.

    Args:
        dimensions: of the recipe, in its order.
        unseen: the first dimension's head, trained on all training corpora, on other corpora.
        systems: the first dimension's head on better systems, having seen only worse ones.
        known_bad: by question, how often a conversation with the degraded bot is put
            below one with a real bot, by a head that saw no conversation of the corpus.
    """

    dimensions: tuple[Measured, ...]
    unseen: tuple[HeldOut, ...]
    systems: tuple[HeldOut, ...]
    known_bad: Mapping[str, Estimate]


def train(corpora: Corpora, encoder: Encoder, dimensions: Iterable[Dimension]) -> Evaluator:
    """The evaluator with a head for each dimension; all share one scaling."""
    data = [
        HeadData(one.question, sources(one, corpora), population(one, corpora))
        for one in dimensions
    ]
    widths = FEATURES.widths(encoder.dimension)
    head, scored = fit_heads(data, fit_scaling(data[0].sources), RIDGES[FEATURES.name], widths)
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
    corpora: Corpora,
    before: Corpora,
    root: Path,
    encoder: Encoder,
    dimensions: Sequence[Dimension] = DIMENSIONS,
) -> Study:
    """Everything the card reports; the same figures on every run.

    Args:
        before: the corpora with the features of the baselines.
        root: has the corpora that nothing is trained on, or some of them.
    """
    rng = np.random.default_rng(SEED)
    models = learners(corpora, before, encoder.dimension)
    measured = []
    for dimension in dimensions:
        held_out = tuple(carry_over(dimension, models))
        measured.append(Measured(dimension, held_out, verdict(held_out, rng)))
    first = dimensions[0]
    others = tuple(unseen(first, models, root, encoder))
    systems = tuple(better_from_worse(first, models))
    bad = known_bad(models["head"], dimensions)
    return Study(tuple(measured), others, systems, bad)


def known_bad(
    learner: Learner, dimensions: Iterable[Dimension] = DIMENSIONS
) -> dict[str, Estimate]:
    """How often the degraded bot's conversations are put below those with real bots.

    The heads are trained without the corpus that holds them. Intervals are over raters.
    """
    corpora = learner.corpora
    if corpora.degraded is None:
        return {}
    real = corpora.conversations["reliable-eval"].rows
    found = {}
    for dimension in dimensions:
        if not sources(dimension, corpora, "reliable-eval"):
            continue
        head = learner.fit_without(dimension, "reliable-eval")
        normal = np.sort(head(real))
        above = 1 - np.searchsorted(normal, head(corpora.degraded.rows)) / len(normal)
        found[dimension.question.id] = mean(above, clusters=corpora.degraded.clusters)
    return found


def unseen(
    dimension: Dimension, models: Mapping[str, Learner], root: Path, encoder: Encoder
) -> Iterator[HeldOut]:
    """A dimension's head and what it is compared with, on corpora that train nothing."""
    fitted = {model: one.fit_without(dimension) for model, one in models.items()}
    for name, (source, prefix, question, level) in UNSEEN.items():
        if (root / source_file(source)).exists():
            path = readable(source, root)
            plain, shapes = (
                Reader(encoder, one).responses(path, prefix) for one in (FEATURES, SHAPE)
            )
            tables = {model: plain if model == "head" else shapes for model in models}
            yield rated(name, level, fitted, tables, {question: 1.0}, left_out="never trained on")


# by corpus: where it stands (as in `SOURCES`), how its ids begin, what people were asked, of what
UNSEEN: dict[str, tuple[str, str, str, str]] = {
    "gupta": ("reference-turns", "gupta", "gupta-appropriateness", "turn"),
    "grade": ("reference-turns", "grade", "grade-coherence", "turn"),
    "uss": ("uss", "", "satisfaction", "conversation"),
}
