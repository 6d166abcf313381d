"""A bar of how far a long piece of work is, in a terminal or a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from importlib import import_module
from threading import Event, Thread
from time import monotonic
from typing import Any, Protocol

_REDRAWN = 0.5  # seconds between two lines in a notebook; shorter work shows none


class Advance(Protocol):
    """Called with the number of items done since the last call."""

    def __call__(self, done: int = 1) -> None:
        """Reports `done` more items."""


@contextmanager
def progress(label: str, total: int | None, *, quiet: bool = False) -> Iterator[Advance]:
    """A bar on stderr with rate and time left; nothing when quiet, or where nobody sees it.

    Reporting an item costs no more than a call: the bar is drawn by a thread of its own.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not (console.is_terminal or console.is_jupyter):
        yield lambda done=1: None
        return
    drawn = _in_notebook(label, total) if console.is_jupyter else _bar(label, total, console)
    with drawn as advance:
        yield advance


@contextmanager
def _bar(label: str, total: int | None, console: Any) -> Iterator[Advance]:
    """Counts by itself, and tells rich when it draws, some times a second.

    Telling rich takes 40 µs, as long as much that is counted; an addition takes 0.1.
    """
    from rich import progress as parts

    counted = 0

    class Bar(parts.Progress):
        def get_renderables(self) -> Any:
            if self.tasks:
                speed = self.tasks[0].speed
                rate = "" if speed is None else f"{speed:,.0f}/s"
                self.update(self.tasks[0].id, completed=counted, rate=rate)
            yield from super().get_renderables()

    def count(done: int = 1) -> None:
        nonlocal counted
        counted += done

    columns = (
        parts.TextColumn("{task.description}"), parts.BarColumn(), parts.MofNCompleteColumn(),
        parts.TextColumn("{task.fields[rate]}"), parts.TimeElapsedColumn(),
        parts.TextColumn("left"), parts.TimeRemainingColumn(),
    )  # fmt: skip
    with Bar(*columns, console=console, transient=True) as bar:
        bar.add_task(label, total=total, rate="")
        yield count


@contextmanager
def _in_notebook(label: str, total: int | None) -> Iterator[Advance]:
    """A line below the cell, while there is something to wait for; rich's needs ipywidgets."""
    shown_as: Any = import_module("IPython.display")
    counted, began, ended = 0, monotonic(), Event()

    def count(done: int = 1) -> None:
        nonlocal counted
        counted += done

    def draw() -> None:
        shown: Any = None
        while not ended.wait(_REDRAWN):
            line = shown_as.Pretty(_line(label, counted, total, monotonic() - began))
            if shown is None:
                shown = shown_as.display(line, display_id=True)
            else:
                shown.update(line)
        if shown is not None:
            shown.update(shown_as.Pretty(""))

    # With the caller's context, by which the kernel knows below which cell it stands.
    thread = Thread(target=copy_context().run, args=(draw,), name="assize-bar", daemon=True)
    thread.start()
    try:
        yield count
    finally:
        ended.set()
        thread.join()


def _line(label: str, done: int, total: int | None, seconds: float) -> str:
    """How far it is, in words.

    >>> _line("scoring", 50, 200, 10.0), _line("reading", 7, None, 3.5)
    ('scoring  50 of 200  5/s  30 s left', 'reading  7  2/s')
    """
    rate = done / max(seconds, 1e-9)
    if total is None:
        return f"{label}  {done:,}  {rate:,.0f}/s"
    left = f"  {(total - done) / rate:,.0f} s left" if done else ""
    return f"{label}  {done:,} of {total:,}  {rate:,.0f}/s{left}"
