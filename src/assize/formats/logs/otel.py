"""OpenTelemetry spans by the GenAI conventions: a conversation id, else a trace, is a
conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.formats.format import Format
from assize.formats.logs.spans import attributes, gather, reader, spans_in
from assize.formats.rows import Sample


def recognise(sample: Sample) -> bool:
    """Whether some span of the first rows has an attribute or an event of the conventions."""
    if sample.container != "json":
        return False
    spans = (span for row in sample.rows for span in spans_in(row))
    return any(_is_genai(span) for span in spans)


def _is_genai(span: Mapping[str, Any]) -> bool:
    events = span.get("events")
    listed = events if isinstance(events, list) else []
    named = [one.get("name") for one in listed if isinstance(one, Mapping)]
    return any(str(name).startswith("gen_ai.") for name in (*attributes(span), *named))


OTEL_GENAI = Format(
    name="otel-genai",
    summary="OpenTelemetry spans by the GenAI conventions, by conversation or trace",
    recognise=recognise,
    parse=reader(fallback=False),
    gather=gather,
)
