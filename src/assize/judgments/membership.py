"""Which group each item belongs to: a field of the conversations, or a pattern in the ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.base.fields import METADATA, names_in, value_at
from assize.judgments.item_fields import Facts, facts_of
from assize.judgments.table import Unit

RATER, SYSTEM = "rater", "system"

Labels = Mapping[str, tuple[str | None, ...]]
"""By field, the group of every row; None where the field has no value."""


def check_fields(fields: Sequence[str]) -> None:
    """Raises ConfigError where a field is neither rater nor system nor the name of a field."""
    for field in fields:
        if not is_field(field):
            raise ConfigError(
                f"no groups by {field!r}; allowed are rater, system, and fields of the items, as"
                " metadata.NAME or NAME"
            )


def is_field(name: str) -> bool:
    """Whether it can be the name of a field, and is no pattern.

    >>> is_field("metadata.bot-version"), is_field("thumbs"), is_field("V(.)")
    (True, True, False)
    """
    return all(name.split(".")) and not set(name) & set("()[]\\^$*+?|")


def unit_labels(fields: Sequence[str], units: Sequence[Unit], items: Iterable[Item]) -> Labels:
    """The groups of judged items, field by field; `rater` is no field of theirs and left out."""
    known_items = list(items)
    found = known_labels(fields, units, known_items)
    for field, labels in found.items():
        if units and all(label is None for label in labels):
            known = names_in(known_items)
            raise DataError(
                f"none of the {len(units)} items has a {field}; give the conversations that have"
                f" it as items (fields there: {', '.join(known) or 'none'})"
            )
    return found


def known_labels(fields: Sequence[str], units: Sequence[Unit], items: Iterable[Item]) -> Labels:
    """The same; a field that no item has is None for all."""
    check_fields(fields)
    facts = facts_of(items)
    return {
        field: tuple(_label(facts.get(item), field) for item, _ in units)
        for field in fields
        if field != RATER
    }


def _label(facts: Facts | None, field: str) -> str | None:
    if facts is None:
        return None
    if field == SYSTEM:
        return facts.system
    value = value_at(facts.item, field)
    if isinstance(value, Mapping | list | tuple):
        raise DataError(
            f"item {facts.item.id!r}: {field} is {type(value).__name__}; a group needs one value"
        )
    return None if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Grouping:
    """The group of every unit."""

    names: tuple[str | None, ...]  # (N,) None for units of no group
    # (N,) what a unit is about besides: its id, with a pattern without the group
    rest: tuple[str, ...]


def group_units(
    units: Sequence[Unit], by: str, items: Iterable[Item] = (), *, option: str = "by"
) -> Grouping:
    """Groups by `system`, `metadata.NAME` or any field of the conversations in `items`, or by a
    regex, whose group 1 is found in the ids."""
    ids = tuple(item for item, _ in units)
    if is_field(by):
        known = list(items)
        if not known and by != SYSTEM and not by.startswith(METADATA):
            raise ConfigError(
                f"{option} {by!r} is neither system nor metadata.NAME nor a pattern with a group,"
                " as 'V(\\d+)'; where it is a field of the conversations, give them as items"
            )
        if not known:
            raise ConfigError(f"{option} {by} needs the conversations: give items")
        return Grouping(unit_labels([by], units, known)[by], ids)
    matches = [_matcher(by, option).search(item) for item in ids]
    found = [match if match and match[1] else None for match in matches]
    if not any(found):
        raise ConfigError(f"{option} {by!r} finds a group in none of {len(ids):,} ids")
    return Grouping(
        tuple(match[1] if match else None for match in found),
        tuple(
            item[: match.start(1)] + item[match.end(1) :] if match else item
            for item, match in zip(ids, found, strict=True)
        ),
    )


def _matcher(by: str, option: str) -> re.Pattern[str]:
    try:
        matcher = re.compile(by)
    except re.error as error:
        raise ConfigError(f"{option} {by!r} is no pattern: {error}") from error
    if matcher.groups < 1:
        raise ConfigError(
            f"{option} {by!r} is neither system nor a field, as metadata.NAME, nor a pattern with"
            " a group, as 'V(\\d+)'"
        )
    return matcher
