"""A dashboard file: which judgments are watched, and how.

dashboard: satisfaction
judgments: [predicted.parquet]
items: [conversations.jsonl]
main: Q0
by: [system, metadata.topic]
time: metadata.started
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from assize.base.errors import DataError
from assize.base.signature import json_hash
from assize.base.trust import check_named
from assize.formats.yaml_nodes import text_in, validated
from assize.web._dashboard.figures.resampling import SOURCES, Drawing


def _listed(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


_Words = Annotated[list[str], BeforeValidator(_listed)]


class Calibrators(BaseModel):
    """Networks that say what improving a question is worth (`calibrate fit --network paper`)."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)
    main: str
    others: _Words = Field(min_length=1)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)
    dashboard: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=60)
    title: str = ""
    about: str = ""
    judgments: _Words = Field(min_length=1)
    items: _Words = Field(default_factory=list)
    main: str = ""
    judges: str = ""
    trusted: _Words = Field(default_factory=list)
    by: _Words | None = None
    time: str | None = None
    every: str = "week"
    calibrators: Calibrators | None = None
    answers: _Words = Field(default_factory=list)
    resample: list[str] = Field(default_factory=lambda: list(SOURCES))
    replicates: int = Field(200, ge=20, le=10_000)
    confidence: float = Field(0.95, gt=0.5, lt=1)
    seed: int = Field(0, ge=0)


@dataclass(frozen=True, slots=True)
class Dashboard:
    """What a dashboard file says.

    Args:
        name: by which addresses call it.
        judgments, items: files or folders of runs; () for the project's own ratings.
        main: the question that stands first; "" for the first one.
        judges: the panel that is shown first (`panels`); "" for the usual one.
        trusted: raters whose answers, or predicted answers, are a panel of their own, the usual
            one, and whose importance counts; () where all count.
        by: fields that conversations are split by; None for all that can be.
        time: the field with a conversation's time.
        every: day, week, month, or a number of conversations.
        main_calibrator, calibrators: networks of the main question and of others; "" and () for
            none.
        answers: what the networks read.
        drawing, seed: how bands are made.
    """

    name: str
    title: str
    about: str = ""
    judgments: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    main: str = ""
    judges: str = ""
    trusted: tuple[str, ...] = ()
    by: tuple[str, ...] | None = None
    time: str | None = None
    every: str = "week"
    main_calibrator: str = ""
    calibrators: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    drawing: Drawing = Drawing()  # noqa: RUF009  (frozen)
    seed: int = 0


def read_dashboards(project: str | Path) -> tuple[Dashboard, ...]:
    """The dashboards of a project's folder, by rising name.

    Raises:
        DataError: as `read_dashboard`, or two have one name.
    """
    found: dict[str, Dashboard] = {}
    for path in sorted((Path(project) / "dashboards").glob("*.y*ml")):
        one = read_dashboard(path, project)
        if one.name in found:
            raise DataError(f"another file has a dashboard {one.name!r}", source=str(path))
        found[one.name] = one
    return tuple(found[name] for name in sorted(found))


def read_dashboard(path: str | Path, project: str | Path) -> Dashboard:
    """What one file says; its paths are taken from the project's folder.

    Raises:
        DataError: it is no such file, says something that is not allowed, or names a file that
            is not there; says where.
    """
    place = Path(path)
    given, _, fail = validated(text_in(str(place)), str(place), _File)
    home = Path(project)
    if given.calibrators is not None and not given.answers:
        raise fail("calibrators need `answers`: the judgments by models that they read", "answers")
    for name in given.resample:
        if name not in SOURCES:
            raise fail(f"received {name!r}; allowed are {', '.join(SOURCES)}", "resample")
    for part, named in _files(given):
        if "://" not in named and not os.path.exists(home / named):
            raise fail(f"there is no {named!r} in {home}", part)
    networks = given.calibrators
    return Dashboard(
        given.dashboard,
        given.title or given.dashboard,
        given.about,
        _under(home, given.judgments),
        _under(home, given.items),
        given.main,
        given.judges,
        tuple(given.trusted),
        None if given.by is None else tuple(given.by),
        given.time,
        given.every,
        "" if networks is None else _under(home, [networks.main])[0],
        () if networks is None else _under(home, networks.others),
        _under(home, given.answers),
        Drawing(tuple(given.resample), given.replicates, given.confidence),
        given.seed,
    )


def _files(given: _File) -> Iterator[tuple[str, str]]:
    """What is named, with the field that names it."""
    for part in ("judgments", "items", "answers"):
        for name in getattr(given, part):
            yield part, name
    if given.calibrators is not None:
        for name in (given.calibrators.main, *given.calibrators.others):
            yield "calibrators", name


def _under(home: Path, names: list[str]) -> tuple[str, ...]:
    return tuple(one if "://" in one else str(home / one) for one in names)


def check_addresses(dashboard: Dashboard, allow: Collection[str]) -> None:
    """Refuse a dashboard that reads from an address that is not allowed.

    Raises:
        ConfigError: an address is not allowed.
    """
    for name in (*dashboard.judgments, *dashboard.items, *dashboard.answers):
        if "://" in name:
            source = f"the dashboard {dashboard.name} reads"
            remedy = "where you trust it, start assize web with --allow {}"
            check_named(name, "address", source=source, remedy=remedy, allow=allow)


def without_answers(dashboard: Dashboard) -> Dashboard:
    """The dashboard with bands that draw no answers: predictions stay what is expected."""
    return replace(dashboard, drawing=dashboard.drawing.without_answers())


def sources_hash(names: tuple[str, ...], *settings: Any) -> str:
    """Digits that change when a file does: by name, size and time of change.

    A file that is changed within the clock's resolution and keeps its size looks the same.
    """
    told: list[Any] = []
    for name in names:
        place = Path(name)
        files = (
            sorted(one for one in place.rglob("*") if one.is_file()) if place.is_dir() else [place]
        )
        for one in files:
            if one.exists():
                facts = one.stat()
                told.append([str(one), facts.st_size, facts.st_mtime_ns])
            else:
                told.append([str(one)])
    return json_hash([told, settings])
