"""What an assistant is shown before it answers: nothing, the topic's documents, or what BM25 finds.

| none            nothing (DS1)
topic           the topic's own documents, the most clicked first (DS2)
bm25-topic      what BM25 finds by the topic's text (DS3)
bm25-dialogue   what BM25 finds by all that was said so far (DS4), or by a query that the model
                writes from it (DS5)

Source: LLM-Rubric, section 3.3 and appendix F. Differs: a source keeps its number for the whole
conversation, so that an earlier [2] still points to the same passage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assize.base.conversation import Reference, Turn
from assize.base.errors import AnswerError
from assize.judging.calls import Asker, Call
from assize.judging.judge import JudgeSettings
from assize.judging.schemas import record, words
from assize.models import Model
from assize.simulate._coherence import HOME
from assize.simulate._recipes.asking import LONGEST, QUERY
from assize.simulate._recipes.citations import citations, linked
from assize.simulate._recipes.sources import Sources
from assize.simulate._topics_file import Topic
from assize.web._collect.settings import System

TRIES = 2  # answers of the wrong shape, while somebody waits, before all that was said is used


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found, numbered as it is cited.

    Args:
        query: what was searched for; None where nothing was.
    """

    references: tuple[Reference, ...] = ()
    query: str | None = None


async def retrieve(
    system: System, sources: Sources, model: Model, topic: Topic, said: Sequence[Turn]
) -> Retrieved:
    """What the assistant is shown before its next message.

    Args:
        model: writes the query, where the system asks for that.
        said: all turns so far, with the references that were shown; the last is the person's.
    """
    query: str | None = None
    if system.retrieval == "topic":
        found = sources.given(topic)
    elif system.retrieval == "none":
        return Retrieved()
    else:
        query = topic.text
        if system.retrieval == "bm25-dialogue":
            query = await _query(system, model, topic, said)
        found = await sources.found(query)
    shown = [one for turn in said for one in turn.references]
    return Retrieved(numbered(found, shown), query)


def numbered(found: Sequence[Reference], shown: Sequence[Reference]) -> tuple[Reference, ...]:
    """References with the numbers that they had before, and the next ones for those that are new.

    >>> before = [Reference("1", text="keys")]
    >>> [one.id for one in numbered([Reference("1", text="vaults"), before[0]], before)]
    ['2', '1']
    """
    known = {_which(one): one.id for one in shown}
    for one in found:
        known.setdefault(_which(one), str(len(known) + 1))
    return tuple(replace(one, id=known[_which(one)]) for one in found)


def all_sources(said: Sequence[Turn]) -> tuple[Reference, ...]:
    """Everything that was retrieved in a conversation, each once, by number; `cited` if ever."""
    found = {one.id: one for turn in said for one in turn.references}
    shown = sorted(found.values(), key=lambda one: (len(one.id), one.id))
    texts = [turn.text for turn in said if turn.role == "assistant"]
    cited = {number for text in texts for number in citations(text, shown).known}
    return linked(shown, tuple(cited))


def _which(one: Reference) -> tuple[Any, ...]:
    page = one.extra.get("page")
    return (page, one.extra.get("passage"), one.text) if page else (one.title, one.text)


async def _query(system: System, model: Model, topic: Topic, said: Sequence[Turn]) -> str:
    """All that was said, or what the model would search for; as in DS4 and DS5."""
    whole = "\n".join(one.text for one in said)
    if system.query == "said":
        return whole
    asker = Asker(model, JudgeSettings(tries=TRIES, seed=system.seed or 0), HOME, "collect")
    turns = [replace(one, references=()) for one in said]
    call = Call(
        QUERY,
        {"turns": turns},
        [one.text for one in turns],
        record(query=words()),
        _read,
        (topic.id, "query"),
        LONGEST[QUERY],
    )
    asked = await asker.ask_or_unscored(call)
    return whole if asked.answer is None else str(asked.answer["query"])


def _read(value: Mapping[str, Any]) -> Mapping[str, Any]:
    text = " ".join(str(value["query"]).split())
    if not text:
        raise AnswerError("the query is empty")
    return {"query": text}
