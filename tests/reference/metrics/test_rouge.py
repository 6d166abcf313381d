"""The figures in `rouge_score.jsonl` are those of rouge-score 0.1.2 on these pairs."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.metrics.measuring import rouge

from assize.reference._metrics.rouge import KINDS, Overlap

KNOWN = [
    json.loads(line)
    for line in Path(__file__).with_name("rouge_score.jsonl").read_text("utf-8").splitlines()
]
PARTS = ("precision", "recall", "f1")
TEXTS = st.lists(
    st.sampled_from(["a", "b", "c", "the", "running", "ran", ".", "\n"]), max_size=12
).map(" ".join)


def worst(got: Mapping[Any, Overlap], known: list[dict[str, list[float]]]) -> float:
    assert known
    return max(
        abs(float(getattr(got[kind], part)[row]) - figures[kind][at])
        for row, figures in enumerate(known)
        for kind in KINDS
        for at, part in enumerate(PARTS)
    )


def test_it_gives_the_figures_of_rouge_score() -> None:
    candidates, references = ([one[side] for one in KNOWN] for side in ("candidate", "reference"))
    assert worst(rouge(candidates, references), [one["plain"] for one in KNOWN]) < 1e-9


@pytest.mark.nightly("scores ten thousand pairs twice")
def test_it_is_rouge_score_on_ten_thousand_pairs() -> None:
    scorers = pytest.importorskip("rouge_score.rouge_scorer", reason="needs rouge-score")
    rng = random.Random(0)
    known = [
        "the",
        "a",
        "cat",
        "dogs",
        "runs",
        "running",
        "national",
        "relational",
        "5",
        "10",
        "it's",
        "café",
        "—",
        "...",
        "!",
        "yes",
        "skies",
    ]

    def text() -> str:
        gaps = [" ", " ", " ", "\n"]
        return "".join(rng.choice(known) + rng.choice(gaps) for _ in range(rng.randint(0, 50)))

    paragraphs = [
        part
        for page in sorted(Path("docs").glob("*.md"))
        for part in page.read_text("utf-8").split("\n\n")
        if part.isascii()
    ]
    pairs = [(text(), text()) for _ in range(5_000)]
    pairs += [(rng.choice(paragraphs), rng.choice(paragraphs)) for _ in range(5_000)]
    scorer = scorers.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
    expected = [
        {kind.lower(): list(score) for kind, score in scorer.score(reference, candidate).items()}
        for candidate, reference in pairs
    ]
    got = rouge([one for one, _ in pairs], [other for _, other in pairs])
    assert worst(got, expected) < 1e-9


@given(TEXTS, TEXTS)
def test_all_are_shares_and_f1_is_symmetric_but_for_lsum(first: str, second: str) -> None:
    one, other = rouge([first], [second]), rouge([second], [first])
    for kind in KINDS:
        assert all(0 <= getattr(one[kind], part)[0] <= 1 for part in PARTS)
        if kind != "rougelsum":
            assert one[kind].f1 == pytest.approx(other[kind].f1)
            assert one[kind].precision == pytest.approx(other[kind].recall)


def test_the_formulas_of_the_paper_are_the_recall() -> None:
    # gen "a b c", ref "a b d e": 2 of 4 words, 1 of 3 pairs, LCS 2 of 4 (appendix B)
    found = rouge(["a b c"], ["a b d e"])
    assert [found[kind].recall[0] for kind in KINDS] == [0.5, pytest.approx(1 / 3), 0.5, 0.5]


def test_lsum_joins_the_subsequences_of_lines() -> None:
    # Lin (2004), section 3.2: w1 w2 w3 w4 w5 against "w1 w3 w8 w9 w5" and "w1 w2 w6 w7 w8": the
    # union is w1 w2 w3 w5, so 4 of 5; the sentences stand for lines here
    found = rouge(["w1 w3 w8 w9 w5\nw1 w2 w6 w7 w8"], ["w1 w2 w3 w4 w5"])
    assert found["rougelsum"].recall[0] == pytest.approx(4 / 5)
    assert found["rougel"].recall[0] == pytest.approx(3 / 5)


def test_chinese_and_thai_count_letters() -> None:
    found = rouge(["我喜欢猫", "แมวดำ"], ["我喜欢狗", "แมวขาว"])
    assert found["rouge1"].recall[0] == 3 / 4
    assert 0 < found["rouge1"].recall[1] < 1


def test_five_thousand_words_are_no_burden() -> None:
    words = [f"w{at % 700}" for at in range(5000)]
    found = rouge([" ".join(words)], ["\n".join(words[::-1])])
    assert found["rouge1"].f1[0] == 1.0
    assert np.isfinite(found["rougelsum"].f1[0])
