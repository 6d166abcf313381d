"""Inspect's evaluation logs as JSON: one log holds `samples`, each with its `messages`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.formats.format import Format, Options
from assize.formats.messages import object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample
from assize.formats.tool_messages import read_messages

_SAMPLE = ("messages", "id", "epoch", "input")


def recognise(sample: Sample) -> bool:
    """Whether the first row is a log with samples, or a sample with messages."""
    if sample.container != "json":
        return False
    return sample.has("eval", "samples") or sample.has("epoch", "messages", "input")


def read(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a sample; an epoch after the first is in the id."""
    log = object_at(row.value, "")
    if "samples" not in log:
        yield _sample(row, log, None, "", options)
        return
    samples = log["samples"]
    if not isinstance(samples, list) or not samples:
        raise DataError("holds no samples; write the log with them", field="samples")
    about = log.get("eval")
    about = about if isinstance(about, Mapping) else {}
    for at, sample in enumerate(samples):
        yield _sample(row, object_at(sample, f"samples[{at}]"), about, f"samples[{at}].", options)


def _sample(
    row: Row,
    sample: Mapping[str, Any],
    about: Mapping[str, Any] | None,
    place: str,
    options: Options,
) -> Conversation:
    known = {} if about is None else about
    epoch = sample.get("epoch", 1)
    name = record_id(row, sample.get("id"))
    model = known.get("model")
    metadata = dict(_told(sample, known))
    rest = {key: part for key, part in sample.items() if key not in (*_SAMPLE, "metadata")}
    return Conversation(
        name if epoch == 1 else f"{name}-epoch-{epoch}",
        tuple(read_messages(sample.get("messages"), f"{place}messages", options.roles)),
        model if isinstance(model, str) else None,
        metadata,
        {"inspect_sample": rest} if rest else {},
    )


def _told(sample: Mapping[str, Any], about: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is known of a sample: its metadata, task, epoch, target and scores."""
    given = sample.get("metadata")
    yield from given.items() if isinstance(given, Mapping) else ()
    if isinstance(about.get("task"), str):
        yield "task", about["task"]
    for key in ("epoch", "target"):
        if sample.get(key) not in (None, ""):
            yield key, sample[key]
    scores = sample.get("scores")
    for scorer, score in scores.items() if isinstance(scores, Mapping) else ():
        yield f"score_{scorer}", score.get("value") if isinstance(score, Mapping) else score


INSPECT = Format(
    name="inspect",
    summary="Inspect's evaluation logs as JSON, a conversation a sample",
    recognise=recognise,
    parse=read,
)
