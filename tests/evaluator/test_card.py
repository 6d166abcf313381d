"""The card of an evaluator."""

from __future__ import annotations

from assize import evaluator


def test_the_shipped_evaluator_is_described_by_default() -> None:
    assert evaluator.card().to_json()["text"].startswith("# assize-small-2")
