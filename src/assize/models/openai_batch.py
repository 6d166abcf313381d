"""OpenAI's batch endpoint: a file of requests up, a file of responses down."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from assize.endpoints import of_sdk, of_status, safe
from assize.errors import ModelError, ServerError
from assize.models.batch import Result
from assize.models.openai import OpenAIModel

ENDPOINT: Final = "/v1/chat/completions"
_ENDED = ("completed", "expired", "cancelled")


class OpenAIBatchModel(OpenAIModel):
    """The same model, asked through batches."""

    async def submit(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Uploads the requests and starts the batch."""
        lines = (
            json.dumps({"custom_id": key, "method": "POST", "url": ENDPOINT, "body": body})
            for key, body in requests
        )
        data = "\n".join(lines).encode()
        try:
            file = await self.client.files.create(file=("batch.jsonl", data), purpose="batch")
            batch = await self.client.batches.create(
                input_file_id=file.id, endpoint=ENDPOINT, completion_window="24h"
            )
        except Exception as error:
            raise of_sdk(error, "openai") from error
        return batch.id

    async def collect(self, batch: str) -> list[Result] | None:
        """Downloads responses and errors once the batch has ended."""
        try:
            found = await self.client.batches.retrieve(batch)
            if found.status == "failed":
                return []
            if found.status not in _ENDED:
                return None
            results: list[Result] = []
            for file in (found.output_file_id, found.error_file_id):
                if file is not None:
                    content = await self.client.files.content(file)
                    results += _results(content.content)
        except ModelError:
            raise
        except Exception as error:
            raise of_sdk(error, "openai") from error
        return results

    def learns_from(self, message: str) -> bool:
        """Whether an error names a parameter that can be left out from now on."""
        sent = {"temperature": 0, "seed": 0, "top_logprobs": 1, "response_format": {}}
        length = self._longest()
        before = set(self.known)
        learnt = self._learns_that(message, {**sent, length: 1})
        return learnt and self.known != before


def _results(data: bytes) -> Iterator[Result]:
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        row = json.loads(line)
        response, error = row.get("response"), row.get("error")
        if error is not None or response is None:
            said = safe(str((error or {}).get("message", "no response")))
            yield Result(row["custom_id"], error=ServerError(said))
        elif response["status_code"] != 200:
            detail = (response.get("body") or {}).get("error") or {}
            said = safe(str(detail.get("message", f"status {response['status_code']}")))
            code = str(detail.get("code") or "")
            yield Result(row["custom_id"], error=of_status(response["status_code"], said, {}, code))
        else:
            yield Result(row["custom_id"], response["body"])
