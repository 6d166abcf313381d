"""The reader of what docs show: a command that was renamed keeps the id that BASE has for it."""

from __future__ import annotations

from golden.readers.docs import STUDIES, as_in_base

from assize.cli import COMMANDS


def test_a_study_has_the_words_of_base() -> None:
    assert as_in_base("assize study juries run/ --paper") == "assize jury study run/ --paper"
    assert as_in_base("assize jury study/ run/") == "assize jury study/ run/"


def test_every_study_is_known() -> None:
    assert {f"study {name}" for name in STUDIES} == {
        row.name for row in COMMANDS if row.name.startswith("study ")
    }
