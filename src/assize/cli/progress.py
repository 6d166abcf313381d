"""The bar behind `terminal.progress`; apart from it, since rich takes a while to import."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Bar(Progress):
    """Counts by itself, and tells rich when it draws, some times a second.

    Telling rich takes 40 µs, as long as much that is counted; an addition takes 0.1.
    """

    def __init__(self, label: str, total: int | None, console: Console) -> None:
        self.counted = 0
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._one = self.add_task(label, total=total, rate="")

    def count(self, done: int = 1) -> None:
        """`done` more items."""
        self.counted += done

    def get_renderables(self) -> Iterable[RenderableType]:
        """What is drawn, with what was counted since."""
        if self.tasks:
            speed = self.tasks[0].speed
            rate = "" if speed is None else f"{speed:,.0f}/s"
            self.update(self._one, completed=self.counted, rate=rate)
        yield from super().get_renderables()
