"""Topics and a corpus out of a log: `assize simulate topics`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from assize.arguments import checked
from assize.encoders import Encoder, load_encoder
from assize.formats import Items
from assize.formats.any_log import with_mapping
from assize.judging.outcome import Estimates
from assize.judging.steps import Step
from assize.running import run_sync
from assize.running.progress import progress
from assize.signature import json_hash
from assize.simulation.mining import build as building
from assize.simulation.mining.build import Topics
from assize.simulation.mining.mine import Mining
from assize.simulation.mining.mined import SimulatedTopics
from assize.simulation.mining.pages import read_allowed, read_pages
from assize.simulation.mining.queries import read_log
from assize.simulation.scrubbing.scrubber import MAPPING
from assize.workflows.allowed import check_range
from assize.workflows.asking import Asking, folder_for, session_of
from assize.workflows.reading import listed, log
from assize.workflows.simulation.scrubbing import wanted_scrubber

_NOWHERE = Path("-")


@checked
@with_mapping
def simulate_topics(
    items: Items,
    *,
    count: int = 20,
    clusters: int | None = None,
    same: float = 0.9,
    least: int = 1,
    site: str | Sequence[str] = (),
    dwell: float = 30.0,
    pages: str | Path | None = None,
    allowed: str | Path | None = None,
    least_words: int = 20,
    any_query: bool = False,
    seeking: str | None = None,
    encoder: str | Encoder = "minilm",
    scrub: bool = False,
    terms: str | Path | None = None,
    out: str | Path | None = None,
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> SimulatedTopics:
    """Draws topics to talk about from a log of queries, conversations or clicks.

    Queries that seek information are merged where they mean the same, put into clusters, and
    drawn from all of them. Of a log of clicks, those that satisfied choose the
    queries, and all pages clicked for these make the corpus. Nothing is fetched.

    Args:
        items: queries, one a line or a row (`query`); clicks (`query`, `address`, `dwell`); or
            conversations, of which the user's first turn is taken. In Python also records.
        count: topics to draw.
        clusters: to put the queries into; as many as topics if unset.
        same: cosine from which two queries mean the same.
        least: times that a query must have been asked.
        site: a host, or part of one, on which a satisfied click must be (repeatable).
        dwell: seconds from which a click is satisfied.
        pages: the pages: JSON lines of address and html, or a folder of files.
        allowed: a file of addresses that may be used, one a line.
        least_words: of a page that is kept.
        any_query: take queries that seek no information too.
        seeking: a model that also decides which queries seek information.
        encoder: minilm, hf:PATH-or-id or openai:NAME.
        scrub: put placeholders for names, mails, numbers and keys into the queries first.
        terms: a file of words and phrases that are personal too, one a line; for scrub.
        out: the folder to write topics.jsonl and corpus.jsonl to. In Python None writes nothing.
        seed: seed of the clusters and of what is drawn.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`.

    Returns:
        Topics with the pages clicked for each, most clicked first, and the corpus.

    Raises:
        DataError: the log cannot be read, or nothing is left of it.
        ConfigError: an argument is not allowed, or the folder is another command's.
        KeyboardInterrupt: it was interrupted; what was answered is in `out`.

    Source: LLM-Rubric, section 3.1, for the log of clicks; see `mining` for where it is silent.
    """
    told: Any = {name: value for name, value in locals().items() if name != "items"}
    told |= told.pop("asking")
    found = run_topics(items, **told)
    for said in found.unfinished:
        log.warning(said)
    if found.interrupted:
        raise KeyboardInterrupt
    return found if out is not None else replace(found, out=None, files={})


class SimulatingTopics(Asking, total=False):
    """The arguments of `simulate_topics`, which say what each means."""

    count: int
    clusters: int | None
    same: float
    least: int
    site: str | Sequence[str]
    dwell: float
    pages: str | Path | None
    allowed: str | Path | None
    least_words: int
    any_query: bool
    seeking: str | None
    encoder: str | Encoder
    scrub: bool
    terms: str | Path | None
    out: str | Path | None
    seed: int
    quiet: bool


def run_topics(items: Items, **given: Unpack[SimulatingTopics]) -> SimulatedTopics:
    """`simulate_topics`, told how far it came where it was interrupted."""
    with folder_for(given.get("out")) as folder:
        told = _topics(items, folder, given)
        with progress("asking", None, quiet=given.get("quiet", False)) as advance:

            def on_step(_: Step) -> None:
                advance()

            found = run_sync(lambda: building.build_async(told, on_step=on_step, note=log.info))
        if told.scrubber is None:
            return found
        told.scrubber.save(folder / MAPPING)
        return replace(found, scrubbed=dict(told.scrubber.counts))


def estimate_topics(items: Items, **given: Unpack[SimulatingTopics]) -> Estimates:
    """What `simulate_topics` would take and cost; nothing is asked or written."""
    out = given.get("out")
    told = _topics(items, _NOWHERE if out is None else Path(out), given, dry=True)
    return run_sync(lambda: building.estimate(told))


def _topics(items: Items, folder: Path, given: SimulatingTopics, *, dry: bool = False) -> Topics:
    """What these arguments describe, the log read."""
    asking: Any = {name: one for name, one in given.items() if name in Asking.__annotations__}
    asked = read_log(items)
    asking["seed"] = given.get("seed", 0)
    session = session_of("-", [], folder, asking, dry=dry)
    session = replace(session, given=[])
    named = given.get("encoder", "minilm")
    scrubber, about = wanted_scrubber(folder, given.get("scrub", False), given.get("terms"))
    about["log"] = json_hash([[one.text, one.address, one.dwell] for one in asked], 16)
    about["encoder"] = named if isinstance(named, str) else named.signature
    pages, allowed = given.get("pages"), given.get("allowed")
    return Topics(
        session, asked, lambda: load_encoder(named) if isinstance(named, str) else named,
        _mining(given), None if pages is None else read_pages(pages),
        None if allowed is None else read_allowed(allowed), given.get("seeking"), scrubber, about,
    )  # fmt: skip


def _mining(given: SimulatingTopics) -> Mining:
    count, clusters = given.get("count", 20), given.get("clusters")
    same, least, dwell = given.get("same", 0.9), given.get("least", 1), given.get("dwell", 30.0)
    least_words = given.get("least_words", 20)
    check_range("count", count, 1)
    check_range("clusters", clusters, 1)
    check_range("same", same, 0, 1)
    check_range("least", least, 1)
    check_range("dwell", dwell, 0)
    check_range("least_words", least_words, 0)
    site = given.get("site", ())
    sites = tuple(listed(site)) if site else ()
    return Mining(
        count, clusters, same, sites, dwell, least, not given.get("any_query", False), least_words,
        given.get("seed", 0),
    )  # fmt: skip
