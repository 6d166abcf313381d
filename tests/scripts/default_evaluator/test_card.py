from __future__ import annotations

from pathlib import Path

from letters import Letters
from scripts.default_evaluator.card import (
    card,
    gain_rows,
    held_out_rows,
    step_rows,
    unseen_rows,
)
from scripts.default_evaluator.corpora import Corpora
from scripts.default_evaluator.recipe import Dimension
from scripts.default_evaluator.study import study, train


def test_the_card_holds_what_was_measured(
    corpora: Corpora,
    before: Corpora,
    letters: Letters,
    dimensions: list[Dimension],
    tmp_path: Path,
) -> None:
    found = study(corpora, before, tmp_path, letters, dimensions=dimensions)
    evaluator = train(corpora, letters, dimensions)
    text = card(evaluator, found)
    measured = found.dimensions[0].held_out[0].measure()
    assert f"{measured.estimate:.2f} [{measured.interval[0]:.2f}" in text
    assert f"Signature `{evaluator.signature}`" in text
    assert "| reliable-eval | 120 |" in text
    held_out = held_out_rows(found.dimensions)
    assert [row[:4] for row in held_out[:2]] == [
        ["overall", "reliable-eval", "conversation", "120"],
        ["overall", "ieval", "conversation", "120"],
    ]
    assert [row[0] for row in gain_rows(found.dimensions)] == ["overall", "second"]
    assert unseen_rows(found.unseen) == []
    assert f"{found.worst.head:.3f}; of the earlier recipe {found.worst.earlier:.3f}" in text
    assert [row[0] for row in step_rows(found)] == [
        "reliable-eval, conversation",
        "ieval, conversation",
        "reliable-eval, conversation; better systems",
        "ieval, conversation; better systems",
    ]
