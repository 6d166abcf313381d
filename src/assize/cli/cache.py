"""`assize cache`: what the caches of answers and of encodings hold, and emptying them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assize.cli.options import Json
from assize.cli.terminal import note, print_json
from assize.tables import ResultTable, columns
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    from assize.disk_cache import CacheInfo, DiskCache
    from assize.models import Cache

ANSWERS, ENCODINGS = "answers", "encodings"

Unused = Annotated[
    float | None,
    typer.Option("--unused-days", min=0.0, help="Only what was not used for so many days."),
]
Only = Annotated[
    str | None, typer.Option("--only", help="answers (paid for) or encodings (made again).")
]


def info(json: Json = False) -> None:
    """Says where answers and encodings are kept, how many and how large.

    Example: [bold]assize cache info[/bold]
    """
    held = {name: store.info() for name, store in _stores(None)}
    if json:
        shown = {name: _described(one) for name, one in held.items()}
        print_json({**shown[ANSWERS], ENCODINGS: shown[ENCODINGS]})
        return
    for name, one in held.items():
        rows = [
            ("file", str(one.path)),
            (name, f"{one.entries:,}"),
            ("size", f"{one.bytes / 1e6:,.1f} MB of at most {one.max_bytes / 1e6:,.0f} MB"),
            ("oldest use", _described(one)["oldest_use"] or "-"),
        ]
        print_table(ResultTable(f"Cache of {name}", columns("words", "", ""), rows))


def clear(unused_days: Unused = None, only: Only = None, json: Json = False) -> None:
    """Removes stored answers and encodings: all, or those not used for some days.

    Example: [bold]assize cache clear --unused-days 30[/bold]
    """
    removed = {name: store.clear(unused_days=unused_days) for name, store in _stores(only)}
    if json:
        answers, encodings = (removed.get(name, 0) for name in (ANSWERS, ENCODINGS))
        print_json({"removed": answers, ENCODINGS: {"removed": encodings}})
        return
    for name, count in removed.items():
        note(f"{count:,} {name} removed")


def _stores(only: str | None) -> Iterator[tuple[str, Cache | DiskCache]]:
    """The caches by name, each closed after its turn."""
    from assize.encoders.cached import open_encodings
    from assize.errors import ConfigError
    from assize.models import Cache

    opening: dict[str, Any] = {ANSWERS: Cache, ENCODINGS: open_encodings}
    if only not in (None, *opening):
        raise ConfigError(f"--only {only}: allowed are {' and '.join(opening)}")
    for name, opened in opening.items():
        if only in (None, name):
            with closing(opened()) as store:
                yield name, store


def _described(held: CacheInfo) -> dict[str, Any]:
    from datetime import UTC, datetime

    found = asdict(held) | {"path": str(held.path)}
    oldest = found.pop("oldest")
    when = None if oldest is None else datetime.fromtimestamp(oldest, UTC).isoformat()
    return found | {"oldest_use": when}
