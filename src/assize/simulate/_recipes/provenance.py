"""What a dialogue's metadata says: how it was made, what was searched for, what was cited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.base.conversation import Reference
from assize.simulate._recipes.citations import Citations, citations
from assize.simulate._recipes.plan import Talk


def cited_by_turn(talk: Talk) -> dict[int, Citations]:
    """What each turn of the assistant cites; {} for turns that nothing was shown with.

    Sources of a dialogue that one call wrote stand on its first answer and hold for all.
    """
    found: dict[int, Citations] = {}
    shown: tuple[Reference, ...] = ()
    for at, turn in enumerate(talk.turns):
        if turn.role != "assistant":
            continue
        shown = turn.references if talk.plan.recipe.turn_by_turn else turn.references or shown
        cites = citations(turn.text, shown)
        if shown or cites.unknown:
            found[at] = cites
    return found


def metadata(talk: Talk, how: Mapping[str, Any]) -> dict[str, Any]:
    """The topic's own metadata, and under `simulated` how the dialogue was made.

    Args:
        how: what holds for the whole run: models, prompts' versions, seed, retrieval.
    """
    plan = talk.plan
    made: dict[str, Any] = {
        "recipe": plan.recipe.name,
        "topic": plan.topic.id,
        "ended": talk.ended,
        "persona": plan.persona,
    }
    if talk.queries:
        made["queries"] = [{"turn": at, "query": text} for at, text in talk.queries.items()]
    cites = cited_by_turn(talk)
    if cites:
        made["citations"] = [
            {"turn": at, "known": list(one.known), "unknown": list(one.unknown)}
            for at, one in cites.items()
        ]
    kept = {name: value for name, value in made.items() if value is not None}
    return {**plan.topic.metadata, "topic": plan.topic.text, "simulated": {**kept, **how}}
