"""`--batch`: requests put by, submitted together, collected when the same command comes back.

The cache is the seam. A run with `--batch` asks as always; what is not in the cache is
put by instead of called, and its item waits. Collected answers go into the cache, where
the next session finds them. What failed is simply not there, and is put by again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from assize.errors import BadRequestError, ModelError, ModelTimeout, ServerError
from assize.models.cache import Cache, key_of
from assize.models.model import Around, Gift, Model, Reply, Request, to_text
from assize.models.spending import Price, most
from assize.running import Budget, Waiting

LARGEST = 20_000  # requests in one batch; every provider takes more
TRIES = 3
DISCOUNT = 0.5  # what both providers charge for a batch, of the usual price

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one request: the response's body, or the error."""

    key: str
    response: Mapping[str, Any] | None = None
    error: ModelError | None = None


class BatchModel(Model, Protocol):
    """A provider that takes batches."""

    def body(self, request: Request) -> dict[str, Any]:
        """The request as the provider spells it."""
        ...

    def read(self, response: Any, request: Request) -> Reply:
        """The reply in a response's body."""
        ...

    async def submit(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Submits (key, body)s together; returns the batch's id."""
        ...

    async def collect(self, batch: str) -> list[Result] | None:
        """What came of a batch; None while it is still at work."""
        ...


class Desk:
    """Where one model's requests are put by, in its folder, and which batches are out."""

    def __init__(
        self, folder: Path, model: BatchModel, cache: Cache, price: Price | None, budget: Budget
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.model = model
        self.price = price
        self._cache = cache
        self._budget = budget
        self._pending = folder / "pending.jsonl"
        self._book = folder / "batches.json"
        book = json.loads(self._book.read_text()) if self._book.exists() else {}
        self._out: dict[str, list[str]] = book.get("out", {})
        self._failed: dict[str, list[Any]] = book.get("failed", {})
        self._sending: list[str] = book.get("sending", [])
        self._keys = {key for keys in self._out.values() for key in keys}
        self._stream = self._pending.open("w", encoding="utf-8")
        self.put_by = 0
        self.fresh: set[str] = set()

    @property
    def waiting(self) -> int:
        """Answers that batches at work still owe."""
        return len(self._keys)

    @property
    def held(self) -> frozenset[str]:
        """Keys of what was put by or is in a batch at work."""
        return frozenset(self._keys)

    def put(self, key: str, request: Request) -> None:
        """Puts a request by, unless a batch at work holds it."""
        failed = self._failed.get(key)
        if failed is not None and failed[0] >= TRIES:
            kind = BadRequestError if failed[1] else ServerError
            raise kind(f"failed in a batch: {failed[2]}")
        if key not in self._keys:
            body = self.model.body(request)
            if self.price is not None:
                self._budget.reserve_batch(key, most(self.price, request) * DISCOUNT)
            self._stream.write(json.dumps({"key": key, "body": body}) + "\n")
            self._keys.add(key)
            self.put_by += 1

    async def submit(self) -> int:
        """Submits what was put by; returns how many requests that were."""
        self._stream.close()
        sent = 0
        for chunk in self._chunks():
            keys = self._sending = [key for key, _ in chunk]
            self._save()  # a kill from here on leaves it open whether they were submitted
            try:
                self._out[await self.model.submit(chunk)] = keys
            except ModelTimeout:
                raise
            except ModelError:
                self._sent()
                raise
            self._sent()
            sent += len(chunk)
        self._pending.unlink()
        return sent

    def _sent(self) -> None:
        self._sending = []
        self._save()

    def _chunks(self) -> Iterator[list[tuple[str, Mapping[str, Any]]]]:
        with self._pending.open(encoding="utf-8") as stream:
            rows = (json.loads(line) for line in stream)
            pairs = ((row["key"], row["body"]) for row in rows)
            while chunk := list(islice(pairs, LARGEST)):
                yield chunk

    async def collect(self, note: Note) -> None:
        """Fetches what batches have answered; what failed is free to be put by again."""
        if self._sending:
            for key in self._sending:
                self._budget.settle(key, None)
            note(f"{len(self._sending)} requests may have been submitted and stay booked")
            self._sent()
        for batch, keys in list(self._out.items()):
            results = await self.model.collect(batch)
            if results is None:
                note(f"batch {batch} of {self.model.name} is still at work on {len(keys)} requests")
                continue
            self._take(results)
            answered = {result.key for result in results}
            for key in set(keys) - answered:
                self._fail(key, ServerError("the batch did not answer it"))
            self._keys -= set(keys)
            del self._out[batch]
            self._save()
            note(f"batch {batch}: {len(self.fresh & set(keys))} of {len(keys)} answered")

    def _take(self, results: Sequence[Result]) -> None:
        answered = []
        for result in results:
            try:
                if result.error is not None:
                    raise result.error
                reply = self.model.read(result.response, _ANY)
            except ModelError as error:
                self._fail(result.key, error)
                continue
            self._budget.settle(result.key, self.cost(reply))
            answered.append((bytes.fromhex(result.key), to_text(reply)))
            self.fresh.add(result.key)
        self._cache.put_now(answered)

    def cost(self, reply: Reply) -> float | None:
        """US dollars of a batch's reply; None where no price is known."""
        return None if self.price is None else self.price.of(reply.usage) * DISCOUNT

    def _fail(self, key: str, error: ModelError) -> None:
        self._budget.settle(key, 0.0)
        learns = getattr(self.model, "learns_from", None)
        final = isinstance(error, BadRequestError) and not (learns and learns(str(error)))
        tries = TRIES if final else self._failed.get(key, [0])[0] + 1
        self._failed[key] = [tries, final, str(error)[:500]]

    def _save(self) -> None:
        part = self._book.with_suffix(".part")
        book = {"out": self._out, "failed": self._failed, "sending": self._sending}
        part.write_text(json.dumps(book))
        part.replace(self._book)

    def close(self) -> None:
        """Closes the file of what was put by; it is made anew by the next session."""
        self._stream.close()


# A request that asks for everything, for reading a response whose own is not at hand.
_ANY = Request((), top_logprobs=1)


class Deferred:
    """A model that is not called: its requests are put by on the desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def name(self) -> str:
        """As of the model."""
        return self._desk.model.name

    @property
    def identity(self) -> str:
        """As of the model."""
        return self._desk.model.identity

    @property
    def gives(self) -> frozenset[Gift]:
        """As of the model."""
        return self._desk.model.gives

    async def ask(self, request: Request) -> Reply:
        """Always raises: Waiting, BudgetError, or the error of failed batches."""
        self._desk.put(key_of(self.identity, request).hex(), request)
        raise Waiting(f"{self.name} answers in a batch")

    async def aclose(self) -> None:
        """Closes the model and the desk."""
        self._desk.close()
        await self._desk.model.aclose()


class Settled(Around):
    """Around the cache: an answer that this session collected has cost something."""

    def __init__(self, model: Model, desk: Desk) -> None:
        super().__init__(model)
        self._desk = desk

    async def ask(self, request: Request) -> Reply:
        """The reply, with its price where a batch of this session brought it."""
        reply = await self._model.ask(request)
        key = key_of(self.identity, request).hex()
        if key not in self._desk.fresh:
            return reply
        self._desk.fresh.discard(key)
        usage = replace(reply.usage, cost_usd=self._desk.cost(reply), cached=False)
        return replace(reply, usage=usage)
