from __future__ import annotations

from dataclasses import replace

from assize.evaluator import Evaluator
from assize.evaluator.distilled_card import Facts, card
from assize.results.numbers import with_interval


def test_the_card_states_where_it_comes_from_and_what_was_measured(
    small: Evaluator, facts: Facts
) -> None:
    text = card(small, facts)
    assert "# small" in text
    assert "| Q0 | abc123 | 2 | yes | 18 | 2 |" in text
    assert "8 answers a conversation and question" in text
    assert "144 labels. Seed 5." in text
    assert "(4 folds)" in text
    (one,) = facts.fidelity
    assert (
        f"| Q0 | 18 | 2 | {with_interval(one.pearson, 2)} | {with_interval(one.spearman, 2)} |"
        in text
    )
    both = facts.people["Q0"]
    for who, part in (("calibrator", both.first), ("difference", both.difference)):
        assert f"| {who} | 20 | 0 | {with_interval(part, 2)} |" in text
    assert f"Signature `{small.signature}`" in text


def test_without_people_the_card_has_no_such_table(small: Evaluator, facts: Facts) -> None:
    text = card(small, replace(facts, people={}, samples=None))
    assert "Beside people" not in text
    assert "The mean of the calibrated distributions" in text


def test_the_facts_as_json(facts: Facts) -> None:
    found = facts.to_json()
    assert found["distilled_from"][0]["signature"] == "abc123"
    assert found["distilled_from"][0]["raters"] == ["3", "17"]
    assert (found["labels_as"], found["samples"], found["seed"]) == ("sampled", 8, 5)
    assert found["fidelity"]["Q0"]["pearson"]["unscored"] == 2
    gap = facts.people["Q0"].difference.estimate
    assert found["people"]["Q0"]["difference"]["estimate"] == gap != 0
    assert replace(facts, samples=None).to_json()["labels_as"] == "expected"
