"""Exports of Langfuse: traces with their observations, sessions with their traces, or
observations alone. A session, else a trace, is a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assize.base.conversation import Conversation, Turn
from assize.formats.chat_messages import first_of
from assize.formats.format import Format, Options
from assize.formats.logs.histories import in_order, joined, said_in, spoken
from assize.formats.messages import RoleNames, object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

TOGETHER = "traces"
_TRACE = ("traceId", "trace_id")
_SESSION = ("sessionId", "session_id")
_TIMES = ("timestamp", "startTime", "start_time", "createdAt", "created_at")
_KINDS = frozenset(
    {"GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR"}
    | {"EMBEDDING", "GUARDRAIL"}
)
_TOLD = ("name", "userId", "user_id", "release", "version", "environment", "tags")


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
    """One row a conversation; all are held in memory, for its traces may stand anywhere."""
    groups: dict[str, list[dict[str, Any]]] = {}
    first: dict[str, Row] = {}
    alone: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row.problem is not None or not isinstance(row.value, Mapping):
            yield row
            continue
        for trace in _traces(row.value, alone):
            name = first_of(trace, _SESSION) or trace.get("id") or record_id(row)
            groups.setdefault(str(name), []).append(trace)
            first.setdefault(str(name), row)
    for name, some in groups.items():
        yield Row({"id": name, TOGETHER: some}, first[name].source, first[name].line)


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
    """One conversation a row: what its generations were sent and answered, in order of time."""
    fields = object_at(row.value, "")
    name = str(fields.get("id"))
    traces = in_order(fields.get(TOGETHER, ()), *_TIMES)
    histories = [history for trace in traces for history in _histories(trace, options.roles)]
    model = next((one for trace in traces for one in _models(trace)), None)
    yield Conversation(name, spoken(joined(histories), name), model, _about(traces))


def _histories(trace: Mapping[str, Any], names: RoleNames) -> Iterator[list[Turn]]:
    """A trace's generations, or its own input and output where none holds a message."""
    found = [_history(one, names) for one in _generations(trace)]
    yield from found if any(found) else [_history(trace, names)]


def _history(value: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    sent = said_in(value.get("input"), "user", "input", names)
    return [*sent, *said_in(value.get("output"), "assistant", "output", names)]


def _generations(trace: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = trace.get("observations")
    held = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    return in_order((one for one in held if one.get("type") == "GENERATION"), *_TIMES[1:])


def _models(trace: Mapping[str, Any]) -> Iterator[str]:
    for one in _generations(trace):
        model = first_of(one, ("model", "providedModelName", "provided_model_name"))
        if isinstance(model, str):
            yield model


def _about(traces: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the traces say of themselves: the first to say it counts; scores by their names."""
    found: dict[str, Any] = {}
    for trace in traces:
        given = trace.get("metadata")
        told = dict(given) if isinstance(given, Mapping) else {}
        told |= {key: trace[key] for key in (*_TOLD, *_TIMES) if trace.get(key) not in (None, [])}
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
