"""Mining with a model that decides: each batch of queries is a step of the run's journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from platform import python_version
from typing import Any

from assize.encoders import Encoder
from assize.errors import ConfigError, DataError
from assize.formats.writing import json_line
from assize.judging.calls import Asker
from assize.judging.outcome import Estimates
from assize.judging.session import Session
from assize.judging.stepping import Note, spent_on, stepping, stored_steps
from assize.judging.steps import STEPS, Step, Steps
from assize.models import Models
from assize.running.durable import replace as replace_file
from assize.running.journal import RUN, read_run, write_run
from assize.signature import json_hash, sign
from assize.simulation.coherence import HOME
from assize.simulation.funnel import Funnel
from assize.simulation.mining.mine import Mining, chosen, corpus_of, sampled, with_pages
from assize.simulation.mining.mined import SimulatedTopics
from assize.simulation.mining.pages import Page
from assize.simulation.mining.queries import Asked, Query
from assize.simulation.mining.seeking import BATCH, PROMPT, STAGE, seeking
from assize.simulation.scrubbing.scrubber import Scrubber
from assize.simulation.topics_file import write_topics
from assize.version import __version__

TOPICS, CORPUS = "topics.jsonl", "corpus.jsonl"


@dataclass(frozen=True, slots=True)
class Topics:
    """Everything that one `assize simulate topics` is told.

    Args:
        asked: the log's rows.
        encoder: opens the encoder, once the queries are known.
        pages: by address key; None where none were given.
        allowed: keys of addresses that may be used; None for all.
        seeking: the model that decides what seeks information; None for the rule alone.
        about: what else makes this run this run.
    """

    session: Session
    asked: Sequence[Asked]
    encoder: Callable[[], Encoder]
    mining: Mining = field(default_factory=Mining)
    pages: Mapping[str, Page] | None = None
    allowed: set[str] | None = None
    seeking: str | None = None
    scrubber: Scrubber | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def command(self, seeking: Sequence[str | None] | None = None) -> dict[str, Any]:
        """What makes this run this run; `seeking` is the model and its prompt's version."""
        told = {**self.session.command(), "simulate": "topics", **self.about}
        return {**told, **self.mining.to_json(), "seeking": seeking}


async def build_async(
    given: Topics,
    *,
    on_step: Callable[[Step], None] = lambda _: None,
    note: Note = lambda _: None,
) -> SimulatedTopics:
    """Asks what the folder does not hold yet, and writes topics and corpus there.

    Raises:
        DataError: nothing is left of the log.
    """
    if given.seeking is None:
        _check_unpaid(given)
    funnel = Funnel()
    queries = chosen(given.asked, given.mining, given.scrubber, funnel)
    if given.seeking is None:
        return _made(given, queries, funnel, given.command())
    async with Models(given.session.models, note=note) as models:
        steps = Steps(on_step)
        asker = Asker(models.open(given.seeking), given.session.asked, HOME, "simulate")
        command = given.command([given.seeking, asker.version(PROMPT)])
        async with stepping(
            given.session, steps, models, command=command,
            prompts={PROMPT: asker.version(PROMPT)}, note=note,
        ) as at:  # fmt: skip
            said: dict[int, Step] = {}
            starts = range(0, len(queries), BATCH)
            await at.do(partial(_batch, queries, one, asker, steps, said) for one in starts)
            finished = await at.settle()
            told: dict[str, Any] = {
                "reasons": steps.unscored(STAGE), "spent": spent_on(steps, models.budget.spent),
                "stopped": at.run.interrupted, "waiting": at.waiting,
                "unscored": (_lost(queries, said), len(queries)),
            }  # fmt: skip
            if not finished:
                return SimulatedTopics([], [], funnel, Funnel(), **told)
            kept = _kept(queries, said, funnel)
            if not kept:
                raise DataError("the model chose no query", source="log")
            return replace(_made(given, kept, funnel, command), **told)


async def _batch(
    queries: Sequence[Query], start: int, asker: Asker, steps: Steps, said: dict[int, Step]
) -> None:
    texts = [one.text for one in queries[start : start + BATCH]]
    said[start] = await seeking(texts, asker, steps)


def _lost(queries: Sequence[Query], said: Mapping[int, Step]) -> int:
    return sum(
        len(queries[start : start + BATCH]) for start, one in said.items() if one.answer is None
    )


def _kept(queries: Sequence[Query], said: Mapping[int, Step], funnel: Funnel) -> list[Query]:
    """The queries that the model chose; those it said nothing about are left out, and counted."""
    found = [
        queries[start + number - 1]
        for start in sorted(said)
        if (answer := said[start].answer) is not None
        for number in answer["seeking"]
    ]
    lost = _lost(queries, said)
    gone = {"not chosen": len(queries) - len(found) - lost, "unscored": lost}
    funnel.add("seek information, by the model", "queries", len(found), gone)
    return found


def _check_unpaid(given: Topics) -> None:
    """Raises ConfigError where the folder holds answers of a model, and none is named."""
    if (given.session.out / STEPS).exists():
        raise ConfigError(
            f"{given.session.out} holds the run of another command (its queries were chosen by a"
            " model); choose another --out"
        )


def _made(
    given: Topics, queries: Sequence[Query], funnel: Funnel, command: Mapping[str, Any]
) -> SimulatedTopics:
    """Topics and corpus of the queries that are left, written where a folder is named."""
    pages = Funnel()
    topics, diversity = sampled(queries, given.encoder(), given.mining, funnel)
    documents = corpus_of(queries, given.pages, given.allowed, given.mining, pages)
    if given.pages is not None and documents:
        topics = with_pages(topics, documents)
    told = []
    if len(topics) < given.mining.count:
        told.append(f"{len(topics):,} topics, not {given.mining.count:,}: the log holds no more")
    if given.pages is None and pages.stages:
        told.append("pages were clicked, but none are given: name them (pages) for a corpus")
    out = given.session.out
    out.mkdir(parents=True, exist_ok=True)
    write_topics(out / TOPICS, topics)
    files = {str(out / TOPICS): len(topics)}
    if documents:
        replace_file(out / CORPUS, (json_line(one.to_json()) for one in documents))
        files[str(out / CORPUS)] = len(documents)
    found = SimulatedTopics(
        topics, documents, funnel, pages, diversity, told=told, files=files, out=out,
        signature=sign(
            "simulate-topics", 1, given.mining.to_json(), given.about,
            json_hash([one.to_json() for one in topics]), json_hash([one.id for one in documents]),
        ),
    )  # fmt: skip
    _record(found, command)
    return found


def _record(found: SimulatedTopics, command: Mapping[str, Any]) -> None:
    """Writes what was told, and what each step left, into `run.json`; no model needs be asked."""
    assert found.out is not None
    place = found.out / RUN
    earlier = read_run(place) if command["seeking"] is not None else None
    about = earlier or {"versions": {"assize": __version__, "python": python_version()}}
    about = {name: part for name, part in about.items() if name not in ("command", "format")}
    told = found.to_json()
    kept = ("topics", "documents", "steps", "pages", "diversity", "signature")
    write_run(place, command, {**about, "made": {name: told[name] for name in kept}})


async def estimate(given: Topics) -> Estimates:
    """Calls, tokens and cost beyond what folder and cache hold; asks nothing."""
    if given.seeking is None:
        return Estimates({})
    queries = chosen(given.asked, given.mining, given.scrubber, Funnel())
    dry = replace(given.session.models, dry=True)
    async with Models(dry, note=lambda _: None) as models:
        steps = Steps(known=stored_steps(given.session))
        asker = Asker(models.open(given.seeking), given.session.asked, HOME, "simulate")
        for start in range(0, len(queries), BATCH):
            await _batch(queries, start, asker, steps, {})
        return Estimates({name: one.estimate for name, one in models.estimates.items()})
