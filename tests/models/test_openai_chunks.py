"""Chunks of a streamed completion become the body of a whole one."""

from __future__ import annotations

from typing import Any

import pytest

from assize.errors import ServerError
from assize.models.openai_chunks import Chunks


def chunk(content: str | None = None, *, finish: str | None = None, **more: Any) -> dict[str, Any]:
    delta = {"content": content} | more
    return {"model": "m", "choices": [{"delta": delta, "finish_reason": finish}]}


def test_text_finish_usage_and_model_are_put_together() -> None:
    chunks = Chunks()
    assert [chunks.add(chunk("Hi")), chunks.add(chunk(" you", finish="length"))] == ["Hi", " you"]
    assert chunks.add({"choices": [], "usage": {"completion_tokens": 2}}) == ""
    whole = chunks.whole()
    assert whole["choices"][0]["message"]["content"] == "Hi you"
    assert whole["choices"][0]["finish_reason"] == "length"
    assert (whole["model"], whole["usage"]) == ("m", {"completion_tokens": 2})


def test_a_refusal_is_kept_apart_from_the_text() -> None:
    chunks = Chunks()
    assert chunks.add(chunk(refusal="I can", finish="stop")) == ""
    message = chunks.whole()["choices"][0]["message"]
    assert message == {"content": None, "refusal": "I can"}


def test_reasoning_that_a_server_streams_beside_the_text_is_passed_over() -> None:
    chunks = Chunks()
    assert chunks.add(chunk(None, reasoning_content="hmm")) == ""


def test_without_finish_or_end_mark_the_answer_broke_off() -> None:
    chunks = Chunks()
    chunks.add(chunk("Hi"))
    with pytest.raises(ServerError, match="broke off"):
        chunks.whole()
    chunks.end()
    assert chunks.whole()["choices"][0]["finish_reason"] == "stop"


@pytest.mark.parametrize("wrong", [{"choices": 3}, {"choices": [3]}, {"choices": [{"delta": 3}]}])
def test_another_form_is_a_servers_error(wrong: Any) -> None:
    with pytest.raises(ServerError, match="another form"):
        Chunks().add(wrong)
