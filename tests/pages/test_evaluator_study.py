"""The page of a study of learning from judges."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

from tests.evaluator.study.test_study import found

from assize.evaluator._study.studied import EvaluatorStudy
from assize.evaluator._study.vote_counts import VoteCounts

WHOLE = replace(found(), votes=(VoteCounts("a", "preference", 3, 1, 2, 0),))


def page(result: EvaluatorStudy, folder: Path) -> str:
    result.report(folder / "page.html")
    return (folder / "page.html").read_text()


def test_the_page_has_every_part(tmp_path: Path) -> None:
    text = page(WHOLE, tmp_path)
    assert re.findall(r"<h2[^>]*>([^<]+)", text) == [
        "Learnt from votes",
        "Other juries",
        "What is learnt of each judge",
        "preference: Votes",
    ]
    assert text.count("<svg") == 8
    assert WHOLE.signature in text


def test_every_table_stands_on_the_page(tmp_path: Path) -> None:
    text = unescape(page(WHOLE, tmp_path))
    assert [one.title for one in WHOLE.tables.values() if one.title not in text] == []


def test_without_juries_and_counts_their_sections_are_left_out(tmp_path: Path) -> None:
    text = page(replace(found(), juries=()), tmp_path)
    assert "Other juries</h2>" not in text
    assert "Votes</h2>" not in text


def test_a_judges_name_is_text(tmp_path: Path) -> None:
    evil = replace(WHOLE.judges[0], judge="<script>alert(1)</script>")
    text = page(replace(WHOLE, judges=(evil, *WHOLE.judges[1:])), tmp_path)
    assert "<script>alert" not in text
