"""Estimates: an answer as it could be for every prompt, and both cases beside each other."""

from __future__ import annotations

import json

from assize.models.estimating import Estimate
from assize.simulation.dialogues.asking import ASSISTANT, QUERY, QUESTION, USER, WHOLE
from assize.simulation.dialogues.estimates import DialogueEstimates, example_answer


def test_a_user_ends_after_the_exchanges_expected() -> None:
    answer = example_answer("keys", 3, 10)
    assert "END" not in answer(USER, 2)
    assert json.loads(answer(USER, 3)) == {"text": "END OF CONVERSATION!"}
    assert "keys" in answer(QUESTION, 0)
    assert json.loads(answer(QUERY, 1)) == {"query": "keys"}
    assert len(json.loads(answer(WHOLE, 0))["exchanges"]) == 3


def test_at_the_limit_answers_are_as_long_as_they_may_be() -> None:
    usual, longest = example_answer("keys", 3, 10), example_answer("keys", 10, 10)
    for prompt, tokens in ((ASSISTANT, 1024), (USER, 512)):
        said = json.loads(longest(prompt, 1))["text"]
        assert 0.9 * tokens < len(said) / 4 <= tokens
        assert len(said) > 2 * len(usual(prompt, 1))
    assert 0.9 * 4096 < len(longest(WHOLE, 0)) / 4 < 1.1 * 4096


def test_both_cases_are_shown() -> None:
    each = [{"m": Estimate(n, 0, 100 * n, 10 * n, 0.5 * n)} for n in (7, 21)]
    found = DialogueEstimates(each[0], each[1], 4, 10, "as you expect", 1)
    assert list(found.tables) == ["expected", "most"]
    assert found.tables["expected"].title == "Expected, with 4 exchanges a dialogue (as you expect)"
    assert found.to_json()["expected"]["m"]["calls"] == 7
    assert found.to_json()["at_most"]["m"]["cost_usd"] == 10.5
    assert found.notes == ["answers that cannot be read are asked for again; that is not counted"]
