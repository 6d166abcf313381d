"""Batches of an OpenAI endpoint: up as one file, down as responses and errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from chat_server import ChatServer

from assize.models import Models, ModelSettings
from assize.models.openai_batch import OpenAIBatchModel
from assize.models.providers import open_openai

T = TypeVar("T")
BODY = {"model": "tiny", "messages": [{"role": "user", "content": "Hi"}]}


def asking(server: ChatServer, work: Callable[[OpenAIBatchModel], Awaitable[T]]) -> T:
    async def run() -> T:
        models = Models(ModelSettings(base_url=server.url, use_cache=False))
        model = open_openai("tiny", models)
        assert isinstance(model, OpenAIBatchModel)
        try:
            return await work(model)
        finally:
            await model.aclose()

    return asyncio.run(run())


def test_a_batch_is_at_work_until_it_has_ended_and_then_answers_by_key() -> None:
    async def work(model: OpenAIBatchModel) -> tuple[Any, Any]:
        batch = await model.submit([("k1", BODY), ("k2", BODY)])
        return await model.collect(batch), await model.collect(batch)

    with ChatServer() as server:
        server.batch_delay = 1
        early, late = asking(server, work)
    assert early is None
    assert {one.key for one in late} == {"k1", "k2"}
    assert all(one.error is None and one.response["choices"] for one in late)


def test_what_failed_or_expired_in_a_batch_is_an_error_of_its_own() -> None:
    async def work(model: OpenAIBatchModel) -> Any:
        return await model.collect(await model.submit([(f"k{n}", BODY) for n in range(3)]))

    with ChatServer() as server:
        server.batch_fault = lambda number, _: {0: "500", 1: "expired"}.get(number)
        found = {one.key: one for one in asking(server, work)}
    assert [found[f"k{n}"].error is None for n in range(3)] == [False, False, True]


def test_a_complaint_about_a_parameter_is_learnt_once() -> None:
    async def work(model: OpenAIBatchModel) -> list[bool]:
        told = "Unsupported parameter: 'seed' is not supported with this model."
        return [model.learns_from(told), model.learns_from(told), model.learns_from("no")]

    with ChatServer() as server:
        assert asking(server, work) == [True, False, False]
