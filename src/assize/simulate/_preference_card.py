"""The data card: every count, and every setting, of which preference data came."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from assize.base.conversation import Pair
from assize.base.version import __version__
from assize.judgments import JudgmentTable
from assize.judgments.item_fields import systems_of
from assize.results import Column, ResultTable
from assize.results.columns import columns
from assize.results.escape import printable
from assize.simulate._majority import MAJORITY, label_counts, labels_of, votes_by_judge
from assize.simulate._preference_data import PreferenceData
from assize.simulate._vote_consistency import preferences_asked

CARD = "card.md"


def card(data: PreferenceData, settings: Mapping[str, Any]) -> str:
    """The card as Markdown.

    Args:
        settings: everything that could change the data.
    """
    parts = ["# Preference data", _opening(data)]
    tables = [*data.tables.values(), *_writers(data.records)]
    if data.judgments is not None and len(data.judgments):
        tables.append(by_question(data.judgments))
    for table in tables:
        parts += [f"## {table.title}", table.to_markdown()]
    parts += ["## Calls", f"{data.n:,} answers were asked for; {data.unscored:,} are missing."]
    parts += ["\n".join(f"- {count:,}: {printable(why)}" for why, count in data.reasons.items())]
    if data.spent is not None:
        parts.append(str(replace(data.spent, earlier=0)))  # in however many sessions
    shown = json.dumps(settings, indent=1, ensure_ascii=False, default=str)
    parts += ["## Settings", f"```json\n{shown}\n```"]
    return "\n\n".join(filter(None, parts)) + "\n"


def _opening(data: PreferenceData) -> str:
    counts = ", ".join(f"{count:,} {label}" for label, count in data.shares.items())
    shares = counts if data.labels else "no labels"
    on = "" if data.question is None else f", by {data.question}"
    return (
        f"{data.count:,} pairs of dialogues: {shares}{on}. The answers, and the"
        " votes of judges that are models, are synthetic; the user's turns are those of the"
        f" conversations given. Made by assize {__version__}, signature {data.signature}."
    )


def _writers(pairs: Sequence[Pair]) -> list[ResultTable]:
    """Who wrote how many sides."""
    counts: dict[str, list[int]] = {}
    for pair in pairs:
        for side, name in enumerate(systems_of(pair)):
            counts.setdefault(name or "unknown", [0, 0])[side] += 1
    heads = [Column("answers by"), *columns("count", "as A", "as B")]
    rows = [(name, *of) for name, of in counts.items()]
    return [ResultTable("Who wrote them", heads, rows)] if rows else []


def by_question(table: JudgmentTable) -> ResultTable:
    """Votes by question and judge, both orders put together, and their majority."""
    rows: list[tuple[Any, ...]] = []
    for name in preferences_asked(table):
        votes = votes_by_judge(table, name) | {MAJORITY: labels_of(table, name)}
        rows += [(name, *astuple(row)) for row in label_counts(votes)]
    heads = [Column("question"), Column("judge"), *columns("count", "A", "B", "tie", "unscored")]
    return ResultTable("Votes by question", heads, rows)
