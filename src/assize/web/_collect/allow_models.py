"""What a project's systems may ask: what `--allow` names.

A project's folder may come from anybody, so its files ask nobody: whoever starts `assize web` says
with `--allow` what they may reach.
"""

from __future__ import annotations

from collections.abc import Collection

from assize.base.endpoints import address
from assize.base.trust import HARMLESS, check_named, show_name
from assize.web._collect.settings import SIDES, System, collect_settings
from assize.web._tasks.definition import Task


def model_name(system: System) -> str:
    """Return how `--allow` takes a system's model: MODEL, or MODEL@ADDRESS.

    The address decides who gets conversations and key, so the model alone does not allow it. It is
    written without user, password and query.
    """
    return system.model if system.base_url is None else f"{system.model}@{address(system.base_url)}"


def models_of(task: Task) -> tuple[str, ...]:
    """Return what a task's systems ask, once each; () for a task that collects nothing.

    Raises:
        DataError: a setting is wrong.
    """
    if task.kind not in SIDES:
        return ()
    systems = collect_settings(task, SIDES[task.kind]).systems
    return tuple(dict.fromkeys(map(model_name, systems)))


def check_models(tasks: Collection[Task], allow: Collection[str]) -> None:
    """Refuse tasks that ask what is not allowed; the message allows everything at once.

    Raises:
        ConfigError: a system's model is neither built in nor allowed.
        DataError: a setting is wrong.
    """
    names = {task.name: models_of(task) for task in tasks}
    asked = dict.fromkeys(name for some in names.values() for name in some)
    flags = " ".join(f"--allow {show_name(one)}" for one in asked if one not in HARMLESS["model"])
    remedy = f"where you trust the project, start assize web with {flags}"
    for task in tasks:
        for name in names[task.name]:
            check_named(name, "model", source=f"{task.path} names", remedy=remedy, allow=allow)


def asked_lines(tasks: Collection[Task]) -> list[str]:
    """Return a line a task that says which models it asks."""
    return [
        f"task {task.name}: raters talk with {', '.join(map(show_name, names))}"
        for task in tasks
        if (names := models_of(task))
    ]
