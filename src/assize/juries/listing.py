"""The items that took one path through a jury, with every vote: what to read by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.acts._annotations import acts_in
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.judgments.values import vote_of
from assize.juries.decisions import ANSWERS
from assize.juries.jury_result import JuryResult
from assize.results import Result


def on_path(result: JuryResult, path: str) -> list[int]:
    """The numbers of the items that took this path, of those that `outcome.paths` counts."""
    outcome = result.outcome
    if path not in outcome.paths:
        raise ConfigError(f"no item went {path!r}; the paths are {', '.join(outcome.paths)}")
    taken: list[int] = np.flatnonzero((outcome.path_of == path) & outcome.counted).tolist()
    return taken


@dataclass(frozen=True)
class Listing(Result):
    """The items that took one path through a jury.

    Args:
        result: the jury's figures.
        items: each as an object; see `listed`.
    """

    result: JuryResult
    items: Sequence[Mapping[str, Any]]

    @property
    def inner(self) -> Sequence[Result]:
        """The jury."""
        return (self.result,)

    @property
    def lines(self) -> Sequence[str]:
        """The items as texts for a reader."""
        return [line for item in self.items for line in lines(item)]


def listed(result: JuryResult, path: str) -> Iterator[dict[str, Any]]:
    """Each item of a path as an object: its texts, where known, and every judge's votes."""
    outcome, verdicts = result.outcome, result.outcome.verdicts
    for number in on_path(result, path):
        item = outcome.items[number]
        pair = result.pairs.get(item)
        yield {
            "item": item,
            "gold": outcome.gold.get(item),
            "answer": ANSWERS.get(float(verdicts.values[number])),
            "by": verdicts.deciders[number] or None,
            "context": None if pair is None else _turns(pair.context),
            "a": None if pair is None else _turns(pair.a),
            "b": None if pair is None else _turns(pair.b),
            "votes": [
                _vote(row, acts_of(row, pair))
                for judge in np.flatnonzero(verdicts.read[:, number]).tolist()
                for row in verdicts.decisions.stored_votes(judge, number)
            ],
        }


def acts_of(row: Judgment, pair: Pair | None) -> dict[str, list[Any]] | None:
    """The dialogue acts of a vote, recorded outputs read turn by turn; None where it has none."""
    if pair is None or not row.judge.startswith(("da", "acts")):
        return None
    found = acts_in(row.details, pair, row.order, load_taxonomy())
    if found is None:
        return None
    sides = {"context": found.context, "a": found.a, "b": found.b}
    return {side: [list(map(list, acts)) for acts in turns] for side, turns in sides.items()}


def _turns(turns: Sequence[Turn]) -> list[dict[str, str]]:
    return [{"role": turn.role, "text": turn.text} for turn in turns]


def _vote(row: Judgment, acts: Mapping[str, Any] | None) -> dict[str, Any]:
    details = row.details or {}
    return {
        "judge": row.judge,
        "order": row.order,
        "answer": None if row.unscored is not None else vote_of(row),
        "unscored": None if row.unscored is None else row.unscored.reason,
        "explanation": row.explanation,
        "acts": acts,
        "maxims": details.get("maxims"),
        "scores": details.get("scores"),
    }


def lines(item: Mapping[str, Any]) -> Iterator[str]:
    """A listed item as text for a reader; the texts in it are not made safe here."""
    yield f"=== {item['item']}: gold {item['gold'] or 'not known'}, jury {item['answer']}"
    for label in ("context", "a", "b"):
        for turn in item[label] or ():
            name = turn["role"] if label == "context" else label.upper()
            yield from _indented(f"{name}: ", turn["text"])
    for vote in item["votes"]:
        order = f" ({vote['order']})" if vote["order"] else ""
        yield f"  {vote['judge']}{order}: {vote['answer'] or 'unscored, ' + str(vote['unscored'])}"
        if vote["scores"]:
            yield "    scores: " + ", ".join(f"{k} {v}" for k, v in vote["scores"].items())
        for label, turns in (vote["acts"] or {}).items():
            for number, acts in enumerate(turns):
                name = f"{label} {number}" if label == "context" else label.upper()
                labels = "; ".join(" / ".join(act) for act in acts) or "no act"
                yield f"    {name}: {labels}"
        if vote["maxims"]:
            said = (f"{name} {who}" for name, who in vote["maxims"].items())
            yield "    maxims: " + ", ".join(said)
        if vote["explanation"]:
            shown = " (was shown B as A)" if vote["order"] == "BA" else ""
            yield from _indented(f"    because{shown}: ", vote["explanation"])
    yield ""


def _indented(head: str, text: str) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield head + first
    for line in rest:
        yield " " * (len(head) - len(head.lstrip()) + 4) + line
