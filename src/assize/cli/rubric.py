"""`assize rubric`: ask a rubric's questions, show a rubric or list the shipped ones."""

from __future__ import annotations

from collections.abc import Sequence

from assize import rubric
from assize.base.errors import ConfigError
from assize.cli.command import Mode, from_function
from assize.judging.options import LEAST
from assize.rubric import shipped


def _adaptive(
    adaptive: str | None = None, answered: str | Sequence[str] = (), least: float = LEAST
) -> rubric.Adaptive | None:
    """How to leave questions out.

    Args:
        adaptive: a calibrator's folder, to ask only what makes its prediction surer.
        answered: with `adaptive`, a run in which everything was asked (repeatable).
        least: with `adaptive`, variance that a question must take off to be asked.
    """
    if adaptive is not None:
        return rubric.Adaptive(adaptive, answered, least)
    if answered or least != LEAST:
        raise ConfigError("--answered and --least go with --adaptive; name a calibrator's folder")
    return None


ask = from_function(
    rubric.ask,
    "assize rubric ask chats.jsonl -r general -m openai:gpt-4o -o run/",
    arguments=["items"],
    named={"model": "--model -m", "out": "--out -o", "rubric": "--rubric -r"},
    metavars={"items": "FILES"},
    required=["out"],
    complete={"rubric": shipped},
    makers={"adaptive": _adaptive},
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
    rubric.show,
    "assize rubric show information-seeking",
    arguments=["rubric"],
    complete={"rubric": shipped},
)
