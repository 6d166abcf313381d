"""The model card of an evaluator that criteria were distilled into."""

from __future__ import annotations

from pathlib import Path

from tests.criteria.test_distill import distilled

import assize


def test_the_folder_is_an_evaluator_with_a_card_and_heads(tmp_path: Path) -> None:
    small = tmp_path / "small"
    distilled(out=small)
    kept = assize.load(small)
    assert set(kept.scored) == {"overall", "answers", "polite", "digresses"}
    text = (small / "MODEL_CARD.md").read_text()
    assert "| The assistant digresses." in text
    assert "| The assistant is polite." in text
    assert assize.evaluator.card(small).text == text
