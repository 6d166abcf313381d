"""`assize criteria`: learn what makes conversations good or bad."""

from __future__ import annotations

from assize.cli.command import Mode, from_function
from assize.criteria.learning.estimate import STAGES
from assize.workflows.asking import USUAL
from assize.workflows.criteria import learn as learning


def _stages(text: str) -> list[str]:
    return [name for name in STAGES if name.startswith(text)]


_SWITCHES = {
    name: f"--{name.replace('_', '-')}/--no-{name.replace('_', '-')}"
    for name in ("domain_sensitisation", "design_principles", "single_verb", "deduplicate")
}

learn = from_function(
    learning.learn_criteria,
    "assize criteria learn chats.jsonl --label thumbs:up=1,down=0 -m openai:gpt-4o -o pool/",
    call=learning.run_learning,
    arguments=["items"],
    named={"model": "--model -m", "out": "--out -o", **_SWITCHES},
    metavars={"items": "FILES"},
    required=["out"],
    usual=USUAL,
    modes=[
        Mode(
            "--dry-run", "Only say what each stage would take and cost.",
            learning.estimate_learning,
        ),
        Mode(
            "--show-prompt", "Print a stage's messages: extract, summarise or deduplicate.",
            learning.show_stage, "stage", "STAGE",
        ),
    ],
    unscored=True,
)  # fmt: skip
