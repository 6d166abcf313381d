from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors.numpy import load as unpack
from safetensors.numpy import save as pack

from assize.conversation import Conversation
from assize.encoders import load_encoder
from assize.errors import ConfigError, DataError
from assize.evaluator import Evaluator, load_evaluator, save, score
from assize.evaluator.artefact import CARD, SETTINGS, TENSORS, read_card

Talk = Callable[..., Conversation]


@pytest.fixture(scope="module")
def shipped() -> Evaluator:
    return load_evaluator()


@pytest.fixture
def folder(shipped: Evaluator, tmp_path: Path) -> Path:
    save(shipped, tmp_path / "copy")
    return tmp_path / "copy"


def change(folder: Path, **changes: object) -> None:
    path = folder / SETTINGS
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_what_is_saved_is_loaded_again(shipped: Evaluator, folder: Path, talk: Talk) -> None:
    again = load_evaluator(folder)
    items = [talk("c", "u: How do I get to Leeds?", "a: Take the train at nine.")]
    assert list(score(items, evaluator=again)) == list(score(items, evaluator=shipped))
    assert again.signature == shipped.signature
    assert again.questions == shipped.questions


def test_saving_twice_writes_the_same_bytes(shipped: Evaluator, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save(shipped, tmp_path / name)
    for file in (SETTINGS, TENSORS):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


@pytest.mark.parametrize("file", [SETTINGS, TENSORS])
def test_a_missing_file_is_named(folder: Path, file: str) -> None:
    (folder / file).unlink()
    with pytest.raises(DataError, match=f"{file}: there is no such file"):
        load_evaluator(folder)


@pytest.mark.parametrize("kept", [0, 5, 2000])
def test_truncated_tensors_are_refused(folder: Path, kept: int) -> None:
    path = folder / TENSORS
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DataError, match="damaged or cut off"):
        load_evaluator(folder)


def test_other_tensors_are_refused(folder: Path) -> None:
    path = folder / TENSORS
    tensors = {name: value.copy() for name, value in unpack(path.read_bytes()).items()}
    tensors["weight.overall"][0] += 1
    path.write_bytes(pack(tensors))
    with pytest.raises(DataError, match="not the file that"):
        load_evaluator(folder)


def test_another_encoder_is_refused_by_name(folder: Path) -> None:
    settings = json.loads((folder / SETTINGS).read_text())
    change(folder, encoder=settings["encoder"] | {"weights": "0" * 64})
    with pytest.raises(ConfigError, match="trained on another encoder: weights '000"):
        load_evaluator(folder)


def test_other_features_are_refused(folder: Path) -> None:
    change(folder, features={"version": 99, "blocks": {}})
    with pytest.raises(DataError, match="train it again"):
        load_evaluator(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 99}', "\x00"])
def test_settings_that_are_none_are_refused(folder: Path, text: str) -> None:
    (folder / SETTINGS).write_text(text)
    with pytest.raises(DataError, match=SETTINGS):
        load_evaluator(folder)


def test_settings_without_heads_are_refused(folder: Path) -> None:
    path = folder / SETTINGS
    settings = json.loads(path.read_text())
    del settings["heads"]
    path.write_text(json.dumps(settings))
    with pytest.raises(DataError, match="heads"):
        load_evaluator(folder)


def test_int8_is_another_signature_and_a_close_score(shipped: Evaluator, talk: Talk) -> None:
    fast = load_evaluator(precision="int8")
    assert fast.signature != shipped.signature
    items = [talk("c", "u: How do I get to Leeds?", "a: Take the train at nine.")]
    first = next(score(items, evaluator=shipped)).score
    second = next(score(items, evaluator=fast)).score
    assert first is not None
    assert second == pytest.approx(first, abs=0.1)


def test_the_encoder_that_is_loaded_is_the_one_that_was_trained_on(shipped: Evaluator) -> None:
    assert shipped.encoder.signature == load_encoder("minilm").signature


def test_a_card_is_made_where_there_is_none(folder: Path) -> None:
    assert not (folder / CARD).exists()
    assert "`overall`" in read_card(folder)
