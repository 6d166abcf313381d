from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

import assize
from assize.cli.settings import settings_of
from assize.evaluator import FromLabel, FromRatings, FromVotes
from assize.evaluator._training.settings import PRESETS

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


def test_only_votes_have_settings_of_a_training() -> None:
    assert {one.name for one in fields(FromRatings)} == {"judgments"}
    assert FromVotes("run/").preset in PRESETS
