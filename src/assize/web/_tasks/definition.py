"""A task file: what people are asked, of which items, how often, and how it is checked.

task: satisfaction
kind: rate
items: [conversations.jsonl]
raters_per_item: 3
instructions: instructions.md
settings:
  rubric: information-seeking
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from assize.base.errors import DataError
from assize.base.signature import content_hash
from assize.formats.yaml_nodes import composed, failing, text_in, validated

Order = Literal["random", "file"]


class Settings(BaseModel):
    """What a part of a task file, or a kind's own settings, inherit from."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


def _listed(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


USUAL_RATERS = {"continuation": 5}
"""Raters an item by kind, where the file does not say; 1 for all others. UPHELD has five."""

Words = Annotated[list[str], BeforeValidator(_listed)]


class Gold(Settings):
    """Items whose answers are known, strewn among the others to watch quality."""

    judgments: Words  # files: the answers that count as right
    every: int = Field(10, ge=2)  # one item in so many
    least: float = Field(0.7, ge=0, le=1)  # share right below which the lead is told


class Qualification(Settings):
    """A round of known items that a rater passes before the task begins."""

    items: Words
    judgments: Words
    least: float = Field(0.8, ge=0, le=1)  # share of answers that must be right
    within: int = Field(0, ge=0)  # places on the scale that an answer may be off
    attempts: int = Field(2, ge=1)


class Example(Settings):
    """A worked example: an item of the file, its answers, and why."""

    item: str
    answers: dict[str, str | list[str]]
    why: str = ""
    reasons: dict[str, str] = Field(default_factory=dict)  # by question


class Suggestions(Settings):
    """A judge's answers, shown as a proposal; what was shown is kept with each answer."""

    judgments: Words
    judge: str


class _File(Settings):
    task: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=60)
    kind: str
    title: str = ""
    about: str = ""
    items: Words = Field(default_factory=list)
    raters_per_item: int | None = Field(None, ge=1, le=1000)
    items_per_rater: int | None = Field(None, ge=1)
    raters: list[str] | Literal["all"] = "all"
    order: Order = "random"
    instructions: str = ""
    examples: list[Example] = Field(default_factory=list)
    qualification: Qualification | None = None
    gold: Gold | None = None
    reserve_minutes: float = Field(60, gt=0)
    pilot: bool = False
    consent: str = ""
    comments: bool = True
    suggestions: Suggestions | None = None
    seed: int = Field(0, ge=0)
    settings: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """What a task file says.

    Args:
        name: stands in addresses; `title` is for people.
        kind: one of `assize.web._tasks.kinds.KINDS`.
        items: files of conversations, pairs, continuations or topics, in the project's folder.
        raters_per_item: how many people answer each item.
        items_per_rater: how many a person may have, those of the qualification besides; None
            is no limit.
        raters: who may work on it, by name; None is every rater.
        order: `random` by rater, or as in the `file`.
        instructions: Markdown, or the name of a `.md` file.
        reserve_minutes: how long an item is kept for who opened it and has not answered.
        pilot: a round that exports leave out unless they are asked for it.
        consent: what a rater agrees to first, Markdown; "" asks for none.
        settings: what the kind needs; the kind checks it.
        source: the file's text; `hash` of it and of the instructions tells versions apart.
        folder: of the project; names of files start there.
    """

    name: str
    kind: str
    title: str
    folder: Path
    about: str = ""
    items: tuple[str, ...] = ()
    raters_per_item: int = 1
    items_per_rater: int | None = None
    raters: tuple[str, ...] | None = None
    order: Order = "random"
    instructions: str = ""
    examples: tuple[Example, ...] = ()
    qualification: Qualification | None = None
    gold: Gold | None = None
    reserve_minutes: float = 60.0
    pilot: bool = False
    consent: str = ""
    comments: bool = True
    suggestions: Suggestions | None = None
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    hash: str = ""
    path: str = ""

    def file(self, name: str) -> Path:
        """A file that the task names, by its place in the project's folder."""
        return self.folder / name


def problem_in(task: Task, problem: str, *place: str | int) -> DataError:
    """The error for a place in a task's file, such as `settings`, `rubric`; it says the line."""
    if not task.source.strip():
        return DataError(problem, source=task.path or None, field=".".join(map(str, place)) or None)
    node, _ = composed(task.source, task.path)
    return failing(node, task.path)(problem, *place)


S = TypeVar("S", bound=Settings)


def settings_of(task: Task, kind: type[S]) -> S:
    """Return the task's `settings` as its kind reads them.

    Raises:
        DataError: one is missing, unknown or wrong; says which, on which line, and what is
            allowed.
    """
    try:
        return kind.model_validate(dict(task.settings))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        known = ", ".join(kind.model_fields) or "none"
        problem = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise problem_in(
            task, f"{problem}; settings of {task.kind!r} are {known}", "settings", *first["loc"]
        ) from None


def read_task(path: Path, folder: Path) -> Task:
    """The task of a file.

    Raises:
        DataError: a field is missing, unknown or wrong; says the line and what is allowed.
    """
    text = text_in(str(path))
    found, _, _ = validated(text, str(path), _File)
    known = {name: getattr(found, name) for name in _File.model_fields}
    name, raters = known.pop("task"), known.pop("raters")
    known["items"], known["examples"] = tuple(known["items"]), tuple(known["examples"])
    if found.raters_per_item is None:
        known["raters_per_item"] = USUAL_RATERS.get(found.kind, 1)
    known["title"] = found.title or name.replace("-", " ").replace("_", " ").capitalize()
    bare = Task(
        name=name,
        folder=folder,
        raters=None if raters == "all" else tuple(raters),
        source=text,
        path=str(path),
        **known,
    )
    return _with_texts(bare)


def _with_texts(task: Task) -> Task:
    """The task with the instructions and the consent of the files that it names."""
    instructions, consent = _text(task, task.instructions), _text(task, task.consent)
    whole = "\0".join([task.source, instructions, consent])
    return replace(
        task, instructions=instructions, consent=consent, hash=content_hash(whole.encode())
    )


def _text(task: Task, said: str) -> str:
    """What stands in the file that `said` names, or `said` itself."""
    if not said.endswith(".md") or "\n" in said:
        return said
    place = task.file(said)
    if not os.path.isfile(place):
        raise DataError(f"there is no file {said!r}", source=task.path)
    return text_in(str(place))
