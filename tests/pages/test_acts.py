"""The page of `assize acts`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.pages.conftest import page_of

from assize.acts._maxims import MAXIMS
from assize.acts._study import ActsResult, study_all
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment, Order
from assize.judgments import JudgmentTable

ORDERS: tuple[Order, ...] = ("AB", "BA")
CONTEXT = (Turn("user", "Hi"), Turn("assistant", "Yes?"), Turn("user", "Go on."))


def test_the_page_has_every_table_of_its_studies_and_pictures(tmp_path: Path) -> None:
    tell, ask = ["Task", "Inform"], ["Task", "Set Question"]
    acts = {"context": [[ask], [tell], [tell]], "a": [[tell]], "b": [[ask]]}
    details: dict[str, Any] = {
        "da@m": {"acts": acts},
        "maxim@m": {"maxims": dict.fromkeys(MAXIMS, "A")},
    }
    pairs = {
        name: Pair(name, CONTEXT, (Turn("assistant", "1"),), (Turn("assistant", "2"),), gold="A")
        for name in ("p", "q")
    }
    rows = [
        Judgment(item, judge, "preference", answer="A", order=order, details=said)
        for item in pairs
        for judge, said in details.items()
        for order in ORDERS
    ]
    studies = study_all(JudgmentTable.of(rows), pairs, load_taxonomy())
    text = page_of(ActsResult(studies), tmp_path, reproduce=["assize acts x"])
    assert len(studies[0].tables) > 10
    assert text.count("<caption") == len(studies[0].tables)
    assert text.count("<svg") >= 5
    assert "assize acts x" in text
    assert studies[0].name in text


def test_agreed_votes_and_what_a_cascade_selected_are_on_the_page(tmp_path: Path) -> None:
    pair = Pair("p", CONTEXT, (Turn("assistant", "1"),), (Turn("assistant", "2"),), gold="A")
    rows = [
        Judgment(
            "p",
            "maxim@m",
            "preference",
            answer="A",
            order=order,
            details={"maxims": dict.fromkeys(MAXIMS, side)},
        )
        for order, side in zip(ORDERS, "AB", strict=True)
    ]
    (study,) = study_all(JudgmentTable.of(rows), {"p": pair}, load_taxonomy(), agreed=True)
    text = page_of(ActsResult([replace(study, selected="a live cascade")]), tmp_path)
    assert "votes differ" in text
    assert "a live cascade" in text
    assert "by the first vote 100.0%, by the second 0.0% of pairs favour the chosen" in text
