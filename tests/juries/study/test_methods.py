"""Who is compared: names without a model are each model's, rewards are each by itself."""

from __future__ import annotations

import pytest

from assize.errors import ConfigError
from assize.juries.study.methods import bound, methods_of, models_of, usual_of

KNOWN = ["da@x", "maxim@x", "da@y", "reward@hf:r", "reward@hf:s", "ann"]


def written(*cascades: str, panels: tuple[str, ...] = ()) -> list[str]:
    return [one.written for one in methods_of(cascades, panels, KNOWN)]


def test_judges_come_first_and_reward_stands_for_each_reward_model() -> None:
    assert written("da > reward", "da>maxim") == [
        "da", "reward@hf:r", "reward@hf:s", "maxim",
        "da > reward@hf:r", "da > reward@hf:s", "da > maxim",
    ]  # fmt: skip


def test_a_panel_of_all_brings_everybody_alone_who_is_not_there_already() -> None:
    assert written("da", panels=("all",)) == [
        "da", "maxim@x", "reward@hf:r", "reward@hf:s", "ann", "panel of all",
    ]  # fmt: skip


def test_without_any_jury_the_usual_ones_are_those_whose_judges_are_there() -> None:
    assert usual_of(KNOWN)[:4] == ["reward", "da", "maxim", "da > maxim"]
    assert "maxim > da > reward@hf:s" in written()
    assert [one.written for one in methods_of([], [], ["ann", "bob"])] == [
        "ann", "bob", "panel of all",
    ]  # fmt: skip


def test_models_are_those_of_the_judges_that_are_named_without_one() -> None:
    methods = methods_of(["da > maxim > reward"], [], KNOWN)
    models = models_of(methods, KNOWN)
    assert models == ("x", "y")
    by_model = {one.written: bound(one, KNOWN, models) for one in methods}
    assert by_model["reward@hf:r"] is False
    assert by_model["da"] is by_model["da > maxim > reward@hf:r"] is True


def test_one_model_s_judge_never_stands_in_for_another_s() -> None:
    (method,) = [one for one in methods_of(["da > maxim"], [], KNOWN) if not one.alone]
    full = method.of_model("x", KNOWN, ("x", "y"))
    assert full.composition.cascade == ("da@x", "maxim@x")
    with pytest.raises(ConfigError, match="there is no judgment by maxim@y"):
        method.of_model("y", KNOWN, ("x", "y"))


def test_a_name_that_nobody_has_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match="no judge 'io' among these judgments; there are da@x"):
        methods_of(["io > da"], [], KNOWN)
    twice = methods_of(["da > da@x"], [], KNOWN)[-1]
    with pytest.raises(ConfigError, match="one judge is named twice"):
        twice.of_model("x", KNOWN, ("x", "y"))
