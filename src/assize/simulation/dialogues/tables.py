"""What the checks of dialogues look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assize.results import ResultTable, columns
from assize.simulation.dialogues.checks import Checks

if TYPE_CHECKING:
    from assize.simulation.dialogues.simulated import SimulatedDialogues

ENDS = ("user", "assistant", "limit", "one call")


def tables(result: SimulatedDialogues) -> Mapping[str, ResultTable]:
    """`dialogues`; `sources` where any were shown; `recall` where topics name documents."""
    checks = result.checks
    found = {"dialogues": _dialogues(checks)}
    if any(one.with_sources or one.unknown for one in checks):
        found["sources"] = _sources(checks)
    if any(one.recall is not None for one in checks):
        found["recall"] = _recalls(checks)
    return found


def _dialogues(checks: Sequence[Checks]) -> ResultTable:
    named = columns("words", "recipe") + columns("count", "made", "failed")
    named += columns("number", "exchanges", digits=1)
    named += columns("number", "user's words", "assistant's", digits=0)
    named += columns("words", "ended by")
    rows = [
        (
            one.recipe,
            sum(one.ended.values()),
            sum(one.failed.values()),
            one.exchanges,
            one.user_words,
            one.assistant_words,
            ", ".join(f"{who} {one.ended[who]:,}" for who in ENDS if one.ended[who]),
        )
        for one in checks
    ]
    return ResultTable("Dialogues", named, rows)


def _sources(checks: Sequence[Checks]) -> ResultTable:
    named = columns("words", "recipe") + columns("count", "turns", "sources")
    named += columns("percent", "turns that cite", digits=1)
    named += columns("count", "cited [n]", "unknown [n]")
    rows = [
        (one.recipe, one.with_sources, one.shown, one.citing, one.known, one.unknown)
        for one in checks
    ]
    return ResultTable("Turns with sources, and what they cite", named, rows)


def _recalls(checks: Sequence[Checks]) -> ResultTable:
    named = columns("words", "recipe") + columns("number", "recall")
    named += columns("count", "dialogues")
    rows = [(one.recipe, one.recall, one.recall.n) for one in checks if one.recall is not None]
    return ResultTable("Recall of the documents that topics name", named, rows)
