"""Every judge that could be named, one's own among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.judging.own.listing import known_judges
from assize.judging.table import JUDGES

PROMPT = """---
name: kind
about: how kind it is
takes: conversation
questions:
  - {id: kind, text: Is it kind, kind: binary, answers: [no, yes]}
---
{{ conversation }}
"""


def test_ones_own_stand_beside_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kind.jinja").write_text(PROMPT)
    Path("page.jinja").write_text("<html>")
    Path("broken.jinja").write_text("---\nname: kind\n---\n")
    notes: list[str] = []
    found = known_judges(Path(), notes.append)
    assert list(found)[: len(JUDGES)] == list(JUDGES)
    assert found["kind.jinja"] == "how kind it is"
    assert "page.jinja" not in found
    assert len(notes) == 1
    assert notes[0].startswith("broken.jinja:2: ")
