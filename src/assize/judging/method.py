"""What makes a prompt a judge: a `Method`, which is all that a judge's file fills in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assize.base.conversation import Item
from assize.base.judgment import Question
from assize.judging.prompting import FOLDER, Example
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
    field: str | None = None  # of the reply, in which it stands; for a method with `choices`


def as_written(answer: JSON, method: Method, item: Item) -> str:
    """An example's answer as the judge should give it: an object of the schema's fields."""
    return json.dumps({name: answer[name] for name in method.schema["properties"]})


@dataclass(frozen=True, slots=True)
class Method:
    """A judge that is a prompt; `PromptJudge` asks it."""

    name: str  # as in `name@model`
    about: str  # one line for `assize judge --list`
    takes: tuple[type, ...]  # the kinds of item it judges
    questions: tuple[Question, ...]  # what it answers
    prompt: str  # the file's name in `prompts/`
    schema: JSON  # what its answer looks like
    read: Callable[[JSON], Iterable[Said]]  # the answers in an object that follows the schema
    version: int = 1  # rises when its numbers can change though its prompt does not
    # the field whose probabilities are asked for, where there is just one
    choice: str | None = None
    # the fields whose probabilities are asked for, where there are several
    choices: tuple[str, ...] = ()
    examples: str | None = None  # the file of judged examples, for few-shot judges
    max_tokens: int = 1024  # longest answer
    home: Path = FOLDER  # the folder of its prompt and examples
    values: JSON = field(default_factory=dict)  # what its prompt may use besides the item
    # the answer in a reply's text, where more is asked of it than to follow the schema; raises
    # AnswerError where there is none
    find: Callable[[str, Method, Item, Sequence[str]], JSON] | None = None
    # details with both sides exchanged, for answers to order `BA`
    exchange: Callable[[JSON], JSON] = dict
    plain: bool = False  # the answer is text that holds the object, so no schema is asked for
    # an example's answer as the judge should give it
    write: Callable[[JSON, Method, Item], str] = as_written
    shots: tuple[Example, ...] = ()  # judged examples that are given here, not in a file
    step: str = ""  # tells apart the calls of a judge that asks several such methods
    # an answer as it could be, where the schema does not tell its length
    likely: Callable[[Method, Item], str] | None = None
    given: Filled | None = None
    # what judged text is shown without: the marks by which its answer is read
    guarded: tuple[str, ...] = ()
    # ours for each answer of the schema, where its words are not ours
    words: Mapping[str, str] = field(default_factory=dict)
    # what a run's `run.json` keeps of it, for whoever reads the judgments
    facts: JSON = field(default_factory=dict)
