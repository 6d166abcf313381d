"""`assize judge`: ask judges about items, into a folder that survives anything."""

from __future__ import annotations

from assize.cli.command import Mode, from_function
from assize.cli.judge_options import judge_options
from assize.judging.table import JUDGES
from assize.workflows import judge as workflow
from assize.workflows.asking import USUAL


def _judges(text: str) -> list[str]:
    return [f"{name}@" for name in JUDGES if name.startswith(text)]


judge = from_function(
    workflow.judge,
    "assize judge pairs.jsonl --judge io@openai:gpt-4o --out run/",
    call=workflow.run_judges,
    arguments=["items"],
    named={"judges": "--judge -j", "out": "--out -o"},
    metavars={"items": "FILES"},
    complete={"judges": _judges},
    usual=USUAL,
    more=judge_options(),
    modes=[
        Mode("--dry-run", "Only say what it would take and cost.", workflow.estimate),
        Mode(
            "--show-prompt",
            "Print a judge's messages for an item.",
            workflow.show_prompt,
            "judge",
            "NAME",
        ),
        Mode("--list", "Print the judges and models there are.", workflow.list_judges),
        Mode(
            "--injections", "How often judges obey what stands in the text.",
            workflow.measure_injections,
        ),
    ],
    unscored=True,
)  # fmt: skip
