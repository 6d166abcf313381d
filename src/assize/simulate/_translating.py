"""Conversations in another language, turn by turn, so that everything made of them is in one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from assize.base.conversation import Conversation
from assize.base.errors import AnswerError
from assize.formats import to_json
from assize.judging.calls import Asker, Call
from assize.judging.method import JSON
from assize.judging.schemas import record, words
from assize.judging.steps import Step, Steps
from assize.simulate._settings import Translation

PROMPT = "simulate-translate"
STAGE = "translate"


async def translated(chat: Conversation, language: str, asker: Asker, steps: Steps) -> Step:
    """All turns of a conversation in a language, by one call that is asked once.

    An answer with another number of turns, or an empty one, is asked for again.

    Source: MTDEval, appendix A.1: what passed the filters was translated into English, by
    the model that had filtered. Its prompt is unpublished; ours is `simulate-translate`.
    """
    texts = [turn.text for turn in chat.turns]

    def read(value: Mapping[str, Any]) -> Mapping[str, Any]:
        said = [one.strip() for one in value["turns"]]
        if len(said) != len(texts):
            raise AnswerError(f"{len(said)} turns, not {len(texts)}")
        if not all(said):
            raise AnswerError(f"turn {said.index('')} is empty")
        return {"turns": said}

    call = Call(
        PROMPT,
        {"turns": chat.turns, "language": language},
        texts,
        record(turns={"type": "array", "items": words()}),
        read,
        (chat.id, STAGE),
        max_tokens=max(1024, sum(map(len, texts))),
        likely=lambda: json.dumps({"turns": texts}),
    )

    given = [asker.model.name, asker.prompt(PROMPT).hash, language, to_json(chat)]
    return await steps.take(STAGE, chat.id, given, partial(asker.ask_or_unscored, call))


def in_language(chat: Conversation, answer: JSON, translation: Translation) -> Conversation:
    """The conversation with its translated turns."""
    turns = [
        replace(turn, text=text) for turn, text in zip(chat.turns, answer["turns"], strict=True)
    ]
    told = {"language": translation.language.strip(), "by": translation.model}
    return replace(chat, turns=tuple(turns), metadata={**chat.metadata, "translated": told})
