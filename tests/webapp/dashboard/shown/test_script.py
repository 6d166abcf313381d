"""The charts' script comes from the package, and can draw without compiling text."""

from __future__ import annotations

from pathlib import Path

from assize.webapp.dashboard.shown.script import vega_script


def test_it_is_made_once_a_project_and_names_what_the_page_calls(tmp_path: Path) -> None:
    made = vega_script(tmp_path)
    (kept,) = (tmp_path / ".assize").iterdir()
    assert b"window.vegaEmbed=" in made.replace(b" ", b"")
    assert b"expressionInterpreter" in made
    kept.write_bytes(b"kept")
    assert vega_script(tmp_path) == b"kept"
