"""`assize score`: scores from an evaluator, the shipped one by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assize.cli.command import from_function
from assize.cli.terminal import Told, print_result
from assize.pages.scoring import summarise_scores

if TYPE_CHECKING:
    from assize.evaluator.summary import Summary


def _show(summary: Summary, told: Told) -> None:
    if told.given["out"] != "-":  # else stdout holds the judgments
        print_result(summary, told)


score = from_function(
    summarise_scores,
    "assize score chats.jsonl --out scores.jsonl --report scores.html",
    arguments=["items"],
    named={"out": "--out -o"},
    metavars={"items": "FILES"},
    unscored=True,
    show=_show,
)
