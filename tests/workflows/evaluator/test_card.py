"""The card of an evaluator."""

from __future__ import annotations

from assize import evaluator_card


def test_the_shipped_evaluator_is_described_by_default() -> None:
    assert evaluator_card().to_json()["text"].startswith("# assize-small-2")
