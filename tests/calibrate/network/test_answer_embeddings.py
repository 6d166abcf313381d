from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.conftest import log_loss

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate._calibrator import predict
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import Forms, Scale
from assize.calibrate._network import answer_embeddings
from assize.calibrate._network.answer_embeddings import (
    NONE,
    AnswerEmbedding,
    cosines,
    embed_answers,
    principal_components,
)
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting
from assize.encoders import Encoding
from assize.encoders.unknown_tokens import TokenCounts

NAMES = tuple(f"a{n}" for n in range(50))


class Clusters:
    """An encoder in which `a7` and `a12` lie close: their numbers end alike modulo 5."""

    name = signature = "clusters"
    dimension = 16

    def __init__(self) -> None:
        self.details: dict[str, object] = {}
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        self.asked += texts
        rng = np.random.default_rng(0)
        centers = rng.normal(size=(5, 16))
        found = [
            centers[int(text[1:]) % 5] + 0.2 * np.random.default_rng(int(text[1:])).normal(size=16)
            for text in texts
        ]
        return Encoding(np.array(found, dtype=np.float32), np.ones(len(texts), dtype=np.int64))


def many_answers(rows: int, seed: int, asked: Question | None = None) -> Forms:
    """Forms about one question of 50 answers: a model sees the cluster, a person answers in it."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(5, size=rows)
    y = cluster + 5 * rng.integers(10, size=rows)
    seen = np.where(rng.random(rows) < 0.8, cluster, rng.integers(5, size=rows))
    x = np.zeros((rows, 50))
    x[np.arange(rows), seen + 5 * rng.integers(10, size=rows)] = 0.9
    question = Question("Q", kind="nominal", answers=NAMES) if asked is None else asked
    values = tuple(map(float, range(50)))
    block = Block("m", "", "Q", NAMES, values, ordered=question.kind == "ordinal")
    features = Features(tuple((f"i{n}", None) for n in range(rows)), (block,), x)
    rater = rng.integers(3, size=rows)
    return Forms(
        x, np.arange(rows), rater, y[:, None], (Scale.of(question),), features, ("r", "s", "t")
    )


def test_answers_that_are_alike_share_what_is_learnt() -> None:
    pytest.importorskip("torch")
    forms = many_answers(1_300, 1)
    fit, test = forms.take(np.arange(300)), forms.take(np.arange(300, 1_300))
    setting = Setting(16, 16, 32, 0.005, 0, 30, initial=0.3)
    losses = {}
    for name, codes in {"plain": NONE, "embedded": embed_answers(fit, Clusters(), size=6)}.items():
        network = fit_networks(fit, setting, [0], codes).networks[0]
        p = network.probabilities(test.x, test.rater)
        assert p.sum(axis=1) == pytest.approx(1)
        losses[name] = log_loss(p, test.y)
    assert (
        losses["embedded"] < np.log(50) - 0.4
    )  # the best possible is 3.0; evenly guessed it is 3.9
    assert losses["embedded"] < losses["plain"] - 0.5


def test_meanings_are_encoded_where_there_are_any() -> None:
    encoder = Clusters()
    forms = many_answers(5, 1, Question("Q", kind="nominal", answers=NAMES, labels={"a1": "a6"}))
    code = embed_answers(forms, encoder, size=4)["Q"]
    assert encoder.asked == ["a0", "a6", *NAMES[2:]]
    assert code.vectors[1] == pytest.approx(code.vectors[6])
    assert code.size == 4
    again = embed_answers(forms, Clusters(), size=4)["Q"]
    assert code.vectors.tobytes() == again.vectors.tobytes()


def test_answers_that_the_encoder_cannot_read_are_refused() -> None:
    class Blind(Clusters):
        def token_counts(self, texts: Sequence[str]) -> list[TokenCounts]:
            return [TokenCounts(int(text == "a7"), 0) for text in texts]

    with pytest.raises(DataError, match=r"1 of 50 answers of 'Q' cannot be read, .* 'a7'"):
        embed_answers(many_answers(20, 1), Blind(), size=6)


def test_questions_with_few_answers_get_no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    for over, coded in ((50, 0), (49, 1)):
        monkeypatch.setattr(answer_embeddings, "OVER", over)
        assert len(embed_answers(many_answers(5, 1), Clusters())) == coded


def test_ordered_answers_need_no_encoder() -> None:
    encoder = Clusters()
    values = tuple(float(-n) for n in range(50))
    asked = Question("Q", kind="ordinal", answers=NAMES, values=values)
    code = embed_answers(many_answers(5, 1, asked), encoder, size=3)["Q"]
    assert encoder.asked == []
    assert np.array_equal(code.vectors, cosines(values, 3))
    assert (np.diff(code.vectors[:, 0]) > 0).all()  # the lowest value is the highest of the wave
    assert (code.vectors**2).sum(axis=1).mean() == pytest.approx(1)
    assert code.vectors.T @ code.vectors == pytest.approx(np.eye(3) * 50 / 3, abs=1e-9)


def test_a_question_that_only_a_model_was_asked_is_coded_too() -> None:
    forms = many_answers(5, 1)
    blocks = tuple(replace(block, question="other") for block in forms.features.blocks)
    forms = replace(forms, features=replace(forms.features, blocks=blocks))
    assert list(embed_answers(forms, Clusters())) == ["Q", "other"]


def test_components_keep_the_distances_they_can() -> None:
    vectors = np.random.default_rng(0).normal(size=(6, 40))
    whole = principal_components(vectors, 10)
    assert whole.shape == (6, 5)
    mine, given = (
        ((one[:, None] - one) ** 2).sum(axis=2)[np.triu_indices(6, 1)] for one in (whole, vectors)
    )
    assert mine / given == pytest.approx(np.full(15, mine[0] / given[0]))
    first = principal_components(vectors, 2)
    assert first / whole[:, :2] == pytest.approx(first[0, 0] / whole[0, 0])
    with pytest.raises(DataError, match="same vector"):
        principal_components(np.ones((4, 3)), 2)


def test_an_answer_without_a_vector_is_refused() -> None:
    with pytest.raises(DataError, match=r"answer 'c' of 'Q' has no vector"):
        AnswerEmbedding("Q", ("a", "b"), np.ones((2, 1))).rows(["a", "c"])
    forms = many_answers(50, 1)
    code = AnswerEmbedding("Q", NAMES[:40], np.ones((40, 2)))
    with pytest.raises(DataError, match="'a40' of 'Q' has no vector"):
        fit_networks(forms, Setting(4, 4, 32), [0], {"Q": code})


def test_a_missing_answer_counts_as_the_average_one() -> None:
    pytest.importorskip("torch")
    forms = many_answers(100, 1)
    fitted = fit_networks(
        forms, Setting(4, 4, 32, pretrain=0, finetune=1), [0], embed_answers(forms, Clusters())
    )
    x = np.stack([np.full(50, np.nan), forms.x.mean(axis=0)])
    p = fitted.networks[0].probabilities(x, np.zeros(2, dtype=np.int64))
    assert p[0] == pytest.approx(p[1])
    missing = Features((("a", None),), fitted.blocks, x[:1])
    assert np.isnan(predict(fitted, missing, [0])).all()
