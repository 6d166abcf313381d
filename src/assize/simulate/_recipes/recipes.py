"""The five ways in which LLM-Rubric makes a dialogue: who knows the topic, who sees documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from assize.base.errors import ConfigError

Documents = Literal["none", "given", "topic", "talk", "query"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to make a dialogue.

    Args:
        name: as in the paper, `DS1` to `DS5`.
        turn_by_turn: whether each utterance is a call of its own; else one call writes it all.
        documents: where they come from: the topic's own, or a search by the topic, by all that
            was said so far, or by a query that the model writes.
    """

    name: str
    turn_by_turn: bool
    documents: Documents

    @property
    def searches(self) -> bool:
        """Whether it needs documents that can be searched."""
        return self.documents in ("topic", "talk", "query")


RECIPES = {
    one.name: one
    for one in (
        Recipe("DS1", False, "none"),
        Recipe("DS2", False, "given"),
        Recipe("DS3", False, "topic"),
        Recipe("DS4", True, "talk"),
        Recipe("DS5", True, "query"),
    )
}


def recipes_named(names: Iterable[str]) -> list[Recipe]:
    """Recipes by name, in any case, each once.

    Raises:
        ConfigError: there is none of that name.

    >>> [one.name for one in recipes_named(["ds4", "DS1", "DS4"])]
    ['DS4', 'DS1']
    """
    found: dict[str, Recipe] = {}
    for name in names:
        one = RECIPES.get(name.upper())
        if one is None:
            raise ConfigError(f"recipe: received {name!r}; there are {', '.join(RECIPES)}")
        found[one.name] = one
    return list(found.values())
