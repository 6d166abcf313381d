"""Every command line in README and docs is one that the program takes, also where it is not run."""

from __future__ import annotations

import re
from typing import Any

import pytest
import typer.main
from tests.docs.pages import PAGES, ROOT, assize_lines, inline_lines, simple_commands, without_fence

from assize.cli import app

# typer brings its own click, or takes the installed one: the class of its errors is either's.
USAGE: Any = next(one for one in typer.BadParameter.__mro__ if one.__name__ == "ClickException")
ROOT_COMMAND: Any = typer.main.get_command(app)
LINES = [line for page in PAGES for line in assize_lines(page)]
INLINE = [line for page in PAGES for line in inline_lines(page)]


def refused(words: list[str]) -> str | None:
    """What the program says to such a line without running it; None where it is taken."""
    try:
        command, rest, name = ROOT_COMMAND, list(words), "assize"
        while hasattr(command, "commands"):
            context = command.make_context(name, list(rest))
            rest = [*context._protected_args, *context.args]
            name, command, rest = command.resolve_command(context, rest)
        command.make_context(name, list(rest))
    except typer.Exit:
        return None
    except USAGE as error:
        return str(error.format_message())
    return None


def test_the_pages_show_commands() -> None:
    assert len(LINES) > 50
    assert len(INLINE) > 50


def test_a_wrong_option_is_noticed() -> None:
    assert refused(["score", "a.jsonl", "--no-such-option"])
    assert refused(["calibrate", "guess"])
    assert refused(["score", "a.jsonl", "--quiet"]) is None


@pytest.mark.parametrize("page", PAGES)
def test_every_command_line_of_a_page_is_taken(page: str) -> None:
    wrong = [
        f"{place}\n    {said}" for place, words in assize_lines(page) if (said := refused(words))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_a_sentence_names_is_taken(page: str) -> None:
    """A sentence may leave out what must be given, but names no option that there is not."""
    wrong = []
    for place, words in inline_lines(page):
        said = refused(words)
        if said and "Missing" not in said and "requires an argument" not in said:
            wrong.append(f"{place}\n    {said}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", PAGES)
def test_what_can_be_copied_stands_in_a_fence_with_its_language(page: str) -> None:
    assert not without_fence(page)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "examples/README.md"])
def test_the_commands_of_the_other_pages_are_taken(page: str) -> None:
    lines = re.findall(r"^    (assize .+)$", (ROOT / page).read_text(), re.MULTILINE)
    words = [words for line in lines for words in simple_commands(line)]
    assert not [said for one in words if (said := refused(one[1:]))]
