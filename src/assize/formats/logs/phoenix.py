"""Spans of Arize Phoenix, with OpenInference's attributes: the REST API's, or the data frame's
as JSON or Parquet. A session, else a trace, is a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.formats.format import Format
from assize.formats.logs.spans import attributes, gather, reader, spans_in
from assize.formats.rows import Sample

_MARKS = ("llm.", "openinference.", "input.value", "output.value")


def recognise(sample: Sample) -> bool:
    """Whether some span of the first rows has an attribute of OpenInference."""
    if sample.container != "json":
        return False
    spans = (span for row in sample.rows for span in spans_in(row))
    return any(_is_openinference(span) for span in spans)


def _is_openinference(span: Mapping[str, Any]) -> bool:
    is_span = any(key in span for key in ("attributes", "context.trace_id", "traceId"))
    return is_span and any(name.startswith(_MARKS) for name in attributes(span))


PHOENIX = Format(
    name="phoenix",
    summary="spans of Arize Phoenix (OpenInference), by session or trace",
    recognise=recognise,
    parse=reader(fallback=True),
    gather=gather,
)
