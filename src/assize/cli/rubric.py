"""`assize rubric`: ask a rubric's questions, show a rubric or list the shipped ones."""

from __future__ import annotations

from assize.cli.command import Mode, from_function
from assize.rubric import shipped
from assize.workflows import rubric as workflow


def _rubrics(text: str) -> list[str]:
    return [name for name in shipped() if name.startswith(text)]


ask = from_function(
    workflow.ask_rubric,
    "assize rubric ask chats.jsonl -r general -m openai:gpt-4o -o run/",
    arguments=["items"],
    named={"model": "--model -m", "out": "--out -o", "rubric": "--rubric -r"},
    metavars={"items": "FILES"},
    required=["out"],
    complete={"rubric": _rubrics},
    modes=[
        Mode(
            "--show-prompt",
            "Print a question's messages for the first item.",
            lambda plan, question: plan.first_prompt(question),
            "question",
            "QUESTION",
            of_plan=True,
        ),
    ],
    unscored=True,
)

show = from_function(
    workflow.show_rubric,
    "assize rubric show information-seeking",
    arguments=["rubric"],
    complete={"rubric": _rubrics},
)
