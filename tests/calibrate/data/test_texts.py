"""Free-text answers of models as inputs: where their vectors stand, and what is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import vector

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.calibrate._data.embedding import features_for
from assize.calibrate._data.features import features_of, questions_of
from assize.calibrate._data.texts import text_features, vectors_of, with_texts
from assize.encoders import load_encoder
from assize.judgments import JudgmentTable

NOTE = Question("note", kind="text")
GRADE = Question("Q0", kind="ordinal", answers=("1", "2"), values=(1, 2))


def said(*rows: Judgment) -> JudgmentTable:
    """These beside a grade of each of three items."""
    grades = [Judgment(f"i{n}", "m", "Q0", answer="1", kind="model") for n in range(3)]
    return JudgmentTable.of([*grades, *rows], [GRADE, NOTE])


def note(item: str, text: str | None, **more: object) -> Judgment:
    row = Judgment(item, "m", "note", answer=text, kind="model")
    return replace(row, **more)  # type: ignore[arg-type]  # any field of a judgment


def embed(table: JudgmentTable) -> Any:
    return text_features(table, load_encoder("minilm"), "minilm")


def test_a_text_is_its_vector_and_repeats_are_averaged() -> None:
    table = said(note("i0", "Cake"), note("i0", "Rain", repeat=1), note("i2", "Cake"))
    found = embed(table)
    (block,) = found.blocks
    assert (block.judge, block.question, block.size) == ("texts@minilm", "note", 384)
    assert block.variant == f"{load_encoder('minilm').signature} m"
    assert block.late
    assert found.x[0] == pytest.approx((vector("Cake") + vector("Rain")) / 2, abs=1e-5)
    assert np.isnan(found.x[1]).all()
    assert found.x[2] == pytest.approx(vector("Cake"), abs=1e-5)


@pytest.mark.parametrize(
    "row",
    [
        note("i0", "NA"),
        note("i0", " \n"),
        note("i0", None, unscored=Unscored("parse")),
        Judgment("i0", "m", "Q0", answer="2", repeat=1, kind="model"),
    ],
)
def test_what_is_no_text_is_missing(row: Judgment) -> None:
    assert embed(said(row)) is None
    assert np.isnan(embed(said(row, note("i1", "Cake"))).x[0]).all()


def test_a_text_that_the_encoder_cannot_read_is_missing_and_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", logger="assize")
    table = said(note("i0", "Cake"), note("i0", "ฉันรักแมว", repeat=1), note("i1", "ฝนกำลังตก"))
    found = embed(table)
    assert found.x[0] == pytest.approx(vector("Cake"), abs=1e-5)
    assert np.isnan(found.x[1]).all()
    assert "2 of 3 texts are left out: the encoder minilm does not know" in caplog.text
    assert embed(said(note("i1", "ฝนกำลังตก"))) is None


def test_models_and_prompt_variants_have_blocks_of_their_own() -> None:
    other = note("i0", "Rain", judge="k")
    terse = note("i0", "Sun", details={"variant": "terse"})
    found = embed(said(note("i0", "Cake"), other, terse))
    assert [block.variant.split()[1:] for block in found.blocks] == [["m"], ["k"], ["m", "terse"]]
    assert found.x[0].reshape(3, 384)[1] == pytest.approx(vector("Rain"), abs=1e-5)


def test_texts_that_were_fitted_are_embedded_anew() -> None:
    table = said(note("i0", "Cake"), note("i1", "Rain"))
    features = features_of(table)
    assert [block.question for block in features.blocks] == ["Q0"]
    fitted = features.beside(embed(table)).blocks
    assert [one.kind for one in questions_of(fitted)] == ["ordinal", "text"]
    found = features_for(fitted, said(note("i2", "Cake")))
    assert found.blocks == fitted
    assert found.x[2, 2:] == pytest.approx(vector("Cake"), abs=1e-5)
    assert np.isnan(found.x[:2, 2:]).all()
    assert with_texts(features_of(said()), fitted, said(), {}).blocks == fitted[:1]


def test_another_encoder_is_refused_and_a_name_in_a_file_is_not_opened() -> None:
    table = said(note("i0", "Cake"))
    (block,) = embed(table).blocks
    features = features_of(table)
    with pytest.raises(DataError, match="encoder minilm gives other vectors"):
        with_texts(features, [replace(block, variant="0 m")], table, {})
    far = replace(block, judge="texts@openai:e")
    with pytest.raises(ConfigError, match="--encoder openai:e"):
        with_texts(features, [far], table, {})
    assert with_texts(features, [far], table, {far: "minilm"}).blocks[-1] == far


def test_texts_alone_are_too_little() -> None:
    only = JudgmentTable.of([note("i0", "Cake")], [NOTE])
    with pytest.raises(DataError, match="the answers hold free text only"):
        features_of(only)


def test_each_distinct_text_is_encoded_once() -> None:
    found = vectors_of(["Cake", "Rain", "Cake"], load_encoder("minilm"))
    assert list(found) == ["Cake", "Rain"]
    assert found["Rain"] == pytest.approx(vector("Rain"), abs=1e-5)


@pytest.mark.slow("loads a model")
def test_a_prompt_given_as_text_is_the_models_state_at_its_last_token(tiny_llama: Path) -> None:
    """Appendix B's hidden state at the end of a rubric prompt, by plain transformers."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    prompt = "How good was the talk? Say 1 or 2."
    spec = f"hf:{tiny_llama}?pooling=last&layer=1"
    table = said(note("i0", prompt), note("i1", prompt + " Now."))
    found: Any = text_features(table, load_encoder(spec), spec)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_llama)
    model = transformers.AutoModelForCausalLM.from_pretrained(tiny_llama).eval()
    with torch.inference_mode():
        out = model(**tokenizer(prompt, return_tensors="pt"), output_hidden_states=True)
    state = out.hidden_states[1][0, -1].double().numpy()
    assert found.x[0] == pytest.approx(state / np.linalg.norm(state), abs=1e-4)
    (block,) = found.blocks
    assert with_texts(features_of(table), [block], table, {block: spec}).blocks[-1] == block
