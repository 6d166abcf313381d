"""A hidden system's next message: what it is told, what it is shown, and what it writes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from assize.base.conversation import Reference, Turn
from assize.base.signature import sign
from assize.judging.boundary import boundary, sayable, secret
from assize.judging.calls import listed
from assize.judging.prompting import load_prompt
from assize.models import CallId, Message, Model, Reply, Request
from assize.models.model import stream
from assize.simulate._recipes.citations import citations, linked
from assize.simulate._recipes.sources import Sources
from assize.simulate._topics_file import Topic
from assize.web._collect.retrieving import Retrieved, retrieve
from assize.web._collect.settings import System

HOME = Path(__file__).with_name("prompts")
PROMPT = "collect-answer"


@dataclass(frozen=True, slots=True)
class Assistant:
    """A system that is ready to answer.

    Args:
        instructions: its own system prompt; "" for the shipped one.
        sources: the documents that it may be shown.
    """

    system: System
    model: Model
    sources: Sources = field(default_factory=Sources)
    instructions: str = ""

    @property
    def prompt(self) -> str:
        """Version of the shipped prompt, and a hash of all that the system is told, text of others
        left out: prompt, instructions, whether the topic, how many sources of which length."""
        loaded, system = load_prompt(PROMPT, None, HOME), self.system
        shown = [system.sources, str(self.sources.cutting)] if system.retrieval != "none" else []
        told = sign(loaded.hash, self.instructions, system.told_topic, shown)
        return f"{PROMPT} {loaded.version} {told}"


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer.

    Args:
        references: what the assistant was shown, each of which says whether it is `cited`.
        unknown: numbers that are cited and stand for no source.
    """

    reply: Reply
    references: tuple[Reference, ...] = ()
    unknown: tuple[str, ...] = ()
    query: str | None = None


async def answering(
    assistant: Assistant, topic: Topic, said: Sequence[Turn], *, item: str = ""
) -> AsyncGenerator[Retrieved | str | Answer, None]:
    """What was retrieved, then pieces of the answer as they are written, then all of it.

    Args:
        said: all turns so far, oldest first, as this side has seen them.
        item: the chat's id, for recordings.

    Raises:
        ModelError: there is no answer, or it broke off; the pieces given before it stand.
    """
    system = assistant.system
    found = await retrieve(system, assistant.sources, assistant.model, topic, said)
    yield found
    request = asked(assistant, topic, said, found, item)
    async with aclosing(stream(assistant.model, request)) as parts:
        async for part in parts:
            if isinstance(part, str):
                yield part
            else:
                yield _answer(part, found, said)


def asked(
    assistant: Assistant, topic: Topic, said: Sequence[Turn], found: Retrieved, item: str = ""
) -> Request:
    """The request for an assistant's next message.

    Sources and topic stand in the system message between lines that carry a mark which nobody
    can foresee; what person and assistant have said are messages of their own.
    """
    system = assistant.system
    about = topic.text if system.told_topic else ""
    shown = [f"[{one.id}] {one.title}\n{one.text}".strip() for one in found.references]
    messages = [
        Message("user" if turn.role == "user" else "assistant", sayable(turn.text))
        for turn in said
        if turn.text.strip()
    ]
    mark = boundary([about, *shown], secret())
    prompt = load_prompt(PROMPT, None, HOME)
    first, _ = prompt.messages(
        {
            "boundary": mark,
            "listed": partial(listed, mark),
            "instructions": assistant.instructions,
            "topic": about,
            "retrieves": system.retrieval != "none",
            "sources": _fenced(mark, found.references),
            "message": "",
        }
    )
    return Request(
        (first, *messages),
        temperature=system.temperature,
        seed=system.seed,
        max_tokens=system.max_tokens,
        boundary=mark,
        call_id=CallId(item, f"collect@{system.name}", step=f"answer {len(said)}"),
    )


def _fenced(mark: str, sources: Sequence[Reference]) -> str:
    """The sources between lines with the mark, under the numbers by which they are cited."""
    if not sources:
        return ""
    lines = []
    for one in sources:
        lines += [f"[{mark}] source {one.id}:"]
        lines += [sayable(text) for text in (one.title, one.text) if text]
    return "\n".join([*lines, f"[{mark}] end"])


def _answer(reply: Reply, found: Retrieved, said: Sequence[Turn]) -> Answer:
    before = [one for turn in said for one in turn.references]
    cited = citations(reply.text, [*before, *found.references])
    return Answer(reply, linked(found.references, cited.known), cited.unknown, found.query)
