"""Options that commands share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from assize.cli import app, options

SHARED: dict[str, Any] = {
    "--json": options.Json,
    "--quiet": options.Quiet,
    "--max-unscored": options.MaxUnscored,
}


def commands(command: Any) -> Iterator[Any]:
    children = getattr(command, "commands", None)
    if children is None:
        yield getattr(command, "real", command)
    else:
        for child in children.values():
            yield from commands(child)


@pytest.mark.parametrize("option", SHARED)
def test_a_shared_option_has_one_help_text_everywhere(option: str) -> None:
    (info,) = SHARED[option].__metadata__
    found = [
        parameter.help
        for command in commands(typer.main.get_command(app))
        for parameter in command.params
        if option in parameter.opts
    ]
    assert len(found) > 5
    assert set(found) == {info.help}
