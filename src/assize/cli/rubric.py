"""`assize rubric`: ask a rubric's questions, show a rubric or list the shipped ones."""

from __future__ import annotations

from assize import rubric
from assize.cli.command import Mode, from_function
from assize.rubric import shipped

ask = from_function(
    rubric.ask,
    "assize rubric ask chats.jsonl -r general -m openai:gpt-4o -o run/",
    arguments=["items"],
    named={
        "model": "--model -m",
        "out": "--out -o",
        "rubric": "--rubric -r",
        "calibrator": "--adaptive",
    },
    metavars={"items": "FILES"},
    required=["out"],
    complete={"rubric": shipped},
    modes=[
        Mode(
            "--show-prompt",
            "Print this question's messages for the first item, and stop.",
            lambda plan, question: plan.first_prompt(question),
            "question",
            "QUESTION",
            of_plan=True,
        ),
    ],
    unscored=True,
)

show = from_function(
    rubric.show,
    "assize rubric show information-seeking",
    arguments=["rubric"],
    complete={"rubric": shipped},
)
