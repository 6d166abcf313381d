from __future__ import annotations

from dataclasses import replace

from assize.evaluator._distilled_card import card
from assize.evaluator._distilled_result import DistilledResult
from assize.results.numbers import with_interval


def test_the_card_states_where_it_comes_from_and_what_was_measured(
    distilled: DistilledResult,
) -> None:
    (row,), (people,) = distilled.fidelity, distilled.people
    told, beside = card(distilled).split("## Beside people")
    for text in (
        "# small",
        "| Q0 | abc123 | 3, 17 | yes | 18 | 2 |",
        "8 answers a conversation and question",
        "144 labels. Seed 5.",
        "(4 folds)",
        f"| Q0 | {with_interval(row.pearson, 2)} | {with_interval(row.spearman, 2)} | 18 | 2 |",
    ):
        assert text in told
    assert f"{people.calibrator.estimate:.2f}" in beside
    assert f"Signature `{distilled.signature}`" in beside


def test_without_people_the_card_has_no_such_table(distilled: DistilledResult) -> None:
    text = card(replace(distilled, people=(), samples=None))
    assert "Beside people" not in text
    assert "The mean of the calibrated distributions" in text
