from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.encoders.devices import attention_of, device_of

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.mark.parametrize(
    ("device", "message"),
    [
        ("tpu", "device 'tpu' is not known; known: cpu, cuda, cuda:NUMBER, auto"),
        ("cuda:99", "device cuda:99 is not there; torch sees"),
    ],
)
def test_a_device_that_is_not_there_is_refused(device: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        device_of(device)


def test_all_cards_need_accelerate(monkeypatch: pytest.MonkeyPatch) -> None:
    import assize.encoders.devices as module

    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="pip install accelerate"):
        device_of("auto")
    monkeypatch.setattr(module, "find_spec", lambda name: object())
    assert device_of("auto") == "auto"
    assert device_of("cpu") == "cpu"


def test_flash_attention_is_taken_where_it_is_installed_and_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for there, taken in ((True, "flash_attention_2"), (False, None)):
        monkeypatch.setattr(transformers.utils, "is_flash_attn_2_available", lambda one=there: one)
        assert attention_of(None, "cuda", "bf16") == taken
        assert attention_of(None, "cuda", "fp32") is None
        assert attention_of(None, "cpu", "bf16") is None
        assert attention_of("sdpa", "cpu", "fp32") == "sdpa"
    with pytest.raises(ConfigError, match="needs the package flash-attn"):
        attention_of("flash_attention_2", "cuda", "bf16")
    with pytest.raises(ConfigError, match="attention 'paged'"):
        attention_of("paged", "cuda", "bf16")  # type: ignore[arg-type]
