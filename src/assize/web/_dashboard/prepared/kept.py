"""Prepared views and finished figures on disk, beside the project's data.

.assize/dashboards/NAME/KEY/            a view; KEY changes with its sources
.assize/dashboards/NAME/KEY/kept/*.json bands and other figures that take a while
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assize.base.errors import ConfigError
from assize.base.signature import sign
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.view import MANIFEST, View, open_view
from assize.web._dashboard.sources import Source

HOME = Path(".assize") / "dashboards"
OLD = 1  # views of earlier sources that stay


def kept_view(source: Source, project: str | Path) -> View | None:
    """The view of these very sources, where one was prepared."""
    try:
        return open_view(_place(source, project))
    except ConfigError:
        return None


def earlier_view(source: Source, project: str | Path) -> View | None:
    """The newest view of earlier sources of the same dashboard, where one is kept."""
    home = _place(source, project).parent
    found = [one for one in home.glob("[!.]*") if one.is_dir()] if home.is_dir() else []
    for one in sorted(found, key=lambda each: each.stat().st_mtime, reverse=True):
        try:
            return open_view(one)
        except ConfigError:
            continue
    return None


def view_of(source: Source, project: str | Path) -> View:
    """The view of these sources, prepared now where there is none; takes minutes for many.

    Raises:
        DataError: a source is bad, or holds no numbers.
    """
    found = kept_view(source, project)
    if found is not None:
        return found
    table, items = source.load()
    place, dashboard = _place(source, project), source.dashboard
    view = prepare_view(
        table,
        items,
        place,
        fields=dashboard.by,
        time=dashboard.time,
        trusted=dashboard.trusted,
        made_of=source.key,
    )
    _forget(place)
    return view


def _place(source: Source, project: str | Path) -> Path:
    return Path(project) / HOME / source.dashboard.name / source.key


def _forget(place: Path) -> None:
    """Removes views of earlier sources, but the last."""
    others = [
        folder
        for folder in place.parent.iterdir()
        if folder != place and (folder / MANIFEST).is_file()
    ]
    whole = [one for one in others if not one.name.startswith(".")]
    whole.sort(key=lambda one: one.stat().st_mtime, reverse=True)
    for one in whole[OLD:]:
        shutil.rmtree(one, ignore_errors=True)


def figures(view: View, parts: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> Any:
    """What `make` returned when it was first asked for with these parts.

    Args:
        parts: all that can change the figures, besides the view.
    """
    found = kept_figures(view, parts)
    if found is None:
        found = json.loads(json.dumps(make()))
        place = _file(view, parts)
        place.parent.mkdir(exist_ok=True)
        draft = place.with_name(f".{place.name}-{secrets.token_hex(4)}")
        draft.write_text(json.dumps(found), encoding="utf-8")
        os.replace(draft, place)
    return found


def kept_figures(view: View, parts: Mapping[str, Any]) -> Any:
    """The same where it was asked for before, else None."""
    try:
        return json.loads(_file(view, parts).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _file(view: View, parts: Mapping[str, Any]) -> Path:
    return view.folder / "kept" / f"{sign(parts)}.json"
