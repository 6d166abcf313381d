from __future__ import annotations

from collections.abc import Callable

import pytest

from assize.base.errors import ConfigError
from assize.encoders import devices
from assize.encoders.devices import attention_of, device_of

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: device_of("tpu"), "'tpu' is not known; known: cpu, cuda, cuda:NUMBER, auto"),
        (lambda: device_of("cuda:99"), "device cuda:99 is not there; torch sees"),
        (lambda: device_of("auto"), "pip install accelerate"),
        (lambda: attention_of("flash_attention_2", "cuda", "bf16"), "needs the package flash-attn"),
        (lambda: attention_of("paged", "cuda", "bf16"), "attention 'paged'"),  # type: ignore[arg-type]
    ],
)
def test_what_is_not_there_or_not_known_is_refused(
    call: Callable[[], object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "find_spec", lambda name: None)
    monkeypatch.setattr(transformers.utils, "is_flash_attn_2_available", lambda: False)
    with pytest.raises(ConfigError, match=message):
        call()


def test_a_device_that_is_there_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "find_spec", lambda name: object())
    assert [device_of(name) for name in ("auto", "cpu")] == ["auto", "cpu"]


def test_flash_attention_is_taken_where_it_is_installed_and_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for there, taken in ((True, "flash_attention_2"), (False, None)):
        monkeypatch.setattr(transformers.utils, "is_flash_attn_2_available", lambda one=there: one)
        assert attention_of(None, "cuda", "bf16") == taken
        assert attention_of(None, "cuda", "fp32") is None
        assert attention_of(None, "cpu", "bf16") is None
        assert attention_of("sdpa", "cpu", "fp32") == "sdpa"
