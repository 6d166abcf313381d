"""Markdown of strangers: what it may look like, and that it can do nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.pages.markdown import LONGEST, MOST_MARKS, markdown, prose

ALLOWED = {
    "p",
    "strong",
    "em",
    "s",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "blockquote",
    "hr",
    "br",
    "span",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("**bold** and *soft*", "<strong>bold</strong> and <em>soft</em>"),
        ("- one\n- two", "<li>one</li>"),
        ("```py\nx < 1\n```", '<pre><code class="language-py">x &lt; 1'),
        ("| a |\n|---|\n| 1 |", "<td>1</td>"),
        ("one\ntwo", "one<br />\ntwo"),
    ],
)
def test_what_assistants_write_is_shown_as_meant(text: str, found: str) -> None:
    assert found in markdown(text)


def test_lines_of_a_file_that_were_broken_to_fit_flow() -> None:
    assert prose("one\ntwo") == "<p>one\ntwo</p>\n"


def test_a_link_leads_nowhere_and_shows_where_it_would() -> None:
    made = markdown("[here](https://evil.example/?a=1&b=2)")
    assert "href" not in made
    assert "(https://evil.example/?a=1&amp;b=2)" in made


def test_an_image_is_words() -> None:
    made = markdown("![a cat](https://evil.example/track.gif)")
    assert "<img" not in made
    assert "[image: a cat]" in made
    assert "evil.example" not in made


def test_html_stays_text() -> None:
    made = markdown("<script>alert(1)</script><img src=x onerror=alert(1)>")
    assert "<script" not in made
    assert "&lt;script&gt;" in made


def test_an_aligned_table_has_no_inline_style() -> None:
    made = markdown("| a |\n|:-:|\n| 1 |")
    assert "<td>1</td>" in made
    assert "style" not in made


def test_a_very_long_text_stands_as_it_is() -> None:
    made = markdown("**x** " * LONGEST)
    assert "<strong>" not in made
    assert made.startswith('<p class="plain">')


def test_deep_nesting_ends() -> None:
    assert markdown("> " * 5_000 + "x")


@given(
    st.lists(
        st.sampled_from(
            [
                "<",
                ">",
                '"',
                "'",
                "&",
                "[",
                "](",
                ")",
                "![",
                "`",
                "```\n",
                "javascript:",
                "\n",
                "|",
                "<a href=x onclick=y>",
                "\x00",
                "\u202e",
                "style=",
                "&#106;",
                "  ",
                "text",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_nothing_but_plain_elements_comes_out(text: str) -> None:
    made = markdown(text)
    for name, rest in re.findall(r"<\s*/?\s*([a-zA-Z0-9]+)([^>]*)>", made):
        assert name in ALLOWED
        attributes = set(re.findall(r"([\w-]+)=\"", rest))
        assert attributes <= {"class", "title", "start"}


def test_a_text_of_too_many_marks_stands_as_it_is() -> None:
    """Reading 25,000 images that are not closed took three seconds."""
    assert markdown("![" * (MOST_MARKS // 2)).startswith("<p>![")
    for mark in ("![", "[a](", "a|b\n-|-\n", "*a_ "):
        assert markdown(mark * (LONGEST // len(mark))).startswith('<p class="plain">')
