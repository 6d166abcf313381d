from __future__ import annotations

from typing import Any

import pytest

import assize
from assize.cli.settings import settings_of
from assize.evaluator import FromLabel, FromRatings, FromVotes

FLAGS = {name: f"--{name}" for name in ("judgments", "label", "votes", "epochs")}


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ({}, FromRatings()),
        ({"judgments": "ratings.jsonl"}, FromRatings("ratings.jsonl")),
        ({"label": "good"}, FromLabel("good")),
        ({"votes": "run/", "epochs": 3}, FromVotes("run/", epochs=3)),
    ],
)
def test_what_is_typed_says_what_is_learnt_from(typed: dict[str, Any], value: Any) -> None:
    assert settings_of(assize.evaluator.train)["learn_from"].make(typed, FLAGS) == value
