"""The scripted model."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models.conftest import read_parts

from assize.base.errors import ConfigError
from assize.models import Request, Scripted, messages
from assize.models.scripted import any_answer, example, open_scripted

SCHEMA = {
    "type": "object",
    "properties": {"why": {"type": "string"}, "answer": {"enum": ["A", "B", "tie"]}},
}
ASK = Request(messages(("user", "x")), SCHEMA)


@pytest.mark.parametrize("name", ["first", "assize.models.scripted:first"])
def test_first_or_the_function_of_a_module_gives_the_first_allowed_answer(name: str) -> None:
    reply = asyncio.run(open_scripted(name).ask(ASK))
    assert json.loads(reply.text) == {"why": "because", "answer": "A"}


def test_any_differs_by_item_and_not_by_boundary() -> None:
    texts = {any_answer(replace(ASK, messages=messages(("user", str(n))))) for n in range(20)}
    assert len(texts) == 3
    fenced = [Request(messages(("user", f"{mark} x")), SCHEMA, boundary=mark) for mark in "ab"]
    assert any_answer(fenced[0]) == any_answer(fenced[1])


def test_a_function_of_a_module_beside_it_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "players_of_mine.py").write_text("def answer(request): return 'hello'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])  # as a command has it
    assert asyncio.run(open_scripted("players_of_mine:answer").ask(ASK)).text == "hello"


@pytest.mark.parametrize("name", ["nothing", "no.module:function", "json:nothing", ""])
def test_an_unknown_script_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="known are first, any"):
        open_scripted(name)


def test_a_script_may_be_async() -> None:
    async def script(request: Request) -> str:
        await asyncio.sleep(0)
        return "later"

    assert asyncio.run(Scripted(script).ask(ASK)).text == "later"


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 4))
def test_examples_stay_in_range(low: int, width: int, count: int) -> None:
    schema = {
        "type": "array",
        "minItems": count,
        "items": {"type": "integer", "minimum": low, "maximum": low + width},
    }
    assert example(schema, max) == [low + width] * count


def test_an_answer_is_streamed_word_by_word() -> None:
    *pieces, reply = read_parts(Scripted(lambda _: "One two.").stream(Request(())))
    assert pieces == ["One ", "two."]
    assert reply.text == "One two."


def test_a_script_that_yields_decides_on_the_pieces() -> None:
    async def script(request: Request) -> AsyncIterator[str]:
        yield "On"
        yield "e"

    *pieces, reply = read_parts(Scripted(script).stream(Request(())))
    assert pieces == ["On", "e"]
    assert reply == asyncio.run(Scripted(script).ask(Request(())))
    assert reply.text == "One"
