from __future__ import annotations

from dataclasses import replace

from assize.evaluator._distilled_card import card
from assize.evaluator._distilled_result import DistilledResult
from assize.results.numbers import with_interval


def test_the_card_states_where_it_comes_from_and_what_was_measured(
    distilled: DistilledResult,
) -> None:
    text = card(distilled)
    assert "# small" in text
    assert "| Q0 | abc123 | 3, 17 | yes | 18 | 2 |" in text
    assert "8 answers a conversation and question" in text
    assert "144 labels. Seed 5." in text
    assert "(4 folds)" in text
    (row,) = distilled.fidelity
    figures = f"{with_interval(row.pearson, 2)} | {with_interval(row.spearman, 2)}"
    assert f"| Q0 | {figures} | 18 | 2 |" in text
    (people,) = distilled.people
    assert f"{people.calibrator.estimate:.2f}" in text.split("## Beside people")[1]
    assert f"Signature `{distilled.signature}`" in text


def test_without_people_the_card_has_no_such_table(distilled: DistilledResult) -> None:
    text = card(replace(distilled, people=(), samples=None))
    assert "Beside people" not in text
    assert "The mean of the calibrated distributions" in text
