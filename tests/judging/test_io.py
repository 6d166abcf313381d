"""`io`: the answer alone."""

from __future__ import annotations

from assize.judging.io import IO, IO_FEWSHOT


def test_it_asks_for_the_answer_and_nothing_else() -> None:
    assert list(IO.schema["properties"]) == ["answer"]
    (said,) = IO.read({"answer": "B"})
    assert (said.question, said.answer, said.explanation) == ("preference", "B", None)
    assert IO.choice == "answer"  # so its probabilities are asked for


def test_the_few_shot_judge_differs_by_its_examples_alone() -> None:
    assert (IO_FEWSHOT.name, IO_FEWSHOT.examples) == ("io-fewshot", "pairs")
    assert (IO_FEWSHOT.prompt, IO_FEWSHOT.schema) == (IO.prompt, IO.schema)
