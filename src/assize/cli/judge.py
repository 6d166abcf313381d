"""`assize judge`: ask judges about items, into a folder that survives anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import assize
from assize import judging, study
from assize.cli.command import Mode, from_function
from assize.judging.options import declared_options, read_settings
from assize.judging.table import JUDGES

_PYTHON_ONLY = ("timeout", "requests_per_minute", "tokens_per_minute", "record")


def _options(judges: str | Sequence[str] = (), options: Sequence[str] = ()) -> dict[str, Any]:
    """What `--set` says to the judges that are named.

    Args:
        options: option of a single judge, for example rubric=mine.yaml (repeatable).
    """
    return read_settings([judges] if isinstance(judges, str) else judges or (), options)


judge = from_function(
    assize.judge,
    "assize judge pairs.jsonl --judge io@openai:gpt-4o --out run/",
    arguments=["items"],
    named={"judges": "--judge -j", "out": "--out -o", "options": "--set"},
    hidden=_PYTHON_ONLY,
    metavars={"items": "FILES", "options": "NAME=VALUE"},
    required=["out"],
    complete={
        "judges": lambda: [f"{name}@" for name in JUDGES],
        "options": lambda: [f"{name}=" for name in declared_options()],
    },
    makers={"options": _options},
    modes=[
        Mode(
            "--show-prompt",
            "Print this judge's messages for the first item, and stop.",
            lambda plan: plan.first_prompt(),
            "judges",
            "NAME",
            of_plan=True,
        ),
        Mode(
            "--list",
            "List judges with their options, and models. With --judge, only those judges.",
            judging.list_judges,
        ),
        Mode(
            "--injections",
            "Measure how often judges obey instructions hidden in the text.",
            study.injections,
        ),
    ],
    unscored=True,
)
