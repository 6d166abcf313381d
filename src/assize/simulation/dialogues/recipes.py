"""The five ways in which LLM-Rubric makes a dialogue: who knows the topic, who sees documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from assize.errors import ConfigError

Documents = Literal["none", "given", "topic", "talk", "query"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to make a dialogue.

    Args:
        name: as in the paper, `DS1` to `DS5`; `words` is a name that speaks.
        turn_by_turn: whether each utterance is a call of its own; else one call writes it all.
        documents: where they come from: the topic's own, or a search by the topic, by all that
            was said so far, or by a query that the model writes.
        about: what it is, for the help.
    """

    name: str
    words: str
    turn_by_turn: bool
    documents: Documents
    about: str

    @property
    def searches(self) -> bool:
        """Whether it needs documents that can be searched."""
        return self.documents in ("topic", "talk", "query")


RECIPES = {
    one.name: one
    for one in (
        Recipe("DS1", "no-documents", False, "none", "one call, no documents"),
        Recipe("DS2", "given-documents", False, "given", "one call, the topic's best documents"),
        Recipe("DS3", "search-topic", False, "topic", "one call, documents found by the topic"),
        Recipe("DS4", "search-talk", True, "talk",
               "turn by turn, documents found by all that was said"),
        Recipe("DS5", "search-query", True, "query",
               "turn by turn, documents found by a query that the model writes"),
    )
}  # fmt: skip


def recipes_named(names: Iterable[str]) -> list[Recipe]:
    """Recipes by either name, each once.

    Raises:
        ConfigError: there is none of that name.

    >>> [one.name for one in recipes_named(["ds4", "no-documents", "DS4"])]
    ['DS4', 'DS1']
    """
    known = {name: one for one in RECIPES.values() for name in (one.name.lower(), one.words)}
    found: dict[str, Recipe] = {}
    for name in names:
        one = known.get(name.lower())
        if one is None:
            allowed = ", ".join(f"{one.name} ({one.words})" for one in RECIPES.values())
            raise ConfigError(f"recipe: received {name!r}; there are {allowed}")
        found[one.name] = one
    return list(found.values())
