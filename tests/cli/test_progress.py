"""The bar."""

from __future__ import annotations

import io

from rich.console import Console

from assize.cli.progress import Bar


def test_the_bar_learns_what_was_counted_when_it_is_drawn() -> None:
    shown = io.StringIO()
    bar = Bar("scoring", 5_000, Console(file=shown, force_terminal=True, width=100))
    for _ in range(1_000):
        bar.count()
    bar.count(234)
    assert bar.tasks[0].completed == 0
    with bar:
        bar.refresh()
        assert bar.tasks[0].completed == 1_234
        bar.count(4)
    assert bar.tasks[0].completed == 1_238  # the last picture has everything
    assert "1234/5000" in shown.getvalue()


def test_a_total_that_is_not_known_is_no_error() -> None:
    shown = io.StringIO()
    with Bar("checking", None, Console(file=shown, force_terminal=True, width=100)) as bar:
        bar.count(3)
    assert "3/?" in shown.getvalue()
