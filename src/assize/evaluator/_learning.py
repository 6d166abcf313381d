"""An evaluator from one's own conversations and judgments.

Whatever judged may teach: people, or judges whose judgments are stored. Ratings of
conversations and of turns, and preferences between the sides of pairs, are all read from
judgments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Question
from assize.encoders import Encoder, uncached
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._examples import read_views
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._features.featuriser import feature_rows
from assize.evaluator._features.views import Level, View
from assize.evaluator._heads.ridge import (
    RIDGES,
    HeadData,
    Preferences,
    Ratings,
    Ridge,
    Source,
    fit_heads,
    fit_scaling,
)
from assize.evaluator._heads.scored_question import Population
from assize.judgments import JudgmentTable, Unit
from assize.judgments.learnt_from import hash_units
from assize.judgments.values import goodness, votes
from assize.stats._arrays import FloatArray

OVERALL = "overall"
FEATURES = TurnFeatures()
_LEVELS = [0.25, 0.75]
Rating = tuple[int, Level, float]  # a row of that level, and its value


@dataclass(slots=True)
class _Rows:
    """Rows of one corpus at one level, with the place of each (item, turn)."""

    features: FloatArray
    place: dict[Unit, int]


@dataclass(slots=True)
class _Corpus:
    """One file's items as numbers."""

    conversations: _Rows
    turns: _Rows
    sides: _Rows
    ratings: dict[str, list[Rating]] = field(default_factory=dict)
    preferences: list[tuple[int, float]] = field(default_factory=list)
    fitted: set[Unit] = field(default_factory=set)

    @property
    def levels(self) -> Sequence[tuple[Level, _Rows]]:
        """What ratings are about."""
        return ("conversation", self.conversations), ("turn", self.turns)


def learn(
    corpora: Mapping[str, Sequence[Item]],
    table: JudgmentTable,
    encoder: Encoder,
    *,
    name: str,
    ridge: Ridge | None = None,
) -> Evaluator:
    """Trains one head a question that has ratings, `overall` first.

    Each corpus counts alike; `higher: worse` is turned round, judgments of turns teach from turns,
    answers to `preference` teach `overall`. Where neither is asked, `overall` is the mean of all
    questions, each brought to one spread.
    """
    read = {corpus: _read(items, encoder) for corpus, items in corpora.items()}
    for one in read.values():
        _fill(one, table)
    asked = dict.fromkeys(question for one in read.values() for question in one.ratings)
    order = [OVERALL, *(question for question in asked if question != OVERALL)]
    found = {question: _sources(read, question, list(asked)) for question in order}
    if not any(found.values()):
        raise DataError("no judgment fits an item of these files; check the ids of the items")
    scaling = fit_scaling([source for sources in found.values() for source in sources])
    population = _population(read)
    data = [HeadData(_question(name, table), own, population) for name, own in found.items()]
    widths = FEATURES.widths(encoder.dimension)
    head, scored = fit_heads(data, scaling, ridge or RIDGES[FEATURES.name], widths)
    return Evaluator(
        name,
        uncached(encoder),
        FEATURES,
        head,
        scored,
        learnt_from=hash_units(unit for one in read.values() for unit in one.fitted),
    )


def _read(items: Sequence[Item], encoder: Encoder) -> _Corpus:
    read = read_views(items, encoder, FEATURES)
    levels: dict[Level, dict[Unit, View]] = {"conversation": {}, "turn": {}}
    for unit, view in read.views.items():
        levels[view.level][unit] = view
    sides: dict[Unit, View] = {}
    for name, both in read.sides.items():
        sides |= {(name, side): view for side, view in enumerate(both)}
    conversations, turns = levels["conversation"], levels["turn"]
    return _Corpus(_rows(conversations, encoder), _rows(turns, encoder), _rows(sides, encoder))


def _rows(views: Mapping[Unit, View], encoder: Encoder) -> _Rows:
    rows = feature_rows(list(views.values()), encoder, FEATURES)
    return _Rows(rows, {key: place for place, key in enumerate(views)})


def _fill(corpus: _Corpus, table: JudgmentTable) -> None:
    for question in table.asked:
        rows = table.where(question=question)
        about, units = rows.units()
        if question == PREFERENCE.id:
            sides = [corpus.sides.place.get((item, 0)) for item, _ in units]
            given = zip(about.tolist(), votes(rows).tolist(), strict=True)
            for unit, vote in given:
                if (place := sides[unit]) is not None and vote == vote:
                    corpus.preferences.append((place, vote))
                    corpus.fitted.add(units[unit])
            continue
        places = [_place(corpus, unit) for unit in units]
        values = goodness(rows, table.questions[question])
        for unit, value in zip(about.tolist(), values.tolist(), strict=True):
            found = places[unit]
            if found is not None and value == value:
                kept = corpus.ratings.setdefault(question, [])
                kept.append((*found, value))
                corpus.fitted.add(units[unit])


def _place(corpus: _Corpus, unit: Unit) -> tuple[int, Level] | None:
    """The row of a conversation or a turn, and which it is."""
    for level, rows in corpus.levels:
        if unit in rows.place:
            return rows.place[unit], level
    return None


def _sources(read: Mapping[str, _Corpus], question: str, asked: Sequence[str]) -> list[Source]:
    found: list[Source] = []
    preferred = any(one.preferences for one in read.values())
    derived = question == OVERALL and OVERALL not in asked and not preferred
    for corpus, one in read.items():
        wanted = asked if derived else [question]
        ratings = [part for name in wanted for part in _standard(one.ratings.get(name, []))]
        levels = [
            (level, rows, [part for part in ratings if part[1] == level])
            for level, rows in one.levels
        ]
        filled = [own for own in levels if own[2]]
        found += [_ratings(corpus, *own, 1 / len(filled)) for own in filled]
        if question == OVERALL and one.preferences:
            places = np.array([place for place, _ in one.preferences])
            targets = np.array([target for _, target in one.preferences])
            sides = one.sides.features
            found.append(Preferences(corpus, sides[places], sides[places + 1], targets))
    return found


def _standard(ratings: Sequence[Rating]) -> list[Rating]:
    """Ratings of one question with mean 0 and deviation 1, so that questions can be mixed."""
    values = np.array([value for _, _, value in ratings])
    if len(values) == 0:
        return []
    spread = float(values.std()) or 1.0
    middle = float(values.mean())
    return [(place, turn, (value - middle) / spread) for place, turn, value in ratings]


def _ratings(
    corpus: str, level: Level, rows: _Rows, parts: Sequence[Rating], weight: float
) -> Ratings:
    places, targets = [part[0] for part in parts], np.array([part[2] for part in parts])
    return Ratings(corpus, rows.features[places], targets, weight, level)


def _population(read: Mapping[str, _Corpus]) -> Population:
    conversations = {
        name: np.vstack([one.conversations.features, one.sides.features])
        for name, one in read.items()
    }
    turns = {name: one.turns.features for name, one in read.items()}
    whole_rows = {name: rows for name, rows in conversations.items() if len(rows)}
    turn_rows = {name: rows for name, rows in turns.items() if len(rows)}
    return {"conversation": whole_rows or turn_rows, "turn": turn_rows or whole_rows}


def _question(name: str, table: JudgmentTable) -> Question:
    known = table.questions.get(name)
    text = "How good is the assistant's part of the conversation?" if known is None else known.text
    more = {"levels": _LEVELS}
    return Question(
        id=name, text=text, kind="number", range=(0.0, 1.0), higher="better", extra=more
    )
