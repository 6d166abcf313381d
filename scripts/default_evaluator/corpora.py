"""The published corpora as numbers: features of what was said, and what people thought of it.

The corpora are not part of the project; `load` reads them from a folder that has them. Scores by
language models that stand in the same files are not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Conversation, Item, Pair
from assize.base.judgment import Judgment
from assize.encoders import Encoder
from assize.evaluator._features.blocks import ExchangeFeatures, TurnFeatures
from assize.evaluator._features.featuriser import Featuriser, feature_rows
from assize.evaluator._features.views import View, last_turn, turn_views, whole
from assize.formats import read
from assize.stats._arrays import FloatArray

from ..corpora import CORPORA, converted
from .continuations import number, pairs, rated

# by name: a corpus that is converted first (`scripts.corpora`), or a file that assize reads
SOURCES = {
    "reliable-eval": "reliable-eval",
    "ieval": "ieval",
    "conture": "fed-conture",
    "hh-harmless": "hh-harmless",
    "hh-helpful": "amulet-hh-test/instances.jsonl",
    "usr-topical": "reference-turns",
    "mrbench": "mrbench",
}
PAIRS = ("hh-harmless", "hh-helpful")
RESPONSES = {"usr-topical": "usr", "mrbench": ""}  # single responses: how their ids begin
FEATURES = ExchangeFeatures()
DEGRADED = "QualityControl"


class ShapeFeatures(TurnFeatures):
    """What the baselines see: lengths and words, of conversations and of turns alike."""

    name: ClassVar[str] = "shape"
    blocks: ClassVar[tuple[str, ...]] = ("shape",)


SHAPE = ShapeFeatures()


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Feature rows with what is known about them.

    Args:
        rows: (N, F).
        ratings: by question, (N,), NaN where missing.
        groups: (N,) the rater, or None where raters cannot be told apart.
        bots: (N,) the assistant, "" where not stated.
        clusters: (N,) what the rows are drawn in: raters, or conversations for turns.
    """

    rows: FloatArray
    ratings: Mapping[str, FloatArray]
    groups: NDArray[np.str_] | None
    bots: NDArray[np.str_]
    clusters: NDArray[np.str_]

    def take(self, kept: NDArray[np.bool_]) -> Table:
        """Some of the rows."""
        return Table(
            self.rows[kept],
            {name: values[kept] for name, values in self.ratings.items()},
            None if self.groups is None else self.groups[kept],
            self.bots[kept],
            self.clusters[kept],
        )

    def target(self, weights: Mapping[str, float]) -> FloatArray:
        """The weighted mean of standardised ratings, (N,), of those that a row has."""
        values = np.stack([self.ratings[name] for name in weights])
        shares = np.array(list(weights.values()))[:, None]
        middle = np.nanmean(values, axis=1, keepdims=True)
        standard = (values - middle) / np.nanstd(values, axis=1, keepdims=True)
        there = np.isfinite(standard)
        total = np.sum(np.abs(shares) * there, axis=0)
        found = np.sum(np.where(there, shares * standard, 0.0), axis=0)
        empty = np.full(len(total), np.nan)
        return np.asarray(np.divide(found, total, out=empty, where=total > 0))


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Feature rows of pairs: (N, F) a side, and the preferences (N,) in +1, 0, -1."""

    a: FloatArray
    b: FloatArray
    targets: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Corpora:
    """All that the recipe needs, as numbers.

    Args:
        conversations, turns: by corpus; `turns` of a corpus without turn labels hold
            one turn a conversation, for the score maps.
        pairs: by corpus.
        degraded: rows and raters of the bot that was made bad on purpose; it trains
            nothing.
    """

    conversations: Mapping[str, Table]
    turns: Mapping[str, Table]
    pairs: Mapping[str, Sides]
    degraded: Table | None = None


def source_file(source: str) -> str:
    """The file of a source in a folder of research data."""
    return CORPORA[source].file if source in CORPORA else source


def readable(source: str, root: Path) -> Path:
    """What assize reads of a source: the folder of a converted corpus, or the file itself."""
    return converted(source, root) if source in CORPORA else root / source


def load(root: Path, encoder: Encoder, featuriser: Featuriser = FEATURES) -> Corpora:
    """Reads and encodes the corpora; minutes, unless the encoder is cached and knows them."""
    conversations, turns, sides, degraded = {}, {}, {}, None
    reader = Reader(encoder, featuriser)
    for name, source in SOURCES.items():
        path = readable(source, root)
        if name in RESPONSES:
            turns[name] = reader.responses(path, RESPONSES[name])
            continue
        if name in PAIRS:
            sides[name] = reader.sides(path)
            turns[name] = reader.single(path)
            continue
        items, judgments = _read(path)
        passed = [item for item in items if isinstance(item, Conversation) and _passed(item)]
        kept = [item for item in passed if item.system != DEGRADED]
        conversations[name] = reader.conversations(kept, judgments)
        turns[name] = reader.turns(kept, judgments)
        if bad := [item for item in passed if item.system == DEGRADED]:
            degraded = reader.conversations(bad, judgments)
    return Corpora(conversations, turns, sides, degraded)


def _read(path: Path) -> tuple[list[Item], list[Judgment]]:
    items: list[Item] = []
    judgments: list[Judgment] = []
    for record in read(path).records():
        if isinstance(record, Judgment):
            if record.kind == "person":
                judgments.append(record)
        else:
            items.append(record)
    return items, judgments


def _passed(item: Conversation) -> bool:
    """Whether the rater passed the corpus's own control; True where it has none."""
    return bool(item.metadata.get("rater_passed_qc", True))


@dataclass(frozen=True, slots=True)
class Reader:
    """From files and items to tables of features."""

    encoder: Encoder
    featuriser: Featuriser

    def rows(self, views: Sequence[View]) -> FloatArray:
        """Features (N, F) of views, to seven digits: what was published was trained on these."""
        found = feature_rows(views, self.encoder, self.featuriser)
        return found.astype(np.float32).astype(np.float64)

    def conversations(self, items: Sequence[Conversation], judgments: Iterable[Judgment]) -> Table:
        """Whole conversations with their ratings."""
        views = [whole(item.turns) for item in items]
        rows = self.rows([view for view in views if isinstance(view, View)])
        place = {item.id: at for at, item in enumerate(items)}
        found: dict[str, list[list[float]]] = {}
        raters = np.full(len(items), "", dtype=object)
        anonymous = True
        for row in judgments:
            if row.item not in place:
                continue
            values = found.setdefault(row.question, [[] for _ in items])
            values[place[row.item]].append(number(row))
            raters[place[row.item]] = row.judge
            anonymous = anonymous and row.anonymous
        ratings = {
            question: np.array([np.mean(one) if one else np.nan for one in values])
            for question, values in found.items()
        }
        ids = np.array([item.id for item in items])
        known = raters.astype(str)
        bots = np.array([item.system or "" for item in items])
        clusters = ids if anonymous else known
        return Table(rows, ratings, None if anonymous else known, bots, clusters)

    def turns(self, items: Sequence[Conversation], judgments: Iterable[Judgment]) -> Table:
        """Every labelled turn; where there are no labels, one turn a conversation."""
        labels: dict[tuple[str, int], dict[str, float]] = {}
        for row in judgments:
            if row.turn is not None:
                labels.setdefault((row.item, row.turn), {})[row.question] = number(row)
        views: list[View] = []
        keys: list[tuple[str, int]] = []
        for at, item in enumerate(items):
            found = [(turn, view) for turn, view in turn_views(item) if isinstance(view, View)]
            if labels:
                found = [(turn, view) for turn, view in found if (item.id, turn) in labels]
            elif found:
                found = [found[at % len(found)]]
            views += [view for _, view in found]
            keys += [(item.id, turn) for turn, _ in found]
        asked = sorted({question for one in labels.values() for question in one})
        ratings = {
            question: np.array([labels.get(key, {}).get(question, np.nan) for key in keys])
            for question in asked
        }
        ids = np.array([item for item, _ in keys])
        return Table(self.rows(views), ratings, None, np.full(len(ids), ""), ids)

    def responses(self, path: Path, prefix: str) -> Table:
        """Rated responses; where several continue one conversation, they are a group."""
        found = rated(path, prefix)
        ratings = {name: np.array(values) for name, values in found.ratings.items()}
        clusters = np.array(found.clusters)
        return Table(self.rows(found.views), ratings, clusters, np.array(found.systems), clusters)

    def sides(self, path: Path) -> Sides:
        """Both sides of every pair, whole."""
        found = list(pairs(path))
        rows = self.rows([view for a, b, _ in found for view in (a, b)])
        return Sides(rows[0::2], rows[1::2], np.array([target for _, _, target in found]))

    def single(self, path: Path) -> Table:
        """Both responses of every pair as single turns, without ratings."""
        views, ids = [], []
        for item in read(path):
            if isinstance(item, Pair):
                for side in (item.a, item.b):
                    view = last_turn((*item.context, *side))
                    if isinstance(view, View):
                        views.append(view)
                        ids.append(item.id)
        return Table(self.rows(views), {}, None, np.full(len(ids), ""), np.array(ids))
