"""`explained`: reasons stand before the answer."""

from __future__ import annotations

from assize.judging.judges.explained import (
    EXPLAINED,
    EXPLAINED_FEWSHOT,
    EXPLAINED_PAPER,
    PAIRWISE,
    read,
    read_numbered,
)


def test_reasons_are_written_first_and_kept() -> None:
    assert list(EXPLAINED.schema["properties"]) == ["explanation", "answer"]
    (said,) = read({"explanation": "It is true.", "answer": "A"})
    assert (said.answer, said.explanation) == ("A", "It is true.")


def test_no_probabilities_are_asked_for_behind_reasons() -> None:
    assert EXPLAINED.choice is None
    assert EXPLAINED_FEWSHOT.examples == "pairs"


def test_only_name_and_prompt_tell_it_from_explained() -> None:
    assert (PAIRWISE.name, PAIRWISE.prompt) == ("pairwise", "pairwise")
    assert (PAIRWISE.schema, PAIRWISE.questions) == (EXPLAINED.schema, EXPLAINED.questions)


def test_of_the_papers_form_reasons_are_kept_and_numbers_are_responses() -> None:
    (said,) = read_numbered({"answer": "1", "explanation": "It is true."})
    assert (said.answer, said.explanation) == ("A", "It is true.")
    assert EXPLAINED_PAPER.choice == "answer"  # it stands before the reasons
