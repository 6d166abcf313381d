"""The rubric that a task's settings name."""

from __future__ import annotations

import os
from functools import lru_cache

from assize.formats.yaml_nodes import text_in
from assize.rubric import Rubric, load_rubric, parse_rubric
from assize.rubric._reading import shipped
from assize.web._tasks.definition import Task, problem_in


def rubric_named(task: Task, named: str) -> Rubric:
    """A shipped rubric by its name, or a file of the project; read again when it has changed.

    Raises:
        DataError: there is none of that name, or the file is none.
    """
    if not named.endswith((".yaml", ".yml")):
        if named not in shipped():
            known = ", ".join(shipped())
            problem = f"no rubric {named!r}; shipped are {known}, or name a file"
            raise problem_in(task, problem, "settings", "rubric")
        return _shipped(named)
    place = task.file(named)
    if not os.path.isfile(place):
        raise problem_in(task, f"there is no file {named!r}", "settings", "rubric")
    return _read(text_in(str(place)), named)


@lru_cache(maxsize=64)
def _shipped(name: str) -> Rubric:
    return load_rubric(name)


@lru_cache(maxsize=64)
def _read(text: str, source: str) -> Rubric:
    return parse_rubric(text, source)
