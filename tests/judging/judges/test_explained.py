"""`explained`: reasons stand before the answer."""

from __future__ import annotations

from assize.judging.judges.explained import EXPLAINED, PAIRWISE, read


def test_reasons_are_written_first_and_kept_and_no_probabilities_asked_for_behind_them() -> None:
    assert list(EXPLAINED.schema["properties"]) == ["explanation", "answer"]
    assert EXPLAINED.choice is None
    (said,) = read({"explanation": "It is true.", "answer": "A"})
    assert (said.answer, said.explanation) == ("A", "It is true.")


def test_only_name_and_prompt_tell_it_from_explained() -> None:
    assert (PAIRWISE.name, PAIRWISE.prompt) == ("pairwise", "pairwise")
    assert (PAIRWISE.schema, PAIRWISE.questions) == (EXPLAINED.schema, EXPLAINED.questions)
