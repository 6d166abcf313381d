"""The bar."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from run_notebook import notebook_of, run_notebook

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


def test_nothing_is_drawn_where_nobody_sees_it() -> None:
    with progress("scoring", 10) as advance:
        advance()
        advance(3)


@pytest.mark.slow
def test_in_a_notebook_a_line_stands_below_the_cell_while_it_works(tmp_path: Path) -> None:
    work = """
from time import sleep
from assize.running.progress import progress
with progress("counting", 3, quiet=False) as advance:
    for _ in range(3):
        sleep({pause})
        advance()
"""
    look = """
said = []
shell = get_ipython()
inner = shell.display_pub.publish
def publish(*args, **named):
    said.append((named.get("data") or args[0]).get("text/plain"))
    return inner(*args, **named)
shell.display_pub.publish = publish
"""
    cells = [look, work.format(pause=0.4), "print(said)", work.format(pause=0), "print(len(said))"]
    ran = run_notebook(notebook_of(cells), tmp_path).cells
    said = ran[2].outputs[0]["text"]
    assert "counting  1 of 3" in said
    assert said.strip().endswith("'']")  # nothing is left of it
    assert all(one["output_type"] == "display_data" for one in ran[1].outputs)
    assert ran[3].outputs == []  # short work shows none
