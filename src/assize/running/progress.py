"""A bar of how far a long piece of work is, in a terminal or a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Protocol


class Advance(Protocol):
    """Called with the number of items done since the last call."""

    def __call__(self, done: int = 1) -> None:
        """Reports `done` more items."""


@contextmanager
def progress(label: str, total: int | None, *, quiet: bool = False) -> Iterator[Advance]:
    """A bar on stderr with rate and time left; nothing when quiet, or where nobody sees it.

    A notebook shows it where `ipywidgets` is installed, by which rich draws there. Reporting an
    item costs no more than a call: the bar is drawn by a thread of its own.
    """
    from rich.console import Console

    console = Console(stderr=True)
    seen = find_spec("ipywidgets") is not None if console.is_jupyter else console.is_terminal
    if quiet or not seen:
        yield lambda done=1: None
        return
    with _bar(label, total, console) as advance:
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
        parts.TextColumn("{task.description}"),
        parts.BarColumn(),
        parts.MofNCompleteColumn(),
        parts.TextColumn("{task.fields[rate]}"),
        parts.TimeElapsedColumn(),
        parts.TextColumn("left"),
        parts.TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        bar.add_task(label, total=total, rate="")
        yield count
