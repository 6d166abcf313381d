"""Markup as inert data."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from assize.pages.inert import inert


def nodes(text: str) -> list[Any]:
    found = json.loads(text)

    def named(node: Any) -> Any:
        if isinstance(node, str):
            return node
        return [*found["tags"][node[0]], *map(named, node[1:])]

    return [named(one) for one in found["items"]]


def test_elements_attributes_and_texts_are_kept_and_lines_between_tags_are_not() -> None:
    svg = '<svg class="bar"><rect width="4"/></svg>'
    text = f'<p class="a" open>\n<b>x</b> <i>y</i><br>\n{svg}</p>'
    assert nodes(inert([Markup(text)])) == [
        [
            "p",
            {"class": "a", "open": ""},
            ["b", {}, "x"],
            " ",
            ["i", {}, "y"],
            ["br", {}],
            ["svg", {"class": "bar"}, ["rect", {"width": "4"}]],
        ]
    ]


def test_a_tag_that_comes_again_is_written_once() -> None:
    found = json.loads(inert([Markup('<p class="long">a</p>')] * 3))
    assert found == {"tags": [["p", {"class": "long"}]], "items": [[0, "a"]] * 3}


@given(st.text(), st.text())
def test_whatever_a_text_holds_stays_a_text_and_ends_no_script(text: str, name: str) -> None:
    made = Markup('<p data-id="{}">{}<b></b></p>').format(name, text)
    found = inert([made])
    assert not set("<>&\u2028\u2029") & set(found)
    ((tag, attributes, *children),) = nodes(found)
    assert (tag, attributes, children[-1]) == ("p", {"data-id": name}, ["b", {}])
    if text.strip(" \n"):
        assert children[0] == str(escape(text).unescape())
