"""The page of a study of learning from judges."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

from tests.evaluator.study.test_study import found
from tests.pages.conftest import page_of

from assize.evaluator._study.vote_counts import VoteCounts


def test_the_page_has_every_part_and_a_judge_s_name_is_text(tmp_path: Path) -> None:
    evil = replace(WHOLE.judges[0], judge="<script>alert(1)</script>")
    whole = replace(WHOLE, judges=(evil, *WHOLE.judges[1:]))
    text = page_of(whole, tmp_path)
    assert re.findall(r"<h2[^>]*>([^<]+)", text) == [
        "Learnt from votes",
        "Other juries",
        "What is learnt of each judge",
        "preference: Votes",
    ]
    assert text.count("<svg") == 8
    assert whole.signature in text
    assert "<script>alert" not in text
    assert [one.title for one in whole.tables.values() if one.title not in unescape(text)] == []


WHOLE = replace(found(), votes=(VoteCounts("a", "preference", 3, 1, 2, 0),))


def test_without_juries_and_counts_their_sections_are_left_out(tmp_path: Path) -> None:
    text = page_of(replace(found(), juries=()), tmp_path)
    assert "Other juries</h2>" not in text
    assert "Votes</h2>" not in text
