"""From a log to topics and their pages, one counted step after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assize.base.conversation import Reference
from assize.base.errors import DataError
from assize.encoders import UNREADABLE, Encoder, find_unreadable
from assize.retrieval import Page
from assize.simulate._funnel import Funnel
from assize.simulate._mining.clicks import LEAST_DWELL, is_satisfied, same_addresses, selected
from assize.simulate._mining.diverse import SAME, farthest, merged
from assize.simulate._mining.pages import LEAST_WORDS, Capture, documents_of
from assize.simulate._mining.queries import Asked, Query, counted_up
from assize.simulate._mining.seeking import why_not_seeking
from assize.simulate._scrubber.scrubber import Scrubber
from assize.simulate._topics_file import Topic


@dataclass(frozen=True, slots=True)
class Mining:
    """How topics are chosen.

    Args:
        count: number of topics to draw.
        sites: on which a satisfied click must be; () for anywhere.
        dwell: seconds on the page from which a click counts as satisfied.
        least: minimum times that a query was asked.
        rule: whether queries that seek no information are left out by rule.
        least_words: minimum length of a page in words.
        seed: of the draw.
    """

    count: int = 20
    sites: tuple[str, ...] = ()
    dwell: float = LEAST_DWELL
    least: int = 1
    rule: bool = True
    least_words: int = LEAST_WORDS
    seed: int = 0


def choose_queries(
    asked: Sequence[Asked], mining: Mining, scrubber: Scrubber | None, funnel: Funnel
) -> list[Query]:
    """The queries that may be topics, each once; counts what each step left.

    Source: LLM-Rubric, section 3.1, for satisfied clicks and common queries. Differs: the paper
    takes satisfied clicks on its site for the sign of an information-seeking query; the
    rule of `seeking` is asked besides.

    Raises:
        DataError: nothing is left.
    """
    funnel.add("given", "rows", len(asked))
    rows = same_addresses(asked)
    if any(one.address is not None for one in rows):
        funnel.add(
            f"clicks of {mining.dwell:g} s or more",
            "rows",
            sum(is_satisfied(one, mining.dwell) for one in rows),
        )
        rows = selected(rows, mining.sites, mining.dwell)
        where = f" on {', '.join(mining.sites)}" if mining.sites else ""
        funnel.add(f"of queries with such a click{where}", "rows", len(rows))
    elif mining.sites:
        raise DataError("no row has an address, so no site can be chosen", source="log")
    queries = counted_up(rows)
    funnel.add("different", "queries", len(queries))
    if mining.least > 1:
        queries = funnel.keep(
            f"asked {mining.least} times or more",
            "queries",
            queries,
            lambda query: query.count >= mining.least,
        )
    if mining.rule:
        why = Counter(why for one in queries if (why := why_not_seeking(one.text)) is not None)
        queries = [one for one in queries if why_not_seeking(one.text) is None]
        funnel.add("seek information, by rule", "queries", len(queries), why)
    if scrubber is not None:
        queries = [replace(one, text=scrubber.texts([one.text])[0]) for one in queries]
    if not queries:
        raise DataError(f"no query is left: {funnel}", source="log")
    return queries


def draw_topics(
    queries: Sequence[Query], encoder: Encoder, mining: Mining, funnel: Funnel
) -> list[Topic]:
    """Topics that are unlike one another, the same for the same queries and seed.

    A query that the encoder cannot read is compared with none: it is counted, and is no topic.

    Raises:
        DataError: the encoder can read no query.
    """
    unread = find_unreadable(encoder, [query.text for query in queries])
    if unread:
        queries = [query for index, query in enumerate(queries) if index not in unread]
        gone = {UNREADABLE: len(unread)}
        funnel.add(f"the encoder {encoder.name} can read", "queries", len(queries), gone)
    if not queries:
        why = next(iter(unread.values())).message
        raise DataError(f"no query can be compared: {why} (--encoder hf:PATH)", source="log")
    vectors = np.asarray(encoder.encode([one.text for one in queries]).vectors, dtype=np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    several, vectors = merged(queries, vectors)
    funnel.add(f"no closer than {SAME:g}", "queries", len(several))
    rows = farthest(vectors, mining.count, np.random.default_rng(mining.seed))
    topics = [_topic(several[row], number) for number, row in enumerate(rows, start=1)]
    funnel.add("drawn far from one another", "topics", len(topics))
    return topics


def _topic(query: Query, number: int) -> Topic:
    pages = sorted(query.clicks.items(), key=lambda one: (-one[1], one[0]))
    told: dict[str, Any] = {"queries": query.count}
    if query.source is not None:
        told["conversation"] = query.source
    return Topic(
        f"t{number}",
        query.text,
        tuple(Reference(address, extra={"clicks": count}) for address, count in pages),
        metadata=told,
    )


def corpus_of(
    queries: Sequence[Query],
    pages: Mapping[str, Capture] | None,
    allowed: set[str] | None,
    mining: Mining,
    funnel: Funnel,
) -> list[Page]:
    """The pages clicked for any of the queries, as text; [] where nothing was clicked."""
    clicks: Counter[str] = Counter()
    for one in queries:
        clicks.update(one.clicks)
    if not clicks:
        return []
    funnel.add("clicked for these queries", "pages", len(clicks))
    if pages is None:
        return []
    found, gone = documents_of(clicks, pages, allowed, mining.least_words)
    funnel.add("read as text", "pages", len(found), gone)
    return found


def with_pages(topics: Sequence[Topic], documents: Sequence[Page]) -> list[Topic]:
    """The topics with those of their documents that are in the corpus."""
    known = {one.id for one in documents}
    return [
        replace(one, documents=tuple(page for page in one.documents if page.id in known))
        for one in topics
    ]
