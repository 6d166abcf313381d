"""Anthropic's message batches: requests up in one call, results down as JSON lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from assize.endpoints import of_sdk, safe
from assize.errors import BadRequestError, ServerError
from assize.models.anthropic import AnthropicModel
from assize.models.batch import Result


class AnthropicBatchModel(AnthropicModel):
    """The same model, asked through batches."""

    async def submit(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Starts a batch."""
        rows = [{"custom_id": key, "params": body} for key, body in requests]
        try:
            batch = await self.client.messages.batches.create(requests=cast(Any, rows))
        except Exception as error:
            raise of_sdk(error, "anthropic") from error
        return batch.id

    async def collect(self, batch: str) -> list[Result] | None:
        """Reads the results once the batch has ended."""
        try:
            found = await self.client.messages.batches.retrieve(batch)
            if found.processing_status != "ended":
                return None
            return [_result(row) async for row in await self.client.messages.batches.results(batch)]
        except Exception as error:
            raise of_sdk(error, "anthropic") from error


def _result(row: Any) -> Result:
    """`succeeded`, or why not: `errored`, `canceled`, `expired`."""
    if row.result.type == "succeeded":
        return Result(row.custom_id, row.result.message.model_dump(mode="json"))
    error = getattr(getattr(row.result, "error", None), "error", None)
    said = safe(str(getattr(error, "message", None) or row.result.type))
    if getattr(error, "type", None) == "invalid_request_error":
        return Result(row.custom_id, error=BadRequestError(said))
    return Result(row.custom_id, error=ServerError(said))
