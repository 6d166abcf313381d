"""Which group each item and each rating belongs to, for audits and corrections by group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assize.agreement.items import Facts, facts_of
from assize.calibration.data.features import Unit
from assize.conversation import Item
from assize.errors import ConfigError, DataError

RATER, SYSTEM, METADATA = "rater", "system", "metadata."

Labels = Mapping[str, tuple[str | None, ...]]
"""By field, the group of every row; None where the field has no value."""


def check_fields(fields: Sequence[str]) -> None:
    """Raises ConfigError where a field is none of rater, system and metadata.NAME."""
    for field in fields:
        named = field.startswith(METADATA) and all(field.split("."))
        if not (named or field in (RATER, SYSTEM)):
            raise ConfigError(f"no groups by {field!r}; allowed are rater, system, metadata.NAME")


def unit_labels(fields: Sequence[str], units: Sequence[Unit], items: Iterable[Item]) -> Labels:
    """The groups of judged items, field by field; `rater` is no field of theirs and left out.

    Args:
        fields: `system`, or a path into an item's metadata such as `metadata.user.language`.
        units: (N,) what is judged; a turn has the groups of its conversation.
        items: the conversations. One that is not among them has no group.

    Raises:
        ConfigError: a field is of another kind.
        DataError: none of the units has a value, or a value is a list or an object.
    """
    check_fields(fields)
    facts = facts_of(items)
    found = {}
    for field in fields:
        if field == RATER:
            continue
        labels = tuple(_label(facts.get(item), field) for item, _ in units)
        if units and all(label is None for label in labels):
            known = sorted({name for one in facts.values() for name in one.item.metadata})
            raise DataError(
                f"none of the {len(units)} items has a {field}; give the conversations that have"
                f" it with --items (fields of metadata there: {', '.join(known) or 'none'})"
            )
        found[field] = labels
    return found


def _label(facts: Facts | None, field: str) -> str | None:
    if facts is None:
        return None
    if field == SYSTEM:
        return facts.system
    value: Any = facts.item.metadata
    for name in field.removeprefix(METADATA).split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, Mapping | list | tuple):
        raise DataError(
            f"item {facts.item.id!r}: {field} is {type(value).__name__}; a group needs one value"
        )
    return None if value is None else str(value)
