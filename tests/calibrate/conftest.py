"""Made-up raters whose every probability is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import assize
from assize import Conversation, JudgmentTable, Turn
from assize.base.judgment import Judgment, Question
from assize.calibrate import FittedCalibrator
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import Forms, Scale
from assize.encoders import load_encoder

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = tuple(
    Question(name, kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4)) for name in ("Q0", "Q1")
)
SCALE = Scale.of(Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3)))
NOMINAL = Scale.of(Question("q", kind="nominal", answers=("a", "b", "c")))


@dataclass(frozen=True)
class World:
    """Forms, and the true probability of every answer to the target (N, K) and of all
    raters' answers (N, R, K)."""

    forms: Forms
    true: np.ndarray
    everyone: np.ndarray


def make_world(
    probabilities: Callable[[np.ndarray], np.ndarray], *, rows: int, raters: int, seed: int
) -> World:
    """Rows (one item each) by random raters, from `probabilities` (x -> (N, R, K))."""
    rng = np.random.default_rng(seed)
    x = np.hstack([rng.dirichlet(np.full(4, 0.7), rows) for _ in QUESTIONS])
    rater = rng.integers(raters, size=rows)
    everyone = probabilities(x)
    true = everyone[np.arange(rows), rater]
    target = (true.cumsum(axis=1) < rng.random((rows, 1))).sum(axis=1)
    other = (everyone.mean(axis=1).cumsum(axis=1) < rng.random((rows, 1))).sum(axis=1)
    blocks = tuple(Block("m", "", q.id, ANSWERS, (1, 2, 3, 4), True) for q in QUESTIONS)
    features = Features(tuple((f"i{n}", None) for n in range(rows)), blocks, x)
    forms = Forms(
        x,
        np.arange(rows),
        rater,
        np.stack([np.minimum(target, 3), np.minimum(other, 3)], axis=1),
        tuple(Scale.of(q) for q in QUESTIONS),
        features,
        tuple(f"r{n}" for n in range(raters)),
    )
    return World(forms, true, everyone)


def level(x: np.ndarray) -> np.ndarray:
    """Two raters: the first follows the model, the second one contradicts it."""
    p = np.stack([x[:, :4] + 0.1, x[:, 3::-1] + 0.1], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


def two_raters(rows: int = 200) -> Forms:
    """Their forms."""
    return make_world(level, rows=rows, raters=2, seed=1).forms


@pytest.fixture
def forms() -> Forms:
    return two_raters()


def log_loss(p: np.ndarray, y: np.ndarray) -> float:
    """Of the answers `y` (N,) by the probabilities (N, K)."""
    return float(-np.log(p[np.arange(len(y)), y]).mean())


def lenient_and_strict(x: np.ndarray) -> np.ndarray:
    """Three raters who follow the model's distribution, the third one upside down."""
    p = np.stack([x[:, :4] + 0.05, x[:, :4] ** 2 + 0.05, x[:, 3::-1] + 0.05], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(lenient_and_strict, rows=3_000, raters=3, seed=1)


def answer_rows(items: int = 12, seed: int = 0) -> list[Judgment]:
    """A model's distributions about items, both questions."""
    rng = np.random.default_rng(seed)
    return [
        Judgment(
            f"i{n}",
            "m",
            question.id,
            kind="model",
            distribution=dict(zip(ANSWERS, rng.dirichlet(np.ones(4)).tolist(), strict=True)),
        )
        for n in range(items)
        for question in QUESTIONS
    ]


def rating_rows(items: int = 12, seed: int = 1) -> list[Judgment]:
    """Two raters' answers about the same items, both questions."""
    rng = np.random.default_rng(seed)
    return [
        Judgment(f"i{n}", rater, question.id, answer=str(rng.integers(1, 5)), kind="person")
        for n in range(items)
        for rater in ("ann", "bob")
        for question in QUESTIONS
    ]


def make_table(rows: list[Judgment]) -> JudgmentTable:
    return JudgmentTable.of(rows, QUESTIONS)


def vector(text: str) -> np.ndarray:
    """What the shipped encoder makes of a text."""
    return np.asarray(load_encoder("minilm").encode([text]).vectors[0], dtype=np.float64)


COUNT = 60


@pytest.fixture(scope="session")
def said() -> JudgmentTable:
    """Answers of a model to both questions, the same distribution for both."""
    rng = np.random.default_rng(0)
    rows = []
    for n in range(COUNT):
        shares = dict(zip(ANSWERS, rng.dirichlet(np.ones(4)).tolist(), strict=True))
        rows += [
            Judgment(f"i{n}", "m", one.id, distribution=shares, kind="model") for one in QUESTIONS
        ]
    return make_table(rows)


def rate(said: JudgmentTable) -> list[Judgment]:
    """Ratings drawn from a model's answers by ann, and by bob, who always says one less."""
    rng = np.random.default_rng(1)
    rows = []
    for row in said:
        best = int(rng.choice(4, p=list((row.distribution or {}).values()))) + 1
        for name, answer in (("ann", best), ("bob", max(1, best - 1))):
            rows.append(Judgment(row.item, name, row.question, answer=str(answer), kind="person"))
    return rows


@pytest.fixture(scope="session")
def rated(said: JudgmentTable) -> JudgmentTable:
    """Ratings by ann and bob; one NA by eve."""
    return make_table([*rate(said), Judgment("i0", "eve", "Q0", answer="NA", kind="person")])


@pytest.fixture(scope="session")
def chats() -> list[Conversation]:
    """The conversations, every other one German, by three systems."""
    turns = (Turn("user", "hello"), Turn("assistant", "hi"))
    return [
        Conversation(f"i{n}", turns, f"s{n % 3}", {"language": ("de", "en")[n % 2]})
        for n in range(COUNT)
    ]


@pytest.fixture(scope="session")
def fitted(said: JudgmentTable, rated: JudgmentTable) -> FittedCalibrator:
    """A calibrator of Q0."""
    return assize.calibrate.fit(said, rated, target="Q0")


@pytest.fixture(scope="session")
def other(said: JudgmentTable, rated: JudgmentTable) -> FittedCalibrator:
    """A calibrator of Q1."""
    return assize.calibrate.fit(said, rated, target="Q1")


@dataclass(frozen=True)
class Unfair:
    """A calibrator fitted on English conversations, and ratings in which answers about German
    ones are one lower."""

    fitted: FittedCalibrator
    answers: JudgmentTable
    ratings: dict[
        str, JudgmentTable
    ]  # "seen" in fitting; "split" and "held" with every other German
    chats: list[Conversation]


@pytest.fixture(scope="session")
def unfair() -> Unfair:
    rng = np.random.default_rng(0)
    answers: list[Judgment] = []
    ratings: dict[str, list[Judgment]] = {"seen": [], "split": [], "held": []}
    chats: list[Conversation] = []
    for n in range(900):
        p = rng.dirichlet(np.ones(4))
        shares = dict(zip(ANSWERS, p.tolist(), strict=True))
        answers.append(Judgment(f"i{n}", "m", "Q0", distribution=shares, kind="model"))
        part = ("seen", "split", "held")[n // 300]
        german = part != "seen" and n % 2 == 0
        about = {"language": "de" if german else "en"}
        chats.append(Conversation(f"i{n}", (Turn("user", "hello"),), f"s{n % 3}", about))
        for rater in ("ann", "bob"):
            answer = str(max(1, int(rng.choice(4, p=p)) + 1 - german))
            ratings[part].append(Judgment(f"i{n}", rater, "Q0", answer=answer, kind="person"))
    tables = {name: JudgmentTable.of(rows, QUESTIONS[:1]) for name, rows in ratings.items()}
    said = JudgmentTable.of(answers, QUESTIONS[:1])
    return Unfair(assize.calibrate.fit(said, tables["seen"], target="Q0"), said, tables, chats)
