"""The data card: every count, and every setting, of which preference data came."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from assize.base.conversation import Pair
from assize.base.version import __version__
from assize.judgments import JudgmentTable
from assize.results import Column, ResultTable
from assize.results.columns import columns
from assize.results.escape import printable
from assize.simulate._majority import label_counts, labels_of, votes_by_judge
from assize.simulate._preference_data import PreferenceData
from assize.simulate._select_pairs import how_combined

CARD = "card.md"


def card(
    data: PreferenceData,
    settings: Mapping[str, Any],
    made: JudgmentTable | None,
    problem: str | None = None,
) -> str:
    """The card as Markdown.

    Args:
        settings: everything that could change the data.
        made: all votes, before any pair was left out.
        problem: why no data could be chosen from the pairs; None where they were.
    """
    failed = (
        f"**No pair was chosen: {printable(problem or '').strip()}.** What follows is of all pairs"
        " that were made."
    )
    parts = ["# Preference data", "" if problem is None else failed, _opening(data)]
    for name, table in data.tables.items():
        parts += [f"## {table.title or name}", table.to_markdown()]
    if data.alike is not None:
        names = "judges alike", "alpha", "unanimous"
        words = [f"- {name}: {', '.join(filter(None, data.headline[name]))}" for name in names]
        parts += [f"## Agreement of the judges on {data.question}", "\n".join(words)]
    parts += _writers(data.pairs)
    if data.judgments is not None and len(data.judgments):
        kept = by_question(data.judgments)
        parts += [f"## {kept.title}", kept.to_markdown()]
    if made is not None and len(made):
        parts += ["## All votes, before pairs were left out", by_question(made).to_markdown()]
    missing, asked = data.unscored
    parts += ["## Calls", f"{asked:,} answers were asked for; {missing:,} are missing."]
    parts += ["\n".join(f"- {count:,}: {printable(why)}" for why, count in data.reasons.items())]
    if data.spent is not None:
        parts.append(str(data.spent))
    shown = json.dumps(settings, indent=1, ensure_ascii=False, default=str)
    parts += ["## Settings", f"```json\n{shown}\n```"]
    return "\n\n".join(one for one in parts if one) + "\n"


def _opening(data: PreferenceData) -> str:
    counts = ", ".join(f"{count:,} {label}" for label, count in data.shares.items())
    shares = counts if data.labels else "no labels"
    on = "" if data.question is None else f", by {data.question}"
    return (
        f"{len(data.pairs):,} pairs of dialogues: {shares}{on}. The answers, and the"
        " votes of judges that are models, are synthetic; the user's turns are those of the"
        f" conversations given. Made by assize {__version__}, signature {data.signature}."
    )


def _writers(pairs: Sequence[Pair]) -> list[str]:
    """Who wrote how many sides."""
    counts: dict[str, list[int]] = {}
    for one in pairs:
        systems = one.metadata.get("systems")
        for at, side in enumerate(("A", "B")):
            name = str(systems.get(side)) if isinstance(systems, Mapping) else "unknown"
            counts.setdefault(name, [0, 0])[at] += 1
    if not counts:
        return []
    named = [Column("answers by"), *columns("count", "as A", "as B")]
    table = ResultTable("Who wrote them", named, [(name, *of) for name, of in counts.items()])
    return [f"## {table.title}", table.to_markdown()]


def by_question(table: JudgmentTable) -> ResultTable:
    """Votes by question and judge, both orders put together, and their majority."""
    how = how_combined(table)
    rows: list[tuple[Any, ...]] = []
    for name in table.asked:
        if table.questions[name].kind != "preference":
            continue
        votes = votes_by_judge(table, name, how)
        rows += [(name, *astuple(row)) for row in label_counts(votes)]
        rows += [
            (name, *astuple(row)) for row in label_counts({"majority": labels_of(table, name)})
        ]
    named = [Column("question"), Column("judge"), *columns("count", "A", "B", "tie", "unscored")]
    return ResultTable("Votes by question", named, rows)
