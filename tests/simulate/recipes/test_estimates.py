"""The longest answers to every prompt."""

from __future__ import annotations

import json

from assize.simulate._recipes.asking import ASSISTANT, QUERY, QUESTION, USER, WHOLE
from assize.simulate._recipes.estimates import longest_answer


def test_answers_are_as_long_as_they_may_be() -> None:
    invented: list[str] = []
    answer = longest_answer("keys", 10, invented)
    for prompt, tokens in ((ASSISTANT, 1024), (USER, 512)):
        said = json.loads(answer(prompt))["text"]
        assert 0.9 * tokens < len(said) / 4 <= tokens
        assert "END" not in said
    assert 0.9 * 4096 < len(answer(WHOLE)) / 4 < 1.1 * 4096
    assert len(json.loads(answer(WHOLE))["exchanges"]) == 10
    assert "keys" in answer(QUESTION)
    assert json.loads(answer(QUERY)) == {"query": "keys"}
    assert invented[-2:] == [QUESTION, QUERY]
