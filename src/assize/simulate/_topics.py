"""Topics and a corpus out of a log: `assize simulate topics`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from platform import python_version

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.base.signature import json_hash, sign
from assize.base.version import __version__
from assize.encoders import UNREADABLE, Encoder, load_encoder
from assize.formats import ItemsLike
from assize.formats.arguments import listed
from assize.formats.writing import json_line
from assize.judging.steps import STEPS
from assize.results import to_json
from assize.running.durable import replace as replace_file
from assize.running.journal import RUN, write_run
from assize.simulate._funnel import Funnel
from assize.simulate._mining.mine import (
    Mining,
    choose_queries,
    corpus_of,
    draw_topics,
    with_pages,
)
from assize.simulate._mining.mined import SimulatedTopics, corpus_sizes
from assize.simulate._mining.pages import LEAST_WORDS, read_allowed, read_pages
from assize.simulate._mining.queries import read_log
from assize.simulate._scrubber.scrubber import MAPPING
from assize.simulate._scrubbing import open_scrubber
from assize.simulate._settings import Corpus, Scrub
from assize.simulate._topics_file import topic_json, write_topics

TOPICS, CORPUS = "topics.jsonl", "corpus.jsonl"


def topics(
    items: ItemsLike,
    *,
    count: int = 20,
    least: int = 1,
    site: str | Sequence[str] = (),
    dwell: float = 30.0,
    corpus: Corpus | None = None,
    any_query: bool = False,
    encoder: str | Encoder = "minilm",
    scrub: Scrub | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> SimulatedTopics:
    """Draw topics to talk about from a log of queries, conversations or clicks.

    Queries that seek information are merged if they mean the same, and drawn so that they lie far
    apart. From a log of clicks, satisfied clicks choose the queries, and all pages clicked for
    these make the corpus. Nothing is downloaded.

    Args:
        items: queries, one per line, or one per row in the column `query`; clicks (`query`,
            `address`, `dwell`); or conversations, of which the user's first turn is taken. In
            Python also records.
        count: number of topics to draw.
        least: minimum times that a query was asked.
        site: host, or start of an address, of pages whose satisfied clicks count (repeatable).
        dwell: seconds on the page from which a click counts as satisfied.
        corpus: the pages that are kept of those clicked; none are if unset.
        any_query: also take queries that do not seek information.
        encoder: encoder of the queries: minilm, hf:PATH-or-id or openai:NAME.
        scrub: replace names, mails, numbers and keys in the queries by placeholders first.
        out: folder to write topics.jsonl and corpus.jsonl to. In Python None writes nothing.
        seed: random seed.

    Returns:
        Topics with the pages clicked for each, most clicked first, and the corpus.

    Raises:
        DataError: the log cannot be read, or nothing is left of it.
        ConfigError: an argument is not allowed, or the folder is another command's.

    Source: LLM-Rubric, section 3.1, for the log of clicks; see `mining` for where it is silent.
    """
    check_range("count", count, 1)
    check_range("least", least, 1)
    check_range("dwell", dwell, 0)
    folder = None if out is None else Path(out)
    if folder is not None and (folder / STEPS).exists():
        raise ConfigError(f"{folder} holds the run of another command; choose another --out")
    least_words = LEAST_WORDS if corpus is None else corpus.least_words
    sites = tuple(listed(site)) if site else ()
    mining = Mining(count, sites, dwell, least, not any_query, least_words, seed)
    pages = None if corpus is None else read_pages(corpus.pages)
    allowed = None if corpus is None or corpus.allowed is None else read_allowed(corpus.allowed)
    scrubber, about = open_scrubber(folder, scrub)
    asked = read_log(items)
    about["log"] = json_hash([[row.text, row.address, row.dwell] for row in asked], 16)
    about["encoder"] = encoder if isinstance(encoder, str) else encoder.signature
    funnel, page_funnel = Funnel(), Funnel()
    queries = choose_queries(asked, mining, scrubber, funnel)
    reader = load_encoder(encoder) if isinstance(encoder, str) else encoder
    drawn = draw_topics(queries, reader, mining, funnel)
    documents = corpus_of(queries, pages, allowed, mining, page_funnel)
    if documents:
        drawn = with_pages(drawn, documents)
    notes = []
    if unread := sum(stage.gone.get(UNREADABLE, 0) for stage in funnel.stages):
        notes.append(
            f"{unread:,} queries are left out: most of their tokens are unknown to the encoder, so"
            " it cannot compare them; name one that reads them (encoder)"
        )
    if len(drawn) < count:
        notes.append(f"{len(drawn):,} topics, not {count:,}: the log holds no more")
    if pages is None and page_funnel.stages:
        notes.append("pages were clicked, but none are given: name them (pages) for a corpus")
    settings = {"simulate": "topics", **about, **to_json(mining)}
    texts = [topic_json(topic) for topic in drawn]
    made = SimulatedTopics(
        records=drawn,
        documents=documents,
        steps=funnel.stages,
        page_steps=page_funnel.stages,
        corpus=corpus_sizes(drawn, documents),
        notes=notes,
        scrubbed=None if scrubber is None else dict(scrubber.counts),
        signature=sign(
            settings,
            json_hash(texts),
            json_hash([page.id for page in documents]),
        ),
    )
    if folder is None:
        return made
    folder.mkdir(parents=True, exist_ok=True)
    write_topics(folder / TOPICS, drawn)
    files = {str(folder / TOPICS): len(drawn)}
    if documents:
        lines = (
            {"id": page.id, "title": page.title, "text": page.text, **page.extra}
            for page in documents
        )
        replace_file(folder / CORPUS, map(json_line, lines))
        files[str(folder / CORPUS)] = len(documents)
    if scrubber is not None:
        scrubber.save(folder / MAPPING)
    versions = {"assize": __version__, "python": python_version()}
    write_run(folder / RUN, settings, {"versions": versions, "made": made.to_json()})
    return replace(made, outputs=files, out=folder)
