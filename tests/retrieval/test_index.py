"""BM25: scores by hand, order, ties."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from assize.base.errors import ConfigError, DataError
from assize.retrieval.index import Index, best, make_index
from assize.retrieval.pages import Page
from assize.retrieval.passages import Cutting
from assize.retrieval.words import words_of

WHOLE = Cutting(None)
TEXTS = ["storage keys rotate", "keys and more keys for a door", "alerts on storage"]


def indexed(texts: list[str], cutting: Cutting = WHOLE) -> Index:
    return make_index([Page(str(n), text) for n, text in enumerate(texts)], cutting)


def by_hand(texts: list[str], query: str) -> list[float]:
    """BM25 as Lucene has it: sum of idf * tf / (tf + k1 (1 - b + b length / mean length))."""
    each = [words_of(text) for text in texts]
    mean = sum(map(len, each)) / len(each)
    found = []
    for words in each:
        total = 0.0
        for word in words_of(query):
            times, held = words.count(word), sum(word in one for one in each)
            if held:
                idf = math.log(1 + (len(each) - held + 0.5) / (held + 0.5))
                total += idf * times / (times + 1.2 * (0.25 + 0.75 * len(words) / mean))
        found.append(total)
    return found


@settings(max_examples=30)
@given(
    some.lists(some.text("abc ", min_size=1, max_size=20), min_size=1, max_size=8),
    some.text("abcd ", max_size=12),
)
@example(TEXTS, "keys keys door")  # a word counts as often as it stands there
def test_scores_are_those_of_the_formula_for_any_texts(texts: list[str], query: str) -> None:
    if not any(text.strip() for text in texts):
        return
    np.testing.assert_allclose(indexed(texts).scores(query), by_hand(texts, query), rtol=1e-4)


def test_hits_are_best_first_and_hold_a_word_of_the_query() -> None:
    found = indexed(TEXTS).search("storage alerts", 5)
    assert [one.page for one in found] == ["2", "0"]
    assert found[0].score > found[1].score > 0
    assert indexed(TEXTS).search("zebra") == []
    with pytest.raises(ConfigError, match="k: received 0"):
        indexed(TEXTS).search("x", 0)


def test_of_equals_the_first_comes_first() -> None:
    assert [one.page for one in indexed(["same"] * 9).search("same", 4)] == ["0", "1", "2", "3"]
    assert best(np.array([0, 0, 0], dtype=np.float32), 2) == []


def test_passages_are_found_by_themselves_and_titles_by_the_first() -> None:
    text = " ".join(f"word{n}" for n in range(25))
    pages = [Page("o", "other"), Page("p", text, "Zebra"), Page("q", "other")]
    index = make_index(pages, Cutting(10, 2))
    (hit,) = index.search("word21")
    assert (hit.page, hit.passage) == ("p", 2)
    assert hit.text == " ".join(f"word{n}" for n in range(15, 25))
    assert [one.passage for one in index.search("zebra")] == [0]
    assert hit.reference("3").extra == {"page": "p", "passage": 2, "score": round(hit.score, 4)}


def test_each_page_is_found_once_before_any_is_found_again() -> None:
    pages = [Page("a", "keys keys keys " * 20), Page("b", "keys and other things " * 5)]
    index = make_index([*pages, Page("c", "zebra")], Cutting(6, 0))
    found = index.search("keys", 4)
    assert [one.page for one in found] == ["a", "b", "a", "a"]
    assert [one.passage for one in found] == [0, 0, 1, 2]
    assert len(index.search("keys", 99)) == 10 + len({one[1] for one in cut_of(index, 1)})


def cut_of(index: Index, page: int) -> list[tuple[int, int]]:
    """Passages of a page that hold the word, by place."""
    held = np.flatnonzero((index.passages[:, 0] == page) & (index.scores("keys") > 0))
    return [(page, int(at)) for at in held]


def test_pages_are_found_by_id_and_the_longest_by_length() -> None:
    index = indexed(TEXTS)
    page: Any = index.page("1")
    assert page.text == TEXTS[1]
    assert index.page("9") is None
    assert [one.page for one in index.longest(2)] == ["1", "0"]


def test_the_longest_passage_of_pages_in_pieces_is_the_one_with_the_longest_text() -> None:
    pages = [Page("a", "tiny words " * 20), Page("b", "considerably longer " * 5)]
    index = make_index([Page("c", "short text"), *pages], Cutting(6, 0))
    lengths = [len(hit.text) for hit in index.longest(99)]
    assert len(lengths) == len(index.passages)
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]


def test_without_any_word_there_is_no_index() -> None:
    with pytest.raises(DataError, match="no page holds a word"):
        indexed(["?!", "--"])
