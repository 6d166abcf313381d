"""Exports of Langfuse: traces with their observations, sessions with their traces, or
observations alone. A session, else a trace, is a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assize.base.conversation import Conversation, Turn
from assize.formats.chat_messages import first_of
from assize.formats.format import Format, Options
from assize.formats.logs.dialogue import (
    PARTS,
    group_parts,
    merge_histories,
    read_side,
    sort_by_time,
)
from assize.formats.messages import RoleNames, object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_TRACE = ("traceId", "trace_id")
_SESSION = ("sessionId", "session_id")
_TIMES = ("timestamp", "startTime", "start_time", "createdAt", "created_at")
_KINDS = frozenset(
    {"GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR"}
    | {"EMBEDDING", "GUARDRAIL"}
)
_MODEL = ("model", "providedModelName", "provided_model_name")
_FACTS = ("name", "userId", "user_id", "release", "version", "environment", "tags")


def recognise(sample: Sample) -> bool:
    """Whether the first row is a trace, a session or an observation."""
    return sample.container == "json" and (
        _is_trace(sample.first) or _is_session(sample.first) or _is_observation(sample.first)
    )


def _is_trace(row: Mapping[str, Any]) -> bool:
    held = {"input", "output"} & set(row)
    if isinstance(row.get("observations"), list) and (held or "timestamp" in row):
        return True
    return {"input", "output", "timestamp"} <= set(row) and not set(_SESSION).isdisjoint(row)


def _is_session(row: Mapping[str, Any]) -> bool:
    traces = row.get("traces")
    return isinstance(traces, list) and bool(traces) and isinstance(traces[0], Mapping)


def _is_observation(row: Mapping[str, Any]) -> bool:
    return row.get("type") in _KINDS and first_of(row, _TRACE) is not None


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """Make one row of each conversation; all are held in memory, for its traces may stand
    anywhere."""
    alone: dict[str, dict[str, Any]] = {}
    yield from group_parts(
        (str(first_of(trace, _SESSION) or trace.get("id") or record_id(row)), row, trace)
        for row in rows
        if isinstance(row.value, Mapping)
        for trace in _traces(row.value, alone)
    )


def _traces(row: Mapping[str, Any], alone: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The traces of a row; an observation joins its trace, which comes with the first of them."""
    if _is_session(row):
        name = row.get("id")
        yield from ({"sessionId": name, **trace} for trace in row["traces"])
        return
    if not _is_observation(row):
        yield dict(row)
        return
    name = str(first_of(row, _TRACE))
    if name in alone:
        alone[name]["observations"].append(row)
        return
    session = first_of(row, _SESSION)
    alone[name] = {"id": name, "sessionId": session, "observations": [row]}
    alone[name] |= {key: row[key] for key in _TIMES if key in row}
    yield alone[name]


def read(row: Row, options: Options) -> Iterable[Record]:
    """Return the conversation: what its generations were sent and answered, in order of time."""
    fields = object_at(row.value, "")
    name = str(fields.get("id"))
    traces = sort_by_time(fields.get(PARTS, ()), *_TIMES)
    histories: list[list[Turn]] = []
    models: list[Any] = []
    for trace in traces:
        generations = _generations(trace)
        sent = [_history(part, options.roles) for part in generations]
        histories += sent if any(sent) else [_history(trace, options.roles)]
        models += [first_of(part, _MODEL) for part in generations]
    model = next((one for one in models if isinstance(one, str)), None)
    yield Conversation(name, merge_histories(histories, name), model, _about(traces))


def _history(value: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    sent = read_side(value.get("input"), "user", "input", names)
    return [*sent, *read_side(value.get("output"), "assistant", "output", names)]


def _generations(trace: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = trace.get("observations")
    parts = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    return sort_by_time((one for one in parts if one.get("type") == "GENERATION"), *_TIMES[1:])


def _about(traces: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the traces say of themselves: the first to say it counts; scores by their names."""
    found: dict[str, Any] = {}
    for trace in traces:
        given = trace.get("metadata")
        told = dict(given) if isinstance(given, Mapping) else {}
        told |= {key: trace[key] for key in (*_FACTS, *_TIMES) if trace.get(key) not in (None, [])}
        for score in trace.get("scores") or ():
            if isinstance(score, Mapping) and isinstance(score.get("name"), str):
                value = first_of(score, ("value", "stringValue"))
                told[f"score_{score['name']}"] = value
        found = {**told, **found}
    return found | {"trace_ids": [str(trace["id"]) for trace in traces if "id" in trace]}


LANGFUSE = Format(
    name="langfuse",
    summary="exports of Langfuse: traces, sessions or observations, by session or trace",
    recognise=recognise,
    parse=read,
    gather=gather,
)
