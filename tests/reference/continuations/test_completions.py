from __future__ import annotations

from dataclasses import replace

from assize.base.conversation import Continuation, Reference, Turn
from assize.reference._continuations.completions import AGAIN, NO_CONTEXT, NO_REFERENCE, completions

HI = Turn("user", "Hi", (Reference("1", "t", "x"),), {"tool_calls": []})
ONE = Continuation("c/1", (Turn("system", "Be kind"), HI), "cand", ("Yes?",), "c", 2, "m")


def test_a_row_is_the_context_as_messages_and_the_reference() -> None:
    assert completions([ONE]).rows == [
        {
            "prompt": [
                {"role": "system", "content": "Be kind"},
                {"role": "user", "content": "Hi"},
            ],
            "completion": [{"role": "assistant", "content": "Yes?"}],
            "id": "c/1",
            "conversation": "c",
        }
    ]


def test_candidates_of_one_turn_give_its_reference_once() -> None:
    done = completions([ONE, replace(ONE, id="c/1/b", candidate="other", source="n")])
    assert (len(done.rows), done.passed) == (1, {AGAIN: 1})


def test_each_of_several_references_is_a_row() -> None:
    done = completions([replace(ONE, references=("Yes?", " ", "Hello."))])
    assert [row["completion"][0]["content"] for row in done.rows] == ["Yes?", "Hello."]


def test_what_gives_no_row_is_counted_and_odd_prompts_too() -> None:
    done = completions(
        [
            replace(ONE, references=()),
            replace(ONE, context=()),
            replace(ONE, context=(*ONE.context, Turn("assistant", "x"))),
        ]
    )
    assert done.passed == {NO_REFERENCE: 1, NO_CONTEXT: 1}
    assert (len(done.rows), done.odd) == (1, 1)
