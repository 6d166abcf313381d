"""Topics and a corpus out of a log: `assize simulate topics`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assize.base.arguments import check_range
from assize.base.signature import json_hash
from assize.encoders import Encoder, load_encoder
from assize.formats import ItemsLike
from assize.formats.arguments import listed
from assize.simulate._mining.build import Topics, build
from assize.simulate._mining.mine import Mining
from assize.simulate._mining.mined import SimulatedTopics
from assize.simulate._mining.pages import LEAST_WORDS, read_allowed, read_pages
from assize.simulate._mining.queries import read_log
from assize.simulate._scrubber.scrubber import MAPPING
from assize.simulate._scrubbing import wanted_scrubber
from assize.simulate._settings import Corpus, Scrub


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
    """Draws topics to talk about from a log of queries, conversations or clicks.

    Queries that seek information are merged where they mean the same, and drawn so that they
    lie far from one another. Of a log of clicks, those that satisfied choose the
    queries, and all pages clicked for these make the corpus. Nothing is fetched.

    Args:
        items: queries, one a line or a row (`query`); clicks (`query`, `address`, `dwell`); or
            conversations, of which the user's first turn is taken. In Python also records.
        count: topics to draw.
        least: times that a query must have been asked.
        site: a host, or part of one, on which a satisfied click must be (repeatable).
        dwell: seconds from which a click is satisfied.
        corpus: the pages that are kept of those clicked; none are if unset.
        any_query: take queries that seek no information too.
        encoder: minilm, hf:PATH-or-id or openai:NAME.
        scrub: put placeholders for names, mails, numbers and keys into the queries first.
        out: the folder to write topics.jsonl and corpus.jsonl to. In Python None writes nothing.
        seed: seed of what is drawn.

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
    sites = tuple(listed(site)) if site else ()
    least_words = LEAST_WORDS if corpus is None else corpus.least_words
    mining = Mining(count, sites, dwell, least, not any_query, least_words, seed)
    folder = None if out is None else Path(out)
    scrubber, about = wanted_scrubber(folder, scrub)
    asked = read_log(items)
    about["log"] = json_hash([[one.text, one.address, one.dwell] for one in asked], 16)
    about["encoder"] = encoder if isinstance(encoder, str) else encoder.signature
    found = build(
        Topics(
            asked,
            lambda: load_encoder(encoder) if isinstance(encoder, str) else encoder,
            mining,
            None if corpus is None else read_pages(corpus.pages),
            None if corpus is None or corpus.allowed is None else read_allowed(corpus.allowed),
            scrubber,
            folder,
            about,
        )
    )
    if scrubber is None:
        return found
    if folder is not None:
        scrubber.save(folder / MAPPING)
    return replace(found, scrubbed=dict(scrubber.counts))
