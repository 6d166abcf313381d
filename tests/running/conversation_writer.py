"""The journal's second client: conversations, each written by several calls to a model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from assize.base.conversation import Conversation, Role, Turn
from assize.base.errors import ModelError
from assize.formats import to_json
from assize.formats.writing import json_line
from assize.models import Message, Models, ModelSettings, Request
from assize.running import Codec, Journal, Run, key_of, stoppable

CONVERSATIONS: Codec[Conversation] = Codec(
    "conversations.jsonl",
    encode=lambda one: json_line(to_json(one)),
    key=lambda line: key_of(line["id"]),
)
TURNS = 3


async def write_conversations(
    folder: Path, topics: Sequence[str], model: str, settings: ModelSettings
) -> int:
    """Writes a conversation about each topic that the folder does not hold yet."""
    written = 0
    async with Models(settings) as models:
        asked = models.open(model)
        command = {"topics": list(topics), "model": model}
        with Journal(folder, CONVERSATIONS, command=command, about={}) as journal:
            models.budget.keep_in(journal.ledger)

            async def write(topic: str) -> list[Conversation]:
                turns: list[Turn] = []
                try:
                    while len(turns) < TURNS:
                        said = [Message("user", f"Write turn {len(turns)} about {topic}.")]
                        said += [Message("assistant", turn.text) for turn in turns]
                        reply = await asked.ask(Request(tuple(said), max_tokens=50))
                        role: Role = "assistant" if len(turns) % 2 else "user"
                        turns.append(Turn(role, reply.text))
                except ModelError as error:
                    run.failed(error)
                    return []
                run.succeeded()
                return [Conversation(topic, tuple(turns))]

            def count(kept: Sequence[Conversation]) -> None:
                nonlocal written
                written += len(kept)

            run: Run[Conversation] = Run(journal, halt=models.stop)
            left = (topic for topic in topics if key_of(topic) not in journal.stored.done)
            with stoppable(run.stop):
                at_once = 8 + 2 * settings.limits.concurrency
                await run.do(left, write, at_once=at_once, on_kept=count)
    return written


def main(folder: str, topics: Sequence[str], model: str, settings: ModelSettings) -> None:
    """`write_conversations`, run to its end."""
    asyncio.run(write_conversations(Path(folder), topics, model, settings))
