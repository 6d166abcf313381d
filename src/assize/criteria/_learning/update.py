"""SPUR's summarising: one list of at most N criteria, brought up to date with each mini-batch.

Source: Lin et al., arXiv 2403.12388, as its abstract and RUBICON (sections 1 and 3.2.2) describe
it: patterns are extracted from labelled conversations and summarised iteratively into rubrics of
satisfaction and of dissatisfaction; "a restricted set of N rubrics" is updated at each turn, and no
step measures how well the final set tells conversations apart. Ours, since neither says more: the
wording of the prompt, N = 10 a polarity, the order of the patterns, that a criterion names those
that it came from, so that provenance is handed on, and that an update which cannot be read leaves
the list as it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assize.base.errors import AnswerError
from assize.criteria._criterion import CONDUCTS, MAXIMS, Criterion, Pattern, Polarity
from assize.criteria._learning.extract import with_reasons
from assize.criteria._learning.settings import Learning
from assize.criteria._learning.summarise import (
    LIKELY,
    checked_criteria,
    covering,
    criterion_schema,
    learnt_from,
    made,
)
from assize.judging.calls import Call, numbers, within
from assize.judging.retries import JSON
from assize.judging.schemas import record

PROMPT = "criteria-update"


def update(
    polarity: Polarity,
    batch: int,
    patterns: Sequence[Pattern],
    earlier: Sequence[Criterion],
    learning: Learning,
) -> Call:
    """What is asked of a mini-batch."""
    shown = with_reasons(patterns)
    said = [one.text for one in earlier]
    last, size = len(patterns), learning.size
    more = {"from": numbers(1, len(earlier))} if earlier else {}
    schema = criterion_schema(last, learning, **more)

    def check(value: JSON) -> JSON:
        given = value["criteria"]
        if not 1 <= len(given) <= size:
            raise AnswerError(f"the list has {len(given)} criteria; it must have 1 to {size}")
        found = checked_criteria(given, last, learning)
        if len({one["criterion"].casefold() for one in found}) < len(found):
            raise AnswerError("two criteria of the list are the same")
        for kept, one in zip(found, given, strict=True):
            kept["from"] = within(one.get("from", ()), 1, len(earlier), "criterion")
        return {"criteria": found}

    def likely() -> str:
        each: dict[str, Any] = {"patterns": [1], "from": [1], "about": CONDUCTS[0]}
        each |= {"maxim": MAXIMS[0]} if learning.design_principles else {}
        listed = [{"criterion": f"{LIKELY} {polarity} {batch} {n}.", **each} for n in range(size)]
        return json.dumps({"criteria": listed})

    return Call(
        PROMPT,
        {**learning.values(), "good": polarity == "sat", "patterns": shown, "earlier": said},
        [*shown, *said],
        record(criteria={"type": "array", "items": schema}),
        check,
        (f"{polarity} {batch}", "update"),
        max_tokens=4096,
        likely=likely,
    )


def updated(
    earlier: Sequence[Criterion],
    polarity: Polarity,
    batch: int,
    answer: JSON,
    patterns: Sequence[Pattern],
) -> tuple[Criterion, ...]:
    """The list after a batch; a criterion has the provenance of those that it came from."""
    found: dict[str, Criterion] = {}
    for said in answer["criteria"]:
        new = made(polarity, batch, {**said, "patterns": []}, patterns)
        sources = [earlier[at - 1] for at in said["from"]]
        for one in sources:
            if one.id == new.id:
                new = replace(new, batch=one.batch)
        new = learnt_from(new, *sources)
        found[new.id] = covering(new, [patterns[at - 1] for at in said["patterns"]])
    return tuple(found.values())
