"""Retrieval: what LLM-Rubric recorded, what was planted, how long a large corpus takes.

    python benchmarks/retrieval.py recall shared/data/llm-rubric/real_dialogues.jsonl
    python benchmarks/retrieval.py speed [whole] [passages]   # 20,000 pages of 1,200 words

What was recorded for a topic is circular where BM25 recorded it (LLM-Rubric's system 2).
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import assize
from assize.base.conversation import Conversation, Reference
from assize.retrieval import Cutting, Page, build_index, open_index
from assize.stats._intervals import mean

SEED, PAGES, WORDS, VOCABULARY, QUERIES = 11, 20_000, 1_200, 50_000, 200


def recall(path: str) -> None:
    """Recall at 5 of the pages recorded, by the topic and by the first question, by system."""
    chats = [one for one in assize.read(path) if isinstance(one, Conversation)]
    recorded = [(chat, _recorded(chat)) for chat in chats]
    pages = {_address(one): one for _, shown in recorded for one in shown}
    print(f"{len(chats)} conversations, {len(pages)} distinct pages recorded")
    documents = [Page(name, one.text, one.title) for name, one in pages.items()]
    for cutting in (Cutting(None, 0), Cutting()):
        index = build_index(documents, cutting=cutting)
        for system in ("1", "2"):
            for asked in ("topic", "first question", "all until the first answer"):
                shares = [
                    _share(index.search(_query(chat, asked), 5), shown)
                    for chat, shown in recorded
                    if shown and _system(chat) == system
                ]
                found = mean(shares)
                low, high = found.interval
                print(
                    f"{cutting}; system {system}, by {asked}: recall at 5"
                    f" {found.estimate:.3f} [{low:.3f}, {high:.3f}], n {found.n}"
                )


def _recorded(chat: Conversation) -> list[Reference]:
    return [one for turn in chat.turns for one in turn.references]


def _address(one: Reference) -> str:
    return str(one.extra.get("url") or one.title)


def _system(chat: Conversation) -> str:
    return str(chat.system)[-1:]


def _query(chat: Conversation, asked: str) -> str:
    first = next(at for at, turn in enumerate(chat.turns) if turn.role == "user")
    if asked == "topic":
        return str(chat.metadata["topic"])
    said = chat.turns[first : first + 1] if asked == "first question" else chat.turns[: first + 1]
    return "\n".join(turn.text for turn in said)


def _share(hits: Any, shown: list[Reference]) -> float:
    wanted = {_address(one) for one in shown}
    return len(wanted & {one.page for one in hits}) / len(wanted)


def generated(rng: np.random.Generator) -> Iterator[Page]:
    """Pages whose words are drawn as in a language, of which every hundredth has a planted one."""
    chances = 1 / np.arange(1, VOCABULARY + 1)
    names = np.array([f"w{n:x}" for n in range(VOCABULARY)])
    chances /= chances.sum()
    for page in range(PAGES):
        words = names[rng.choice(VOCABULARY, WORDS, p=chances)]
        if page % (PAGES // QUERIES) == 0:
            at = rng.integers(0, WORDS - 3)  # side by side: a passage holds them as a page does
            words[at : at + 3] = _planted(page)
        yield Page(f"p{page}", " ".join(words))


def _planted(page: int) -> list[str]:
    """Three words, each of the language, for the page alone to hold all of."""
    rng = np.random.default_rng([SEED, page])
    return [f"w{n:x}" for n in rng.integers(500, VOCABULARY, 3)]


def speed(cuttings: Sequence[Cutting]) -> None:
    """Seconds and memory: indexing, saving, opening, and 200 queries."""
    pages = list(generated(np.random.default_rng(SEED)))
    queries = {f"p{n}": " ".join(_planted(n)) for n in range(0, PAGES, PAGES // QUERIES)}
    size = sum(len(one.text) for one in pages) / 1e6
    print(f"{PAGES:,} pages of {WORDS:,} words, {size:.0f} MB; generated, peak {_peak():,} MB")
    for cutting in cuttings:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "index"
            begun, used = time.perf_counter(), time.process_time()
            build_index(pages, place, cutting)
            print(
                f"{cutting}: indexed and saved in {time.perf_counter() - begun:.1f} s"
                f" ({time.process_time() - used:.1f} s of processor), peak {_peak():,} MB"
            )
            begun = time.perf_counter()
            index = open_index(place)
            print(f"  opened in {time.perf_counter() - begun:.2f} s: {index!r}")
            index.search("w1f4 w1f5")
            begun, used = time.perf_counter(), time.process_time()
            hits = {name: index.search(query, 5) for name, query in queries.items()}
            took = time.perf_counter() - begun
            cpu = time.process_time() - used
            found = np.mean([name in {hit.page for hit in each} for name, each in hits.items()])
            print(
                f"  {len(queries)} queries of 3 words in {took:.2f} s"
                f" ({cpu:.2f} s of processor); recall at 5 {found:.3f}"
            )
            long = " ".join(f"w{n:x}" for n in range(100))
            begun = time.perf_counter()
            index.search(long, 5)
            print(f"  one of the 100 most frequent words in {time.perf_counter() - begun:.3f} s")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    if sys.argv[1] == "speed":
        named = {"whole": Cutting(None, 0), "passages": Cutting()}
        speed([named[one] for one in sys.argv[2:]] or list(named.values()))
    else:
        recall(sys.argv[2])
