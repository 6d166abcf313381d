from __future__ import annotations

from letters import Letters
from scripts.default_evaluator.card import card, choice_rows, held_out_rows
from scripts.default_evaluator.study import Study, train
from tests.scripts.default_evaluator.conftest import two_corpora, two_dimensions


def test_the_card_holds_what_was_measured(studied: Study) -> None:
    evaluator = train(two_corpora(), Letters(), two_dimensions())
    text = card(evaluator, studied)
    first = studied.dimensions[0]
    measured = first.held_out[0].measure()
    assert f"{measured.estimate:.2f} [{measured.interval[0]:.2f}" in text
    assert f"Signature `{evaluator.signature}`" in text
    assert "| reliable-eval | 120 |" in text
    rows = held_out_rows([("overall", held) for held in first.held_out])
    assert [row[:4] for row in rows] == [
        ["overall", "reliable-eval", "conversation", "120"],
        ["overall", "ieval", "conversation", "120"],
    ]
    chosen = choice_rows(studied.choice)
    assert [row[0].endswith(" (chosen)") for row in chosen].count(True) == 1
