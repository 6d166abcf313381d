from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assize.evaluator._artefact import CARD
from assize.evaluator._distilled_result import DistilledResult


def test_what_was_measured_is_shown_first(distilled: DistilledResult) -> None:
    assert list(distilled.tables) == ["fidelity", "people", "teachers"]
    assert "with the calibrator's expected answer" in str(distilled)
    first, second, _ = distilled.notes
    assert first == (
        "mine: evaluator@small with overall, Q0, from 144 labels, 8 a conversation and question"
    )
    assert second == "3 answered items are not among the conversations and left out"
    bare = replace(distilled, people=(), answered_elsewhere=0)
    assert (len(bare.notes), list(bare.tables)) == (1, ["fidelity", "teachers"])


def test_the_json_has_what_was_measured_and_where_all_was_written(
    distilled: DistilledResult,
) -> None:
    record = distilled.to_json()
    assert (
        record.items()
        >= {
            "out": "mine",
            "labels_out": "labels.jsonl",
            "answered_elsewhere": 3,
            "signature": distilled.evaluator.signature,
            "samples": 8,
            "seed": 5,
        }.items()
    )
    assert record["teachers"][0]["raters"] == ["3", "17"]
    assert record["fidelity"][0]["pearson"]["unscored"] == 2
    gap = distilled.people[0].difference.estimate
    assert record["people"][0]["difference"]["estimate"] == gap != 0


def test_the_worst_question_says_how_many_are_missing(distilled: DistilledResult) -> None:
    (row,) = distilled.fidelity
    better = replace(row, spearman=replace(row.spearman, n=100, unscored=5))
    both = replace(distilled, fidelity=(better, row))
    assert distilled.missing == both.missing == (2, 20)


def test_the_card_is_saved_beside_the_evaluator(distilled: DistilledResult, tmp_path: Path) -> None:
    distilled.save(tmp_path / "small")
    assert "# small" in (tmp_path / "small" / CARD).read_text()
    assert (tmp_path / "small" / "evaluator.json").is_file()
