"""Juries by data set, model and length."""

from __future__ import annotations

from assize.juries.study import JuryStudy, Place


def test_models_are_columns_and_rewards_belong_to_none(study: JuryStudy) -> None:
    assert study.models == ("x", "y")
    assert study.grid.models_at("da > reward@hf:r") == ["x", "y"]
    assert study.grid.models_at("reward@hf:r") == [None]
    assert study.grid.label(Place("chats", "da", "x")) == "da (x)"
    assert study.grid.label(Place("chats", "reward@hf:r")) == "reward@hf:r"
    assert study.grid.best_of("chats") == "da (y)"  # 3 of 4, the first of equal ones
