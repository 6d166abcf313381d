"""`io`: the answer alone."""

from __future__ import annotations

from assize.judging.io import IO, IO_FEWSHOT, read


def test_the_answer_is_all_it_says() -> None:
    (said,) = read({"answer": "B"})
    assert (said.question, said.answer, said.explanation) == ("preference", "B", None)


def test_its_one_field_is_scored_and_examples_make_the_other() -> None:
    assert IO.choice == "answer"
    assert list(IO.schema["properties"]) == ["answer"]
    assert (IO.examples, IO_FEWSHOT.examples, IO_FEWSHOT.prompt) == (None, "pairs", "io")
