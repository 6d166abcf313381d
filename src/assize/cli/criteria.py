"""`assize criteria`: score conversations by a set of criteria."""

from __future__ import annotations

from assize.cli.command import Mode, from_function
from assize.workflows.asking import USUAL
from assize.workflows.criteria import score as scoring

score = from_function(
    scoring.score_criteria,
    "assize criteria score chats.jsonl -c criteria.yaml -o run/",
    call=scoring.run_criteria,
    arguments=["items"],
    named={"criteria": "--criteria -c", "model": "--model -m", "out": "--out -o"},
    metavars={"items": "FILES", "criteria": "FILE"},
    usual=USUAL,
    modes=[
        Mode("--dry-run", "Only say what it would take and cost.", scoring.estimate_criteria),
        Mode(
            "--show-prompt", "Print the prompt with a criterion for the first item.",
            scoring.show_criterion, "question", "CRITERION",
        ),
    ],
    unscored=True,
)  # fmt: skip
