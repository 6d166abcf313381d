"""Text without half characters, which JSON can spell and UTF-8 cannot hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

_HALF = re.compile("[\ud800-\udfff]")


def replace_halves(value: Any) -> Any:
    """The value with each half character (a lone surrogate) in its texts replaced by U+FFFD.

    Texts in lists, mappings and dataclasses count; a value of another type stays as it is.

    >>> replace_halves({"a": ["x\\ud800"]})
    {'a': ['x�']}
    """
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list | tuple):
        return type(value)(map(replace_halves, value))
    if isinstance(value, Mapping):
        return {replace_halves(key): replace_halves(part) for key, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(
            **{part.name: replace_halves(getattr(value, part.name)) for part in fields(value)}
        )
    return value
