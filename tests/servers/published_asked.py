"""Published evaluators behind the local server, with what they say chosen by a function."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from chat_server import Body, ChatServer, completion

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.judgment import Judgment, Order
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.table import open_judge
from assize.models import Models, ModelSettings
from assize.models.limits import Limits

TALK = Conversation(
    "c1",
    (
        Turn("user", "Is it far to the sea?"),
        Turn("assistant", "An hour by train."),
        Turn("user", "And by bus?"),
        Turn("assistant", "Two hours, and it leaves at nine."),
    ),
)
PAIR = Pair(
    "p1",
    (Turn("user", "Is it far to the sea?"),),
    (Turn("assistant", "An hour by train."),),
    (Turn("assistant", "I cannot say."),),
)


def saying(texts: Callable[[str], str]) -> ChatServer:
    """A server whose model answers what the function makes of all that it was told."""

    def answer(body: Body) -> Body:
        return completion(body, texts("\n".join(one["content"] for one in body["messages"])))

    return ChatServer(answer)


def asked(
    server: ChatServer,
    judge: str,
    *items: Item,
    order: Order | None = None,
    settings: JudgeSettings | None = None,
) -> list[Sequence[Judgment]]:
    """The rows of each item, by a judge written as `name@MODEL`, over HTTP."""

    async def run() -> list[Sequence[Judgment]]:
        told = ModelSettings(base_url=server.url, use_cache=False, limits=Limits(tries=1))
        async with Models(told) as models:
            context = JudgeContext(models, JudgeSettings() if settings is None else settings)
            opened = open_judge(f"{judge}@openai:evaluator", context)
            return [await opened.judge(Task(one, order)) for one in items]

    return asyncio.run(run())
