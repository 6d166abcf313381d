"""An evaluator that reads whole dialogues with a tiny random Llama."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Question
from assize.encoders import Encoder, load_encoder
from assize.evaluator import Evaluator
from assize.evaluator._features.dialogue import DialogueFeatures, Long
from assize.evaluator._features.featuriser import feature_rows
from assize.evaluator._features.views import View, whole
from assize.evaluator._heads.linear import Linear, Scaling
from assize.evaluator._heads.scored_question import scored_on

WORDS = "the user asks a question and assistant answers it with care or not".split()  # noqa: SIM905
QUESTIONS = ("Overall", "Relevance")


def dialogues(count: int = 12) -> list[Conversation]:
    """Different short dialogues of known words."""
    rng = np.random.default_rng(3)

    def said() -> str:
        return " ".join(rng.choice(WORDS, int(rng.integers(2, 9))))

    def turns(exchanges: int) -> tuple[Turn, ...]:
        one = (Turn("user", said()), Turn("assistant", said()))
        return (*one, *(turns(exchanges - 1) if exchanges > 1 else ()))

    return [Conversation(str(number), turns(1 + number % 3)) for number in range(count)]


def views(talks: Sequence[Conversation]) -> list[View]:
    return [view for talk in talks if isinstance(view := whole(talk.turns), View)]


def asked(name: str) -> Question:
    text = "How good is it?"
    return Question(
        name, text, "number", range=(0.0, 1.0), higher="better", extra={"levels": [0.25, 0.75]}
    )


def linear(rows: Any, seed: int = 0) -> Linear:
    """A head of random weights on the features' own scale."""
    rng = np.random.default_rng(seed)
    scaling = Scaling(rows.mean(axis=0), rows.std(axis=0) + 1e-3)
    return Linear(scaling, {name: rng.normal(size=rows.shape[1]) for name in QUESTIONS})


def evaluator_on(encoder: Encoder, long: Long = "windows", head: Any = linear) -> Evaluator:
    """An evaluator of two questions, whose head is made of the features of `dialogues`."""
    featuriser = DialogueFeatures(long)
    rows = feature_rows(views(dialogues()), encoder, featuriser)
    made = head(rows)
    raw = made.raw(rows)
    scored = {
        name: scored_on(
            asked(name), {"conversation": {"x": raw[:, place]}, "turn": {"x": raw[:, place]}}, ["x"]
        )[0]
        for place, name in enumerate(QUESTIONS)
    }
    return Evaluator("talks", encoder, featuriser, made, scored)


def llama(folder: Path, **settings: Any) -> Encoder:
    """The tiny Llama as an encoder of dialogues."""
    return load_encoder(f"hf:{folder}", **{"pooling": "last", "template": "chat", **settings})
