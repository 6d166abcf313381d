"""Checkpoints in this process: what is refused, and that it is refused alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.errors import ConfigError, TooLongError
from assize.models import Reply, Request, messages
from assize.models.hf_engine import Engine

pytestmark = pytest.mark.slow("loads a model")


def test_what_is_too_long_is_said_with_the_numbers_and_the_others_are_answered(
    tiny_llama: Path,
) -> None:
    short = Request(messages(("user", "Hi")), max_tokens=4)
    long = Request(messages(("user", "word " * 20_000)))
    first, refused, second = Engine(str(tiny_llama)).answer([short, long, short])
    assert isinstance(refused, TooLongError)
    assert refused.limit == 16384
    assert refused.needed is not None
    assert refused.needed > 16384
    assert isinstance(first, Reply)
    assert first == second


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"the model {tmp_path} cannot be loaded"):
        Engine(str(tmp_path))
