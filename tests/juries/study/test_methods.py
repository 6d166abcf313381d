"""Who is compared: names without a model are each model's, rewards are each by itself."""

from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.juries.study.methods import bound, methods_of, models_of, usual_of

KNOWN = ["da@x", "maxim@x", "da@y", "reward@hf:r", "reward@hf:s", "ann"]


def written(*cascades: str, panels: tuple[str, ...] = ()) -> list[str]:
    return [one.written for one in methods_of(cascades, panels, KNOWN)]


def test_judges_come_first_and_reward_stands_for_each_reward_model() -> None:
    assert written("da > reward", "da>maxim") == [
        "da",
        "reward@hf:r",
        "reward@hf:s",
        "maxim",
        "da > reward@hf:r",
        "da > reward@hf:s",
        "da > maxim",
    ]


def test_a_panel_of_all_brings_everybody_alone_who_is_not_there_already() -> None:
    assert written("da", panels=("all",)) == [
        "da",
        "maxim@x",
        "reward@hf:r",
        "reward@hf:s",
        "ann",
        "panel of all",
    ]


def test_without_any_jury_the_usual_ones_are_those_whose_judges_are_there() -> None:
    assert usual_of(KNOWN)[:5] == ["reward", "da", "maxim", "ann", "da > maxim"]
    assert "maxim > da > reward@hf:s" in written()
    assert [one.written for one in methods_of([], [], ["ann", "bob"])] == [
        "ann",
        "bob",
        "panel of all",
    ]


def test_models_are_those_of_the_judges_that_are_named_without_one() -> None:
    methods = methods_of(["da > maxim > reward"], [], KNOWN)
    models = models_of(methods, KNOWN)
    assert models == ("x", "y")
    by_model = {one.written: bound(one, KNOWN) for one in methods}
    assert by_model["reward@hf:r"] is False
    assert by_model["da"] is by_model["da > maxim > reward@hf:r"] is True


def test_one_model_s_judge_never_stands_in_for_another_s() -> None:
    (method,) = [one for one in methods_of(["da > maxim"], [], KNOWN) if len(one.names) > 1]
    full = method.of_model("x", KNOWN, KNOWN)
    assert full.jury.names == ("da@x", "maxim@x")
    with pytest.raises(ConfigError, match="there is no judgment by maxim@y"):
        method.of_model("y", KNOWN, KNOWN)


def test_a_name_that_nobody_has_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match="no judge 'io' among these judgments; there are da@x"):
        methods_of(["io > da"], [], KNOWN)
    twice = methods_of(["da > da@x"], [], KNOWN)[-1]
    with pytest.raises(ConfigError, match="one judge is named twice"):
        twice.of_model("x", KNOWN, KNOWN)


def test_a_name_that_is_nobody_s_own_means_what_it_means_to_a_jury() -> None:
    known = ["da@x", "maxim@x", "explained@x", "da@y", "maxim@y", "explained-paper@y"]
    juries = methods_of(["da > maxim > w-expl"], ["da=2, w-expl"], known)
    assert models_of(juries, known) == ("x", "y")
    full = [juries[-2].of_model(model, known, known).jury.names[-1] for model in "xy"]
    assert full == ["explained@x", "explained-paper@y"]
    assert list(juries[-1].of_model("y", known, known).jury.weights) == [
        "da@y",
        "explained-paper@y",
    ]


def test_a_beginning_means_the_same_alone_and_in_a_cascade() -> None:
    known = ["da@x", "explained-paper@x"]
    full = [
        one.of_model("x", known, known).jury.names[-1]
        for one in methods_of(["da > explained"], [], known)
    ]
    assert full == ["da@x", "explained-paper@x", "explained-paper@x"]
    both = [*known, "explained@y"]  # where a judge has the name, it means no other
    with pytest.raises(ConfigError, match="there is no judgment by explained@x"):
        methods_of(["explained"], [], both)[0].of_model("x", both, both)


def test_every_judge_has_its_row_and_juries_have_whichever_form_is_there() -> None:
    known = ["da-paper@m", "maxim@m", "maxim-zeroshot@m", "explained-paper@m", "pairwise@m"]
    assert usual_of(known) == [
        "explained-paper",
        "da-paper",
        "maxim",
        "maxim-zeroshot",
        "pairwise",
        "da-paper > maxim",
        "da-paper > maxim > explained-paper",
        "maxim > da-paper",
        "maxim > da-paper > explained-paper",
    ]
