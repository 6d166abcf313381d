"""Settings among the arguments of a test, put into the records that a function takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from inspect import signature
from typing import Any

from assize.cli.settings import settings_of


def with_settings(function: Callable[..., Any], **named: Any) -> dict[str, Any]:
    """Return the arguments, each that is a field of a record in that record.

    A record of several kinds is of the kind that its parameter's own name says in lower case.
    """
    own = signature(function).parameters
    arguments = dict(named)
    for name, settings in settings_of(function).items():
        word = arguments.get(name)
        if word is not None and not isinstance(word, str):
            continue  # the record itself
        kinds = settings.kinds if word is None else settings.words[word]
        kind = kinds[0] if word or settings.default is None else type(settings.default)
        parts = {part.name for part in fields(kind)} - own.keys()
        values = {part: arguments.pop(part) for part in parts & arguments.keys()}
        if word is None and not values:
            continue
        record = settings.default
        arguments[name] = replace(record, **values) if type(record) is kind else kind(**values)
    return arguments
