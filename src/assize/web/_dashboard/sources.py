"""Where a dashboard's judgments come from: files of the project, or its own ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.signature import sign
from assize.formats.questions import questions_path
from assize.judgments import JudgmentTable
from assize.web._dashboard.definition import Dashboard, sources_hash
from assize.web._dashboard.prepared.view import VERSION

Loaded = tuple[JudgmentTable, Iterable[Item]]

OWN = "ratings"
"""With a task's name after a point, a dashboard over the project's own ratings."""


@dataclass(frozen=True)
class Source:
    """Judgments and items that can be loaded.

    Args:
        key: changes when they do.
        load: reads them; called where no view of that key is kept.
    """

    dashboard: Dashboard
    key: str
    load: Callable[[], Loaded]


def file_source(dashboard: Dashboard) -> Source:
    """The files that a dashboard names."""
    beside = tuple(str(questions_path(one)) for one in dashboard.judgments if Path(one).is_file())
    told = (VERSION, dashboard.by, dashboard.time, dashboard.trusted)
    key = sources_hash((*dashboard.judgments, *beside, *dashboard.items), told)
    return Source(dashboard, key, lambda: _read(dashboard))


def _read(dashboard: Dashboard) -> Loaded:
    from assize.formats.arguments import items_in, judgments_of

    items = items_in(dashboard.items) if dashboard.items else iter(())
    return judgments_of(dashboard.judgments), items


def ratings_source(
    task: str, title: str, load: Callable[[], Loaded], token: str, *, main: str = "", time: str = ""
) -> Source:
    """The ratings of one of the project's tasks.

    Args:
        token: changes with every rating: a count and the last change, for instance.
        main: the question that comes first; time: the field that says when an item was.
    """

    def checked() -> Loaded:
        table, items = load()
        if not len(table):
            raise DataError("nobody has rated anything yet")
        return table, items

    dashboard = Dashboard(f"{OWN}.{task}", f"Ratings: {title}", main=main, time=time or None)
    return Source(dashboard, sign("ratings", VERSION, token, time), checked)
