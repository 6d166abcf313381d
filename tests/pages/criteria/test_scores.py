"""The page of scores by criteria."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from elements import Elements
from tests.pages.conftest import page_of
from tests.pages.criteria.conftest import CHATS, GIVEN, scores, table

import assize
from assize.base.judgment import Judgment
from assize.criteria._criterion import NETSAT, CriteriaSet, Criterion
from assize.criteria._scores import CriteriaScores
from assize.judgments import JudgmentTable

pytest.importorskip("vl_convert")


def order(said: str) -> list[str]:
    """Ids of the conversations that are listed, as they stand on the page."""
    return re.findall(r'<span class="name" dir="auto">(\w+)</span>', said)


def test_the_best_and_the_worst_stand_side_by_side_and_the_uncertain_first(tmp_path: Path) -> None:
    said = page_of(scores(), tmp_path, items=CHATS)
    part = said[said.index("side by side</h2>") : said.index("first</h2>")]
    assert re.findall(r'<th scope="col">(\w)</th>', part) == ["a", "d"]
    assert re.findall(r"<td>([\d.]+)</td>", part) == ["10.0", "2.5", "0.0", "10.0"]
    assert order(said) == ["c", "b", "d", "a"]  # e is unscored
    for part in ("Uncertain conversations first", "left open", "Strongly Agree", "c answers"):
        assert part in said
    tile = said[said.index(">unscored<") :][:200]
    assert ">1<" in tile.replace("\n", "").replace(" ", "")


def test_a_set_without_a_window_labels_nothing(tmp_path: Path) -> None:
    said = page_of(scores(replace(GIVEN, labelling=None)), tmp_path)
    assert "Lowest conversations first" in said
    assert order(said) == ["d", "c", "b", "a"]
    assert "left open" not in said


def test_where_nothing_is_scored_the_page_says_so(tmp_path: Path) -> None:
    rows = JudgmentTable.of([row for row in table() if row.item == "e"], GIVEN.questions)
    said = page_of(CriteriaScores.of(rows, GIVEN), tmp_path)
    assert "side by side" not in said
    assert order(said) == []


def test_texts_of_strangers_are_text(tmp_path: Path) -> None:
    said = page_of(scores(), tmp_path, items=CHATS)
    assert "script" not in {tag for tag, _ in Elements(said).found}
    assert not any(
        name.startswith("on") or name == "style"
        for _, given in Elements(said).found
        for name in given
    )
    assert "\u202e" not in said
    assert "[U+202E]" in said


def test_notes_say_what_a_reader_must_know(tmp_path: Path) -> None:
    learnt = GIVEN.labelling
    assert learnt is not None
    edited = replace(GIVEN, labelling=replace(learnt, wording="another"))
    found = CriteriaScores.of(table(edited, ("j", "k")), edited)
    said = page_of(found, tmp_path)
    assert "mean over 2 judges" in said
    assert "changed since threshold and window were learnt, so nothing is labelled" in said
    assert found.labelling is None
    assert found.label_shares == found.to_json()["label_shares"] == []
    assert "Give the conversations (items) to read their text here" in said
    assert "Give the conversations" not in page_of(scores(), tmp_path, items=CHATS)


def test_hundreds_of_criteria_and_thousands_of_conversations_stay_a_page(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    few = [Criterion(f"k{at}", f"Statement {at} holds.", "sat") for at in range(300)]
    given = CriteriaSet("many", tuple(few))
    rows = [
        Judgment(f"i{at}", "j", NETSAT, score=float(rng.integers(0, 3000))) for at in range(3000)
    ]
    rows += [Judgment(f"i{at}", "j", one.id, answer="Agree") for at in range(20) for one in few]
    said = page_of(CriteriaScores.of(JudgmentTable.of(rows, given.questions), given), tmp_path)
    assert len(said) < 1_000_000
    assert "240 further rows are not shown." in said


def test_judgments_and_a_set_make_the_page(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    found = assize.report(
        table(),
        out,
        criteria=GIVEN,
        items=CHATS,
        title="March",
    )
    said = out.read_text()
    assert str(found) == f"{out}: the page is written"
    assert '<h1 dir="auto">March</h1>' in said
    assert len(order(said)) == 4
    table().report(str(out), criteria=GIVEN)
    assert "Criteria scored" in out.read_text()
