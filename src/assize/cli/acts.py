"""`assize acts`: dialogue acts and maxims in stored judgments, and a local tagger of acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import assize
from assize import acts
from assize.cli.command import from_function
from assize.cli.terminal import Told, print_result
from assize.results.escape import printable_line

if TYPE_CHECKING:
    from assize.acts._study import ActsResult


def _show(result: ActsResult, told: Told) -> None:
    """Each study under its judges' names."""
    for study in result.studies:
        print(f"{printable_line(study.name)}\n")  # noqa: T201
        print_result(study, told)
        print()  # noqa: T201


show = from_function(
    acts.show,
    "assize acts show run/ --items pairs.jsonl --report acts.html",
    arguments=["judgments"],
    report=True,
    unscored=True,
    show=_show,
)
agree = from_function(
    assize.acts.agree,
    "assize acts agree run/ anna.jsonl --gold anna",
    arguments=["judgments"],
    report=True,
    unscored=True,
)
train = from_function(
    assize.acts.train,
    "assize acts train run/ --items pairs.jsonl",
    arguments=["judgments"],
    named={"out": "--out -o"},
)
