"""Answers that are quoted from the sources of a request."""

from __future__ import annotations

from assize.models import Request, messages
from assize.models.quoting import UNKNOWN, quoted

SOURCES = """Help.

[ab12] source 1:
Keys
Rotate storage keys every ninety days. Cats sleep most of the day.
[ab12] source 4:
A deleted vault can be restored.
[ab12] end"""


def say(text: str, system: str = SOURCES) -> str:
    return quoted(Request(messages(("system", system), ("user", text))))


def test_the_sentence_that_fits_is_quoted_with_the_number_of_its_source() -> None:
    assert say("Can I restore my deleted vaults?") == "A deleted vault can be restored [4]."


def test_the_best_sentence_comes_first() -> None:
    assert say("rotate storage keys or a vault").startswith("Rotate storage keys every ninety")


def test_what_no_source_speaks_of_is_asked_about() -> None:
    assert say("Why is the sky blue?") == UNKNOWN
    assert say("keys", "Help.") == UNKNOWN
    assert quoted(Request(())) == UNKNOWN
