"""`--batch`: requests put by, submitted together, collected when the same command comes back.

The cache is the seam. A run with `--batch` asks as always; what is not in the cache is
put by instead of called, and its item waits. Collected answers go into the cache, where
the next session finds them. What failed is simply not there, and is put by again.

A submission is noted with a tag before it goes out, and carries the tag. Where a session ends
before it has noted the batch, the next one looks for the tag at the provider: the batch is taken
up, or, when none was made, its requests are put by again.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from assize.errors import BadRequestError, DataError, ModelError, ModelTimeout, ServerError
from assize.models.batch_model import BatchModel, Result, Submission
from assize.models.cache import Cache, key_of
from assize.models.model import Around, Gift, Model, Reply, Request, to_text
from assize.models.spending import Price, most
from assize.running import Budget, Waiting, durable

LARGEST = 20_000  # requests in one batch; every provider takes more
TRIES = 3
DISCOUNT = 0.5  # what both providers charge for a batch, of the usual price
ARRIVES = 60.0  # seconds in which a submission may still arrive whose sender has ended

Note = Callable[[str], None]


class Desk:
    """Where one model's requests are put by, in its folder, and which batches are out.

    The folder is read and written from the first use on: by then the run's folder is this
    session's own.

    Raises:
        DataError: the folder's `batches.json` is damaged.
        OutputError: the folder cannot be written.
    """

    def __init__(
        self, folder: Path, model: BatchModel, cache: Cache, price: Price | None, budget: Budget
    ) -> None:
        self.model = model
        self.price = price
        self._cache = cache
        self._budget = budget
        self._pending = folder / "pending.jsonl"
        self._book = folder / "batches.json"
        self._stream: TextIO | None = None
        self._out: dict[str, list[str]] = {}
        self._failed: dict[str, list[Any]] = {}
        self._sending: list[Submission] = []
        self._keys: set[str] = set()
        self.put_by = 0
        self.fresh: set[str] = set()

    def _opened(self) -> TextIO:
        """The file of what is put by; reads what earlier sessions have noted first."""
        if self._stream is None:
            with self._writing():
                self._book.parent.mkdir(parents=True, exist_ok=True)
                self._read()
                self._stream = self._pending.open("w", encoding="utf-8")
        return self._stream

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise durable.unwritten(self._book.parent, error) from error

    def _read(self) -> None:
        if not self._book.exists():
            return
        try:
            book = json.loads(self._book.read_text("utf-8"))
            self._out, self._failed = book["out"], book["failed"]
            self._sending = [Submission(**one) for one in book["sending"]]
            held = [*self._out.values(), *(one.keys for one in self._sending)]
            self._keys = {key for keys in held for key in keys}
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise DataError(
                f"no list of batches ({error!r}); restore it, or remove it and ask again what"
                " batches at work would answer",
                source=str(self._book),
            ) from error

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
        stream = self._opened()
        failed = self._failed.get(key)
        if failed is not None and failed[0] >= TRIES:
            kind = BadRequestError if failed[1] else ServerError
            raise kind(f"failed in a batch: {failed[2]}")
        if key not in self._keys:
            body = self.model.body(request)
            if self.price is not None:
                self._budget.reserve_batch(key, most(self.price, request) * DISCOUNT)
            with self._writing():
                stream.write(json.dumps({"key": key, "body": body}) + "\n")
            self._keys.add(key)
            self.put_by += 1

    async def submit(self) -> int:
        """Submits what was put by; returns how many requests that were.

        Raises:
            ModelError: a submission failed; where it may have arrived, the next session looks.
            OutputError: it cannot be noted.
        """
        with self._writing():
            self._opened().close()
        sent = 0
        for chunk in self._chunks():
            going = Submission(secrets.token_hex(8), [key for key, _ in chunk], time.time())
            self._sending.append(going)
            self._save()  # an end from here on leaves it open whether there is a batch
            try:
                self._out[await self.model.submit(chunk, going.tag)] = going.keys
            except (ModelTimeout, ServerError):
                raise
            except ModelError:
                self._settled(going)
                raise
            self._settled(going)
            sent += len(chunk)
        self._pending.unlink()
        return sent

    def _settled(self, going: Submission) -> None:
        self._sending.remove(going)
        self._save()

    def _chunks(self) -> Iterator[list[tuple[str, Mapping[str, Any]]]]:
        with self._pending.open(encoding="utf-8") as stream:
            rows = (json.loads(line) for line in stream)
            pairs = ((row["key"], row["body"]) for row in rows)
            while chunk := list(islice(pairs, LARGEST)):
                yield chunk

    async def collect(self, note: Note) -> None:
        """Fetches what batches have answered; what failed is free to be put by again."""
        self._opened()
        for lost in tuple(self._sending):
            await self._look_for(lost, note)
        for batch, keys in list(self._out.items()):
            results = await self.model.collect(batch)
            if results is None:
                note(f"batch {batch} of {self.model.name} is still at work on {len(keys)} requests")
                continue
            owed = set(keys)
            results = [result for result in results if result.key in owed]
            self._take(results)
            for key in owed - {result.key for result in results}:
                self._fail(key, ServerError("the batch did not answer it"))
            self._keys -= set(keys)
            del self._out[batch]
            self._save()
            note(f"batch {batch}: {len(self.fresh & set(keys))} of {len(keys)} answered")

    async def _look_for(self, lost: Submission, note: Note) -> None:
        """Takes up the batch of a session that ended before it noted it, if there is one."""
        many = f"{len(lost.keys)} requests to {self.model.name}"
        try:
            batch = await self._submitted(lost)
        except Waiting as error:
            note(f"{many} may have been submitted: {error}")
            return
        except BadRequestError:
            for key in lost.keys:
                self._budget.settle(key, None)
            batch = None
            note(f"{many} may have been submitted, which this server cannot tell: they stay booked")
        if batch is None:
            self._keys -= set(lost.keys)
        else:
            self._out[batch] = lost.keys
            note(f"{many} had been submitted, as batch {batch}")
        self._settled(lost)

    async def _submitted(self, lost: Submission) -> str | None:
        batch = await self.model.submitted(lost, self._out)
        if batch is None and 0 <= time.time() - lost.at < ARRIVES:
            raise Waiting(f"they are looked for again once {ARRIVES:.0f} seconds have passed")
        return batch

    def _take(self, results: Sequence[Result]) -> None:
        answered = []
        for result in results:
            if result.error is not None:
                self._fail(result.key, result.error)
                continue
            try:
                reply = self.model.read(result.response, _ANY)
            except ModelError as error:  # it was answered, so it may have been charged
                self._fail(result.key, error, cost=None)
                continue
            answered.append((result.key, reply))
        with self._writing():
            self._cache.put_now((bytes.fromhex(key), to_text(reply)) for key, reply in answered)
        booked = set(self._budget.batches)  # without those settled before a kill
        for key, reply in answered:
            if key in booked:
                self._budget.settle(key, self.cost(reply))
            self.fresh.add(key)

    def cost(self, reply: Reply) -> float | None:
        """US dollars of a batch's reply; None where no price is known, or no tokens are told."""
        told = reply.usage
        if self.price is None or not (told.input_tokens and told.output_tokens):
            return None
        return self.price.of(told) * DISCOUNT

    def _fail(self, key: str, error: ModelError, *, cost: float | None = 0.0) -> None:
        """Notes a failure; `cost` is None where it may have been charged, whatever was asked."""
        self._budget.settle(key, cost)
        learns = getattr(self.model, "learns_from", None)
        final = isinstance(error, BadRequestError) and not (learns and learns(str(error)))
        tries = TRIES if final else self._failed.get(key, [0])[0] + 1
        self._failed[key] = [tries, final, str(error)[:500]]

    def _save(self) -> None:
        sending = [asdict(one) for one in self._sending]
        book = {"out": self._out, "failed": self._failed, "sending": sending}
        with self._writing():
            durable.replace(self._book, [json.dumps(book).encode()])

    def close(self) -> None:
        """Closes the file of what was put by; it is made anew by the next session."""
        if self._stream is not None:
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
