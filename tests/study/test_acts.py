"""Acts and maxims of several data sets and models, from files and from memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from acts_voted import PAIR, Q, T, held, ours, row

from assize import study
from assize.base.conversation import Pair
from assize.base.errors import AssizeError
from assize.formats import write


def votes(model: str = "m", item: str = "p") -> list[Any]:
    return [
        row(f"da@{model}", ours([Q], [T], [T], a=[T], b=[Q]), item=item),
        row(f"maxim@{model}", {"maxims": held(better=2)}, item=item),
    ]


def test_a_single_data_set_is_called_by_the_model_behind_its_judges() -> None:
    assert list(study.acts(votes("openai:gpt-x"), items=[PAIR]).studies) == ["gpt-x"]
    both = study.acts([*votes("x"), *votes("y")], items=[PAIR])
    assert list(both.studies) == ["x", "y"]


def test_data_sets_are_told_apart_by_name_and_may_have_the_same_ids(tmp_path: Path) -> None:
    other = Pair("p", PAIR.context, PAIR.b, PAIR.a, gold="B")
    for name, pair in (("one", PAIR), ("two", other)):
        write(tmp_path / f"{name}.jsonl", [*votes(), pair])
    found = study.acts(sets={name: [str(tmp_path / f"{name}.jsonl")] for name in ("one", "two")})
    assert list(found.studies) == ["one", "two"]
    more = [row for one in found.studies.values() for row in one.rules if row.rule == "first"]
    assert [one.chosen_more.estimate for one in more] == [1, 0]


def test_several_models_on_several_data_sets_have_both_names() -> None:
    sets = {"HH": [*votes("x"), *votes("y"), PAIR], "Nectar": [*votes("x"), PAIR]}
    assert list(study.acts(sets=sets).studies) == ["HH, x", "HH, y", "Nectar"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "give judgments, or data sets by name"),
        ({"items": [PAIR]}, "give judgments too"),
        ({"sets": {"HH": votes()}}, "give what was judged"),
        ({"sets": {"HH": [row("io@m", None), PAIR]}}, "no judgment here holds dialogue acts"),
    ],
)
def test_what_cannot_be_is_said(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(AssizeError, match=problem):
        study.acts(**given)
