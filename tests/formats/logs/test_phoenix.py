"""Phoenix: spans known by OpenInference's names."""

from __future__ import annotations

from tests.formats.logs.agent_examples import OTEL, PHOENIX, PHOENIX_FRAME

from assize.formats.logs.phoenix import recognise
from assize.formats.rows import Sample


def test_spans_and_rows_of_the_frame_are_known() -> None:
    assert recognise(Sample("json", (PHOENIX,), "x"))
    assert recognise(Sample("json", (PHOENIX_FRAME,), "x"))
    assert not recognise(Sample("json", (OTEL,), "x"))
    assert not recognise(Sample("json", ({"llm.input": 1},), "x"))
