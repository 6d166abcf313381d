"""`assize retrieve` shows what it found, and says what it lacks."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from assize.cli import app


def test_it_shows_hits_and_refuses_what_there_is_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("rotate the keys")
    found = CliRunner().invoke(app, ["retrieve", str(tmp_path), "--query", "keys"])
    assert found.exit_code == 0, found.output
    assert "What was found" in found.output
    lacking = CliRunner().invoke(app, ["retrieve", str(tmp_path)])
    assert "--query: write what is searched for" in str(lacking.exception)
