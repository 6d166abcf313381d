"""The taxonomies that runs keep: what each judge of acts was asked with, out of `run.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from assize.acts._taxonomy import Taxonomy, taxonomy_from
from assize.base.errors import DataError

RUN = "run.json"
_DIGITS = 6  # of a signature in the name of a judge that is told apart by it


def kept_taxonomies(folders: Iterable[str | Path]) -> dict[str, Taxonomy]:
    """The taxonomy of each judge of acts in these runs' folders, by the judge's name.

    A judge that two runs asked with different prompts is called `NAME#SIGNATURE` where judgments
    are read; it is found under that name, too. Files keep none.

    Raises:
        DataError: a `run.json` is damaged.
    """
    found: dict[str, Taxonomy] = {}
    for folder in folders:
        place = Path(folder) / RUN
        if not place.is_file():
            continue
        try:
            told = json.loads(place.read_text("utf-8"))
            signatures = told.get("command", {}).get("judges", {})
            records = {name: one.get("taxonomy") for name, one in told.get("facts", {}).items()}
        except (OSError, ValueError, AttributeError) as error:
            raise DataError(f"is no record of a run: {error}", source=str(place)) from error
        for name, record in records.items():
            if record is None:
                continue
            taxonomy = taxonomy_from(record, place)
            signature = str(signatures.get(name, ""))
            for written in (name, f"{name}#{signature[:_DIGITS]}", f"{name}#{signature}"):
                found[written] = taxonomy
    return found
