"""`openai:NAME`: OpenAI, and every endpoint that speaks its chat protocol (`--base-url`).

One client for all calls. Parameters that a model refuses are learnt from its error,
left out from then on, and named in every reply that went without them.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from assize.base.endpoints import of_sdk, of_status, safe
from assize.base.errors import (
    BadRequestError,
    ModelError,
    ModelTimeout,
    ServerError,
    TooLongError,
)
from assize.base.judgment import Usage
from assize.base.secrets import redacted
from assize.models.batch_files import for_files, read_results
from assize.models.batch_model import Result, Submission, recent
from assize.models.model import (
    Capability,
    Finish,
    Reply,
    Request,
    Stream,
    Token,
    log_probability,
    token_count,
    wire,
)
from assize.models.openai_connection import Connection, connect
from assize.models.openai_stream import StreamedAnswer, is_streamed, of_stream

if TYPE_CHECKING:
    import openai

    from assize.models.opening import Models

_UNREADABLE = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError)

# What is left out, or put otherwise, once a model has refused the parameter.
_REFUSABLE = {
    "max_completion_tokens": "max_tokens",
    "max_tokens": "max_completion_tokens",
    "top_logprobs": "few_logprobs",
    "logprobs": "logprobs",
    "temperature": "temperature",
    "seed": "seed",
    "response_format": "json_schema",
    "json_schema": "json_schema",
    "json_object": "json_object",
    "stream_options": "stream_options",
}
_LENGTHS = {"max_tokens", "max_completion_tokens"}
_FEW = 5

Learn = Callable[[str], None]
T = TypeVar("T")


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint; `learn` is told each new fact about it."""

    capabilities: frozenset[Capability] = frozenset({"logprobs"})

    def __init__(
        self,
        model: str,
        connection: Connection,
        *,
        known: frozenset[str] = frozenset(),
        learn: Learn | None = None,
    ) -> None:
        self.model = model
        self.name = f"openai:{model}"
        self.identity = f"{self.name} {connection.address}"
        self.connection = connection
        self.client = connection.sdk
        self.known = set(known)
        self._learn = learn

    async def ask(self, request: Request) -> Reply:
        """One call, or a few until every parameter that the model refuses is known."""
        content = await self._send(request, self.connection.post)
        return self.read(self._parsed(content), request)

    async def stream(self, request: Request) -> Stream:
        """Pieces of the answer as they come, then the reply; usage where the server tells it."""
        events = await self._send(request, self._open_stream)
        answer = StreamedAnswer()
        async with events:
            try:
                if not is_streamed(events.response):
                    body = self._parsed(await events.response.aread())
                else:
                    async for chunk in events:
                        if piece := answer.add(chunk):
                            yield piece
                    body = answer.body()
            except ModelError:
                raise
            except Exception as error:
                raise of_stream(error) from error
        reply = self.read(body, request)
        if rest := answer.rest(reply.text):
            yield rest
        yield reply

    async def _open_stream(self, body: dict[str, Any]) -> openai.AsyncStream[object]:
        body["stream"] = True
        if "stream_options" not in self.known:
            body["stream_options"] = {"include_usage": True}
        return await self.connection.stream(body)

    async def _send(self, request: Request, send: Callable[[dict[str, Any]], Awaitable[T]]) -> T:
        """What the server answers, once every parameter that the model refuses is known."""
        while True:
            body = self.body(request)
            try:
                return await send(body)
            except BadRequestError as error:
                if isinstance(error, TooLongError) or not self._learns(str(error), body):
                    raise

    def _parsed(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ServerError(f"{self.name} answered no JSON ({error})") from error

    def body(self, request: Request) -> dict[str, Any]:
        """The request as the protocol spells it, without what the model refuses."""
        known = self.known
        body: dict[str, Any] = {"model": self.model, "messages": wire(request.messages)}
        body[self._longest()] = request.max_tokens
        if request.temperature is not None and "temperature" not in known:
            body["temperature"] = request.temperature
        if request.seed is not None and "seed" not in known:
            body["seed"] = request.seed
        if request.top_logprobs and "logprobs" not in known:
            few = "few_logprobs" in known
            body["logprobs"] = True
            body["top_logprobs"] = min(request.top_logprobs, _FEW if few else 20)
        if request.schema is not None and "json_schema" not in known:
            named = {"name": "answer", "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif request.schema is not None and "json_object" not in known:
            body["response_format"] = {"type": "json_object"}
        return body

    def _longest(self) -> str:
        """The name of the length limit: the official endpoint has a new one."""
        for name in _LENGTHS:
            if name in self.known:
                return name
        return "max_completion_tokens" if self.connection.official else "max_tokens"

    def _learns(self, said: str, sent: Mapping[str, Any]) -> bool:
        """Whether an error names a parameter that was sent and can be put otherwise."""
        fact = _refused(said, sent)
        if fact is None:
            return False
        if fact == "few_logprobs" and sent.get("top_logprobs", 0) <= _FEW:
            fact = "logprobs"
        if fact in _LENGTHS and self.known & _LENGTHS - {fact}:
            return False  # both names were refused: the value is the problem
        self.known.add(fact)
        if self._learn is not None:
            self._learn(fact)
        return True

    def dropped_parameters(self, request: Request) -> tuple[str, ...]:
        """Parameters of the request that were left out."""
        wanted = {
            "temperature": request.temperature is not None,
            "seed": request.seed is not None,
            "logprobs": request.top_logprobs > 0,
            "json_schema": request.schema is not None,
        }
        return tuple(name for name, asked in wanted.items() if asked and name in self.known)

    def read(self, response: Any, request: Request) -> Reply:
        """The reply in a response body; raises ServerError for one that holds none."""
        try:
            choice = response["choices"][0]
            message = choice["message"]
            text = message.get("content")
            finish = _finish(choice.get("finish_reason"), message)
            usage = response.get("usage") or {}
            reply = Reply(
                "" if text is None else redacted(str(text)),
                finish,
                _tokens(choice) if request.top_logprobs else (),
                usage=Usage(
                    token_count(usage.get("prompt_tokens")),
                    token_count(usage.get("completion_tokens")),
                ),
                model=redacted(str(response.get("model") or "")),
                dropped_parameters=self.dropped_parameters(request),
            )
        except _UNREADABLE as error:
            raise ServerError(f"{self.name} answered without a message ({error!r})") from error
        if text is None and finish == "stop":
            raise ServerError(f"{self.name} answered with an empty message")
        return reply

    async def submit(self, requests: Sequence[tuple[str, Mapping[str, Any]]], tag: str) -> str:
        """Uploads the requests and starts the batch; the tag is in its metadata."""
        lines = (
            json.dumps({"custom_id": key, "method": "POST", "url": ENDPOINT, "body": body})
            for key, body in requests
        )
        data = "\n".join(lines).encode()
        try:
            async with for_files(self.client) as client:
                file = await client.files.create(file=(_upload(tag), data), purpose="batch")
        except Exception as error:
            raise of_sdk(error, "openai") from error
        try:
            batch = await self.client.batches.create(
                input_file_id=file.id,
                endpoint=ENDPOINT,
                completion_window="24h",
                metadata={_TAG: tag},
            )
        except Exception as error:
            problem = of_sdk(error, "openai")
            if not isinstance(problem, ModelTimeout | ServerError):  # there is no batch
                with suppress(Exception):
                    await self.client.files.delete(file.id)
            raise problem from error
        return batch.id

    async def submitted(self, lost: Submission) -> str | None:
        """The batch with the tag; where there is none, its upload is deleted as well."""
        import openai

        try:
            batch = await self._tagged(lost)
            if batch is None:
                with suppress(openai.APIStatusError):  # it keeps uploads, or lists none
                    await self._delete_upload(lost)
                batch = await self._tagged(lost)  # from now on no more can be made
        except Exception as error:
            raise of_sdk(error, "openai") from error
        return batch

    async def _delete_upload(self, lost: Submission) -> None:
        async for file in recent(self.client.files.list(purpose="batch"), lost.at):
            if file.filename == _upload(lost.tag):
                await self.client.files.delete(file.id)

    async def _tagged(self, lost: Submission) -> str | None:
        async for batch in recent(self.client.batches.list(limit=100), lost.at):
            if (batch.metadata or {}).get(_TAG) == lost.tag:
                return str(batch.id)
        return None

    async def collect(self, batch: str) -> list[Result] | None:
        """Downloads responses and errors once the batch has ended."""
        try:
            found = await self.client.batches.retrieve(batch)
            if found.status == "failed":
                return []
            if found.status not in _ENDED:
                return None
            return await self._fetched(found.output_file_id, found.error_file_id)
        except Exception as error:
            raise of_sdk(error, "openai") from error

    async def _fetched(self, *files: str | None) -> list[Result]:
        fetched: list[Result] = []
        async with for_files(self.client) as client:
            for file in files:
                if file is None:
                    continue
                async with client.files.with_streaming_response.content(file) as response:
                    fetched += await read_results(response.iter_bytes(), _result)
        return fetched

    def learns_from(self, message: str) -> bool:
        """Whether an error names a parameter that can be left out from now on."""
        sent = {"temperature": 0, "seed": 0, "top_logprobs": 1, "response_format": {}}
        length = self._longest()
        before = set(self.known)
        learnt = self._learns(message, {**sent, length: 1})
        return learnt and self.known != before

    async def aclose(self) -> None:
        """Closes the client's connections."""
        await self.connection.aclose()


def open_openai(name: str, models: Models) -> OpenAIModel:
    """A model behind an OpenAI-compatible endpoint."""
    url, timeout = models.settings.base_url, models.settings.timeout
    connection = models.shared(("openai", url), lambda: connect(url, timeout=timeout))
    whole = f"openai:{name} {connection.address}"
    return OpenAIModel(
        name, connection, known=models.facts(whole), learn=lambda fact: models.learn(whole, fact)
    )


def _refused(said: str, sent: Mapping[str, Any]) -> str | None:
    spelt = json.dumps(sent.get("response_format", {}))
    for name, fact in _REFUSABLE.items():
        if name in said and (name in sent or f'"{name}"' in spelt):
            return "json_object" if '"json_object"' in spelt and fact == "json_schema" else fact
    return None


def _finish(reason: Any, message: Mapping[str, Any]) -> Finish:
    if reason == "content_filter" or message.get("refusal"):
        return "refused"
    return "length" if reason == "length" else "stop"


def _tokens(choice: Mapping[str, Any]) -> tuple[Token, ...]:
    given = (choice.get("logprobs") or {}).get("content") or ()
    return tuple(
        Token(
            *_weighed(one),
            tuple(_weighed(other) for other in one.get("top_logprobs") or ()),
        )
        for one in given
    )


def _weighed(one: Mapping[str, Any]) -> tuple[str, float]:
    if not isinstance(one["token"], str):
        raise ValueError(f"{one['token']!r:.40} is no token")
    return one["token"], log_probability(one["logprob"])


def _upload(tag: str) -> str:
    """The name of a batch's file."""
    return f"{_TAG}-{tag}.jsonl"


ENDPOINT: Final = "/v1/chat/completions"
_TAG = "assize"
_ENDED = ("completed", "expired", "cancelled")


def _result(row: Any) -> Result:
    key, response, error = row["custom_id"], row.get("response"), row.get("error")
    if error is not None or response is None:
        said = safe(str((error or {}).get("message", "no response")))
        return Result(key, error=ServerError(said))
    if response["status_code"] == 200:
        return Result(key, response["body"])
    detail = (response.get("body") or {}).get("error") or {}
    said = safe(str(detail.get("message", f"status {response['status_code']}")))
    code = str(detail.get("code") or "")
    return Result(key, error=of_status(response["status_code"], said, {}, code))
