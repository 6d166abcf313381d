"""The recipes are those of LLM-Rubric's appendix F."""

from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.simulate._recipes.recipes import RECIPES, recipes_named


def test_the_five_recipes_are_those_of_the_paper() -> None:
    told = [(one.name, one.turn_by_turn, one.documents) for one in RECIPES.values()]
    assert told == [
        ("DS1", False, "none"),
        ("DS2", False, "given"),
        ("DS3", False, "topic"),
        ("DS4", True, "talk"),
        ("DS5", True, "query"),
    ]
    assert [one.name for one in RECIPES.values() if one.searches] == ["DS3", "DS4", "DS5"]


def test_a_name_that_there_is_not_is_refused() -> None:
    assert recipes_named(["DS5", "ds5"]) == [RECIPES["DS5"]]
    with pytest.raises(ConfigError, match=r"recipe: received 'DS6'; there are DS1, DS2"):
        recipes_named(["DS6"])
