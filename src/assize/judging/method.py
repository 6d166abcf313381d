"""What makes a prompt a judge: a `Method`, which is all that a judge's file fills in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assize.conversation import Item
from assize.judging.prompting import FOLDER, Example
from assize.judging.reading import read_answer
from assize.judgment import Question
from assize.models import Message

JSON = Mapping[str, Any]


class Filled(Protocol):
    """A prompt that a judge fills in with an item; see `prompting.Prompt`."""

    version: str
    hash: str

    def messages(self, values: JSON) -> tuple[Message, Message]:
        """The system and the user message."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """One question's answer in a judge's reply, sides as they were presented."""

    question: str
    answer: str | None
    score: float | None = None
    explanation: str | None = None
    details: JSON | None = None


def follows_schema(text: str, method: Method, item: Item, judged: Sequence[str]) -> JSON:
    """The answer in a reply, where following the schema is all that is asked of it."""
    return read_answer(text, method.schema, judged)


def as_written(answer: JSON, method: Method, item: Item) -> str:
    """An example's answer as the judge should give it: an object of the schema's fields."""
    return json.dumps({name: answer[name] for name in method.schema["properties"]})


@dataclass(frozen=True, slots=True)
class Method:
    """A judge that is a prompt; `PromptJudge` asks it.

    Args:
        name: as in `name@model`.
        about: one line for `assize judge --list`.
        takes: the kinds of item it judges.
        questions: what it answers.
        prompt: the file's name in `prompts/`.
        schema: what its answer looks like.
        read: the answers in an object that follows the schema.
        version: rises when its numbers can change though its prompt does not.
        choice: the field whose probabilities are asked for, where there is just one.
        examples: the file of judged examples, for few-shot judges.
        max_tokens: longest answer.
        home: the folder of its prompt and examples.
        values: what its prompt may use besides the item.
        find: the answer in a reply's text; raises AnswerError where there is none.
        exchange: details with both sides exchanged, for answers to order `BA`.
        plain: the answer is text that holds the object, so no schema is asked for.
        write: an example's answer as the judge should give it.
        shots: judged examples that are given here, not in a file.
        step: tells apart the calls of a judge that asks several such methods.
        likely: an answer as it could be, where the schema does not tell its length.
        given: the prompt itself, where it stands in no folder of prompts.
    """

    name: str
    about: str
    takes: tuple[type, ...]
    questions: tuple[Question, ...]
    prompt: str
    schema: JSON
    read: Callable[[JSON], Iterable[Said]]
    version: int = 1
    choice: str | None = None
    examples: str | None = None
    max_tokens: int = 1024
    home: Path = FOLDER
    values: JSON = field(default_factory=dict)
    find: Callable[[str, Method, Item, Sequence[str]], JSON] = follows_schema
    exchange: Callable[[JSON], JSON] = dict
    plain: bool = False
    write: Callable[[JSON, Method, Item], str] = as_written
    shots: tuple[Example, ...] = ()
    step: str = ""
    likely: Callable[[Method, Item], str] | None = None
    given: Filled | None = None
