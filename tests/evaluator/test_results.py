"""Figures of an evaluator, and its card, as they are shown."""

from __future__ import annotations

from assize.evaluator.learning import Agreement
from assize.evaluator.results import EvaluatorFigures, ModelCard
from assize.stats import Estimate


def test_each_figure_stands_with_its_question_head_and_level() -> None:
    figure = Estimate(0.5, (0.25, 0.75), 20, unscored=2)
    found = EvaluatorFigures("evaluator@x", [Agreement("nice", "overall", "turn", figure)], "0f")
    assert found.tables["figures"].rows == [("nice", "overall", "turn", 20, 2, figure)]
    (row,) = found.to_json()["figures"]
    assert (row["question"], row["level"], row["n"]) == ("nice", "turn", 20)
    assert "Spearman" in found.notes[0]


def test_a_card_prints_as_it_is_written_and_is_escaped_on_a_page() -> None:
    card = ModelCard("x", "# x\n\n<b>", "0f")
    assert str(card) == "# x\n\n<b>"
    assert card._repr_html_() == "<pre># x\n\n&lt;b&gt;</pre>"
    assert card.to_json() == {"evaluator": "x", "card": "# x\n\n<b>", "signature": "0f"}
