"""`anthropic:NAME`: Anthropic's messages endpoint. A schema is asked for as a tool's input."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from assize.base.endpoints import ANTHROPIC_KEY, address, key_in, of_sdk, safe
from assize.base.errors import AuthenticationError, BadRequestError, MissingExtra, ServerError
from assize.base.judgment import Usage
from assize.base.secrets import redacted
from assize.models.batch_files import for_files, read_results
from assize.models.batch_model import Result, Submission
from assize.models.model import Capability, Finish, Reply, Request, token_count

if TYPE_CHECKING:
    import anthropic

    from assize.models.opening import Models

URL_VARIABLE = "ANTHROPIC_BASE_URL"

_TOOL = "answer"


class AnthropicModel:
    """A model behind Anthropic's API: no log-probabilities, no seed."""

    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, model: str, client: anthropic.AsyncAnthropic) -> None:
        import httpx2

        self.model = model
        self.name = f"anthropic:{model}"
        self.identity = f"{self.name} {address(str(client.base_url))}"
        self.client = client
        self._response = httpx2.Response

    async def ask(self, request: Request) -> Reply:
        """One call."""
        try:
            response = await self.client.post(
                "/v1/messages", cast_to=self._response, body=self.body(request)
            )
        except Exception as error:
            raise of_sdk(error, "anthropic") from error
        try:
            return self.read(json.loads(response.content), request)
        except (ValueError, RecursionError) as error:
            raise ServerError(f"{self.name} answered no JSON ({error})") from error

    def body(self, request: Request) -> dict[str, Any]:
        """The request as the protocol spells it: system text apart, the schema as a tool."""
        system = [message.text for message in request.messages if message.role == "system"]
        said = [
            {"role": message.role, "content": message.text}
            for message in request.messages
            if message.role != "system"
        ]
        body: dict[str, Any] = {
            "model": self.model,
            "messages": said,
            "max_tokens": request.max_tokens,
        }
        if system:
            body["system"] = "\n\n".join(system)
        if request.temperature is not None:
            body["temperature"] = min(request.temperature, 1.0)
        if request.schema is not None:
            body["tools"] = [
                {"name": _TOOL, "description": "Give the answer.", "input_schema": request.schema}
            ]
            body["tool_choice"] = {"type": "tool", "name": _TOOL}
        return body

    def read(self, response: Any, request: Request) -> Reply:
        """The reply in a response body; a tool's input is read as the JSON answer."""
        try:
            blocks = response["content"]
            text = redacted("".join(_text(block) for block in blocks))
            usage = response.get("usage") or {}
            finish = _finish(response.get("stop_reason"))
            used = Usage(
                token_count(usage.get("input_tokens")), token_count(usage.get("output_tokens"))
            )
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise ServerError(f"{self.name} answered without content ({error!r})") from error
        if not text and finish == "stop":
            raise ServerError(f"{self.name} answered with an empty message")
        seed = ("seed",) if request.seed is not None else ()
        return Reply(
            text,
            finish,
            usage=used,
            model=redacted(str(response.get("model") or "")),
            dropped_parameters=seed,
        )

    async def submit(self, requests: Sequence[tuple[str, Mapping[str, Any]]], tag: str) -> str:
        """Starts a batch, which has no place for a tag."""
        sent = [{"custom_id": key, "params": body} for key, body in requests]
        try:
            async with for_files(self.client) as client:
                batch = await client.messages.batches.create(requests=cast(Any, sent))
        except Exception as error:
            raise of_sdk(error, "anthropic") from error
        return batch.id

    async def submitted(self, lost: Submission) -> str | None:
        """Refuses: a batch that nobody noted stands in Anthropic's console alone."""
        raise BadRequestError("Anthropic's batches have no tag")

    async def collect(self, batch: str) -> list[Result] | None:
        """Reads the results once the batch has ended."""
        try:
            found = await self.client.messages.batches.retrieve(batch)
            if found.processing_status != "ended":
                return None
            async with (
                for_files(self.client) as client,
                client.messages.batches.with_streaming_response.results(batch) as response,
            ):
                return await read_results(response.iter_bytes(), _result)
        except Exception as error:
            raise of_sdk(error, "anthropic") from error

    async def aclose(self) -> None:
        """Closes the client's connections."""
        await self.client.close()


def _text(block: Mapping[str, Any]) -> str:
    if block.get("type") == "tool_use":
        return json.dumps(block["input"])
    return str(block.get("text", "")) if block.get("type") == "text" else ""


def _finish(reason: Any) -> Finish:
    if reason == "refusal":
        return "refused"
    return "length" if reason == "max_tokens" else "stop"


def open_anthropic(name: str, models: Models) -> AnthropicModel:
    """A model behind Anthropic's endpoint, or the one that ANTHROPIC_BASE_URL names."""
    timeout = models.settings.timeout
    return AnthropicModel(name, models.shared("anthropic", lambda: connect(timeout=timeout)))


def connect(*, timeout: float) -> anthropic.AsyncAnthropic:
    """The client; the key comes from `ANTHROPIC_API_KEY`."""
    try:
        import anthropic
    except ImportError as error:
        raise MissingExtra(
            "asking Anthropic's models", extra="anthropic", missing="anthropic"
        ) from error
    from assize.base.http_client import BoundedClient

    url = os.environ.get(URL_VARIABLE) or None
    if url is not None:
        address(url)  # refuses what is none
    key = key_in(ANTHROPIC_KEY)
    if not key and url is None:
        raise AuthenticationError(f"there is no key for Anthropic: set {ANTHROPIC_KEY}")
    return anthropic.AsyncAnthropic(
        api_key=key or "none",
        base_url=url,
        timeout=timeout,
        max_retries=0,
        http_client=BoundedClient(timeout=timeout),
    )


def _result(row: Any) -> Result:
    """`succeeded`, or why not: `errored`, `canceled`, `expired`."""
    key, result = row["custom_id"], row["result"]
    if result["type"] == "succeeded":
        return Result(key, result["message"])
    error = (result.get("error") or {}).get("error") or {}
    said = safe(str(error.get("message") or result["type"]))
    if error.get("type") == "invalid_request_error":
        return Result(key, error=BadRequestError(said))
    return Result(key, error=ServerError(said))
