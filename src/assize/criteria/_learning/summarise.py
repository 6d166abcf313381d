"""Summarising: fresh criteria that cover a mini-batch of patterns and differ from earlier ones.

Source: RUBICON, section 3.2.2. SAT and DSAT apart, batch by batch, each batch shown all criteria of
the batches before it. Differs: each criterion names the patterns that it covers, whose conduct it
is about and, with the design principles, its maxim; a pattern that an earlier criterion covers is
added to that one's provenance, so that it need not be said twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assize.base.errors import AnswerError
from assize.criteria._criterion import CONDUCTS, MAXIMS, Criterion, Merged, Pattern, Polarity
from assize.criteria._learning.extract import with_reasons
from assize.criteria._learning.settings import Learning
from assize.criteria._reading import id_of
from assize.judging.calls import Call, number, numbers, one_line, within
from assize.judging.retries import JSON
from assize.judging.schemas import one_of, record, words

PROMPT = "criteria-summarise"
AUTHOR = "learnt"
LIKELY = "The assistant does something that matters here"
NO_MAXIM = "none"
_MOST = 2  # criteria a pattern; who writes more is asked again
_SHARE = 0.5  # criteria a pattern, for estimates


def summary(
    polarity: Polarity,
    batch: int,
    patterns: Sequence[Pattern],
    earlier: Sequence[Criterion],
    learning: Learning,
) -> Call:
    """What is asked of a mini-batch."""
    shown = with_reasons(patterns)
    said = [one.text for one in earlier]
    last = len(patterns)
    fields: dict[str, Any] = {
        "criteria": {"type": "array", "items": criterion_schema(last, learning)}
    }
    if earlier:
        known = record(pattern=number(1, last), criterion=number(1, len(earlier)))
        fields["known"] = {"type": "array", "items": known}

    def check(value: JSON) -> JSON:
        found = checked_criteria(value["criteria"], last, learning)
        if len(found) > _MOST * last:
            raise AnswerError(f"{len(found)} criteria are too many for {last} patterns")
        if any(not one["patterns"] for one in found):
            raise AnswerError("a criterion covers no pattern")
        again = [
            {
                "pattern": within([one["pattern"]], 1, last, "pattern")[0],
                "criterion": within([one["criterion"]], 1, len(earlier), "criterion")[0],
            }
            for one in value.get("known", ())
        ]
        return {"criteria": found, "known": again}

    def likely() -> str:
        count = max(1, round(_SHARE * last))
        each: dict[str, Any] = {"patterns": [1], "about": CONDUCTS[0]}
        each |= {"maxim": MAXIMS[0]} if learning.design_principles else {}
        made = [{"criterion": f"{LIKELY} {polarity} {batch} {n}.", **each} for n in range(count)]
        return json.dumps({"criteria": made} | ({"known": []} if earlier else {}))

    return Call(
        PROMPT,
        {
            **learning.values(),
            "good": polarity == "sat",
            "patterns": shown,
            "earlier": said,
        },
        [*shown, *said],
        record(**fields),
        check,
        (f"{polarity} {batch}", "summarise"),
        max_tokens=4096,
        likely=likely,
    )


def criterion_schema(last: int, learning: Learning, **more: Any) -> dict[str, Any]:
    """The schema of a criterion of a batch of so many patterns."""
    fields: dict[str, Any] = {"criterion": words(), "patterns": numbers(1, last), **more}
    fields["about"] = one_of(CONDUCTS)
    if learning.design_principles:
        fields["maxim"] = one_of((*MAXIMS, NO_MAXIM))
    return record(**fields)


def checked_criteria(
    given: Sequence[Mapping[str, Any]], last: int, learning: Learning
) -> list[dict[str, Any]]:
    """Criteria as they are kept; raises AnswerError where numbers or texts are none."""
    found = []
    for one in given:
        kept = {
            "criterion": one_line(one["criterion"], "criterion"),
            "patterns": within(one["patterns"], 1, last, "pattern"),
            "about": one["about"],
        }
        if learning.design_principles and one["maxim"] != NO_MAXIM:
            kept["maxim"] = one["maxim"]
        found.append(kept)
    return found


def made(
    polarity: Polarity, batch: int, said: Mapping[str, Any], patterns: Sequence[Pattern]
) -> Criterion:
    """The record of a criterion in an answer."""
    text = said["criterion"]
    new = Criterion(
        id_of(polarity, text),
        text,
        polarity,
        said.get("about"),
        said.get("maxim"),
        batch,
        author=AUTHOR,
    )
    return covering(new, [patterns[at - 1] for at in said["patterns"]])


def covering(one: Criterion, patterns: Sequence[Pattern]) -> Criterion:
    """The criterion, learnt from these patterns as well."""
    return replace(
        one,
        patterns=_united(one.patterns, [each.id for each in patterns]),
        conversations=_united(one.conversations, [each.conversation for each in patterns]),
    )


def added(
    earlier: Sequence[Criterion],
    polarity: Polarity,
    batch: int,
    answer: JSON,
    patterns: Sequence[Pattern],
) -> tuple[Criterion, ...]:
    """The criteria after a batch: earlier ones with what they cover, then the fresh ones.

    A fresh one that says an earlier one word for word is that one.
    """
    found = {one.id: one for one in earlier}
    places = [one.id for one in earlier]
    for said in answer["known"]:
        id = places[said["criterion"] - 1]
        found[id] = covering(found[id], [patterns[said["pattern"] - 1]])
    for said in answer["criteria"]:
        one = made(polarity, batch, said, patterns)
        known = found.get(one.id)
        found[one.id] = one if known is None else learnt_from(known, one)
    return tuple(found.values())


def merge(kept: Criterion, others: Sequence[Criterion]) -> Criterion:
    """The criterion with what means the same merged into it, provenance united."""
    for one in others:
        gone = Merged(one.id, one.text, one.patterns, one.conversations)
        kept = replace(learnt_from(kept, one), merged=(*kept.merged, gone, *one.merged))
    return kept


def learnt_from(one: Criterion, *others: Criterion) -> Criterion:
    """The criterion with the provenance of others as well."""
    for other in others:
        one = replace(
            one,
            patterns=_united(one.patterns, other.patterns),
            conversations=_united(one.conversations, other.conversations),
        )
    return one


def _united(first: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *more)))
