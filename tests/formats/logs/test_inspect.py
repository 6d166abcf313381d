"""Logs of Inspect: samples, epochs, scores."""

from __future__ import annotations

from typing import Any

import pytest
from tests.formats.logs.agent_examples import INSPECT

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.formats.format import Options
from assize.formats.logs.inspect import read
from assize.formats.rows import Row


def found(value: Any) -> list[Conversation]:
    return [
        one for one in read(Row(value, "log.json", 1), Options()) if isinstance(one, Conversation)
    ]


def test_every_sample_and_epoch_is_a_conversation_with_its_scores() -> None:
    sample: dict[str, Any] = INSPECT["samples"][0]
    first, second = found({**INSPECT, "samples": [sample, {**sample, "epoch": 2}]})
    assert (first.id, second.id) == ("x1", "x1-epoch-2")
    assert first.system == "openai/gpt-5-mini"
    assert first.metadata == {
        "task": "support",
        "epoch": 1,
        "target": "depot",
        "score_match": "C",
    }


def test_a_log_without_samples_says_so() -> None:
    with pytest.raises(DataError, match="holds no samples"):
        found({"eval": {}, "samples": None})
