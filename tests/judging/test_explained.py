"""`explained`: reasons stand before the answer."""

from __future__ import annotations

from assize.judging.explained import EXPLAINED, EXPLAINED_FEWSHOT, PAIRWISE, read


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
