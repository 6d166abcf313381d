"""`assize jury`: decide from stored judgments, or by asking one judge after the other."""

from assize.cli.command import Mode, from_function
from assize.workflows import jury as workflow
from assize.workflows.asking import USUAL

jury = from_function(
    workflow.jury,
    'assize jury run/ --items pairs.jsonl --cascade "da > maxim"',
    arguments=["judgments"],
    named={"out": "--out -o"},
    metavars={"cascade": '"J1 > J2"', "panel": '"J1=2, J2"', "escalate": "SHARE"},
    usual=USUAL,
    modes=[
        Mode("--dry-run", "Only say what it would take and cost.", workflow.estimate_jury),
        Mode(
            "--list", "Print the items of a path such as tie-loss.", workflow.list_path,
            "path", "PATH",
        ),
    ],
    report=True,
    unscored=True,
)  # fmt: skip
