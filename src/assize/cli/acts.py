"""`assize acts`: dialogue acts and maxims in stored judgments, and a local tagger of acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assize.cli.command import from_function
from assize.cli.terminal import Told, print_result
from assize.results.escape import printable_line
from assize.workflows.acts import acts, train_tagger
from assize.workflows.acts_agreement import acts_agreement
from assize.workflows.acts_study import acts_study

if TYPE_CHECKING:
    from assize.dialogue_acts.study import ActsResult


def _show(result: ActsResult, told: Told) -> None:
    """Each study under its judges' names."""
    for study in result.studies:
        print(f"{printable_line(study.name)}\n")  # noqa: T201
        print_result(study, told)
        print()  # noqa: T201


show = from_function(
    acts,
    "assize acts show run/ --items pairs.jsonl --report acts.html",
    arguments=["judgments"],
    report=True,
    unscored=True,
    show=_show,
)
agree = from_function(
    acts_agreement,
    "assize acts agree run/ anna.jsonl --gold anna",
    arguments=["judgments"],
    report=True,
    unscored=True,
)
study = from_function(
    acts_study,
    "assize acts study --set HH=run/ --set Nectar=nectar/,nectar-pairs.jsonl",
    arguments=["judgments"],
    named={"sets": "--set"},
    metavars={"sets": "NAME=FILES"},
    apart=["sets"],
    report=True,
    unscored=True,
)
train = from_function(
    train_tagger,
    "assize acts train run/ --items pairs.jsonl",
    arguments=["judgments"],
    named={"out": "--out -o"},
)
