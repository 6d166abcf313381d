"""`assize calibrate`: predict what each rater would say, and study how well."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from inspect import Parameter
from typing import Any, get_type_hints

from assize.calibration.fitted import load_calibrator
from assize.cli.command import Mode, from_function
from assize.cli.flags import arguments_of
from assize.cli.terminal import Told, print_notes, print_tables
from assize.workflows.calibration.adapt import adapt_calibrator
from assize.workflows.calibration.audit import audit_calibrator
from assize.workflows.calibration.compare import compare_systems
from assize.workflows.calibration.correct import correct_calibrator
from assize.workflows.calibration.distill import distill_evaluator
from assize.workflows.calibration.fit import fit_calibrator
from assize.workflows.calibration.importance import question_importance
from assize.workflows.calibration.next_ratings import next_ratings
from assize.workflows.calibration.predict import predict_ratings
from assize.workflows.calibration.select import select_best
from assize.workflows.calibration.study import study_calibrators, study_methods
from assize.workflows.calibration.template import rating_template

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


def _study(result: Any, told: Told) -> None:
    tables = result.tables.items()  # differences of every two methods stand on the page
    print_tables({name: table for name, table in tables if " by " not in name})
    print_notes(result, told)


fit = from_function(
    fit_calibrator,
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
    adapt_calibrator,
    "assize calibrate adapt mine/ -a new-run/ -r few.jsonl --out adapted/",
    makers={"calibrator": _opening(adapt_calibrator, "calibrator", "encoder")},
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
    required=["out"],
)
predict = from_function(
    predict_ratings,
    "assize calibrate predict mine/ -a run/ --raters all --out said.jsonl",
    call=partial(predict_ratings, keep=False),  # what is printed needs no rows
    hidden=["keep"],
    makers={
        "calibrator": _opening(
            predict_ratings, "calibrator", "encoder", "uncorrected", "strangers", "as_fitted"
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
    rating_template,
    "assize calibrate template run/ --items chats.jsonl --raters ann,ben -o ratings.xlsx",
    arguments=["judgments"],
    named={"out": "--out -o", "items": "--items -i", "n": "-n"},
    metavars={"judgments": "RUN"},
)
audit = from_function(
    audit_calibrator,
    "assize calibrate audit mine/ -a run/ -r held.jsonl --items chats.jsonl"
    " --by system --by metadata.language",
    makers={"calibrator": _opening(audit_calibrator, "calibrator", "encoder", "uncorrected")},
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
)
correct = from_function(
    correct_calibrator,
    "assize calibrate correct mine/ -a run/ -r split.jsonl --items chats.jsonl"
    " --by metadata.language",
    makers={"calibrator": _opening(correct_calibrator, "calibrator", "encoder")},
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
)
study = from_function(
    study_calibrators,
    "assize calibrate study -a run/ -r ratings.jsonl -t Q0 --report study.html",
    named=_NAMED | {"method": "--method -m"},
    hidden=["splits"],
    metavars={"folds_by": "WHAT", "leave_out": "WHAT", "by": "WHAT"},
    modes=[Mode("--list", "Print the methods there are.", study_methods)],
    report=True,
    show=_study,
)
compare = from_function(
    compare_systems,
    "assize calibrate compare mine/ -a old-run/ --against new-run/",
    makers={"calibrator": _opening(compare_systems, "calibrator", "encoder", "uncorrected")},
    arguments=["calibrator"],
    named=_NAMED | {"against": "--against -b"},
    metavars=_METAVARS,
    report=True,
)
importance = from_function(
    question_importance,
    "assize calibrate importance q0/ q1/ q2/ --answers run/",
    makers={name: _opening(question_importance, name, "encoder") for name in ("main", "others")},
    arguments=["main", "others"],
    named=_NAMED,
    metavars={"main": "MAIN", "others": "DIR"},
)
select = from_function(
    select_best,
    "assize calibrate select mine/ -a run/ --by '^(.*)_' --max-entropy 1.1",
    makers={"calibrator": _opening(select_best, "calibrator", "encoder", "uncorrected")},
    arguments=["calibrator"],
    named=_NAMED,
    metavars=_METAVARS,
)
distill = from_function(
    distill_evaluator,
    "assize calibrate distill mine/ -a run/ --items chats.jsonl --out small/",
    makers={
        "calibrators": _opening(
            distill_evaluator, "calibrators", "encoder", "uncorrected", "strangers"
        )
    },
    arguments=["calibrators"],
    named=_NAMED,
    metavars=_METAVARS,
    required=["out"],
    unscored=True,
)
