"""Which settings are part of what a run is: those that are marked, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_type_hints


@dataclass(frozen=True, slots=True)
class ChangesNumbers:
    """Marks a setting that could change an answer: a run is continued with the same value.

    Args:
        name: under which the command has it; None for the field's own.
        write: makes what stands in the command of a value that is not None.
    """

    name: str | None = None
    write: Callable[[Any], Any] = lambda value: value


CHANGES_NUMBERS = ChangesNumbers()


def marked_settings(*parts: object) -> dict[str, Any]:
    """Return the marked settings of these records, as the command of a run has them."""
    settings: dict[str, Any] = {}
    for part in parts:
        for name, hint in get_type_hints(type(part), include_extras=True).items():
            for mark in getattr(hint, "__metadata__", ()):
                if isinstance(mark, ChangesNumbers):
                    value = getattr(part, name)
                    written = None if value is None else mark.write(value)
                    settings[name if mark.name is None else mark.name] = written
    return settings
