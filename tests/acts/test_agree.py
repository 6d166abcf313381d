"""Whose labels are held to whose."""

from __future__ import annotations

import json
from typing import Any

import pytest
from acts_voted import PAIR, Q, T, held, ours, row

import assize
from assize import Judgment
from assize.base.errors import AssizeError
from assize.base.judgment import Unscored

ACTS, OTHER = ours([Q], [T], [Q], a=[T], b=[Q]), ours([T], [T], [Q], a=[T], b=[Q])
ANNA = row("anna", {**ACTS, "maxims": held(better=3)}, order=None, kind="person")
DA, MAXIM = row("da@m", OTHER), row("maxim@m", {"maxims": held(better=2)})


def test_the_one_person_is_right_and_all_others_are_held_to_her() -> None:
    found = assize.acts.agree([ANNA, DA, MAXIM], items=[PAIR])
    assert (found.gold, found.judges) == ("anna", ("da@m", "maxim@m"))
    assert found.turns[0].share.estimate == 0.8
    assert found.table_notes["turns"][1] == "The commonest error: a function is wrong."
    told = json.loads(json.dumps(found.to_json(), allow_nan=True))
    for kind, judge, count in (("turns", "da@m", 4), ("maxims", "maxim@m", 11)):
        assert {row["judge"] for row in told[kind]} == {judge}
        assert told[kind][0]["share"]["count"] == count


def test_two_judges_can_be_held_to_each_other() -> None:
    found = assize.acts.agree([DA, row("da@n", ACTS)], items=[PAIR], gold="da@n", judges="da@m")
    assert found.judges == ("da@m",)
    again = assize.acts.agree([DA, row("da@n", OTHER)], items=[PAIR], gold="da@n")
    assert found.signature != again.signature


def test_judgments_without_labels_are_missing_where_the_reference_has_some() -> None:
    failed = Judgment("p", "da@x", "preference", unscored=Unscored("refused", ""))
    others = [row("da@x", OTHER, item="q"), failed]
    items = [PAIR, PAIR.__class__("q", PAIR.context, PAIR.a, PAIR.b)]
    assert assize.acts.agree([ANNA, DA, *others], items=items).missing == (1, 2)


@pytest.mark.parametrize(
    ("rows", "more", "problem"),
    [
        ([DA, MAXIM], {}, "no person gave acts or maxims; .* those who did: da@m, maxim@m"),
        (
            [ANNA, row("ben", ACTS, order=None, kind="person")],
            {},
            "several people gave acts",
        ),
        ([ANNA, DA], {"gold": "eve"}, "'eve' gave no acts or maxims; those who did: da@m|anna"),
        ([ANNA, DA], {"judges": "io@m"}, "'io@m' gave no acts or maxims"),
        ([ANNA, DA], {"judges": "anna"}, "'anna' is the one held to"),
        ([ANNA], {}, "nobody but anna gave acts or maxims"),
        ([ANNA, row("da@m", OTHER, item="q")], {}, "labelled nothing that anna has labelled"),
    ],
)
def test_what_cannot_be_is_said(rows: list[Any], more: Any, problem: str) -> None:
    items = [PAIR, PAIR.__class__("q", PAIR.context, PAIR.a, PAIR.b)]
    with pytest.raises(AssizeError, match=problem):
        assize.acts.agree(rows, items=items, **more)
