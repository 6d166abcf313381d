"""Prompt-completion files, as TRL's supervised fine-tuning takes them: messages, and the reply.

    {"prompt": [{"role": "user", "content": "..."}], "completion": [{"role": "assistant",
     "content": "..."}], "id": "c1/3", "conversation": "c1"}

TRL's `SFTTrainer` applies the model's chat template and learns from the completion alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from assize.base.conversation import Continuation
from assize.formats.logs.prompt_completion import rows_of
from assize.reference._continuations.context import context_key

NO_REFERENCE = "it has no reference"
NO_CONTEXT = "it has no context"
AGAIN = "the same prompt and completion stand there already"


@dataclass(slots=True)
class Completions:
    """Rows of a prompt-completion file, and the continuations that gave none, by reason."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    odd: int = 0  # rows whose prompt does not end with a user's turn


def completions(continuations: Iterable[Continuation]) -> Completions:
    """What a person said after each context, once each; candidates are left out.

    A continuation with several references gives a row each. Messages hold role and content
    alone, so that all rows have the same columns: references and tool calls of a turn are
    left out. Many chat templates want user and assistant to take turns, the user last before
    the completion: `odd` counts the prompts that end otherwise.
    """
    done, seen = Completions(), set[tuple[str, str]]()
    for one in continuations:
        if not one.context or not any(text.strip() for text in one.references):
            done.passed[NO_REFERENCE if one.context else NO_CONTEXT] += 1
            continue
        key = context_key(one.context)
        for row in rows_of(one):
            text = row["completion"][0]["content"]
            if (key, text) in seen:
                done.passed[AGAIN] += 1
                continue
            seen.add((key, text))
            done.odd += one.context[-1].role not in ("user", "tool")
            done.rows.append(row)
    return done
