"""The page of `assize acts agree`."""

from __future__ import annotations

from pathlib import Path

from acts_voted import PAIR, Q, T, held, ours, row
from tests.pages.conftest import page_of

from assize import acts
from assize.base.judgment import Judgment, Unscored


def test_the_page_says_how_many_turns_and_labels_agree(tmp_path: Path) -> None:
    pairs = [PAIR, PAIR.__class__("q", PAIR.context, PAIR.a, PAIR.b)]
    details = {**ours([Q], [T], [Q], a=[T], b=[Q]), "maxims": held(better=2)}
    people = [row("anna", details, order=None, item=one.id, kind="person") for one in pairs]
    judges = [
        row("da@m", ours([T], [T], [Q], a=[T], b=[Q])),
        Judgment("q", "da@m", "preference", unscored=Unscored("refused", "")),
        row("maxim@m", {"maxims": held(better=2)}),
    ]
    found = acts.agree([*people, *judges], items=pairs)
    text = page_of(found, tmp_path)
    assert text.count("<svg") == 2
    assert text.count("<caption") == len(found.tables) == 3
    for said in (
        "Held to anna",
        "80.0%",
        "4 of 5",
        "a function is wrong",
        "1 (20.0%)",
        "1 of 3 judgments hold no valid labels",
    ):
        assert said in text
