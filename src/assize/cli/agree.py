"""`assize agree`: agreement and correlation between judges."""

from __future__ import annotations

from assize.agreement import report_raters
from assize.agreement.agree import agree
from assize.cli.command import Mode, from_function

command = from_function(
    agree,
    "assize agree people.jsonl run/ --gold people --report agree.html",
    arguments=["judgments"],
    named={"pair": "--compare"},
    metavars={"same": "Q1=Q2", "own": "JUDGE=SYSTEM", "pair": "J1 J2", "label": "SPEC|FILE"},
    modes=[
        Mode(
            "--raters",
            "Compare each rater with the others: agreement, time, gold.",
            report_raters,
            report=True,
        )
    ],
    report=True,
    unscored=True,
)
