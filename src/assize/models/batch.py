"""`--batch`: requests are queued, submitted together, and collected when the command comes back.

The cache is the seam. A run with `--batch` asks as always; what is not in the cache is
queued instead of called, and its item waits. Collected answers go into the cache, where
the next session finds them. What failed is simply not there, and is queued again.

A submission is noted with a tag before it goes out, and carries the tag. Where a session ends
before it has noted the batch, the next one looks for the tag at the provider: the batch is taken
up, or, when none was made, its requests are queued again.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from pydantic import TypeAdapter

from assize.base.errors import BadRequestError, DataError, ModelError, ModelTimeout, ServerError
from assize.models.batch_model import BatchModel, Result, Submission
from assize.models.cache import Cache
from assize.models.model import Reply, Request, to_text
from assize.models.spending import Price, most
from assize.running import Budget, durable

LARGEST = 20_000  # requests in one batch; every provider takes more
TRIES = 3
DISCOUNT = 0.5  # what both providers charge for a batch, of the usual price
ARRIVES = 60.0  # seconds in which a submission may still arrive whose sender has ended

Note = Callable[[str], None]

# A request that asks for everything, for reading a response whose own is not at hand.
_ANY = Request((), top_logprobs=1)


@dataclass
class Failure:
    """Why a request has no answer, `final` where it never can have one."""

    tries: int
    final: bool
    message: str


@dataclass
class Batches:
    """What is out: keys by batch, requests that failed, and submissions without a known batch."""

    out: dict[str, list[str]] = field(default_factory=dict)
    failed: dict[str, Failure] = field(default_factory=dict)
    sending: list[Submission] = field(default_factory=list)


_BATCHES = TypeAdapter(Batches)


class BatchQueue:
    """One model's requests that wait to be submitted, in its folder, and the batches that are out.

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
        self._price = price
        self._cache = cache
        self._budget = budget
        self._pending = folder / "pending.jsonl"
        self._list = folder / "batches.json"
        self._stream: TextIO | None = None
        self._batches = Batches()
        self._keys: set[str] = set()
        self.queued = 0  # in this session
        self.fresh: set[str] = set()  # collected by this session, and not charged yet

    def _open(self) -> TextIO:
        """The file of what is queued; reads what earlier sessions have noted first."""
        if self._stream is None:
            with self._writing():
                self._list.parent.mkdir(parents=True, exist_ok=True)
                if self._list.exists():
                    self._read()
                self._stream = self._pending.open("w", encoding="utf-8")
        return self._stream

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise durable.unwritten(self._list.parent, error) from error

    def _read(self) -> None:
        try:
            self._batches = _BATCHES.validate_json(self._list.read_bytes(), strict=True)
        except ValueError as error:
            raise DataError(
                f"no list of batches ({error}); restore it, or remove it and ask again what"
                " batches at work would answer",
                source=str(self._list),
            ) from error
        self._keys.update(*self._batches.out.values())
        self._keys.update(*(submission.keys for submission in self._batches.sending))

    @property
    def waiting(self) -> int:
        """Answers that batches at work still owe."""
        return len(self._keys)

    @property
    def held(self) -> frozenset[str]:
        """Keys of what is queued or in a batch at work."""
        return frozenset(self._keys)

    def add(self, key: str, request: Request) -> None:
        """Queue a request, unless a batch at work holds it.

        Raises:
            BudgetError: it could cost more than is left.
            ModelError: it has failed in batches, and is given up.
        """
        stream = self._open()
        failure = self._batches.failed.get(key)
        if failure is not None and failure.tries >= TRIES:
            kind = BadRequestError if failure.final else ServerError
            raise kind(f"failed in a batch: {failure.message}")
        if key in self._keys:
            return
        body = self.model.body(request)
        if self._price is not None:
            self._budget.reserve_batch(key, most(self._price, request) * DISCOUNT)
        with self._writing():
            stream.write(json.dumps({"key": key, "body": body}) + "\n")
        self._keys.add(key)
        self.queued += 1

    def charge(self, key: str, reply: Reply) -> Reply:
        """A reply from the cache, with its price where a batch brought it to this session."""
        if key not in self.fresh:
            return reply
        self.fresh.discard(key)
        usage = replace(reply.usage, cost_usd=self._cost(reply), cached=False)
        return replace(reply, usage=usage)

    async def submit(self) -> int:
        """Submit what is queued; return how many requests that were.

        Raises:
            ModelError: a submission failed; where it may have arrived, the next session looks.
            OutputError: it cannot be noted.
        """
        with self._writing():
            self._open().close()
        sent = 0
        for chunk in self._chunks():
            submission = Submission(secrets.token_hex(8), [key for key, _ in chunk], time.time())
            self._batches.sending.append(submission)
            self._save()  # an end from here on leaves it open whether there is a batch
            try:
                batch = await self.model.submit(chunk, submission.tag)
                self._batches.out[batch] = submission.keys
            except (ModelTimeout, ServerError):
                raise
            except ModelError:
                self._sent(submission)
                raise
            self._sent(submission)
            sent += len(chunk)
        self._pending.unlink()
        return sent

    def _sent(self, submission: Submission) -> None:
        """Note that it is known what came of a submission."""
        self._batches.sending.remove(submission)
        self._save()

    def _chunks(self) -> Iterator[list[tuple[str, Mapping[str, Any]]]]:
        with self._pending.open(encoding="utf-8") as stream:
            rows = (json.loads(line) for line in stream)
            pairs = ((row["key"], row["body"]) for row in rows)
            while chunk := list(islice(pairs, LARGEST)):
                yield chunk

    async def collect(self, note: Note) -> None:
        """Fetch what batches have answered; what failed is free to be queued again."""
        self._open()
        for lost in tuple(self._batches.sending):
            await self._look_for(lost, note)
        for batch, keys in list(self._batches.out.items()):
            results = await self.model.collect(batch)
            if results is None:
                note(f"batch {batch} of {self.model.name} is still at work on {len(keys)} requests")
                continue
            owed = set(keys)
            results = [result for result in results if result.key in owed]
            self._store(results)
            for key in owed - {result.key for result in results}:
                self._fail(key, ServerError("the batch did not answer it"))
            self._keys -= set(keys)
            del self._batches.out[batch]
            self._save()
            note(f"batch {batch}: {len(self.fresh & set(keys))} of {len(keys)} answered")

    async def _look_for(self, lost: Submission, note: Note) -> None:
        """Take up the batch of a session that ended before it noted it, if there is one."""
        many = f"{len(lost.keys)} requests to {self.model.name}"
        try:
            batch = await self.model.submitted(lost)
        except BadRequestError:
            for key in lost.keys:
                self._budget.settle(key, None)
            batch = None
            note(f"{many} may have been submitted, which this server cannot tell: they stay booked")
        else:
            if batch is None and 0 <= time.time() - lost.at < ARRIVES:
                note(
                    f"{many} may have been submitted: they are looked for again once"
                    f" {ARRIVES:.0f} seconds have passed"
                )
                return
        if batch is None:
            self._keys -= set(lost.keys)
        else:
            self._batches.out[batch] = lost.keys
            note(f"{many} had been submitted, as batch {batch}")
        self._sent(lost)

    def _store(self, results: Sequence[Result]) -> None:
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
                self._budget.settle(key, self._cost(reply))
            self.fresh.add(key)

    def _cost(self, reply: Reply) -> float | None:
        """US dollars of a batch's reply; None where no price is known, or no tokens are told."""
        usage = reply.usage
        if self._price is None or not (usage.input_tokens and usage.output_tokens):
            return None
        return self._price.of(usage) * DISCOUNT

    def _fail(self, key: str, error: ModelError, *, cost: float | None = 0.0) -> None:
        """Note a failure; `cost` is None where it may have been charged, whatever was asked."""
        self._budget.settle(key, cost)
        learns = getattr(self.model, "learns_from", None)
        final = isinstance(error, BadRequestError) and not (learns and learns(str(error)))
        before = self._batches.failed.get(key)
        tries = TRIES if final else 1 if before is None else before.tries + 1
        message = str(error)[:500].encode("utf-8", "replace").decode()  # half a pair is no JSON
        self._batches.failed[key] = Failure(tries, final, message)

    def _save(self) -> None:
        with self._writing():
            durable.replace(self._list, [_BATCHES.dump_json(self._batches)])

    def close(self) -> None:
        """Close the file of what is queued; the next session makes it anew."""
        if self._stream is not None:
            self._stream.close()
