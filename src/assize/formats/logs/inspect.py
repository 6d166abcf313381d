"""Inspect's evaluation logs as JSON: one log holds `samples`, each with its `messages`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.formats.chat_messages import read_messages
from assize.formats.format import Format, Options
from assize.formats.messages import object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_READ = ("messages", "id", "epoch", "input", "metadata", "target", "scores")


def recognise(sample: Sample) -> bool:
    """Whether the first row is a log with samples, or a sample with messages."""
    if sample.container != "json":
        return False
    return sample.has("eval", "samples") or sample.has("epoch", "messages", "input")


def read(row: Row, options: Options) -> Iterable[Record]:
    """Return a conversation a sample; an epoch after the first is in the id."""
    log = object_at(row.value, "")
    samples = log.get("samples", [log] if "messages" in log else None)
    if not isinstance(samples, list) or not samples:
        raise DataError("holds no samples; write the log with them", field="samples")
    task = _object(log.get("eval"))
    for index, sample in enumerate(samples):
        place = f"samples[{index}]"
        yield _read_sample(row, object_at(sample, place), task, place, options)


def _read_sample(
    row: Row, sample: Mapping[str, Any], task: Mapping[str, Any], place: str, options: Options
) -> Conversation:
    name, epoch = record_id(row, sample.get("id")), sample.get("epoch", 1)
    metadata = dict(_object(sample.get("metadata")))
    facts = {"task": task.get("task"), "epoch": epoch, "target": sample.get("target")}
    for scorer, score in _object(sample.get("scores")).items():
        facts[f"score_{scorer}"] = _object(score).get("value", score)
    metadata |= {key: part for key, part in facts.items() if part not in (None, "")}
    model = task.get("model")
    return Conversation(
        name if epoch == 1 else f"{name}-epoch-{epoch}",
        tuple(read_messages(sample.get("messages"), f"{place}.messages", options.roles)),
        model if isinstance(model, str) else None,
        metadata,
        {key: part for key, part in sample.items() if key not in _READ},
    )


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


INSPECT = Format(
    name="inspect",
    summary="Inspect's evaluation logs as JSON, a conversation a sample",
    recognise=recognise,
    parse=read,
)
