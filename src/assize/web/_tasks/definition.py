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
from dataclasses import dataclass, field, fields, replace
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
Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


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


def _raters(given: Any) -> Any:
    return None if given == "all" else given


@dataclass(frozen=True, slots=True)
class TaskFile:
    """What a task file says.

    Args:
        name: stands in addresses; `title` is for people.
        kind: one of `assize.web._tasks.kinds.KINDS`.
        items: files of conversations, pairs, continuations or topics, in the project's folder.
        raters_per_item: how many people answer each item.
        items_per_rater: most items that one person gets, without those of the qualification;
            None is no limit.
        raters: who may work on it, by name; None is every rater.
        order: `random` by rater, or as in the `file`.
        instructions: Markdown, or the name of a `.md` file.
        reserve_minutes: how long an item is kept for who opened it and has not answered.
        pilot: a round that exports keep apart.
        consent: what a rater agrees to first, Markdown; "" asks for none.
        settings: what the kind needs; the kind checks it.
    """

    __pydantic_config__ = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: Annotated[str, Field(alias="task", pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=60)]
    kind: str
    title: str = ""
    about: str = ""
    items: Names = ()
    raters_per_item: Annotated[int, Field(ge=1, le=1000)] = 1
    items_per_rater: Annotated[int, Field(ge=1)] | None = None
    raters: Annotated[tuple[str, ...] | None, BeforeValidator(_raters)] = None
    order: Order = "random"
    instructions: str = ""
    examples: tuple[Example, ...] = ()
    qualification: Qualification | None = None
    gold: Gold | None = None
    reserve_minutes: Annotated[float, Field(gt=0)] = 60.0
    pilot: bool = False
    consent: str = ""
    comments: bool = True
    suggestions: Suggestions | None = None
    seed: Annotated[int, Field(ge=0)] = 0
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task(TaskFile):
    """What a task file says, and where it stands.

    Args:
        folder: of the project; names of files start there.
        source: the file's text; `hash` of it and of the instructions tells versions apart.
        texts: of files that it names, as they were when it was read; others are read when needed.
    """

    folder: Path = Path()
    source: str = ""
    hash: str = ""
    path: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)

    def file(self, name: str) -> Path:
        """A file that the task names, by its place in the project's folder."""
        return self.folder / name

    def text(self, name: str) -> str | None:
        """The text of a file that the task names; None where there is no such file."""
        if name in self.texts:
            return self.texts[name]
        return text_in(str(self.file(name))) if os.path.isfile(self.file(name)) else None


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
    """Read a task file.

    Args:
        path: the YAML file.
        folder: the project's folder, which the task's other files are named from.

    Raises:
        DataError: a field is missing, unknown or wrong; the message says the line and what is
            allowed.
    """
    return parse_task(text_in(str(path)), str(path), folder)


def parse_task(
    source: str, path: str, folder: Path, texts: Mapping[str, str] | None = None
) -> Task:
    """The task of a file's text; see `read_task`.

    Args:
        texts: of files that it names; files in the folder where they are not among them.
    """
    file, given, _ = validated(source, path, TaskFile)
    values = {part.name: getattr(file, part.name) for part in fields(TaskFile)}
    values["title"] = file.title or file.name.replace("-", " ").replace("_", " ").capitalize()
    if "raters_per_item" not in given:
        values["raters_per_item"] = USUAL_RATERS.get(file.kind, 1)
    task = Task(**values, folder=folder, source=source, path=path, texts=dict(texts or {}))
    words = [named_text(task, said) for said in (task.instructions, task.consent)]
    read = {task.instructions: words[0], task.consent: words[1]}
    return replace(
        task,
        instructions=words[0],
        consent=words[1],
        hash=content_hash("\0".join([source, *words]).encode()),
        texts={**task.texts} | {name: text for name, text in read.items() if name != text},
    )


def named_text(
    task: Task, said: str, endings: tuple[str, ...] = (".md",), field: str | None = None
) -> str:
    """What stands in the file that `said` names, or `said` itself.

    Raises:
        DataError: there is no such file; `field` is where the task's file names it.
    """
    if not said.endswith(endings) or "\n" in said:
        return said
    text = task.text(said)
    if text is None:
        raise DataError(f"there is no file {said!r}", source=task.path, field=field)
    return text
