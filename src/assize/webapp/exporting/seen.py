"""What people saw who answered elsewhere: the items of an export's folder, and their editions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from assize.errors import DataError
from assize.formats import read, to_json
from assize.formats.files import open_input
from assize.judgment import Judgment
from assize.webapp.exporting.folder import EDITIONS, ITEMS
from assize.webapp.exporting.history import Event, Worked
from assize.webapp.exporting.records import Edition


@dataclass(frozen=True, slots=True)
class Seen:
    """What was shown, as far as it is known.

    Args:
        items: records by their ids, as they were when they were exported.
        editions: those that were changed before, by id, purpose and number.
    """

    items: Mapping[str, Any] = field(default_factory=dict)
    editions: Mapping[tuple[str, str, int], Any] = field(default_factory=dict)

    def of(self, one: Worked, event: Event) -> Any:
        """The record that something was done with; None where it is not known.

        Raises:
            DataError: it is of an edition that is not there.
        """
        if event.edition is None:
            # a qualification may have another item of the same id, of which the file has one
            return None if one.purpose == "qualify" else self.items.get(one.item)
        found = self.editions.get((one.item, one.purpose, event.edition))
        if found is None:
            raise DataError(
                f"{one.rater!r} answered edition {event.edition} of {one.item!r}, which is not"
                f" there; import the whole folder of the export, with its {EDITIONS}"
            )
        return found


def read_seen(folder: Path, wanted: Iterable[Worked]) -> Seen:
    """What was shown of these, from an export's folder; from one without editions, the items.

    Raises:
        DataError: a line of the editions is none.
    """
    names = {one.item for one in wanted}
    items: dict[str, Any] = {}
    if (folder / ITEMS).is_file():
        for one in read(folder / ITEMS):
            if not isinstance(one, Judgment) and one.id in names:
                items[one.id] = to_json(one)
    editions: dict[tuple[str, str, int], Any] = {}
    if (folder / EDITIONS).is_file():
        for each in _editions(folder / EDITIONS):
            editions[each.item, each.purpose, each.edition] = each.record
    return Seen(items, editions)


def _editions(place: Path) -> Iterable[Edition]:
    with open_input(place) as stream:
        for at, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                yield Edition.model_validate(json.loads(line))
            except (ValidationError, ValueError, RecursionError) as error:
                said = str(error).splitlines()[0]
                raise DataError(
                    f"no edition of an item: {said}", source=str(place), line=at
                ) from None
