"""Pages: everything is escaped, whatever a template forgets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from assize.web._accounts.viewer import Viewer
from assize.web._project import Project
from assize.web._rendering import environment, page, static
from assize.web._web import Web


def web(**more: Any) -> Web:
    project = Project(Path(), "A <b>study</b>", "sqlite:///x.db")
    return Web(project, **{"store": None, **more})


def test_a_title_cannot_hold_markup() -> None:
    made = page(web(), None, "error.html", title="<script>", text="a & b")
    text = bytes(made.body).decode()
    assert "<script>" not in text
    assert "A &lt;b&gt;study&lt;/b&gt;" in text


def test_forms_carry_the_token_of_who_is_signed_in() -> None:
    viewer = Viewer(1, "ann", "rater", 'to"ken')
    text = bytes(page(web(), viewer, "error.html", title="", text="").body).decode()
    assert text.count('value="to&#34;ken"') == 1
    assert "csrf" not in bytes(page(web(), None, "error.html", title="", text="").body).decode()


def test_control_and_direction_characters_are_shown_by_their_number() -> None:
    made = environment().from_string("{{ text }}").render(text="a\u202eb\x00")
    assert "\u202e" not in made
    assert "\x00" not in made


def test_a_name_that_a_template_is_not_given_is_an_error_and_no_blank() -> None:
    with pytest.raises(UndefinedError):
        environment().from_string("{{ nothing }}").render()


def test_the_address_of_a_file_changes_with_what_it_holds() -> None:
    assert static("style.css") != static("htmx.min.js")
    assert static("style.css").startswith("/static/style.css?")


def test_templates_hold_no_inline_script_style_or_handler() -> None:
    folder = Path(__file__).parents[2] / "src/assize/web/templates"
    found = sorted(folder.rglob("*.html"))
    assert found
    for path in found:
        text = re.sub(r"'[^']*'\s*\|\s*safe", "", path.read_text(encoding="utf-8"))  # literals
        for bad in ("<style", " style=", " onclick=", "javascript:", "hx-on", "|safe", "| safe"):
            assert bad not in text, f"{path.name} holds {bad!r}"
        assert "<script>" not in text, path.name
