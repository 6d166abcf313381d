"""What users write as `--by` and the like: a field of the conversations, or a pattern on ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assize.cli.reading import items_of
from assize.errors import ConfigError

if TYPE_CHECKING:
    from assize.calibration.data.features import Unit


@dataclass(frozen=True, slots=True)
class Split:
    """The group of every unit.

    Args:
        names: (N,) None for units of no group.
        rest: (N,) what a unit is about besides: its id, with a pattern without the group.
    """

    names: tuple[str | None, ...]
    rest: tuple[str, ...]


def split(
    units: Sequence[Unit], by: str, items: Sequence[str] | None, *, option: str = "--by"
) -> Split:
    """Groups by `system` or `metadata.NAME` of the conversations in `items`, or by a regex.

    Args:
        option: what the user wrote `by` behind, for messages.

    Raises:
        ConfigError: the regex is none, has no group, or finds nothing; or a field is
            asked for without conversations.
        DataError: no conversation has the field.
    """
    ids = tuple(item for item, _ in units)
    if by == "system" or by.startswith("metadata."):
        from assize.calibration.groups.membership import unit_labels

        if not items:
            raise ConfigError(f"{option} {by} needs the conversations: give --items")
        return Split(unit_labels([by], units, items_of(items))[by], ids)
    try:
        matcher = re.compile(by)
    except re.error as error:
        raise ConfigError(f"{option} {by!r} is no pattern: {error}") from error
    if matcher.groups < 1:
        raise ConfigError(
            f"{option} {by!r} is neither system nor metadata.NAME nor a pattern with a group,"
            " as 'V(\\d+)'"
        )
    names: list[str | None] = []
    rest = []
    for item in ids:
        match = matcher.search(item)
        if match is None or not match[1]:
            names.append(None)
            rest.append(item)
        else:
            names.append(match[1])
            rest.append(item[: match.start(1)] + item[match.end(1) :])
    if not any(names):
        raise ConfigError(f"{option} {by!r} finds a group in none of {len(ids):,} ids")
    return Split(tuple(names), tuple(rest))
