"""`assize retrieve` shows passages, and says what it lacks."""

from __future__ import annotations

from pathlib import Path

from command_line import read_refusal, run


def test_it_shows_hits_and_refuses_what_there_is_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("rotate the keys")
    assert "What was found" in run("retrieve", tmp_path, "--query", "keys").output
    assert "--query: write what is searched for" in read_refusal("retrieve", tmp_path)
