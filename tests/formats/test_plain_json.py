"""What Python and other libraries hold, as JSON has it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessage

from assize.base.conversation import Turn
from assize.formats.plain_json import to_plain

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_what_json_holds_stays_as_it_is(value: Any) -> None:
    assert to_plain(value) == json.loads(json.dumps(value))


def test_what_python_holds_besides_becomes_what_json_has() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    values = {1: ("a", np.array([1, 2])), "at": noon, "id": UUID(int=1), "n": np.int64(7)}
    assert to_plain(values) == {
        "1": ["a", [1, 2]],
        "at": "2026-01-01T12:00:00+00:00",
        "id": "00000000-0000-0000-0000-000000000001",
        "n": 7,
    }
    assert to_plain([b"\0", Decimal("1.5"), Path("a")]) == ["AA==", "1.5", "a"]
    assert to_plain(timedelta(seconds=1)) == "0:00:01"


def test_a_models_message_and_a_turn_are_objects_without_what_is_absent() -> None:
    message = ChatCompletionMessage(role="assistant", content="hi")
    assert to_plain([message, Turn("user", "hi")]) == [
        {"content": "hi", "role": "assistant"},
        {"role": "user", "text": "hi"},
    ]


def test_anything_else_is_refused_with_its_type() -> None:
    with pytest.raises(ValueError, match="of type set; give text"):
        to_plain({"x": {"a set"}})


@pytest.mark.parametrize("name", ["content", "text"])
def test_bytes_in_place_of_text_are_refused_and_other_bytes_kept(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name}: received bytes, b'hi'; give text"):
        to_plain({"messages": [{"role": "user", name: b"hi"}]})
    assert to_plain({"role": "user", "content": [{"type": "image", "data": b"hi"}]})
