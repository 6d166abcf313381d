"""`assize gate`: limits that a version keeps or not."""

from assize import gate
from assize.cli.command import from_function

command = from_function(
    gate,
    "assize gate new.jsonl --fail-under overall=0.6 --baseline old.jsonl --max-drop overall=0.05"
    " --junit gate.xml",
    arguments=["version"],
    named={"items": "--items -i"},
    metavars={
        "version": "FILES",
        "fail_under": "STATISTIC=LIMIT",
        "fail_over": "STATISTIC=LIMIT",
        "max_drop": "QUESTION=LIMIT",
        "cluster": "FIELD",
        "by": "FIELD",
    },
    report=True,
    alarm=lambda result: result.alarm,
)
