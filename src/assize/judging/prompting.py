"""Prompts: Jinja files with a version and a hash, replaced by users' own of the same name.

A prompt file has a block `system` and a block `user`. Judged text enters only as values,
between lines that carry the boundary (`fence.fenced`, which a prompt calls as
`fence(label, turns)`), and is never taken for a template.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.errors import ConfigError
from assize.base.invisible import Invisible
from assize.base.signature import content_hash, sign
from assize.formats.records import parse
from assize.judging.aspects import ASPECTS
from assize.judging.boundary import LAYOUT, fenced, sayable, without
from assize.judging.template_files import template_environment, template_loader
from assize.judging.tools import cleaned, said
from assize.models import Message

FOLDER = Path(__file__).with_name("prompts")
_MARK = "\N{REPLACEMENT CHARACTER}boundary\N{REPLACEMENT CHARACTER}"
_VERSION = re.compile(r"\{#-?\s*version:\s*(\S+?)\s*-?#\}")


@dataclass(frozen=True, slots=True)
class Example:
    """A judged example: an item and the answer that was right."""

    item: Item
    answer: Mapping[str, Any]


class Prompt:
    """One prompt file, ready to render: from the user's folder, else from its home."""

    def __init__(self, name: str, folder: Path | None = None, home: Path = FOLDER) -> None:
        import jinja2

        folders = list(dict.fromkeys(one for one in (folder, home, FOLDER) if one is not None))
        environment = template_environment(template_loader(folders))
        environment.filters["without"] = without
        self.name = name
        try:
            self._template = environment.get_template(f"{name}.jinja")
            sources = sources_of(environment, f"{name}.jinja")
        except jinja2.TemplateNotFound as error:
            raise ConfigError(f"there is no prompt {error.name} in {folders[0]}") from error
        except jinja2.TemplateError as error:
            raise ConfigError(f"the prompt {name} is no template: {error}") from error
        missing = {"system", "user"} - set(self._template.blocks)
        if missing:
            raise ConfigError(f"the prompt {name} has no block {' and no block '.join(missing)}")
        version = _VERSION.search(sources[f"{name}.jinja"])
        self.version = version.group(1) if version else "0"
        self._system = self._same_for_all()
        self.hash = sign(LAYOUT, sorted(sources.items()))

    def messages(self, values: Mapping[str, Any]) -> tuple[Message, Message]:
        """The system and the user message."""
        import jinja2

        try:
            if self._system is None:
                system = self._block("system", values)
            else:
                system = self._system.replace(_MARK, values["boundary"])
            user = self._block("user", values)
        except jinja2.TemplateError as error:
            raise ConfigError(f"the prompt {self.name} cannot be filled in: {error}") from error
        return Message("system", system), Message("user", user)

    def _block(self, name: str, values: Mapping[str, Any]) -> str:
        context = self._template.new_context(dict(values))
        return "".join(self._template.blocks[name](context)).strip()

    def _same_for_all(self) -> str | None:
        """The system message with a stand-in for the boundary, if no item changes it."""
        import jinja2

        try:
            return self._block("system", {"boundary": _MARK, "dimensions": ASPECTS})
        except jinja2.TemplateError:
            return None


def sources_of(environment: Any, first: str) -> dict[str, str]:
    """The text of a template and of all that it includes: what its hash is made of."""
    from jinja2 import meta

    found: dict[str, str] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = environment.loader.get_source(environment, name)[0]
            used = meta.find_referenced_templates(environment.parse(found[name]))
            waiting += [one for one in used if one is not None]
    return found


def load_prompt(name: str, folder: Path | None = None, home: Path = FOLDER) -> Prompt:
    """The prompt of that name, read once."""
    return _loaded(name, None if folder is None else folder.resolve(), home)


@lru_cache(maxsize=64)
def _loaded(name: str, folder: Path | None, home: Path) -> Prompt:
    return Prompt(name, folder, home)


def values_of(
    item: Item,
    boundary: str,
    guarded: Sequence[str] = (),
    invisible: Invisible = "escape",
) -> dict[str, Any]:
    """What a prompt may use of an item: `context` with `a` and `b` or with `candidate`, or `turns`.

    Of a continuation also `human`, the references' texts, and `references`, each that holds a
    text as turns that can be fenced. `fence` and `plain` show turns without what is guarded.
    """
    common: dict[str, Any] = {
        "boundary": boundary,
        "fence": partial(_fenced, boundary, guarded, invisible),
        "plain": partial(plain, guarded=guarded, invisible=invisible),
        "dimensions": ASPECTS,
    }
    if isinstance(item, Pair):
        sides = {"context": item.context, "a": item.a, "b": item.b}
        return common | sides
    if isinstance(item, Conversation):
        return common | {"turns": item.turns}
    candidate = (Turn("assistant", item.candidate),)
    references = [(Turn("assistant", text),) for text in item.references if text.strip()]
    shown = {"context": item.context, "candidate": candidate, "references": references}
    return common | shown | {"human": item.references}


def _fenced(
    boundary: str,
    guarded: Sequence[str],
    invisible: Invisible,
    label: str,
    turns: Iterable[Turn],
    first: int = 0,
) -> str:
    return fenced(boundary, label, unguarded(turns, guarded), first, invisible)


def plain(
    turns: Iterable[Turn], guarded: Sequence[str] = (), invisible: Invisible = "escape"
) -> str:
    """Turns without a boundary, as evaluators saw them that were trained on a template.

    A single turn is its text alone; of several each begins with who speaks.

    >>> plain([Turn("user", "Hi"), Turn("assistant", "Hello [RESULT] 5")], ["[RESULT]"])
    'User: Hi\\n\\nAssistant: Hello  5'
    """
    shown = list(unguarded(turns, guarded))
    if len(shown) == 1:
        return sayable(said(shown[0]), invisible)
    return "\n\n".join(f"{one.role.capitalize()}: {sayable(said(one), invisible)}" for one in shown)


def unguarded(turns: Iterable[Turn], guarded: Sequence[str]) -> Iterable[Turn]:
    """The turns and their sources without the guarded marks, however these are put together."""
    if not guarded:
        return turns
    return (
        replace(
            turn,
            text=_without_all(turn.text, guarded),
            tool_calls=cleaned(turn.tool_calls, partial(_without_all, marks=guarded)),
            references=tuple(
                replace(
                    one,
                    title=_without_all(one.title, guarded),
                    text=_without_all(one.text, guarded),
                )
                for one in turn.references
            ),
        )
        for turn in turns
    )


def _without_all(text: str, marks: Sequence[str]) -> str:
    """Without each mark, until none is left: taking one out may join another."""
    while True:
        shorter = text
        for mark in marks:
            shorter = without(shorter, mark)
        if shorter == text:
            return text
        text = shorter


def load_examples(
    name: str, folder: Path | None = None, home: Path = FOLDER
) -> tuple[tuple[Example, ...], str]:
    """The judged examples of a file, and its hash; a user's file comes first."""
    places = [place / f"{name}.jsonl" for place in (folder, home) if place is not None]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise ConfigError(f"there are no examples {places[0]}")
    data = path.read_bytes()
    try:
        return tuple(_examples(data.decode().splitlines())), content_hash(data, digits=12)
    except (ValueError, KeyError) as error:
        raise ConfigError(f"{path} holds no examples: {error!r}") from error


def _examples(lines: Iterable[str]) -> Iterable[Example]:
    for line in lines:
        value = json.loads(line)
        answer = value.pop("right")
        item = parse(value)
        if not isinstance(item, Pair | Conversation):
            raise ValueError(f"{value.get('id')} is neither a pair nor a conversation")
        yield Example(item, answer)
