"""`assize calibrate`: predict what each rater would say."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from inspect import Parameter
from typing import Any, get_type_hints

from assize import calibrate
from assize.calibrate import load_calibrator, next_ratings
from assize.cli.command import from_function
from assize.cli.flags import arguments_of
from assize.cli.terminal import print_notes

_NAMED = {
    "answers": "--answers -a",
    "ratings": "--ratings -r",
    "target": "--target -t",
    "out": "--out -o",
}
_METAVARS = {"calibrator": "DIR", "calibrators": "DIR", "group": "NAME=IDS"}


def _opening(function: Callable[..., Any], name: str, *options: str) -> Callable[..., Any]:
    """What opens the calibrators that a function takes, with options of `load_calibrator`."""
    usual = inspect.signature(load_calibrator).parameters

    def make(**typed: Any) -> Any:
        chosen = {key: typed[key] for key in options if typed[key] != usual[key].default}
        folders = typed[name]
        if not chosen:
            return folders
        if isinstance(folders, str):
            return load_calibrator(folders, **chosen)
        return [load_calibrator(folder, **chosen) for folder in folders]

    calibrator = Parameter(name, Parameter.KEYWORD_ONLY)
    parameters = [calibrator, *(usual[key] for key in options)]
    hints = get_type_hints(load_calibrator) | {name: get_type_hints(function)[name]}
    helps = arguments_of(load_calibrator) | arguments_of(function)
    lines = [f"    {one.name}: {helps[one.name]}" for one in parameters]
    make.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    make.__annotations__ = {one.name: hints[one.name] for one in parameters}
    make.__doc__ = "\n".join(["", "Args:", *lines])
    return make


fit = from_function(
    calibrate.fit,
    "assize calibrate fit -a run/ -r ratings.jsonl -t Q0 --out mine/",
    named=_NAMED
    | {
        "model": "--network",
        "epsilon": "--privacy",
        "unit": "--privacy-unit",
        "scores": "--beside",
        "sets": "--set",
    },
    metavars=_METAVARS | {"answer_embeddings": "D", "sets": "WHAT", "label": "SPEC|FILE"},
    required=["out"],
    show=print_notes,
)
adapt = from_function(
    calibrate.adapt,
    "assize calibrate adapt mine/ -a new-run/ -r few.jsonl --out adapted/",
    makers={"calibrator": _opening(calibrate.adapt, "calibrator", "encoder")},
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
    required=["out"],
)
predict = from_function(
    calibrate.predict,
    "assize calibrate predict mine/ -a run/ --raters all --out predicted.jsonl",
    call=partial(calibrate.predict, keep=False),  # what is printed needs no rows
    hidden=["keep"],
    makers={
        "calibrator": _opening(
            calibrate.predict, "calibrator", "encoder", "uncorrected", "strangers", "as_fitted"
        )
    },
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
    unscored=True,
)
next_ = from_function(
    next_ratings,
    "assize calibrate next mine/ -a run/ -r ratings.jsonl"
    " --routing routing.yaml --out requests.jsonl",
    makers={"calibrators": _opening(next_ratings, "calibrators", "encoder", "uncorrected")},
    arguments=["calibrators"],
    named=_NAMED | {"count": "--count -n"},
    metavars=_METAVARS,
)
template = from_function(
    calibrate.template,
    "assize calibrate template run/ --items chats.jsonl --raters ann,ben -o ratings.xlsx",
    arguments=["judgments"],
    named={"out": "--out -o", "items": "--items -i", "n": "-n"},
    metavars={"judgments": "RUN"},
)
audit = from_function(
    calibrate.audit,
    "assize calibrate audit mine/ -a run/ -r held.jsonl --items chats.jsonl"
    " --by system --by metadata.language",
    makers={"calibrator": _opening(calibrate.audit, "calibrator", "encoder", "uncorrected")},
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
)
correct = from_function(
    calibrate.correct,
    "assize calibrate correct mine/ -a run/ -r split.jsonl --items chats.jsonl"
    " --by metadata.language",
    makers={"calibrator": _opening(calibrate.correct, "calibrator", "encoder")},
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
)
compare = from_function(
    calibrate.compare,
    "assize calibrate compare mine/ -a old-run/ --against new-run/",
    makers={"calibrator": _opening(calibrate.compare, "calibrator", "encoder", "uncorrected")},
    arguments=["calibrator"],
    named=_NAMED | {"against": "--against -b"},
    metavars=_METAVARS,
    report=True,
)
importance = from_function(
    calibrate.importance,
    "assize calibrate importance q0/ q1/ q2/ --answers run/",
    makers={name: _opening(calibrate.importance, name, "encoder") for name in ("main", "others")},
    arguments=["main", "others"],
    named=_NAMED,
    metavars={"main": "MAIN", "others": "DIR"},
)
select = from_function(
    calibrate.select,
    "assize calibrate select mine/ -a run/ --by '^(.*)_' --max-entropy 1.1",
    makers={"calibrator": _opening(calibrate.select, "calibrator", "encoder", "uncorrected")},
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
)
distill = from_function(
    calibrate.distill,
    "assize calibrate distill mine/ -a run/ --items chats.jsonl --out small/",
    makers={
        "calibrators": _opening(
            calibrate.distill, "calibrators", "encoder", "uncorrected", "strangers"
        )
    },
    arguments=["calibrators"],
    named=_NAMED,
    metavars=_METAVARS,
    required=["out"],
    unscored=True,
)
