"""`explained`: reasons, then the answer."""

from __future__ import annotations

from assize.judging.explained import EXPLAINED, EXPLAINED_FEWSHOT


def test_reasons_are_written_before_the_answer_and_kept() -> None:
    assert list(EXPLAINED.schema["properties"]) == ["explanation", "answer"]
    (said,) = EXPLAINED.read({"explanation": "It is short.", "answer": "A"})
    assert (said.question, said.answer, said.explanation) == ("preference", "A", "It is short.")
    assert EXPLAINED.choice is None  # the first token is no answer


def test_the_few_shot_judge_shows_examples() -> None:
    assert EXPLAINED_FEWSHOT.examples == "pairs"
    assert EXPLAINED_FEWSHOT.schema == EXPLAINED.schema
