"""The published corpora as numbers: features of what was said, and what people thought of it.

The corpora are not part of the project; `load` reads them from a folder that has them. Scores by
language models that stand in the same files are not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Continuation, Conversation, Item, Pair
from assize.base.judgment import Judgment, Unscored
from assize.encoders import Encoder
from assize.evaluator._features.blocks import ExchangeFeatures
from assize.evaluator._features.featuriser import Featuriser, feature_rows
from assize.evaluator._features.views import View, last_turn, main_views, turn_views, whole
from assize.formats import read
from assize.judgments import Unit
from assize.stats import spearman
from assize.stats._arrays import FloatArray

from ..corpora import CORPORA, converted

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


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Feature rows with what is known about them.

    Args:
        rows: (N, F).
        ratings: by question, (N,), NaN where missing.
        groups: (N,) the rater, or None where raters cannot be told apart.
        bots: (N,) the assistant, "" where not stated.
        clusters: (N,) what the rows are drawn in: raters, or conversations for turns.
        one_rater: see `one_rater`; NaN where nothing was rated twice.
    """

    rows: FloatArray
    ratings: Mapping[str, FloatArray]
    groups: NDArray[np.str_] | None
    bots: NDArray[np.str_]
    clusters: NDArray[np.str_]
    one_rater: float = float("nan")

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


# adjudicated labels of mrbench, as numbers
_NUMBERS = {
    "Yes": 2.0,
    "To some extent": 1.0,
    "No": 0.0,
    "Encouraging": 2.0,
    "Neutral": 1.0,
    "Offensive": 0.0,
}
_GIVEN_AWAY = "revealing_of_the_answer"  # where "No" is the best


def number(row: Judgment) -> float:
    """The rating as a number, higher being better; NaN where there is none.

    >>> number(Judgment("i", "j", "tutor_tone", answer="Neutral"))
    1.0
    """
    if row.score is not None:
        return row.score
    if row.answer is None:
        return float("nan")
    if row.question == _GIVEN_AWAY:
        return 2.0 if row.answer == "No" else 0.0
    if isinstance(row.answer, str) and row.answer in _NUMBERS:
        return _NUMBERS[row.answer]
    return float(row.answer)


def load(root: Path, reader: Reader) -> Corpora:
    """Reads and encodes the corpora; minutes, unless the encoder is cached and knows them."""
    conversations, turns, sides, degraded = {}, {}, {}, None
    for name, source in SOURCES.items():
        path = readable(source, root)
        if name in RESPONSES:
            turns[name] = reader.responses(path, RESPONSES[name])
            continue
        items, judgments = reader.records(path)
        if name in PAIRS:
            sides[name], turns[name] = reader.sides(items), reader.single(items)
            continue
        # True where the corpus has no control of its own
        passed = [
            item
            for item in items
            if isinstance(item, Conversation) and item.metadata.get("rater_passed_qc", True)
        ]
        kept = [item for item in passed if item.system != DEGRADED]
        conversations[name] = reader.conversations(kept, judgments)
        turns[name] = reader.turns(kept, judgments)
        if bad := [item for item in passed if item.system == DEGRADED]:
            degraded = reader.conversations(bad, judgments)
    return Corpora(conversations, turns, sides, degraded)


Rated = Iterable[tuple[Unit, Judgment]]


def _by_question(rated: Rated) -> dict[str, dict[Unit, list[float]]]:
    values: dict[str, dict[Unit, list[float]]] = {}
    for unit, row in rated:
        values.setdefault(row.question, {}).setdefault(unit, []).append(number(row))
    return values


def mean_ratings(units: Sequence[Unit], rated: Rated) -> dict[str, FloatArray]:
    """By question the mean rating (N,) of each unit, NaN where it has none; no empty column."""
    columns = {
        question: np.array([np.mean(own[unit]) if unit in own else np.nan for unit in units])
        for question, own in _by_question(rated).items()
    }
    return {name: column for name, column in columns.items() if np.isfinite(column).any()}


def one_rater(units: Sequence[Unit], rated: Rated) -> float:
    """Spearman's correlation of the first rating of a unit with the mean of its others; NaN where
    there are none."""
    every = [own[unit] for own in _by_question(rated).values() for unit in units if unit in own]
    pairs = [(first, np.mean(others)) for first, *others in every if others]
    return spearman(*zip(*pairs, strict=True)).estimate if pairs else float("nan")


@dataclass(frozen=True, slots=True)
class Reader:
    """From files and items to tables of features.

    Args:
        every: 3 reads every third item of a file.
    """

    encoder: Encoder
    featuriser: Featuriser = FEATURES
    every: int = 1

    def records(self, path: Path) -> tuple[list[Item], list[Judgment]]:
        """The items of a source, and what people judged."""
        records = list(read(path).records())
        items = [one for one in records if not isinstance(one, Judgment)]
        people = [one for one in records if isinstance(one, Judgment) and one.kind == "person"]
        return items[:: self.every], people

    def rows(self, views: Iterable[View | Unscored]) -> FloatArray:
        """Features (N, F) of views, to seven digits: what was published was trained on these."""
        every = [view for view in views if isinstance(view, View)]
        found = feature_rows(every, self.encoder, self.featuriser)
        return found.astype(np.float32).astype(np.float64)

    def conversations(self, items: Sequence[Conversation], judgments: Sequence[Judgment]) -> Table:
        """Whole conversations with their ratings, and with the means of their turns' labels."""
        ids = [item.id for item in items]
        own = [row for row in judgments if row.item in set(ids)]
        ratings = mean_ratings(
            [(name, None) for name in ids], (((row.item, None), row) for row in own)
        )
        raters = {row.item: row.judge for row in own}
        known = np.array([raters.get(name, "") for name in ids])
        groups = None if all(row.anonymous for row in own) else known
        bots = np.array([item.system or "" for item in items])
        clusters = np.array(ids) if groups is None else known
        return Table(
            self.rows(whole(item.turns) for item in items), ratings, groups, bots, clusters
        )

    def turns(self, items: Sequence[Conversation], judgments: Iterable[Judgment]) -> Table:
        """Every labelled turn; where there are no labels, one turn a conversation."""
        rated = [((row.item, row.turn), row) for row in judgments if row.turn is not None]
        labelled = {unit for unit, _ in rated}
        views: dict[Unit, View] = {}
        for index, item in enumerate(items):
            own = {(item.id, turn): v for turn, v in turn_views(item) if isinstance(v, View)}
            chosen = list(own)[index % len(own) :][:1] if own and not labelled else labelled
            views |= {unit: view for unit, view in own.items() if unit in chosen}
        ids = np.array([item for item, _ in views])
        ratings = mean_ratings(list(views), rated)
        return Table(self.rows(views.values()), ratings, None, np.full(len(ids), ""), ids)

    def responses(self, path: Path, prefix: str) -> Table:
        """Rated conversations, or responses: where several continue one conversation, they are a
        group. Their ids begin with `prefix`."""
        items, judgments = self.records(path)
        kept = [
            (item, view)
            for item in items
            if isinstance(item, Conversation | Continuation) and item.id.startswith(prefix)
            if isinstance(view := main_views(item)[0], View)
        ]
        rated = [((row.item, None), row) for row in judgments if row.turn is None]
        units = [(item.id, None) for item, _ in kept]
        ratings, agreement = mean_ratings(units, rated), one_rater(units, rated)
        bots, clusters = [], []
        for item, _ in kept:
            system = item.system if isinstance(item, Conversation) else item.source
            whose = None if isinstance(item, Conversation) else item.conversation
            bots.append(system or "")
            clusters.append(whose or item.id)
        groups, rows = np.array(clusters), self.rows(view for _, view in kept)
        shared = groups if len(set(clusters)) < len(clusters) else None
        return Table(rows, ratings, shared, np.array(bots), groups, agreement)

    def sides(self, items: Iterable[Item]) -> Sides:
        """Both sides of every pair, whole."""
        views, targets = [], []
        for item in items:
            both = [view for view in main_views(item) if isinstance(view, View)]
            if isinstance(item, Pair) and len(both) == 2:
                views += both
                targets.append({"A": 1.0, "B": -1.0}.get(str(item.gold), 0.0))
        rows = self.rows(views)
        return Sides(rows[0::2], rows[1::2], np.array(targets))

    def single(self, items: Iterable[Item]) -> Table:
        """Both responses of every pair as single turns, without ratings."""
        pairs = [item for item in items if isinstance(item, Pair)]
        sides = [
            (item, last_turn((*item.context, *side))) for item in pairs for side in (item.a, item.b)
        ]
        ids = np.array([item.id for item, view in sides if isinstance(view, View)])
        return Table(self.rows(view for _, view in sides), {}, None, np.full(len(ids), ""), ids)
