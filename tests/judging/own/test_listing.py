"""Every judge that could be named, one's own among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize import Conversation, judge_function
from assize.judging.own.listing import known_judges
from assize.judging.table import JUDGES


@judge_function
def turns(item: Conversation) -> int:
    """How many turns."""
    return len(item.turns)


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
    found = known_judges([turns, "nowhere:at_all"], note=notes.append)
    assert [one.name for one in found if one.origin == "assize"] == list(JUDGES)
    own = [(one.name, one.about, one.asks) for one in found if one.origin == "own"]
    assert own == [("kind.jinja", "how kind it is", True), ("turns", "How many turns.", False)]
    assert len(notes) == 2
    assert notes[0].startswith("broken.jinja:2: ")
    assert "no module 'nowhere'" in notes[1]
