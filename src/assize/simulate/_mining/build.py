"""From a log to the files of topics and corpus, and a record of how they were made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from platform import python_version
from typing import Any

from assize.base.errors import ConfigError
from assize.base.signature import json_hash, sign
from assize.base.version import __version__
from assize.encoders import UNREADABLE, Encoder
from assize.formats.writing import json_line
from assize.judging.steps import STEPS
from assize.results import to_json
from assize.running.durable import replace as replace_file
from assize.running.journal import RUN, write_run
from assize.simulate._funnel import Funnel
from assize.simulate._mining.mine import Mining, chosen, corpus_of, sampled, with_pages
from assize.simulate._mining.mined import SimulatedTopics
from assize.simulate._mining.pages import Page, document_json
from assize.simulate._mining.queries import Asked
from assize.simulate._scrubber.scrubber import Scrubber
from assize.simulate._topics_file import topic_json, write_topics

TOPICS, CORPUS = "topics.jsonl", "corpus.jsonl"


@dataclass(frozen=True, slots=True)
class Topics:
    """Everything that one `assize simulate topics` is told.

    Args:
        asked: the log's rows.
        encoder: opens the encoder, once the queries are known.
        pages: by address key; None where none were given.
        allowed: keys of addresses that may be used; None for all.
        out: the folder to write to; None writes nothing.
        about: what else makes this run this run.
    """

    asked: Sequence[Asked]
    encoder: Callable[[], Encoder]
    mining: Mining = field(default_factory=Mining)
    pages: Mapping[str, Page] | None = None
    allowed: set[str] | None = None
    scrubber: Scrubber | None = None
    out: Path | None = None
    about: Mapping[str, Any] = field(default_factory=dict)


def build(given: Topics) -> SimulatedTopics:
    """Topics and corpus of a log, written where a folder is named.

    Raises:
        ConfigError: the folder holds answers of models.
        DataError: nothing is left of the log.
    """
    if given.out is not None and (given.out / STEPS).exists():
        raise ConfigError(f"{given.out} holds the run of another command; choose another --out")
    funnel, pages = Funnel(), Funnel()
    queries = chosen(given.asked, given.mining, given.scrubber, funnel)
    topics, near = sampled(queries, given.encoder(), given.mining, funnel)
    documents = corpus_of(queries, given.pages, given.allowed, given.mining, pages)
    if given.pages is not None and documents:
        topics = with_pages(topics, documents)
    told = []
    if unread := sum(stage.gone.get(UNREADABLE, 0) for stage in funnel.stages):
        told.append(
            f"{unread:,} queries are left out: most of their tokens are unknown to the encoder, so"
            " it cannot compare them; name one that reads them (encoder)"
        )
    if len(topics) < given.mining.count:
        told.append(f"{len(topics):,} topics, not {given.mining.count:,}: the log holds no more")
    if given.pages is None and pages.stages:
        told.append("pages were clicked, but none are given: name them (pages) for a corpus")
    mining = to_json(given.mining)
    found = SimulatedTopics(
        topics,
        documents,
        funnel,
        pages,
        near,
        told=told,
        signature=sign(
            "simulate-topics",
            1,
            mining,
            given.about,
            json_hash([topic_json(topic) for topic in topics]),
            json_hash([one.id for one in documents]),
        ),
    )
    return found if given.out is None else _written(found, given, given.out)


def _written(found: SimulatedTopics, given: Topics, out: Path) -> SimulatedTopics:
    """The topics with the files that now hold them."""
    out.mkdir(parents=True, exist_ok=True)
    write_topics(out / TOPICS, found.topics)
    files = {str(out / TOPICS): len(found.topics)}
    if found.documents:
        replace_file(
            out / CORPUS, (json_line(document_json(document)) for document in found.documents)
        )
        files[str(out / CORPUS)] = len(found.documents)
    command = {"simulate": "topics", **given.about, **to_json(given.mining)}
    made = {
        "topics": found.topic_count,
        "documents": len(found.documents),
        "steps": to_json(found.steps),
        "pages": to_json(found.page_steps),
        "nearest": to_json(found.nearest),
        "signature": found.signature,
    }
    versions = {"assize": __version__, "python": python_version()}
    write_run(out / RUN, command, {"versions": versions, "made": made})
    return replace(found, outputs=files, out=out)
