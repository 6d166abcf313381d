"""What a dialogue is to be, before anything is asked: its topic, its recipe, who the user is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Unscored
from assize.running import key_of
from assize.simulate._recipes.recipes import Recipe
from assize.simulate._topics_file import Topic


@dataclass(frozen=True, slots=True)
class Plan:
    """A dialogue that is wanted; its models are given its seed, so that no two are asked alike."""

    id: str
    topic: Topic
    recipe: Recipe
    persona: str | None = None
    seed: int = 0


def plans(
    topics: Sequence[Topic],
    recipes: Sequence[Recipe],
    personas: Sequence[str] = (),
    seed: int = 0,
) -> list[Plan]:
    """A dialogue by each recipe about each topic; a seed other than 0 stands in its id.

    The persona is the topic's own, else one of those given, drawn by seed and topic: the recipes
    differ in nothing else.
    """
    found = []
    for topic in topics:
        rng = np.random.default_rng([seed, key_of("user", topic.id) % 2**32])
        drawn = personas[int(rng.integers(len(personas)))] if personas else None
        persona = drawn if topic.persona is None else topic.persona
        for recipe in recipes:
            id = f"{topic.id}-{recipe.name}" + (f"-seed{seed}" if seed else "")
            own = key_of("dialogue", str(seed), id) % 2**31
            found.append(Plan(id, topic, recipe, persona, own))
    return found


@dataclass
class Talk:
    """What came of a plan.

    Args:
        turns: as far as the dialogue came.
        ended: by whom: `user`, `assistant`, `limit`, or `one call` where that wrote it all.
        failed: why it is not at its end.
        queries: by turn of the assistant, what was searched for.
    """

    plan: Plan
    turns: list[Turn] = field(default_factory=list)
    ended: str | None = None
    failed: Unscored | None = None
    queries: dict[int, str] = field(default_factory=dict)

    def conversation(self, system: str, metadata: dict[str, Any]) -> Conversation:
        """The dialogue as a record."""
        return Conversation(self.plan.id, tuple(self.turns), system, metadata)
