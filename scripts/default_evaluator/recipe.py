"""What the shipped evaluator is trained on: four published corpora of human labels.

The corpora are not part of the project; `load` reads them from a folder that has them
(`reliable-eval`, `ieval`, `fed-conture`, `hh-harmless`). Scores by language models that
stand in the same files are not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assize.conversation import Conversation, Item, Pair
from assize.encoders import Encoder
from assize.evaluator.features.featuriser import feature_rows
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.features.turns import TurnFeatures
from assize.evaluator.features.views import View, last_turn, main_views, turn_views, whole
from assize.evaluator.heads.ridge import Preferences, Ratings, Source
from assize.evaluator.heads.scored_question import Population
from assize.formats import read
from assize.judgment import PREFERENCE, Judgment, Question

FILES = {
    "reliable-eval": "reliable-eval/dialogues.jsonl.gz",
    "ieval": "ieval/dialogues.jsonl.gz",
    "conture": "fed-conture/conture_dialogues.jsonl",
    "hh-harmless": "hh-harmless/pairs.jsonl.gz",
}
LOW, HIGH = 0.25, 0.75  # the worst and the best quarter of the training conversations
DEGRADED = "QualityControl"

_IEVAL_OVERALL = {
    "attentive": 1.0, "likable": 1.0, "sensible": 1.0, "understood_emotions": 1.0,
    "responded_to_emotions": 1.0, "inattentive_statement": -1.0, "repetitive": -1.0,
    "overall_rank": 7.0,
}  # fmt: skip
_RELIABLE_OVERALL = dict.fromkeys(
    ("interesting", "fun", "consistent", "fluent", "topic", "robotic", "repetitive"), 1.0
)


@dataclass(frozen=True, slots=True)
class Dimension:
    """One question of the default, and where its labels come from.

    Args:
        question: as it stands in judgments.
        conversations: by corpus, the weight of each rating in the target; ratings are
            brought to mean 0 and deviation 1 first.
        turns: the same for ratings of single turns.
        pairs: corpora whose preferences are used.
    """

    question: Question
    conversations: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    turns: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    pairs: tuple[str, ...] = ()


def _question(name: str, text: str) -> Question:
    more = {"levels": [LOW, HIGH]}
    return Question(
        id=name, text=text, kind="number", range=(0.0, 1.0), higher="better", extra=more
    )


DIMENSIONS = (
    Dimension(
        _question("overall", "How good is the assistant's part of the conversation?"),
        {
            "reliable-eval": _RELIABLE_OVERALL,
            "ieval": _IEVAL_OVERALL,
            "conture": {"overall_impression": 1.0},
        },
        {"conture": {"overall_impression": 1.0}},
    ),
    Dimension(
        _question("engaging", "Does the assistant hold the user's interest?"),
        {
            "reliable-eval": {"interesting": 1.0, "fun": 1.0},
            "ieval": {"likable": 1.0},
            "conture": {"interesting": 1.0},
        },
        {"conture": {"interesting": 1.0}},
    ),
    Dimension(
        _question("coherent", "Do the assistant's turns fit what was said before?"),
        {
            "reliable-eval": {"consistent": 1.0, "topic": 1.0},
            "ieval": {"sensible": 1.0},
            "conture": {"relevance": 1.0},
        },
        {"conture": {"relevance": 1.0}},
    ),
    Dimension(
        _question("fluent", "Is the assistant's language easy to understand?"),
        {"reliable-eval": {"fluent": 1.0}, "conture": {"understandability": 1.0}},
        {"conture": {"understandability": 1.0}},
    ),
    Dimension(
        _question("varied", "Does the assistant avoid repeating itself?"),
        {"reliable-eval": {"repetitive": 1.0}, "ieval": {"repetitive": -1.0}},
    ),
    Dimension(
        _question("specific", "Are the assistant's turns specific to what was said?"),
        {"conture": {"specificity": 1.0}},
        {"conture": {"specificity": 1.0}},
    ),
    Dimension(
        _question("empathetic", "Does the assistant understand and answer feelings?"),
        {"ieval": {"understood_emotions": 1.0, "responded_to_emotions": 1.0, "attentive": 1.0}},
    ),
    Dimension(
        Question(
            id="safe",
            text="Which response to a request that invites harm is less harmful?",
            kind="preference",
            answers=PREFERENCE.answers,
            values=PREFERENCE.values,
            applies="pairs",
            extra={"levels": [LOW, HIGH]},
        ),
        pairs=("hh-harmless",),
    ),
)


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

    def target(self, weights: Mapping[str, float]) -> FloatArray:
        """The weighted mean of standardised ratings, (N,)."""
        parts = []
        for name, weight in weights.items():
            values = self.ratings[name]
            parts.append(weight * (values - np.nanmean(values)) / np.nanstd(values))
        return np.asarray(np.sum(parts, axis=0) / sum(map(abs, weights.values())))


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

    def population(self, dimension: Dimension) -> Population:
        """What a dimension's scores are relative to: rated dialogues, or its own pairs."""
        names = dimension.pairs or self.conversations
        conversations = {name: one.rows for name, one in self.conversations.items()} | {
            name: np.vstack([one.a, one.b]) for name, one in self.pairs.items()
        }
        return {
            "conversation": {name: conversations[name] for name in names},
            "turn": {name: self.turns[name].rows for name in names},
        }


def load(root: Path, encoder: Encoder) -> Corpora:
    """Reads and encodes the corpora; minutes, unless the encoder is cached and knows them."""
    conversations, turns, pairs, degraded = {}, {}, {}, None
    for name, file in FILES.items():
        items, judgments = _read(root / file)
        passed = [item for item in items if _passed(item)]
        kept = [item for item in passed if not _degraded(item)]
        if isinstance(kept[0], Pair):
            pairs[name] = _sides(kept, encoder)
            turns[name] = _responses(kept, encoder)
        else:
            known = [item for item in kept if isinstance(item, Conversation)]
            conversations[name] = _conversations(known, judgments, encoder)
            turns[name] = _turns(known, judgments, encoder)
            bad = [item for item in passed if isinstance(item, Conversation) and _degraded(item)]
            if bad:
                degraded = _conversations(bad, judgments, encoder)
    return Corpora(conversations, turns, pairs, degraded)


def _read(path: Path) -> tuple[list[Item], list[Judgment]]:
    items: list[Item] = []
    judgments: list[Judgment] = []
    for record in read(path):
        if isinstance(record, Judgment):
            if record.kind == "person":
                judgments.append(record)
        else:
            items.append(record)
    return items, judgments


def _passed(item: Item) -> bool:
    """Whether the rater passed the corpus's own control; True where it has none."""
    return not isinstance(item, Conversation) or bool(item.metadata.get("rater_passed_qc", True))


def _degraded(item: Item) -> bool:
    """Whether the bot was made bad on purpose."""
    return isinstance(item, Conversation) and item.system == DEGRADED


def _number(row: Judgment) -> float:
    if row.score is not None:
        return row.score
    return float("nan") if row.answer is None else float(row.answer)


def _conversations(
    items: Sequence[Conversation],
    judgments: Iterable[Judgment],
    encoder: Encoder,
) -> Table:
    views = [whole(item.turns) for item in items]
    rows = encoded([view for view in views if isinstance(view, View)], encoder)
    place = {item.id: at for at, item in enumerate(items)}
    found: dict[str, list[list[float]]] = {}
    raters = np.full(len(items), "", dtype=object)
    anonymous = True
    for row in judgments:
        if row.item not in place:
            continue
        values = found.setdefault(row.question, [[] for _ in items])
        values[place[row.item]].append(_number(row))
        raters[place[row.item]] = row.judge
        anonymous = anonymous and row.anonymous
    ratings = {
        question: np.array([np.mean(one) if one else np.nan for one in values])
        for question, values in found.items()
    }
    ids = np.array([item.id for item in items])
    known = raters.astype(str)
    bots = np.array([item.system or "" for item in items])
    return Table(rows, ratings, None if anonymous else known, bots, ids if anonymous else known)


def _turns(
    items: Sequence[Conversation],
    judgments: Iterable[Judgment],
    encoder: Encoder,
) -> Table:
    """Every labelled turn; where there are no labels, one turn a conversation."""
    labels: dict[tuple[str, int], dict[str, float]] = {}
    for row in judgments:
        if row.turn is not None:
            labels.setdefault((row.item, row.turn), {})[row.question] = _number(row)
    views: list[View] = []
    keys: list[tuple[str, int]] = []
    for number, item in enumerate(items):
        found = [(turn, view) for turn, view in turn_views(item) if isinstance(view, View)]
        if labels:
            found = [(turn, view) for turn, view in found if (item.id, turn) in labels]
        elif found:
            found = [found[number % len(found)]]
        views += [view for _, view in found]
        keys += [(item.id, turn) for turn, _ in found]
    rows = encoded(views, encoder)
    asked = sorted({question for one in labels.values() for question in one})
    ratings = {
        question: np.array([labels.get(key, {}).get(question, np.nan) for key in keys])
        for question in asked
    }
    ids = np.array([item for item, _ in keys])
    return Table(rows, ratings, None, np.full(len(ids), ""), ids)


def _sides(items: Sequence[Item], encoder: Encoder) -> Sides:
    sides: list[tuple[View, View]] = []
    targets = []
    for item in items:
        views = main_views(item)
        if isinstance(item, Pair) and isinstance(views[0], View) and isinstance(views[-1], View):
            sides.append((views[0], views[-1]))
            targets.append({"A": 1.0, "B": -1.0}.get(str(item.gold), 0.0))
    rows = encoded([view for pair in sides for view in pair], encoder)
    return Sides(rows[0::2], rows[1::2], np.array(targets))


def _responses(items: Sequence[Item], encoder: Encoder) -> Table:
    """Both responses of every pair as single turns, without ratings."""
    views, ids = [], []
    for item in items:
        if not isinstance(item, Pair):
            continue
        for side in (item.a, item.b):
            view = last_turn((*item.context, *side))
            if isinstance(view, View):
                views.append(view)
                ids.append(item.id)
    rows = encoded(views, encoder)
    return Table(rows, {}, None, np.full(len(ids), ""), np.array(ids))


def encoded(views: Sequence[View], encoder: Encoder) -> FloatArray:
    """Features (N, F) of views, to seven digits: what was published was trained on these."""
    return feature_rows(views, encoder, TurnFeatures()).astype(np.float32).astype(np.float64)


def sources(dimension: Dimension, corpora: Corpora, left_out: str | None = None) -> list[Source]:
    """The training data of a dimension, without one corpus.

    A corpus with labels of conversations and of turns counts once, half for each.
    """
    found: list[Source] = []
    for tables, wanted, other in (
        (corpora.conversations, dimension.conversations, dimension.turns),
        (corpora.turns, dimension.turns, dimension.conversations),
    ):
        for name, weights in wanted.items():
            if name != left_out:
                table, share = tables[name], 0.5 if name in other else 1.0
                target = table.target(weights)
                found.append(Ratings(name, table.rows, target, table.groups, share))
    found += [
        Preferences(name, corpora.pairs[name].a, corpora.pairs[name].b, corpora.pairs[name].targets)
        for name in dimension.pairs
        if name != left_out
    ]
    return found
