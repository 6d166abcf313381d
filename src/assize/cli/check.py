"""`assize check`: what is ill-formed in conversations, pairs and judgments, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assize._doors.check import check
from assize.cli.command import from_function
from assize.cli.terminal import Told, print_result, problem

if TYPE_CHECKING:
    from assize.formats.checks import CheckResult


def _show(result: CheckResult, told: Told) -> None:
    for one in result.problems:
        problem(one)
    print_result(result, told)


command = from_function(
    check,
    "assize check chats.jsonl judgments.jsonl",
    arguments=["items"],
    metavars={"items": "FILES"},
    hidden=["on_error"],  # a check says what is bad, and goes on
    show=_show,
    failed=lambda result: bool(result.problems),
)
