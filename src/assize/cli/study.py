"""`assize study`: methods compared on data held out, as the papers compare them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from assize import study
from assize.cli.command import Mode, from_function
from assize.cli.terminal import print_result
from assize.criteria._selection.policies import POLICIES
from assize.formats.arguments import listed
from assize.juries import Cascade, Jury, Panel
from assize.reference._ensemble.models.learners import LEARNERS
from assize.reference._study.metric_tables import MAIN


def _juries(cascade: str | Sequence[str] = (), panel: str | Sequence[str] = ()) -> list[Jury]:
    """The juries that are compared.

    Args:
        cascade: jury in which a tie passes on to the next judge, for example "da > maxim"
            (repeatable). Default: the usual ones. `reward` stands for each reward model.
        panel: jury in which every judge votes, or all (repeatable).
    """
    return [*map(Cascade, listed(cascade)), *map(Panel, listed(panel))]


juries = from_function(
    study.juries,
    'assize study juries run/ --cascade "da > maxim" --cascade "maxim > da"',
    arguments=["judgments"],
    named={"sets": "--set"},
    metavars={
        "cascade": '"J1 > J2"',
        "panel": '"J1=2, J2"',
        "sets": "NAME=FILES",
        "against": "JURY",
    },
    makers={"juries": _juries},
    report=True,
    unscored=True,
)
acts = from_function(
    study.acts,
    "assize study acts --set HH=run/ --set Nectar=nectar/,nectar-pairs.jsonl",
    arguments=["judgments"],
    named={"sets": "--set"},
    metavars={"sets": "NAME=FILES"},
    report=True,
    unscored=True,
)
calibration = from_function(
    study.calibration,
    "assize study calibration -a run/ -r ratings.jsonl -t Q0 --report study.html",
    named={
        "answers": "--answers -a",
        "ratings": "--ratings -r",
        "target": "--target -t",
        "method": "--method -m",
    },
    hidden=["splits"],
    metavars={"folds_by": "WHAT", "leave_out": "WHAT", "by": "WHAT"},
    modes=[Mode("--list", "List the methods.", study.methods)],
    report=True,
    # differences of every two methods stand on the page
    show=partial(print_result, page_only=lambda name: " by " in name),
)
criteria = from_function(
    study.criteria,
    "assize study criteria run/ --method RUBICON=pool.yaml --method hand=own.yaml"
    " --label thumbs:up=1,down=0 -i chats.jsonl",
    arguments=["judgments"],
    named={"items": "--items -i"},
    metavars={
        "judgments": "JUDGMENTS",
        "method": "NAME=FILE",
        "scored": "NAME=RUN",
        "label": "SPEC|FILE",
    },
    complete={"policy": lambda: POLICIES},
    report=True,
)
reference = from_function(
    study.reference,
    "assize study reference scores/ --items upheld.csv --report study.html",
    arguments=["judgments"],
    named={"items": "--items -i", "ratings": "--ratings -r", "models": "--ensemble"},
    metavars={"judgments": "JUDGMENTS", "data": "NAME=FILE", "question": "QUESTION"},
    complete={"models": lambda: (*LEARNERS, "none")},
    report=True,
    unscored=True,
    show=partial(print_result, page_only=lambda name: not name.startswith(MAIN)),
)
evaluators = from_function(
    study.evaluators,
    "assize study evaluators pairs.jsonl --votes run/",
    arguments=["pairs"],
    named={"votes": "--votes -j", "judge": "--gold", "folds_by": "--by"},
    metavars={"pairs": "PAIRS"},
    report=True,
)
