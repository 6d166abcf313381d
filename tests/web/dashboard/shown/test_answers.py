"""A nominal question's bars and cells say the shares, what they are of, and how sure they are."""

from __future__ import annotations

import html
import re

import pytest
from tests.web.dashboard.project import ATTACK

from assize.pages.drawing import svg
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.figures.shares import share_bands_of, share_bands_to_json, shares_of
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.answers import (
    answer_links,
    answer_said,
    answers_picture,
    answers_spec,
)

LOOK = Look("length", "system", "people")


def test_every_answer_has_a_cell_a_group_and_split_raters_stand_last(view: View) -> None:
    found = answers_picture(shares_of(view, LOOK), None, "", "d")
    assert [row.answer for row in found.rows] == ["short", "long", "right", "(split)"]
    assert [one.name for one in found.groups] == ["new", "old"]
    split = found.rows[3].cells
    assert [(one.share, one.listed) for one in split] == [("–", "0"), ("–", "15")]
    assert [(one.n, one.unscored) for one in found.groups] == [("30", "0"), ("30", "0")]
    assert found.pending


def test_with_intervals_a_cell_has_its_ends_and_the_difference(view: View) -> None:
    bands = share_bands_to_json(share_bands_of(view, LOOK, Drawing(replicates=40), 0))
    first, second = answers_picture(shares_of(view, LOOK), bands, "so", "d").rows[0].cells
    assert first.interval.startswith("[")
    assert first.apart == ""
    assert second.apart.startswith(("+", "-"))
    assert "[" in second.apart


def test_an_answer_is_said_with_its_label(view: View) -> None:
    question = view.question("length")
    assert [answer_said(question, place) for place in range(4)] == [
        "short: too short",
        f"long: {ATTACK}",
        "right",
        "(split)",
    ]


@pytest.mark.parametrize("by", ["", "system"])
def test_every_bar_is_a_link_and_labels_stay_text(view: View, by: str) -> None:
    look = Look("length", by, "people")
    bands = share_bands_to_json(share_bands_of(view, look, Drawing(replicates=20), 0))
    found = shares_of(view, look)
    spec = answers_spec(found, bands)
    assert [one["mark"]["type"] for one in spec["layer"]] == ["bar", "rule", "rect"]
    rows = spec["data"]["values"]
    assert len(rows) == (6 if by else 3)
    assert all(row["low"] <= row["x"] <= row["high"] for row in rows)
    links = answer_links(found, "d")
    drawn = svg(spec, links)
    assert "too short" in drawn
    assert "<script>alert" not in drawn
    assert "<img" not in drawn
    names = re.findall(r'aria-label="([^"]*)"><title>', drawn)
    assert len(names) == len(rows)
    first = "10 conversations with length short: too short"
    assert html.unescape(names[0]) == (f"{first}, new" if by else first.replace("10", "15"))


def test_an_answer_that_nobody_gives_is_no_link(view: View) -> None:
    look = Look("length", panel="people", where="metadata.topic:plots")
    found = shares_of(view, look)  # of which all that are not split are short
    assert len(answer_links(found, "d")) == 1
    assert svg(answers_spec(found), answer_links(found, "d")).count("<a ") == 1
