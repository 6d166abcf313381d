from __future__ import annotations

from letters import Letters
from scripts.default_evaluator.card import (
    card,
    gain_rows,
    held_out_rows,
    unseen_rows,
)
from scripts.default_evaluator.corpora import Corpora
from scripts.default_evaluator.recipe import Dimension
from scripts.default_evaluator.study import Study, train


def test_the_card_holds_what_was_measured(
    studied: Study, corpora: Corpora, letters: Letters, dimensions: list[Dimension]
) -> None:
    evaluator = train(corpora, letters, dimensions)
    text = card(evaluator, studied)
    measured = studied.dimensions[0].held_out[0].measure()
    assert f"{measured.estimate:.2f} [{measured.interval[0]:.2f}" in text
    assert f"Signature `{evaluator.signature}`" in text
    assert "| reliable-eval | 120 |" in text
    held_out = held_out_rows(studied.dimensions)
    assert [row[:4] for row in held_out[:2]] == [
        ["overall", "reliable-eval", "conversation", "120"],
        ["overall", "ieval", "conversation", "120"],
    ]
    assert [row[0] for row in gain_rows(studied.dimensions)] == ["overall", "second"]
    assert unseen_rows(studied.unseen) == []
