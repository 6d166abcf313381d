"""The judge `maxim`: what it reads, refuses and maps back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from acts_asked import ask

from assize.dialogue_acts.maxim import MAXIM
from assize.dialogue_acts.maxims import MAXIMS


def held(**changed: str) -> dict[str, str]:
    return dict.fromkeys(MAXIMS, "both") | changed


def test_maxims_are_read_and_mapped_back() -> None:
    said = held(Quality="A", **{"Quantity-1": "B", "Manner-2": "neither"})
    script = lambda _: json.dumps({**said, "explanation": "So.", "answer": "B"})  # noqa: E731
    (ab,) = ask(script, method=MAXIM)
    (ba,) = ask(script, order="BA", method=MAXIM)
    assert ab.details == {"maxims": said}
    assert (ab.answer, ba.answer) == ("B", "A")
    assert ba.details == {"maxims": {**said, "Quality": "B", "Quantity-1": "A"}}


def test_a_final_answer_is_an_answer() -> None:
    said = {**held(), "explanation": "So.", "Final Answer": "A"}
    (row,) = ask(lambda _: json.dumps(said), method=MAXIM)
    assert (row.answer, row.attempts) == ("A", 1)


@pytest.mark.parametrize("said", [{"answer": "tie"}, {"Quality": "equal"}, {"Quality": None}])
def test_a_maxim_answer_of_another_shape_is_unscored(said: dict[str, Any]) -> None:
    value = {**held(), "explanation": "", "answer": "A"} | said
    (row,) = ask(lambda _: json.dumps(value), method=MAXIM)
    assert row.unscored is not None
