"""Identical responses are a tie that nobody has to be asked about."""

from __future__ import annotations

from pointwise_asked import SAME, geval, judged, rewarding

from assize.models import Request


def test_identical_responses_are_a_tie_without_a_call() -> None:
    def script(request: Request) -> str:
        raise AssertionError("asked")

    for judge in (geval(script), rewarding(script)):
        (row,) = judged(judge, SAME)
        assert row.answer == "tie"
        assert row.usage is None
