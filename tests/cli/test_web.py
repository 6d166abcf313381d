"""`assize web` says what is wrong before it serves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import read_refusal, run


@pytest.mark.parametrize(
    ("folder", "options", "said"),
    [
        ("none", ("--port", "0"), "there is no folder"),
        # Serving without sign-in is for this machine only.
        ("", ("--open", "--host", "0.0.0.0"), "--open.*127.0.0.1 only"),
    ],
)
def test_what_cannot_be_served_is_refused(
    tmp_path: Path, folder: str, options: tuple[str, ...], said: str
) -> None:
    assert re.search(said, read_refusal("web", "--project", tmp_path / folder, *options))


def test_the_help_has_the_options_of_serving_though_no_command_is_named() -> None:
    lines = run("web", "--help").output
    for option in ("Options of serve", "--port", "--host", "--url", "invite", "export"):
        assert option in lines
