"""What a task file says of conversations that are to be collected.

task: azure-help
kind: collect
items: topics.jsonl
settings:
  form: {rubric: information-seeking}
  documents: pages
  systems:
    - {name: DS1, model: openai:gpt-4o, told_topic: true}
    - {name: DS2, model: openai:gpt-4o, told_topic: true, retrieval: topic}
    - {name: DS3, model: openai:gpt-4o, told_topic: true, retrieval: bm25-topic}
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from assize.base.own_code import is_typed
from assize.models.scripted import SCRIPTS
from assize.web._tasks.definition import Settings, Task, Words, problem_in, settings_of

Retrieval = Literal["none", "topic", "bm25-topic", "bm25-dialogue"]
Query = Literal["said", "written"]
SEARCHING = ("bm25-topic", "bm25-dialogue")
SIDES = {"collect": 1, "collect-pairs": 2}  # by kind of task: systems that answer a message


class System(Settings):
    """A system that raters talk with and never learn the name of."""

    name: str = Field(min_length=1, max_length=200)
    model: str  # provider:name, which whoever starts the app has to allow
    base_url: str | None = None  # of an OpenAI-compatible endpoint
    prompt: str = ""  # a system prompt, or the name of a .md or .txt file; "" is the shipped one
    retrieval: Retrieval = "none"
    # of bm25-dialogue: all that was said (DS4), or a query that the model writes (DS5)
    query: Query = "said"
    sources: int = Field(default=5, ge=1, le=50)  # passages that an answer may rest on
    told_topic: bool = False  # whether the assistant is told the topic
    temperature: float | None = Field(default=None, ge=0, le=2)  # None leaves it to the model
    max_tokens: int = Field(default=1024, ge=1, le=100_000)
    seed: int | None = None

    @field_validator("model")
    @classmethod
    def _no_code(cls, name: str) -> str:
        """Code is imported where somebody types its name, never because a file names it."""
        if name.startswith("scripted:") and is_typed(name.removeprefix("scripted:")):
            known = ", ".join(f"scripted:{one}" for one in SCRIPTS)
            raise ValueError(f"a task file cannot name code; allowed of scripts are {known}")
        return name


class CollectSettings(Settings):
    """Of a task that collects conversations."""

    systems: list[System] = Field(min_length=1)
    form: dict[str, Any] = Field(default_factory=dict)  # settings of `rate`, or of `compare`
    documents: Words = Field(default_factory=list)  # folders and files that are searched
    passage_words: int | None = Field(default=300, ge=20)  # None shows whole pages
    least_exchanges: int = Field(default=1, ge=1)  # before a conversation may be ended
    most_exchanges: int = Field(default=30, ge=1)
    longest_message: int = Field(default=4000, ge=1, le=50_000)  # characters
    max_cost: float | None = Field(default=None, gt=0)  # US dollars, over all conversations

    def system(self, name: str) -> System | None:
        """The system of that name; None where the file has it no longer."""
        return next((one for one in self.systems if one.name == name), None)


def collect_settings(task: Task, sides: int = 1) -> CollectSettings:
    """The settings of a task that collects.

    Args:
        sides: systems that answer at the same time, 1 or 2.

    Raises:
        DataError: a setting is missing, unknown or wrong.
    """
    found = settings_of(task, CollectSettings)
    names = [one.name for one in found.systems]
    if len(set(names)) < len(names):
        raise problem_in(
            task, "two systems have one name; give each its own", "settings", "systems"
        )
    if len(names) < sides:
        raise problem_in(
            task, "two systems answer side by side; name at least two", "settings", "systems"
        )
    if not found.documents and any(one.retrieval in SEARCHING for one in found.systems):
        raise problem_in(
            task, "a system searches; name the folder of its documents", "settings", "documents"
        )
    if found.least_exchanges > found.most_exchanges:
        raise problem_in(task, "it is more than most_exchanges", "settings", "least_exchanges")
    if not task.items:
        raise problem_in(task, "name a file of topics", "items")
    return found
