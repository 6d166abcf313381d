from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.metrics.measuring import measure

from assize.base.conversation import Continuation, Turn
from assize.base.errors import ConfigError
from assize.encoders import Encoder, Encoding, load_encoder
from assize.reference._metrics import measure as module
from assize.reference._metrics.measure import batches, measure_batch, opened_encoder
from assize.reference._metrics.table import METRICS

pytest.importorskip("onnxruntime")

ASKED = (Turn("user", "How do I get to Leeds?"),)
PLAIN = [name for name, one in METRICS.items() if one.family in ("rouge", "surface")]
TEXTS = st.lists(st.sampled_from(["Yes", "no", "3", "?", "\n", "Leeds", "猫", "- ", "🙂"])).map(
    " ".join
)


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return load_encoder()


class Counting:
    """An encoder that counts the texts it is given."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.asked: list[tuple[int, bool]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.encoder, name)

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        self.asked.append((len(texts), tokens))
        return self.encoder.encode(texts, tokens=tokens)


def one(candidate: str, *references: str, context: tuple[Turn, ...] = ASKED) -> Continuation:
    return Continuation("k", context, candidate, references)


def test_a_copy_of_the_reference_is_as_close_as_can_be(minilm: Encoder) -> None:
    found = measure([one("Take the train at nine.", "Take the train at nine.")], encoder=minilm)
    for (name, metric), value in zip(METRICS.items(), found.best[0], strict=True):
        if metric.best == "nearest":
            assert value == 0, name
        elif metric.references and metric.by != "context-cosine-shift":
            assert value == pytest.approx(1, abs=1e-6), name


def test_each_text_is_encoded_once_for_cosine_and_bertscore(minilm: Encoder) -> None:
    counting: Any = Counting(minilm)
    measure([one("Yes.", "No.", "Yes."), one("No.", "Yes.")], encoder=counting)
    assert counting.asked == [(2, True), (1, False)]


def test_of_several_references_the_best_counts_and_there_is_the_mean() -> None:
    # against "a b" 2 of 2 and 2 of 4, against "a x y z" 1 of 4 and 1 of 4
    found = measure([one("a b c d", "a x y z", "a b")], metrics=["rouge1-recall", "length-ratio"])
    assert found.best[0] == pytest.approx([1.0, 0.0])
    assert found.mean[0] == pytest.approx([0.625, np.log2(5 / 3) / 2])


def test_precision_and_recall_are_those_of_the_reference_with_the_best_f1() -> None:
    # as rouge-score's score_multi: "a" has precision .25, recall 1; "a b c x" .75 and .75
    found = measure([one("a b c d", "a", "a b c x")], metrics=["rouge1-recall", "rouge1-f1"])
    assert found.best[0] == pytest.approx([0.75, 0.75])


@pytest.mark.parametrize(
    ("continuation", "metric", "reason"),
    [
        (one(" \n", "x"), "rouge1-f1", "empty"),
        (one(" \n", "x"), "length", "empty"),
        (one("x"), "rouge1-f1", "missing"),
        (one("x", " "), "cosine", "empty"),
        (one("?!", "..."), "rouge1-f1", "undefined"),
        (one("Yes.", "Yes."), "rouge2-f1", "undefined"),
        (one("x", "y", context=()), "context-cosine", "NA"),
        (one("x y", "y", context=()), "novelty", "NA"),
    ],
)
def test_what_cannot_be_measured_says_why(
    continuation: Continuation, metric: str, reason: str, minilm: Encoder
) -> None:
    found = measure([continuation], encoder=minilm, metrics=[metric])
    assert np.isnan(found.best).all()
    assert found.reasons[0, 0].reason == reason
    assert found.reasons[0, 0].message


def test_no_encoder_is_opened_that_none_needs() -> None:
    assert opened_encoder("hf:nowhere", ["rouge1-f1"]) is None


THAI = ("ฉันรักแมว", "ฝนกำลังตก")  # I love cats; it is raining


@pytest.mark.parametrize("metric", ["cosine", "bertscore-f1"])
@pytest.mark.parametrize(
    ("candidate", "reference", "text"),
    [(*THAI, "candidate"), ("It rains.", THAI[1], "reference"), ("🙂", "Yes", "candidate")],
)
def test_a_text_that_the_encoder_cannot_read_is_unscored(
    candidate: str, reference: str, text: str, metric: str, minilm: Encoder
) -> None:
    found = measure([one(candidate, reference)], encoder=minilm, metrics=[metric, "length"])
    assert np.isnan(found.best).tolist() == [[True, False]]
    assert found.reasons[0, 0].reason == "unreadable"
    assert found.reasons[0, 0].message.startswith(f"{text}: the encoder minilm does not know")


def test_beside_an_unreadable_reference_the_readable_ones_count(minilm: Encoder) -> None:
    several = one("It rains.", THAI[1], "It is raining.")
    alone = one("It rains.", "It is raining.")
    both = measure([several, alone], encoder=minilm, metrics=["cosine", "bertscore-f1"]).best
    assert both[0].tolist() == both[1].tolist()


@pytest.mark.parametrize(
    ("continuation", "values"),
    [
        pytest.param(
            one("!!", "Sure."),
            {"rouge1-f1": 0, "rouge1-recall": 0},
            id="punctuation against words shares nothing",
        ),
        pytest.param(
            one("Do you take cards?"),
            {"asks": 1, "length": np.log2(5), "question": np.nan},
            id="without a reference there is what needs none",
        ),
    ],
)
def test_what_can_be_measured_is(continuation: Continuation, values: dict[str, float]) -> None:
    found = measure_batch([continuation], None, list(values))
    assert found.best[0] == pytest.approx([*values.values()], nan_ok=True)


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [one("a b c", "b c"), one("", "x"), one("a b", "b", "a"), one("x")]
    whole = measure(items, metrics=PLAIN)
    monkeypatch.setattr(module, "MOST", 1)
    apart = [measure(batch, metrics=PLAIN) for batch in batches(items)]
    assert len(apart) == len(items)
    for name in ("best", "mean"):
        values = np.concatenate([getattr(part, name) for part in apart])
        assert np.array_equal(getattr(whole, name), values, equal_nan=True)
    reasons = {
        (row, column): why
        for row, part in enumerate(apart)
        for (_, column), why in part.reasons.items()
    }
    assert whole.reasons == reasons


@given(TEXTS, st.lists(TEXTS, max_size=2), TEXTS)
@settings(max_examples=60)
def test_values_are_in_their_range_and_what_is_none_has_a_reason(
    candidate: str, references: list[str], asked: str
) -> None:
    context = (Turn("user", asked), Turn("assistant", "Yes 3"), Turn("user", "Leeds ?"))
    found = measure([one(candidate, *references, context=context)], metrics=PLAIN)
    for column, name in enumerate(PLAIN):
        for value in (found.best[0, column], found.mean[0, column]):
            assert np.isnan(value) == ((0, column) in found.reasons)
            low, high = METRICS[name].range or (-np.inf, np.inf)
            assert np.isnan(value) or low - 1e-9 <= value <= high + 1e-9, name


class Blind(Counting):
    """An encoder that gives no states, as an endpoint's."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        if tokens:
            raise ConfigError("an endpoint gives no states")
        return self.encoder.encode(texts)


def test_an_encoder_without_states_measures_all_but_bertscore(minilm: Encoder) -> None:
    blind: Any = Blind(minilm)
    assert measure([one("a", "a")], encoder=blind, metrics=["cosine"]).best[0] == pytest.approx(1)
    with pytest.raises(ConfigError, match="no states; BERTScore needs them: name other metrics"):
        measure([one("a", "a")], encoder=blind)
