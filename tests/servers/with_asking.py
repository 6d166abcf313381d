"""Settings of `Asking` among the arguments of a test, put into the one argument that takes them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from assize.judging.asking import Asking

_NAMES = {field.name for field in fields(Asking)}


def with_asking(**named: Any) -> dict[str, Any]:
    """Return the arguments, those that are fields of `Asking` as `asking`."""
    settings = {name: value for name, value in named.items() if name in _NAMES}
    others = {name: value for name, value in named.items() if name not in _NAMES}
    return {**others, "asking": Asking(**settings)} if settings else others
