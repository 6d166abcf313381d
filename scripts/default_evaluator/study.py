"""Trains the default and measures it: leave-one-corpus-out, and on corpora never trained on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assize.conversation import Continuation, Conversation, Pair
from assize.encoders import Encoder, uncached
from assize.errors import DataError
from assize.evaluator import Evaluator
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.features.turns import TurnFeatures
from assize.evaluator.features.views import View, main_views
from assize.evaluator.heads.linear import Linear
from assize.evaluator.heads.ridge import finish, fit_scaling, fit_weights
from assize.evaluator.heads.scored_question import ScoredQuestion
from assize.formats import read
from assize.judgment import Judgment
from assize.stats import Estimate, mean

from .carryover import HeldOut, Verdict, carry_over, verdict, visible
from .recipe import DIMENSIONS, Corpora, Dimension, encoded, sources

NAME = "assize-small-1"
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
        known_bad: by question, how often a conversation with the degraded bot is put
            below one with a real bot, by a head that saw no conversation of the corpus.
    """

    dimensions: tuple[Measured, ...]
    unseen: tuple[HeldOut, ...]
    known_bad: Mapping[str, Estimate]


def train(corpora: Corpora, encoder: Encoder, dimensions: Iterable[Dimension]) -> Evaluator:
    """The evaluator with a head for each dimension; all share one scaling."""
    chosen = list(dimensions)
    width = encoder.dimension
    scaling = fit_scaling(sources(chosen[0], corpora))
    weights: dict[str, FloatArray] = {}
    scored: dict[str, ScoredQuestion] = {}
    for dimension in chosen:
        found, question = sources(dimension, corpora), dimension.question
        trained_on = tuple(dict.fromkeys(source.corpus for source in found))
        weights[question.id], scored[question.id] = finish(
            question, fit_weights(found, scaling, width), scaling,
            corpora.population(dimension), trained_on,
        )  # fmt: skip
    head, about = Linear(scaling, weights), {"data": counts(corpora)}
    return Evaluator(NAME, uncached(encoder), TurnFeatures(), head, scored, about=about)


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
    root: Path,
    encoder: Encoder,
    dimensions: Sequence[Dimension] = DIMENSIONS,
) -> Study:
    """Everything the card reports; the same figures on every run."""
    rng = np.random.default_rng(SEED)
    measured = []
    for dimension in dimensions:
        held_out = tuple(carry_over(dimension, corpora, encoder.dimension))
        measured.append(Measured(dimension, held_out, verdict(held_out, rng)))
    others = tuple(unseen(dimensions[0], corpora, root, encoder))
    return Study(tuple(measured), others, known_bad(corpora, encoder, dimensions))


def known_bad(
    corpora: Corpora, encoder: Encoder, dimensions: Iterable[Dimension] = DIMENSIONS
) -> dict[str, Estimate]:
    """By question, the share of (degraded, real) pairs of conversations in the right order."""
    found: dict[str, Estimate] = {}
    if corpora.degraded is None:
        return found
    real = corpora.conversations["reliable-eval"].rows
    for dimension in dimensions:
        given = sources(dimension, corpora, left_out="reliable-eval")
        if not given:
            continue
        scaling = fit_scaling(given)
        weights = fit_weights(given, scaling, encoder.dimension)
        normal = np.sort(scaling(real) @ weights)
        raw = scaling(corpora.degraded.rows) @ weights
        above = 1 - np.searchsorted(normal, raw) / len(normal)
        found[dimension.question.id] = mean(above, clusters=corpora.degraded.clusters)
    return found


def unseen(
    dimension: Dimension,
    corpora: Corpora,
    root: Path,
    encoder: Encoder,
) -> Iterator[HeldOut]:
    """A dimension's head and its baselines on corpora that stand in `root` and train nothing."""
    found = sources(dimension, corpora)
    scaling, width = fit_scaling(found), encoder.dimension
    models = {
        model: fit_weights(found, scaling, width, None, visible(model, width))
        for model in ("head", "shape", "length")
    }
    for name, (file, collect) in UNSEEN.items():
        if not (root / file).exists():
            continue
        gathered = collect(root / file)
        rows = scaling(encoded(gathered.views, encoder))
        predicted = {model: rows @ weights for model, weights in models.items()}
        if gathered.level == "pair":
            predicted = {model: raw[0::2] - raw[1::2] for model, raw in predicted.items()}
        yield HeldOut(
            name,
            "never trained on",
            gathered.level,
            predicted,
            np.array(gathered.targets),
            np.array(gathered.clusters),
        )


@dataclass(frozen=True, slots=True)
class _Gathered:
    """What one unseen corpus gives: views, of a pair two in a row, and a target each."""

    level: str
    views: list[View]
    targets: list[float]
    clusters: list[str]


def _pairs(path: Path) -> _Gathered:
    found = _Gathered("pair", [], [], [])
    for item in read(path):
        if isinstance(item, Pair):
            views = [view for view in main_views(item) if isinstance(view, View)]
            if len(views) == 2:
                found.views.extend(views)
                found.targets.append({"A": 1.0, "B": -1.0}.get(str(item.gold), 0.0))
                found.clusters.append(item.id)
    return found


def _responses(prefix: str, question: str) -> Callable[[Path], _Gathered]:
    """Responses rated by people, of one of the corpora in a file."""

    def collect(path: Path) -> _Gathered:
        views: dict[str, tuple[View, str]] = {}
        ratings: dict[str, list[float]] = {}
        for record in read(path):
            if isinstance(record, Continuation) and record.id.startswith(prefix):
                view = main_views(record)[0]
                if isinstance(view, View):
                    views[record.id] = view, record.conversation or record.id
            elif isinstance(record, Judgment) and record.question == question:
                ratings.setdefault(record.item, []).append(_value(record))
        kept = [item for item in views if item in ratings]
        return _Gathered(
            "turn",
            [views[item][0] for item in kept],
            [float(np.mean(ratings[item])) for item in kept],
            [views[item][1] for item in kept],
        )

    return collect


def _satisfaction(path: Path) -> _Gathered:
    """Task dialogues rated as a whole by three people and more."""
    items: dict[str, View] = {}
    ratings: dict[str, list[float]] = {}
    for record in read(path):
        if isinstance(record, Judgment):
            if record.turn is None and record.kind == "person":
                ratings.setdefault(record.item, []).append(_value(record))
        elif isinstance(record, Conversation) and isinstance(view := main_views(record)[0], View):
            items[record.id] = view
    kept = [item for item in items if item in ratings]
    targets = [float(np.mean(ratings[item])) for item in kept]
    return _Gathered("conversation", [items[item] for item in kept], targets, kept)


def _value(row: Judgment) -> float:
    if row.score is not None:
        return row.score
    if row.answer is None:
        raise DataError(f"no number for {row.item}")
    return float(row.answer)


_TURNS = "reference-turns/reference_turns.jsonl.gz"
UNSEEN: dict[str, tuple[str, Callable[[Path], _Gathered]]] = {
    "hh-helpful": ("amulet-hh-test/instances.jsonl", _pairs),
    "usr-topical": (_TURNS, _responses("usr", "usr-overall")),
    "gupta": (_TURNS, _responses("gupta", "gupta-appropriateness")),
    "grade": (_TURNS, _responses("grade", "grade-coherence")),
    "uss": ("uss/dialogues.jsonl.gz", _satisfaction),
}
