"""The page of a pool that was learnt."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from elements import Elements
from tests.pages.conftest import page_of

import assize
from assize.base.conversation import Conversation, Turn
from assize.criteria._criterion import CriteriaSet, Criterion, Domain, Merged, Pattern
from assize.criteria._learning.learn_result import LearnCounts, LearnResult, UnscoredCalls
from assize.criteria._reading import criteria_text
from assize.pages.criteria.learnt import MOST_OPENED

pytest.importorskip("vl_convert")
HOSTILE = "<img src=x onerror=alert(1)>"
CHATS = [Conversation("c1", (Turn("user", f"Thanks, that works! {HOSTILE}"),))]
PATTERNS = (
    Pattern("c1/1", "c1", "sat", f"The user confirms. {HOSTILE}", "it decides", (0, 7)),
    Pattern("c2/1", "c2", "sat", "The user says it works."),
    Pattern("c3/1", "c3", "dsat", "Nobody covers this."),
)
POOL = CriteriaSet(
    "pool",
    (
        Criterion("hand", "Written by hand.", "sat"),
        Criterion(
            "s",
            f"The user confirms the fix. {HOSTILE}",
            "sat",
            "user",
            "Quality",
            1,
            ("c1", "c2"),
            ("c1/1", "c2/1", "gone/1"),
            (Merged("t", "The fix works.", ("c2/1",), ("c2",)),),
            "learnt",
        ),
        Criterion("d", "The tool fails.", "dsat", "tool"),
    ),
    domain=Domain("debug a program"),
)
FOUND = LearnResult(
    POOL,
    PATTERNS,
    {"sat": LearnCounts(20, 2, 0, 2, 3, 2), "dsat": LearnCounts(20)},
    [UnscoredCalls("extract", "timeout", 2), UnscoredCalls("summarise", "refused", 1)],
    told=("criteria.yaml was edited, so it stays",),
)


def test_a_criterion_shows_its_patterns_and_the_quoted_turns_as_text(tmp_path: Path) -> None:
    said = page_of(FOUND, tmp_path, items=CHATS)
    part = said[said.index("of satisfaction come from</h2>") :]
    for text in ("it decides", "0, user: Thanks, that works!", "The user says it works."):
        assert text in part
    assert part.index("The user confirms the fix.") < part.index("Written by hand.")
    assert "It comes from no pattern" in part
    tags = Elements(said).found
    assert "img" not in {tag for tag, _ in tags}
    assert not any(name.startswith("on") or name == "style" for _, one in tags for name in one)


def test_the_page_tells_what_is_missing(tmp_path: Path) -> None:
    said = page_of(FOUND, tmp_path)
    lost = said[said.index("Calls without an answer</h2>") :]
    assert "timeout" in lost
    assert "refused" in lost
    assert "criteria.yaml was edited, so it stays" in said
    assert "Give the conversations (items)" in said


def test_an_empty_pool_has_a_page(tmp_path: Path) -> None:
    said = page_of(LearnResult(CriteriaSet("none", ()), ()), tmp_path)
    assert "loads nothing from the network" in said


def test_a_large_pool_stays_a_page(tmp_path: Path) -> None:
    many = tuple(
        replace(POOL.criteria[1], id=f"s{at}", text=f"Statement {at}. " + "x" * 3000)
        for at in range(300)
    )
    said = page_of(replace(FOUND, pool=replace(POOL, criteria=many)), tmp_path, items=CHATS)
    assert len(said) < 1_000_000
    assert f"Sources are shown for {MOST_OPENED} of 300 criteria." in said
    assert "280 further rows are not shown." in said


def test_the_folder_of_a_pool_is_a_page(tmp_path: Path) -> None:
    (tmp_path / "criteria.yaml").write_text(criteria_text(POOL))
    lines = [json.dumps(asdict(one)) + "\n" for one in PATTERNS]
    (tmp_path / "patterns.jsonl").write_text("".join(lines))
    out = tmp_path / "page.html"
    for given in (tmp_path, [str(tmp_path)]):
        out.unlink(missing_ok=True)
        assize.report(given, out, items=CHATS)
        said = out.read_text()
        assert "Thanks, that works!" in said
        assert "0 calls" not in said
