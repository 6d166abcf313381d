"""A kind's own settings, checked."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from assize.web._tasks.definition import Task, problem_in


class Settings(BaseModel):
    """What every kind's settings inherit from: unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


S = TypeVar("S", bound=BaseModel)


def settings_of(task: Task, kind: type[S]) -> S:
    """The task's `settings` as its kind reads them.

    Raises:
        DataError: one is missing, unknown or wrong; says which, on which line, and what is
            allowed.
    """
    try:
        return kind.model_validate(dict(task.settings))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        known = ", ".join(kind.model_fields) or "none"
        problem = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise problem_in(
            task, f"{problem}; settings of {task.kind!r} are {known}", "settings", *first["loc"]
        ) from None
