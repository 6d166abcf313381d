from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scripts.default_evaluator.continuations import number, pairs, rated

from assize.base.conversation import Continuation, Turn
from assize.base.judgment import Judgment
from assize.formats import write


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("coherence", "To some extent", 1.0),
        ("tutor_tone", "Encouraging", 2.0),
        ("revealing_of_the_answer", "No", 2.0),
        ("revealing_of_the_answer", "Yes (and the answer is correct)", 0.0),
        ("overall", "3", 3.0),
    ],
)
def test_labels_become_numbers(question: str, answer: str, expected: float) -> None:
    assert number(Judgment("i", "j", question, answer=answer)) == expected


def test_a_score_is_its_number_and_nothing_is_missing() -> None:
    assert number(Judgment("i", "j", "q", score=0.3)) == 0.3
    assert np.isnan(number(Judgment("i", "j", "q")))


def test_ratings_stand_beside_their_views(tmp_path: Path) -> None:
    records: list[Continuation | Judgment] = []
    for name, system, label in (("a-1", "x", "Yes"), ("b-1", "y", "No")):
        context = (Turn("user", "hi"),)
        records.append(Continuation(name, context, "hello", conversation="g", source=system))
        records.append(Judgment(name, "gold", "coherence", answer=label, kind="person"))
    path = tmp_path / "responses.jsonl"
    write(path, records)
    found = rated(path)
    assert found.ratings["coherence"] == [2.0, 0.0]
    assert found.systems == ["x", "y"]
    assert [view.level for view in found.views] == ["turn", "turn"]
    assert rated(path, "b").systems == ["y"]


def test_pairs_have_two_sides_and_a_sign(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    turns = [{"role": "user", "text": "hi"}]
    path.write_text(
        json.dumps({"id": "1", "turns": turns, "chosen": "hello", "rejected": "go"}) + "\n"
    )
    ((a, b, sign),) = pairs(path)
    assert {a.turns[-1].text: sign, b.turns[-1].text: -sign} == {"hello": 1.0, "go": -1.0}
