"""An evaluator from one's own conversations and judgments.

Whatever judged may teach: people, or judges whose judgments are stored. Ratings of
conversations and of turns, and preferences between the sides of pairs, are all read from
judgments.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

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
from assize.evaluator._heads.scored_question import Population, score_question
from assize.judgments import JudgmentTable, Unit
from assize.judgments.learnt_from import hash_units
from assize.judgments.values import goodness, votes
from assize.stats._arrays import FloatArray

OVERALL = "overall"
FEATURES = TurnFeatures()
Kind = Level | Literal["pair"]
Example = tuple[Kind, int, float]  # what was judged, its row among those of its kind, and the value


@dataclass(frozen=True, slots=True)
class _Corpus:
    """One file's items as numbers.

    Args:
        rows: features (N, F) of conversations, of turns, and of the sides of pairs, A before B.
        examples: by question what was judged; of a pair its place among the pairs.
        fitted: what they are about.
    """

    name: str
    rows: Mapping[Kind, FloatArray]
    examples: Mapping[str, Sequence[Example]]
    fitted: Collection[Unit]


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
    read = [_read(corpus, items, table, encoder) for corpus, items in corpora.items()]
    asked = dict.fromkeys(question for one in read for question in one.examples)
    asked.pop(PREFERENCE.id, None)
    order = [OVERALL, *(question for question in asked if question != OVERALL)]
    found = {question: _sources(read, question, list(asked)) for question in order}
    if not any(found.values()):
        raise DataError("no judgment fits an item of these files; check the ids of the items")
    scaling = fit_scaling([source for sources in found.values() for source in sources])
    population = _population(read)
    data = [HeadData(_question(name, table), own, population) for name, own in found.items()]
    widths = FEATURES.widths(encoder.dimension)
    head, scored = fit_heads(data, scaling, ridge or RIDGES[FEATURES.name], widths)
    seen = hash_units(unit for one in read for unit in one.fitted)
    return Evaluator(name, uncached(encoder), FEATURES, head, scored, learnt_from=seen)


def _read(name: str, items: Sequence[Item], table: JudgmentTable, encoder: Encoder) -> _Corpus:
    read = read_views(items, encoder, FEATURES)
    views: dict[Kind, list[View]] = {"conversation": [], "turn": [], "pair": []}
    places: dict[object, tuple[Kind, int]] = {}  # by item and turn, and by pair
    for unit, view in read.views.items():
        places[unit] = view.level, len(views[view.level])
        views[view.level].append(view)
    for place, (pair, sides) in enumerate(read.sides.items()):
        places[pair] = "pair", place
        views["pair"] += sides
    rows = {kind: feature_rows(own, encoder, FEATURES) for kind, own in views.items()}
    examples: dict[str, list[Example]] = {}
    fitted = set()
    for question in table.asked:
        own, paired = table.where(question=question), question == PREFERENCE.id
        about, units = own.units()
        values = votes(own) if paired else goodness(own, table.questions[question])
        for unit, value in zip(about.tolist(), values.tolist(), strict=True):
            judged = units[unit]
            at = places.get(judged[0] if paired else judged)
            if at is not None and value == value:
                examples.setdefault(question, []).append((*at, value))
                fitted.add(judged)
    return _Corpus(name, rows, examples, fitted)


def _sources(read: Sequence[_Corpus], question: str, asked: Sequence[str]) -> list[Source]:
    found: list[Source] = []
    preferred = any(PREFERENCE.id in one.examples for one in read)
    derived = question == OVERALL and OVERALL not in asked and not preferred
    for one in read:
        wanted = asked if derived else [question]
        ratings = [part for name in wanted for part in _standard(one.examples.get(name, ()))]
        kinds = {kind for kind, _, _ in ratings}
        for level in get_args(Level):
            if level in kinds:
                places = [place for kind, place, _ in ratings if kind == level]
                targets = np.array([value for kind, _, value in ratings if kind == level])
                rows = one.rows[level][places]
                found.append(Ratings(one.name, rows, targets, 1 / len(kinds), level))
        if question == OVERALL and PREFERENCE.id in one.examples:
            places = [place for _, place, _ in one.examples[PREFERENCE.id]]
            targets = np.array([value for _, _, value in one.examples[PREFERENCE.id]])
            a, b = one.rows["pair"][0::2], one.rows["pair"][1::2]
            found.append(Preferences(one.name, a[places], b[places], targets))
    return found


def _standard(ratings: Sequence[Example]) -> list[Example]:
    """Ratings of one question with mean 0 and deviation 1, so that questions can be mixed."""
    values = np.array([value for _, _, value in ratings])
    if len(values) == 0:
        return []
    middle, spread = float(values.mean()), float(values.std()) or 1.0
    return [(kind, place, (value - middle) / spread) for kind, place, value in ratings]


def _population(read: Sequence[_Corpus]) -> Population:
    conversations = {
        one.name: np.vstack([one.rows["conversation"], one.rows["pair"]]) for one in read
    }
    whole_rows = {name: rows for name, rows in conversations.items() if len(rows)}
    turn_rows = {one.name: one.rows["turn"] for one in read if len(one.rows["turn"])}
    return {"conversation": whole_rows or turn_rows, "turn": turn_rows or whole_rows}


def _question(name: str, table: JudgmentTable) -> Question:
    known = table.questions.get(name)
    text = "How good is the assistant's part of the conversation?" if known is None else known.text
    return score_question(name, text)
