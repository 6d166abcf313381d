"""The scripted model."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.errors import ConfigError
from assize.models import Request, Scripted, messages
from assize.models.scripted import any_answer, example, open_scripted

SCHEMA = {
    "type": "object",
    "properties": {"why": {"type": "string"}, "answer": {"enum": ["A", "B", "tie"]}},
}
ASK = Request(messages(("user", "x")), SCHEMA)


def test_first_gives_the_first_allowed_answer() -> None:
    reply = asyncio.run(open_scripted("first").ask(ASK))
    assert json.loads(reply.text) == {"why": "because", "answer": "A"}


def test_any_differs_by_item_and_not_by_boundary() -> None:
    texts = {any_answer(replace(ASK, messages=messages(("user", str(n))))) for n in range(20)}
    assert len(texts) == 3
    fenced = [Request(messages(("user", f"{mark} x")), SCHEMA, boundary=mark) for mark in "ab"]
    assert any_answer(fenced[0]) == any_answer(fenced[1])


def test_a_function_of_a_module_can_be_named() -> None:
    model = open_scripted("assize.models.scripted:first")
    assert json.loads(asyncio.run(model.ask(ASK)).text)["answer"] == "A"


def test_a_function_of_a_module_beside_it_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "players_of_mine.py").write_text("def answer(request): return 'hello'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])  # as a command has it
    model = open_scripted("players_of_mine:answer")
    assert asyncio.run(model.ask(ASK)).text == "hello"


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
    values = example(schema, max)
    assert values == [low + width] * count


def test_an_answer_is_streamed_word_by_word() -> None:
    async def once() -> list[Any]:
        return [part async for part in Scripted(lambda _: "One two.").stream(Request(()))]

    *pieces, reply = asyncio.run(once())
    assert pieces == ["One ", "two."]
    assert reply.text == "One two."


def test_a_script_that_yields_decides_on_the_pieces() -> None:
    async def script(request: Request) -> AsyncIterator[str]:
        yield "On"
        yield "e"

    async def once() -> list[Any]:
        model = Scripted(script)
        whole = await model.ask(Request(()))
        return [whole.text, *[part async for part in model.stream(Request(()))]]

    whole, *pieces, reply = asyncio.run(once())
    assert pieces == ["On", "e"]
    assert whole == reply.text == "One"
