"""Simulated answers and ratings, and a network that trains in no time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from assize.base.judgment import Judgment, Question
from assize.calibrate import features_of, forms_of
from assize.calibrate._data.forms import Forms
from assize.calibrate._network.training import Setting
from assize.calibrate._study import Data, data_of, methods
from assize.judgments import JudgmentTable

SCALE = ("1", "2", "3", "4")
QUESTIONS = (
    Question("overall", "How good?", "ordinal", SCALE, (1.0, 2.0, 3.0, 4.0)),
    Question("clear", "How clear?", "ordinal", SCALE, (1.0, 2.0, 3.0, 4.0)),
    Question("size", "How long?", "nominal", ("short", "right", "long")),
)
JUDGE = "rubric@scripted:m"
SMALL = Setting(hidden1=4, hidden2=4, batch=32, rate=0.02, pretrain=6, finetune=6)


def answers(items: int, rng: np.random.Generator, **quality: np.ndarray) -> Iterator[Judgment]:
    """A model's distributions: of `overall` around each item's quality, others at random."""
    good = quality.get("quality", rng.uniform(1, 4, items))
    for number in range(items):
        for question in QUESTIONS:
            width = len(question.answers)
            mass = np.exp(-((np.arange(1, width + 1) - good[number]) ** 2))
            if question.id != "overall":
                mass = rng.uniform(0.1, 1, width)
            shares = mass / mass.sum() * 0.9
            spread = dict(zip(question.answers, shares.tolist(), strict=True))
            yield Judgment(f"s{number % 2}-{number}", JUDGE, question.id, distribution=spread)


def ratings(
    items: int, raters: int, rng: np.random.Generator, quality: np.ndarray, harsh: float = 1.0
) -> Iterator[Judgment]:
    """People who see the quality, each with a habit of their own: even ones are harsh."""
    for number in range(items):
        for rater in range(raters):
            seen = quality[number] + rng.normal(0, 0.5) - harsh * (rater % 2)
            for question in QUESTIONS:
                answer = str(int(np.clip(np.round(seen), 1, 4)))
                if question.id == "size":
                    answer = "NA" if number % 7 == 0 else str(rng.choice(question.answers))
                name = f"s{number % 2}-{number}"
                yield Judgment(name, f"person-{rater}", question.id, answer=answer, kind="person")


def followed(x: np.ndarray) -> np.ndarray:
    """Two raters who follow the model."""
    p = np.stack([x[:, :4] + 0.02, x[:, :4] + 0.05], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.fixture(autouse=True)
def _released_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The released setting is a hundred times the work of a test's."""
    monkeypatch.setattr(methods, "RELEASED", replace(SMALL, initial=1.0))


@pytest.fixture
def make_forms() -> Callable[..., Forms]:
    def make(items: int = 30, raters: int = 3, seed: int = 0, harsh: float = 1.0) -> Forms:
        rng = np.random.default_rng(seed)
        quality = rng.uniform(1, 4, items)
        said = JudgmentTable.of(answers(items, rng, quality=quality), QUESTIONS)
        rated = JudgmentTable.of(ratings(items, raters, rng, quality, harsh), QUESTIONS)
        return forms_of(features_of(said), rated, "overall")

    return make


@pytest.fixture
def data(make_forms: Callable[..., Forms]) -> Data:
    return data_of(make_forms(), folds=3, seeds=2, setting=SMALL)
