"""The bar."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from assize.running.progress import _bar, progress


def drawn(shown: io.StringIO) -> Console:
    return Console(file=shown, force_terminal=True, width=100)


def test_the_last_picture_has_everything_that_was_counted() -> None:
    shown = io.StringIO()
    with _bar("scoring", 5_000, drawn(shown)) as advance:
        for _ in range(1_000):
            advance()
        advance(238)
    assert "1238/5000" in shown.getvalue()


def test_a_total_that_is_not_known_is_no_error() -> None:
    shown = io.StringIO()
    with _bar("checking", None, drawn(shown)) as advance:
        advance(3)
    assert "3/?" in shown.getvalue()


def test_a_notebook_without_widgets_shows_no_bar_and_no_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Console, "is_jupyter", True, raising=False)
    monkeypatch.setattr("assize.running.progress.find_spec", lambda name: None)
    with progress("scoring", 10) as advance:
        advance()
