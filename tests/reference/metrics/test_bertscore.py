from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.metrics.measuring import bertscore
from tiny_bert import WORDS

from assize.encoders import TokenStates, load_encoder
from assize.reference._metrics import bertscore as module

# bert_score.utils.greedy_cos_idf, version 0.3.13, on the arrays that `states` draws in turn, a pair
# at a time, the first and last token of each text weighing nothing
KNOWN = [
    ((6, 5), (0.21563607, 0.41436195, 0.28365609)),
    ((3, 9), (0.54866147, 0.2899082, 0.37936375)),
    ((8, 8), (0.51035863, 0.61939079, 0.55961341)),
    ((4, 3), (0.72399539, 0.9268378, 0.81295472)),
]


def states(rng: np.random.Generator, length: int, dimension: int = 8) -> TokenStates:
    """Random states, the first and the last of a mark."""
    mask = np.ones(length, np.bool_)
    mask[[0, -1]] = False
    values = rng.normal(0.3, 1, (length, dimension)).astype(np.float32)
    return TokenStates(values, mask)


def test_it_gives_the_figures_of_bert_score() -> None:
    rng = np.random.default_rng(7)
    for (length, other), expected in KNOWN:
        found = bertscore([states(rng, length)], [states(rng, other)])
        assert (found.precision[0], found.recall[0], found.f1[0]) == pytest.approx(
            expected, abs=1e-6
        )


@given(st.integers(3, 9), st.integers(3, 9), st.integers(0, 50))
def test_precision_and_recall_exchange_within_bounds_and_a_text_is_like_itself(
    length: int, other: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    first, second = states(rng, length), states(rng, other)
    one, two = bertscore([first], [second]), bertscore([second], [first])
    assert one.precision == pytest.approx(two.recall, abs=1e-6)
    assert one.recall == pytest.approx(two.precision, abs=1e-6)
    assert one.f1 == pytest.approx(two.f1, abs=1e-5)
    for values in (one.precision, one.recall, one.f1):
        assert -1 - 1e-6 <= values[0] <= 1 + 1e-6
    assert bertscore([first], [first]).f1 == pytest.approx(1, abs=1e-6)


def test_a_text_without_a_token_has_none() -> None:
    rng = np.random.default_rng(0)
    empty, full = states(rng, 2), states(rng, 5)
    found = bertscore([empty, full], [full, empty])
    assert np.isnan([found.f1, found.precision]).all()


@pytest.mark.parametrize("limits", [{"_ALONE": 500}, {"_MOST_BLOCKS": 0, "_AT_ONCE": 70}])
def test_blocks_change_no_score(limits: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    one, other = states(rng, 40), states(rng, 30)
    score = bertscore([one], [other])
    for name, value in limits.items():
        monkeypatch.setattr(module, name, value)
    again = bertscore([one], [other])
    assert again.precision == pytest.approx(score.precision, abs=1e-6)
    assert again.recall == pytest.approx(score.recall, abs=1e-6)
    assert again.f1 == pytest.approx(score.f1, abs=1e-6)


@pytest.mark.nightly("runs BERTScore beside")
@pytest.mark.parametrize("layer", [1, 2])
def test_it_is_bert_score_on_the_same_model(tiny_bert: Path, layer: int) -> None:
    scorers = pytest.importorskip("bert_score", reason="needs bert-score")
    rng = random.Random(0)

    def text() -> str:
        return " ".join(rng.choice([*WORDS, ".", "zzz"]) for _ in range(rng.randint(1, 25)))

    pairs = [(text(), text()) for _ in range(200)]
    candidates, references = ([pair[side] for pair in pairs] for side in (0, 1))
    scorer = scorers.BERTScorer(model_type=str(tiny_bert), num_layers=layer, device="cpu")
    expected = scorer.score(candidates, references, batch_size=1)
    encoder = load_encoder(f"hf:{tiny_bert}", layer=layer)

    def encode(texts: list[str]) -> list[TokenStates]:
        return list(encoder.encode(texts, tokens=True).tokens or ())

    sides = [[encode([text])[0] for text in side] for side in (candidates, references)]
    found, batched = bertscore(*sides), bertscore(encode(candidates), encode(references))
    for name, theirs in zip(("precision", "recall"), expected[:2], strict=True):
        assert getattr(found, name) == pytest.approx(theirs.numpy(), abs=1e-6)
        # a sum of many products hangs on how torch deals a batch to its threads
        assert getattr(batched, name) == pytest.approx(theirs.numpy(), abs=1e-5)
    # near P + R = 0 the quotient carries the rounding of 32 bits up
    steady = found.precision + found.recall > 0.2
    assert found.f1[steady] == pytest.approx(expected[2].numpy()[steady], abs=1e-6)
    assert steady.mean() > 0.9
