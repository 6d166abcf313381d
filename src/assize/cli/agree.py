"""`assize agree`: agreement and correlation between judges."""

from assize.cli.command import from_function
from assize.workflows.agree import agree

command = from_function(
    agree,
    "assize agree people.jsonl run/ --gold people --report agree.html",
    arguments=["judgments"],
    metavars={"same": "Q1=Q2", "own": "JUDGE=SYSTEM", "compare": "J1 J2", "label": "SPEC|FILE"},
    report=True,
    unscored=True,
)
