from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assize.evaluator import Evaluator
from assize.evaluator.artefact import CARD
from assize.evaluator.distilled_card import Facts
from assize.evaluator.distilled_result import DistilledResult
from assize.judgments import JudgmentTable


@pytest.fixture
def result(small: Evaluator, facts: Facts) -> DistilledResult:
    return DistilledResult(small, facts, JudgmentTable.of(()), 3, "mine", "labels.jsonl")


def test_what_was_measured_is_shown_and_who_taught_is_not(result: DistilledResult) -> None:
    assert list(result.tables) == ["fidelity", "people"]
    assert "with the calibrator's expected answer" in str(result)
    assert result.notes[0] == (
        "mine: evaluator@small with overall, Q0, from 144 labels, 8 a conversation and question"
    )
    assert result.notes[1] == "3 answered items are not among the conversations and left out"
    assert len(result.notes) == 3
    bare = replace(result, facts=replace(result.facts, people={}), answered_elsewhere=0)
    assert len(bare.notes) == 1
    assert list(bare.tables) == ["fidelity"]


def test_the_json_has_the_facts_and_where_all_was_written(result: DistilledResult) -> None:
    found = result.to_json()
    assert list(found)[:3] == ["evaluator", "heads", "distilled_from"]
    assert (found["out"], found["labels_out"]) == ("mine", "labels.jsonl")
    assert found["answered_elsewhere"] == 3
    assert found["signature"] == result.evaluator.signature


def test_the_worst_question_says_how_many_are_missing(
    result: DistilledResult, facts: Facts
) -> None:
    (one,) = facts.fidelity
    better = replace(one, spearman=replace(one.spearman, n=100, unscored=5))
    both = replace(result, facts=replace(facts, fidelity=(better, one)))
    assert result.missing == both.missing == (2, 20)


def test_the_card_is_saved_beside_the_evaluator(result: DistilledResult, tmp_path: Path) -> None:
    result.save(tmp_path / "small")
    assert "# small" in (tmp_path / "small" / CARD).read_text()
    assert (tmp_path / "small" / "evaluator.json").is_file()
