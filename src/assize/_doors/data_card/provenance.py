"""What nobody can measure about data: who wrote it, who looked at it, what it is for. Declared.

name: Shop chats
licence: CC BY 4.0
human: yes, written by eight script writers
verified: no
task: task-oriented
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, create_model

from assize.formats.yaml_nodes import text_in, validated

DECIDED = ("yes", "no", "partly")

_ALLOWED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("human", "verified", "direct", "conversation", "annotators", "correlation", "authors"),
        DECIDED,
    ),
    "predictions": ("per-turn", "entire-conversation", "both"),
    "task": (
        "factual-qa",
        "open-dialogue",
        "task-oriented",
        "summarization",
        "specialized",
        "context-retrieval",
    ),
    "context": ("rag", "grounded", "none"),
    "evaluation": ("explicit", "reference-free", "mixed"),
}
"""The words that a field begins with; what is said about them stands after a comma."""

_Words = Annotated[str, Field(min_length=1)]


_FIELDS = (
    *("name", "about", "source", "licence", "language", "human", "verified", "direct"),
    *("predictions", "conversation", "task", "context", "evaluation", "annotators"),
    *("correlation", "authors"),
)
_File: type[BaseModel] = create_model(
    "_File",
    __config__=ConfigDict(extra="forbid", str_strip_whitespace=True),
    **dict.fromkeys(_FIELDS, (_Words | None, None)),  # type: ignore[call-overload]
)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the makers of data say of it, by field; what they do not say is absent.

    Source: UPHELD, appendix A, which defines the fields: whether the turns were composed by
    people (`human`), taken from their source without processing (`direct`), looked at by
    people (`verified`); `task` and `context`; `conversation`, whether all is user and assistant
    in turns; `evaluation`, against a reference or without; `annotators`, `correlation` with
    people, and `authors`, whether it is told who wrote and rated. Differs: `partly` beside yes
    and no, as its tables use it; `task-oriented` is in its table 7 and not among its tasks.
    """

    said: Mapping[str, str]

    def word(self, field: str) -> str | None:
        """The first word of a field; None where it is not declared."""
        return (
            re.split(r"[,;:(\s]", self.said[field], maxsplit=1)[0] if field in self.said else None
        )


NOTHING = Provenance({})


def read_provenance(path: str) -> Provenance:
    """The provenance that a YAML file declares.

    Raises:
        DataError: it is no such file; says line, field, what was received and what is allowed.
    """
    record, _, fail = validated(text_in(path), path, _File)
    found = Provenance(record.model_dump(exclude_none=True))
    for field, allowed in _ALLOWED.items():
        word = found.word(field)
        if word is not None and word not in allowed:
            *others, last = allowed
            words = f"expected {', '.join(others)} or {last}, more after a comma"
            raise fail(f"received {ascii(found.said[field])[:60]}; {words}", field)
    return found
