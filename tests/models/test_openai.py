"""The openai provider against a real local server."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, Llama
from tests.models.conftest import use_model

from assize.base import errors
from assize.models import Models, ModelSettings, Reply, Request, messages
from assize.models.batch_model import Submission
from assize.models.openai import OpenAIModel, open_openai
from assize.models.openai_connection import connect

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["A", "B", "tie"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
ASK = Request(
    messages(("system", "Judge."), ("user", "A or B?")),
    SCHEMA,
    seed=7,
    max_tokens=40,
    top_logprobs=8,
)


def ask(server: ChatServer, request: Request = ASK, **known: Any) -> Reply:
    reply: Reply = use_model(
        lambda: OpenAIModel("tiny", connect(server.url, timeout=2.0), **known),
        lambda model: model.ask(request),
    )
    return reply


def test_a_request_is_sent_as_the_protocol_spells_it() -> None:
    with ChatServer() as server:
        ask(server)
        body = server.seen[0].body
    assert body == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "Judge."},
            {"role": "user", "content": "A or B?"},
        ],
        "max_tokens": 40,
        "temperature": 0.0,
        "seed": 7,
        "logprobs": True,
        "top_logprobs": 8,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
        },
    }


def test_a_reply_carries_text_tokens_usage_and_the_servers_name_of_the_model() -> None:
    with ChatServer() as server:
        reply = ask(server)
    assert json.loads(reply.text)["answer"] in ("A", "B", "tie")
    assert reply.finish == "stop"
    assert reply.model == "tiny"
    assert reply.usage.input_tokens > 0
    assert [text for text, _ in reply.tokens[1].top] == [json.loads(reply.text)["answer"], "zzz"]


@pytest.mark.slow("a model answers on the processor")
def test_a_tiny_llama_follows_the_schema_and_reports_real_logprobs(tiny_llama: Path) -> None:
    with ChatServer(Llama(tiny_llama)) as server:
        reply = ask(server)
    assert json.loads(reply.text)["answer"] in ("A", "B", "tie")
    assert "".join(token.text for token in reply.tokens) == reply.text
    for token in reply.tokens:
        assert len(token.top) == 8
        assert token.logprob < 0


@pytest.mark.parametrize(
    ("fault", "error", "retryable"),
    [
        ("429", errors.RateLimitError, True),
        ("503", errors.RateLimitError, True),
        ("500", errors.ServerError, True),
        ("slow", errors.ModelTimeout, True),
        ("cut", errors.ServerError, True),
        ("truncated", errors.ServerError, True),
        ("not_json", errors.ServerError, True),
        ("empty_choices", errors.ServerError, True),
    ],
)
def test_each_fault_is_the_error_it_should_be(
    fault: str, error: type[errors.ModelError], retryable: bool
) -> None:
    with ChatServer(fault=lambda *_: fault, slow=2.5) as server, pytest.raises(error) as caught:
        ask(server)
    assert caught.value.retryable is retryable


def test_retry_after_is_read_from_the_header() -> None:
    with (
        ChatServer(fault=lambda *_: "429", retry_after="3.5") as server,
        pytest.raises(errors.RateLimitError) as caught,
    ):
        ask(server)
    assert caught.value.retry_after == 3.5


def test_a_content_filter_is_a_refusal() -> None:
    with ChatServer(fault=lambda *_: "content_filter") as server:
        assert ask(server).finish == "refused"


def test_an_unknown_host_is_a_server_error() -> None:
    with ChatServer() as server:
        pass
    with pytest.raises(errors.ServerError, match="connection"):
        ask(server)


@pytest.mark.parametrize(
    ("parameter", "left_out"),
    [
        ("temperature", "temperature"),
        ("seed", "seed"),
        ("top_logprobs", "logprobs"),
        ("json_schema", "json_schema"),
    ],
)
def test_a_refused_parameter_is_learnt_once_and_named_in_the_reply(
    parameter: str, left_out: str
) -> None:
    learnt: list[str] = []

    async def twice(model: OpenAIModel) -> tuple[Reply, Reply]:
        return await model.ask(ASK), await model.ask(ASK)

    with ChatServer(refuses=(parameter,)) as server:
        client = connect(server.url, timeout=2.0)
        first, second = use_model(lambda: OpenAIModel("tiny", client, learn=learnt.append), twice)
        refused = [one for one in server.seen if parameter in json.dumps(one.body)]
        assert len(refused) == len(learnt)
    assert first.dropped_parameters == second.dropped_parameters == (left_out,)


def test_the_new_name_of_the_length_limit_is_learnt_and_remembered_for_the_next_session(
    tmp_path: Path,
) -> None:
    async def session(server: ChatServer, request: Request) -> None:
        settings = ModelSettings(base_url=server.url, cache=tmp_path / "c.sqlite")
        async with Models(settings, note=lambda _: None) as models:
            await models.open("openai:tiny").ask(request)

    with ChatServer(refuses=("max_tokens",)) as server:
        for request in (ASK, Request(messages(("user", "other")))):
            asyncio.run(session(server, request))
        assert ["max_completion_tokens" in one.body for one in server.seen] == [False, True, True]


def test_a_prompt_that_is_too_long_is_said_with_the_numbers() -> None:
    with ChatServer(context=200) as server, pytest.raises(errors.TooLongError) as caught:
        ask(server, Request(messages(("user", "word " * 1000))))
    assert (caught.value.limit, caught.value.needed) == (200, 1250)


def test_no_key_reaches_an_identity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-value-123456")
    model = OpenAIModel("m", connect("http://me:pass@127.0.0.1:9/v1?token=t", timeout=1))
    assert model.identity == "openai:m http://127.0.0.1:9/v1"
    asyncio.run(model.aclose())


BODY = {"model": "tiny", "messages": [{"role": "user", "content": "Hi"}]}


def asking(server: ChatServer, work: Callable[[OpenAIModel], Awaitable[Any]]) -> Any:
    settings = ModelSettings(base_url=server.url, use_cache=False)
    return use_model(lambda: open_openai("tiny", Models(settings)), work)


def test_a_batch_is_at_work_until_it_has_ended_and_then_answers_by_key() -> None:
    async def work(model: OpenAIModel) -> tuple[Any, Any]:
        batch = await model.submit([("k1", BODY), ("k2", BODY)], "tag")
        return await model.collect(batch), await model.collect(batch)

    with ChatServer() as server:
        server.batch_delay = 1
        early, late = asking(server, work)
    assert early is None
    assert {one.key for one in late} == {"k1", "k2"}
    assert all(one.error is None and one.response["choices"] for one in late)


def test_what_failed_or_expired_in_a_batch_is_an_error_of_its_own() -> None:
    async def work(model: OpenAIModel) -> Any:
        return await model.collect(await model.submit([(f"k{n}", BODY) for n in range(3)], "t"))

    with ChatServer() as server:
        server.batch_fault = lambda number, _: {0: "500", 1: "expired"}.get(number)
        found = {one.key: one for one in asking(server, work)}
    assert [found[f"k{n}"].error is None for n in range(3)] == [False, False, True]


def test_a_batch_is_found_by_its_tag_and_an_upload_without_one_is_deleted() -> None:
    now = time.time()

    async def work(model: OpenAIModel) -> list[str | None]:
        made = await model.submit([("k1", BODY)], "made")
        upload = await model.client.files.create(file=("assize-lost.jsonl", b"{}"), purpose="batch")
        found = [await model.submitted(Submission(tag, ["k1"], now)) for tag in ("made", "lost")]
        assert upload.id not in server.names
        return [made, *found]

    with ChatServer() as server:
        made, found, lost = asking(server, work)
        assert (found, lost) == (made, None)
        assert list(server.names.values()) == ["assize-made.jsonl"]


def test_a_batch_that_is_refused_leaves_no_upload() -> None:
    async def work(model: OpenAIModel) -> Any:
        with pytest.raises(errors.BadRequestError):
            await model.submit([("k1", BODY)], "tag")

    with ChatServer() as server:
        server.refuses_batches = True
        asking(server, work)
        assert not server.names


def test_a_server_that_lists_no_batches_cannot_tell() -> None:
    async def work(model: OpenAIModel) -> Any:
        with pytest.raises(errors.BadRequestError):
            await model.submitted(Submission("tag", ["k1"], 0.0))

    with ChatServer() as server:
        server.lists_batches = False
        asking(server, work)


def test_a_complaint_about_a_parameter_is_learnt_once() -> None:
    async def work(model: OpenAIModel) -> list[bool]:
        told = "Unsupported parameter: 'seed' is not supported with this model."
        return [model.learns_from(told), model.learns_from(told), model.learns_from("no")]

    with ChatServer() as server:
        assert asking(server, work) == [True, False, False]
