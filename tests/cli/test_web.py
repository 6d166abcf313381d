"""`assize web` says what is wrong before it serves."""

from __future__ import annotations

from pathlib import Path

from command_line import read_refusal, run


def test_a_project_that_is_not_there_is_named(tmp_path: Path) -> None:
    message = read_refusal("web", "--project", tmp_path / "none", "--port", "0")
    assert "there is no folder" in message


def test_serving_without_sign_in_is_for_this_machine_only(tmp_path: Path) -> None:
    message = read_refusal("web", "--project", tmp_path, "--open", "--host", "0.0.0.0")
    assert "--open" in message
    assert "127.0.0.1 only" in message


def test_the_help_has_the_options_of_serving_though_no_command_is_named() -> None:
    lines = run("web", "--help").output
    for option in ("Options of serve", "--port", "--host", "--url", "invite", "export"):
        assert option in lines
