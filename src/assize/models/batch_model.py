"""What a provider of batches offers: to submit requests together, to find and to collect them."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from assize.base.errors import ModelError
from assize.models.model import Model, Reply, Request

LOOKED_BACK = 86_400.0  # seconds by which a provider's clock may differ from this machine's
LOOKED_AT = 10_000  # batches or files of a provider's list


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one request: the response's body, or the error."""

    key: str
    response: Mapping[str, Any] | None = None
    error: ModelError | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """Requests that go out together: their `tag` of 16 letters and digits, and when, since 1970."""

    tag: str
    keys: list[str]
    at: float


class BatchModel(Model, Protocol):
    """A provider that takes batches."""

    def body(self, request: Request) -> dict[str, Any]:
        """The request as the provider spells it."""
        ...

    def read(self, response: Any, request: Request) -> Reply:
        """The reply in a response's body."""
        ...

    async def submit(self, requests: Sequence[tuple[str, Mapping[str, Any]]], tag: str) -> str:
        """Submits (key, body)s together, marked with the tag; returns the batch's id.

        A ModelTimeout or ServerError leaves it open whether there is a batch now.
        """
        ...

    async def submitted(self, lost: Submission) -> str | None:
        """The batch that came of a submission, by its tag; None where there is none.

        Raises BadRequestError where that can never be told.
        """
        ...

    async def collect(self, batch: str) -> list[Result] | None:
        """What came of a batch; None while it is still at work."""
        ...


async def recent(listed: AsyncIterable[Any], since: float) -> AsyncIterator[Any]:
    """What a provider lists, newest first: back to a day before `since`, and not endlessly."""
    seen = 0
    async for one in listed:
        made = one.created_at
        made = made.timestamp() if isinstance(made, datetime) else made
        seen += 1
        if seen > LOOKED_AT or (isinstance(made, int | float) and made < since - LOOKED_BACK):
            return
        yield one
