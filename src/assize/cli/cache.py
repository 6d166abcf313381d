"""`assize cache`: what the response cache holds, and emptying it."""

from __future__ import annotations

from typing import Annotated

import typer

from assize.cli.options import Json
from assize.cli.terminal import note, print_json
from assize.tables import ResultTable, columns
from assize.tables.terminal import print_table

cache = typer.Typer(name="cache", help="The cache of models' answers.", no_args_is_help=True)

Unused = Annotated[
    float | None,
    typer.Option("--unused-days", min=0.0, help="Only answers not used for so many days."),
]


@cache.command()
def info(json: Json = False) -> None:
    """Says where the answers of models are kept, how many and how large.

    Example: [bold]assize cache info[/bold]
    """
    from datetime import UTC, datetime

    from assize.models import Cache

    store = Cache()
    try:
        held = store.info()
    finally:
        store.close()
    oldest = None if held.oldest is None else datetime.fromtimestamp(held.oldest, UTC).isoformat()
    if json:
        print_json(
            {
                "path": str(held.path),
                "entries": held.entries,
                "bytes": held.bytes,
                "max_bytes": held.max_bytes,
                "oldest_use": oldest,
            }
        )
        return
    rows = [
        ("file", str(held.path)),
        ("answers", f"{held.entries:,}"),
        ("size", f"{held.bytes / 1e6:,.1f} MB of at most {held.max_bytes / 1e6:,.0f} MB"),
        ("oldest use", oldest or "-"),
    ]
    print_table(ResultTable("Response cache", columns("words", "", ""), rows))


@cache.command()
def clear(unused_days: Unused = None, json: Json = False) -> None:
    """Removes stored answers: all, or those not used for some days.

    Example: [bold]assize cache clear --unused-days 30[/bold]
    """
    from assize.models import Cache

    store = Cache()
    try:
        removed = store.clear(unused_days=unused_days)
    finally:
        store.close()
    if json:
        print_json({"removed": removed})
    else:
        note(f"{removed:,} answers removed")
