"""Pages, topics and a model with a script, from which tests make dialogues without a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from dialogues_played import kind_of, play

from assize.judging.judge import JudgeSettings
from assize.judging.steps import Steps
from assize.models import Request
from assize.models.scripted import Scripted
from assize.retrieval import Index, build_index
from assize.simulate._coherence import simulate_asker
from assize.simulate._recipes.asking import Asking
from assize.simulate._recipes.plan import Plan, Talk, plans
from assize.simulate._recipes.recipes import recipes_named
from assize.simulate._recipes.sources import Sources
from assize.simulate._recipes.write import write_dialogue
from assize.simulate._topics_file import Topic, topic

PAGES = [
    {"id": f"p{n}", "title": f"Page {n}", "text": f"How to rotate thing{n}, and more. " * 8}
    for n in range(8)
]
TOPIC = topic({"id": "t", "text": "rotate thing3", "documents": [{"id": "p3"}]})


class Played:
    """A model that plays, and remembers what it was asked; `instead` answers in its place."""

    def __init__(self, **instead: str | Sequence[str]) -> None:
        self.seen: list[tuple[str, Request]] = []
        self._instead: dict[str, list[str]] = {
            kind: [said] if isinstance(said, str) else list(said) for kind, said in instead.items()
        }
        self.model = Scripted(self._said, name="scripted:played")

    def _said(self, request: Request) -> str:
        kind = kind_of([one.text for one in request.messages], request.schema or {})
        self.seen.append((kind, request))
        waiting = self._instead.get(kind)
        if not waiting:
            return play(request)
        said = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return said if said.startswith("{") or not said else json.dumps({_field(kind): said})

    @property
    def kinds(self) -> list[str]:
        """What it was asked, in order."""
        return [kind for kind, _ in self.seen]


def _field(kind: str) -> str:
    return "query" if kind == "query" else "text"


def sources(**more: Any) -> Sources:
    """The pages, indexed."""
    return Sources(_indexed(), **more)


@lru_cache
def _indexed() -> Index:
    return build_index(PAGES)


def plan(recipe: str, about: Topic = TOPIC, **more: Any) -> Plan:
    """One dialogue."""
    return plans([about], recipes_named([recipe]), **more)[0]


def talk(recipe: str, played: Played, most: int = 10, about: Topic = TOPIC, **more: Any) -> Talk:
    """The dialogue that the model makes."""
    asker = simulate_asker(played.model, JudgeSettings(tries=2))
    steps, found = more.pop("steps", None) or Steps(), more.pop("found", None) or sources()
    asking = Asking(plan(recipe, about), steps, most, asker, more.pop("user", asker), found)
    return asyncio.run(write_dialogue(asking))


def texts(made: Talk) -> list[str]:
    """What was said."""
    return [one.text for one in made.turns]
