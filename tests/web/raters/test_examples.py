"""Worked examples: answers in the words of the form."""

from __future__ import annotations

import pytest
from tests.web.raters.conftest import Place

from assize.web._raters.examples import shown_examples

EXAMPLE = """examples:
  - {item: bot-7-1, answers: {good: "2"}, why: half of it, reasons: {good: no source}}
"""


@pytest.mark.parametrize("place", [EXAMPLE], indirect=True)
def test_an_example_says_its_answers_in_words_and_why(place: Place) -> None:
    (one,) = shown_examples(place.task())
    assert one["said"] == [("Is it good?", "partly", "no source")]
    assert (one["template"], one["why"]) == ("conversation.html", "half of it")
    assert "bot-7" not in repr(one["shown"])
