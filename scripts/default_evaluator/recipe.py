"""What the shipped evaluator is trained on: published corpora of human labels.

All state a licence; what states none (`uss`, `gupta`, `grade`) measures, and trains nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assize.base.judgment import PREFERENCE, Question
from assize.evaluator._features.views import Level
from assize.evaluator._heads.ridge import Preferences, Ratings, Source
from assize.evaluator._heads.scored_question import Population, score_question

from .corpora import Corpora, Table

SHARES = {"usr-topical": 0.25, "mrbench": 0.25, "hh-helpful": 0.5}  # of a whole corpus's weight
LEVELS = (0.25, 0.75)  # the worst and the best quarter of the training conversations

_IEVAL_OVERALL = {
    "attentive": 1.0,
    "likable": 1.0,
    "sensible": 1.0,
    "understood_emotions": 1.0,
    "responded_to_emotions": 1.0,
    "inattentive_statement": -1.0,
    "repetitive": -1.0,
    "overall_rank": 7.0,
}
_TUTORS = dict.fromkeys(
    (
        "mistake_identification",
        "mistake_location",
        "providing_guidance",
        "actionability",
        "revealing_of_the_answer",
        "tutor_tone",
        "coherence",
        "humanlikeness",
    ),
    1.0,
)
_RELIABLE_OVERALL = dict.fromkeys(
    ("interesting", "fun", "consistent", "fluent", "topic", "robotic", "repetitive"), 1.0
)

Labels = Mapping[str, Mapping[str, float]]


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
    conversations: Labels = field(default_factory=dict)
    turns: Labels = field(default_factory=dict)
    pairs: tuple[str, ...] = ()


DIMENSIONS = (
    Dimension(
        score_question("overall", "How good is the assistant's part of the conversation?", LEVELS),
        {
            "reliable-eval": _RELIABLE_OVERALL,
            "ieval": _IEVAL_OVERALL,
            "conture": {"overall_impression": 1.0},
        },
        {
            "conture": {"overall_impression": 1.0},
            "usr-topical": {"usr-overall": 1.0},
            "mrbench": _TUTORS,
        },
        ("hh-helpful",),
    ),
    Dimension(
        score_question("engaging", "Does the assistant hold the user's interest?", LEVELS),
        {
            "reliable-eval": {"interesting": 1.0, "fun": 1.0},
            "ieval": {"likable": 1.0},
            "conture": {"interesting": 1.0},
        },
        {"conture": {"interesting": 1.0}},
    ),
    Dimension(
        score_question("coherent", "Do the assistant's turns fit what was said before?", LEVELS),
        {
            "reliable-eval": {"consistent": 1.0, "topic": 1.0},
            "ieval": {"sensible": 1.0},
            "conture": {"relevance": 1.0},
        },
        {"conture": {"relevance": 1.0}},
    ),
    Dimension(
        score_question("specific", "Are the assistant's turns specific to what was said?", LEVELS),
        {"conture": {"specificity": 1.0}},
        {"conture": {"specificity": 1.0}},
    ),
    Dimension(
        score_question("empathetic", "Does the assistant understand and answer feelings?", LEVELS),
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
            extra={"levels": list(LEVELS)},
        ),
        pairs=("hh-harmless",),
    ),
)


def sources(dimension: Dimension, corpora: Corpora, left_out: str | None = None) -> list[Source]:
    """The training data of a dimension, without one corpus.

    A corpus with labels of conversations and of turns counts once, half for each. Of single
    responses to one context half of the context's mean is taken out; of raters' means nothing.
    """
    found: list[Source] = []
    levels: Sequence[tuple[Level, Mapping[str, Table], Labels, Labels]] = (
        ("conversation", corpora.conversations, dimension.conversations, dimension.turns),
        ("turn", corpora.turns, dimension.turns, dimension.conversations),
    )
    for level, tables, wanted, other in levels:
        for name, weights in wanted.items():
            if name != left_out:
                table = tables[name]
                share = SHARES.get(name, 0.5 if name in other else 1.0)
                target = table.target(weights)
                contexts = table.groups if level == "turn" else None
                found.append(Ratings(name, table.rows, target, share, level, contexts))
    found += [
        Preferences(name, one.a, one.b, one.targets, SHARES.get(name, 1.0))
        for name in dimension.pairs
        if name != left_out
        for one in (corpora.pairs[name],)
    ]
    return found


def population(dimension: Dimension, corpora: Corpora) -> Population:
    """What a dimension's scores are relative to: rated dialogues, or its own pairs."""
    rated = dimension.conversations or dimension.turns
    names = list(corpora.conversations) if rated else list(dimension.pairs)
    conversations = {name: one.rows for name, one in corpora.conversations.items()} | {
        name: np.vstack([one.a, one.b]) for name, one in corpora.pairs.items()
    }
    return {
        "conversation": {name: conversations[name] for name in names},
        "turn": {name: corpora.turns[name].rows for name in names},
    }
