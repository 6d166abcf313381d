"""The folder of a run of judges, opened without asking anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assize.judging.judge import Judge
from assize.judging.records import Answer, judgment_records
from assize.judging.summary import Summary
from assize.running import Journal


def open_folder(
    path: Path,
    judges: Sequence[Judge],
    *,
    command: Mapping[str, Any],
    retry: bool = False,
    summary: Summary | None = None,
) -> Journal[Answer]:
    """Open the folder as a run of this command does; `summary` counts what it holds."""
    records = judgment_records(judges, summary or Summary(), retry=retry, **command)
    return Journal(
        path,
        records.codec,
        command=records.command,
        about=records.about,
        beside=records.beside,
        on_stored=records.on_stored,
    )
