"""`assize criteria`: learn what makes conversations good, select, score, distill."""

from __future__ import annotations

from assize import criteria
from assize.cli.command import Mode, from_function
from assize.criteria._selection.policies import POLICIES

_SWITCHES = {
    name: f"--{name.replace('_', '-')}/--no-{name.replace('_', '-')}"
    for name in ("domain_sensitisation", "design_principles", "single_verb", "deduplicate")
}

learn = from_function(
    criteria.learn,
    "assize criteria learn chats.jsonl --label thumbs:up=1,down=0 -m openai:gpt-4o -o pool/",
    arguments=["items"],
    named={"model": "--model -m", "out": "--out -o", **_SWITCHES},
    metavars={"items": "FILES", "label": "SPEC|FILE"},
    required=["out"],
    report=True,
    modes=[
        Mode(
            "--show-prompt",
            "Print the messages that extract patterns from the first conversation, and stop.",
            lambda plan: plan.first_prompt(),
            of_plan=True,
        ),
    ],
    unscored=True,
)

select = from_function(
    criteria.select,
    "assize criteria select pool.yaml -j run/ --label thumbs:up=1,down=0 -i chats.jsonl",
    arguments=["criteria"],
    named={"judgments": "--judgments -j", "out": "--out -o", "items": "--items -i"},
    metavars={"criteria": "POOL", "label": "SPEC|FILE"},
    complete={"policy": lambda: POLICIES},
    report=True,
)

score = from_function(
    criteria.score,
    "assize criteria score chats.jsonl -c criteria.yaml -o run/",
    arguments=["items"],
    named={"criteria": "--criteria -c", "model": "--model -m", "out": "--out -o"},
    metavars={"items": "FILES", "criteria": "FILE"},
    required=["out"],
    report=True,
    modes=[
        Mode(
            "--show-prompt", "Print the prompt of this criterion for the first item, and stop.",
            lambda plan, question: plan.first_prompt(question), "question", "CRITERION",
            of_plan=True,
        ),
    ],
    unscored=True,
)  # fmt: skip

distill = from_function(
    criteria.distill,
    "assize criteria distill criteria.yaml -j run/ -i chats.jsonl --label thumbs:up=1,down=0"
    " --out small/",
    arguments=["criteria"],
    named={"judgments": "--judgments -j", "out": "--out -o", "items": "--items -i"},
    metavars={"criteria": "FILE", "label": "SPEC|FILE"},
    required=["out"],
    unscored=True,
)
