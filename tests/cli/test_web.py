"""`assize web` says what is wrong before it serves."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from assize.cli import app


def test_a_project_that_is_not_there_is_named(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["web", "--project", str(tmp_path / "none"), "--port", "0"])
    assert "there is no folder" in str(found.exception)


def test_serving_without_sign_in_is_for_this_machine_only(tmp_path: Path) -> None:
    words = ["web", "--project", str(tmp_path), "--open", "--host", "0.0.0.0"]
    found = CliRunner().invoke(app, words)
    assert "--open" in str(found.exception)
    assert "127.0.0.1 only" in str(found.exception)
