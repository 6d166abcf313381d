from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from assize.base.errors import ConfigError, DataError, MissingExtra
from assize.base.trust import HARMLESS, show_name
from assize.encoders import (
    CachedEncoder,
    load_encoder,
    minilm,
    reopen_encoder,
    windows_of,
)


def test_the_embedded_encoder_is_the_default(wheel: Path) -> None:
    found = load_encoder()
    assert (found.name, found.dimension) == ("minilm", 384)
    assert found.signature == load_encoder("minilm", precision="fp32", pooling="mean").signature


KNOWN = "known: minilm, hf:PATH-or-id, openai:NAME"


@pytest.mark.parametrize(
    ("spec", "settings", "message"),
    [
        *((spec, {}, KNOWN) for spec in ("", "MiniLM", "minilm:", "minilm:x", "hf", "hf:", ":")),
        ("openai:", {}, KNOWN),
        ("minilm", {"base_url": "http://127.0.0.1"}, "takes no base_url"),
        ("openai:x", {"layer": 1, "pooling": "cls"}, "takes no layer and no pooling"),
        ("hf:x", {"base_url": "http://127.0.0.1"}, "takes no base_url"),
        ("minilm?pooling", {}, "'pooling' is no setting"),
        ("minilm?=3", {}, "'=3' is no setting"),
        ("minilm?window=wide", {}, "window of an encoder is a number, not 'wide'"),
        ("minilm?device=cpu", {}, "takes no device"),
        ("minilm?colour=red", {}, "takes no colour"),
        ("minilm?pooling=max", {}, "pooling 'max'"),
    ],
)
def test_a_name_or_setting_that_an_encoder_does_not_take_is_refused(
    spec: str, settings: dict[str, Any], message: str, wheel: Path
) -> None:
    with pytest.raises(ConfigError, match=message):
        load_encoder(spec, **settings)


@pytest.mark.parametrize(
    ("spec", "absent", "extra"),
    [
        ("minilm", "tokenizers", "score"),
        ("minilm", "onnxruntime", "score"),
        ("hf:x", "torch", "train"),
    ],
)
def test_what_is_not_installed_is_named_with_its_extra(
    spec: str, absent: str, extra: str, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        sys.modules, absent, None
    )  # how Python itself marks what cannot be imported
    minilm._share_session.cache_clear()  # as if nothing had been opened in this process
    with pytest.raises(MissingExtra, match=rf"needs {absent}, .*'\.\[{extra}\]'"):
        load_encoder(spec)


def test_settings_reach_the_encoder_and_what_was_kept_opens_it_again(wheel: Path) -> None:
    first = load_encoder(precision="int8", pooling="cls", layer=5, window=100, threads=1)
    chosen = {key: first.details[key] for key in ("precision", "pooling", "layer", "window")}
    assert chosen == {"precision": "int8", "pooling": "cls", "layer": 5, "window": 100}
    assert reopen_encoder(first.details).signature == first.signature
    exact = reopen_encoder(first.details, precision="fp32")
    assert exact.details == {**first.details, "precision": "fp32"}


def test_an_endpoint_is_opened_again_with_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    first = load_encoder("openai:small", window=500)
    again = reopen_encoder(first.details, first.name, said=first.name)
    assert again.signature == first.signature
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:10/v1")
    with pytest.raises(ConfigError, match=r"another encoder: endpoint .*:9.* \(here .*:10"):
        reopen_encoder(first.details, first.name, said=first.name)
    with pytest.raises(ConfigError, match="takes no precision"):
        reopen_encoder(first.details, first.name, precision="int8", said=first.name)


def test_another_encoder_than_then_is_refused_by_what_differs(wheel: Path) -> None:
    details = load_encoder().details
    with pytest.raises(ConfigError, match="trained on another encoder: weights '0' \\(here '53a"):
        reopen_encoder({**details, "weights": "0"})
    with pytest.raises(ConfigError, match="encoder 'bag' is not known"):
        reopen_encoder(details, "minilm", said="bag")


@pytest.mark.parametrize(
    "named",
    ["hf:evil/model", "hf:/some/where", "openai:embed", "http://elsewhere/", "minilm:x", ""],
)
def test_a_file_may_name_the_built_in_encoder_alone(
    named: str, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any other would load files, fetch them, or send texts to a server; nothing is opened."""
    details = load_encoder().details
    monkeypatch.setattr(
        "assize.encoders.opening.load_encoder", lambda *a, **b: pytest.fail("opened")
    )
    with pytest.raises(ConfigError) as caught:
        reopen_encoder(details, named)
    shown = show_name(named)
    said = f"--encoder {shown} (encoder= in Python; of a judge --set encoder={shown})"
    assert said in str(caught.value)
    assert HARMLESS["encoder"] == {"minilm"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        *(({"encoder": name}, "names no encoder, but") for name in (None, 3, ["minilm"], {"a": 1})),
        ({"layer": 1.5}, "names an encoder with"),
        ({"window": 9.0}, "names an encoder with"),
        ({"pooling": ["mean"]}, "names an encoder with"),
    ],
)
def test_a_file_that_names_no_encoder_or_setting_is_refused(
    change: dict[str, Any], message: str, wheel: Path
) -> None:
    with pytest.raises(DataError, match=message):
        reopen_encoder({**load_encoder().details, **change})


def test_the_users_word_opens_the_same_weights_in_another_place_and_no_others(
    wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    details = load_encoder().details
    assert reopen_encoder(details, "hf:gone", said="minilm").signature == load_encoder().signature
    with pytest.raises(ConfigError, match="another encoder: encoder 'hf'"):
        reopen_encoder({**details, "encoder": "hf"}, "hf:gone", said="minilm")


def test_settings_may_stand_in_the_name(wheel: Path) -> None:
    found = load_encoder("minilm?pooling=cls&window=100&layer=-2", window=50)
    chosen = {key: found.details[key] for key in ("pooling", "layer", "window")}
    assert chosen == {"pooling": "cls", "layer": 5, "window": 50}  # what is said aside counts
    assert found.name == "minilm"


def test_windows_are_counted_without_reading(wheel: Path) -> None:
    encoder = load_encoder("minilm?window=12")
    texts = ["word " * 25, "word"]
    expected = encoder.encode(texts).windows.tolist()
    assert expected == [3, 1]
    for one in (encoder, CachedEncoder(encoder)):
        assert windows_of(one, texts) == expected
