"""Summarising: fresh criteria that cover a mini-batch of patterns and differ from earlier ones.

Source: RUBICON, section 3.2.2. SAT and DSAT apart, batch by batch, each batch shown all criteria of
the batches before it. Differs: each criterion names the patterns that it covers, whose conduct it
is about and, with the design principles, its maxim; a pattern that an earlier criterion covers is
added to that one's provenance, so that it need not be said twice.

SPUR's list of at most N criteria is brought up to date with each mini-batch.
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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assize.base.errors import AnswerError
from assize.criteria._criterion import CONDUCTS, MAXIMS, Criterion, Merged, Pattern, Polarity
from assize.criteria._learning.extract import with_reasons
from assize.criteria._learning.settings import Learning
from assize.criteria._reading import id_of
from assize.judging.calls import Call, number, numbers, one_line, within
from assize.judging.method import JSON
from assize.judging.schemas import one_of, record, words

PROMPT, UPDATE = "criteria-summarise", "criteria-update"
AUTHOR = "learnt"
LIKELY = "The assistant does something that matters here"
NO_MAXIM = "none"
_MOST = 2  # criteria a pattern; who writes more is asked again
_SHARE = 0.5  # criteria a pattern, for estimates


def batch_call(
    polarity: Polarity,
    batch: int,
    patterns: Sequence[Pattern],
    earlier: Sequence[Criterion],
    learning: Learning,
) -> Call:
    """What is asked of a mini-batch: by RUBICON fresh criteria, by SPUR the whole list anew."""
    size, last = learning.size, len(patterns)
    shown, texts = with_reasons(patterns), [criterion.text for criterion in earlier]
    fields: dict[str, Any] = {"criterion": words(), "patterns": numbers(1, last)}
    if size and earlier:
        fields["from"] = numbers(1, len(earlier))
    fields["about"] = one_of(CONDUCTS)
    if learning.how.design_principles:
        fields["maxim"] = one_of((*MAXIMS, NO_MAXIM))
    parts: dict[str, Any] = {"criteria": {"type": "array", "items": record(**fields)}}
    if earlier and not size:
        known = record(pattern=number(1, last), criterion=number(1, len(earlier)))
        parts["known"] = {"type": "array", "items": known}

    def check(value: JSON) -> JSON:
        criteria = [_checked(entry, last, learning) for entry in value["criteria"]]
        if size is None:
            return {"criteria": _fresh(criteria, last), "known": _known(value, last, len(earlier))}
        if not 1 <= len(criteria) <= size:
            raise AnswerError(f"the list has {len(criteria)} criteria; it must have 1 to {size}")
        if len({entry["criterion"].casefold() for entry in criteria}) < len(criteria):
            raise AnswerError("two criteria of the list are the same")
        for entry, source in zip(criteria, value["criteria"], strict=True):
            entry["from"] = within(source.get("from", ()), 1, len(earlier), "criterion")
        return {"criteria": criteria}

    def likely() -> str:
        count = size or max(1, round(_SHARE * last))
        examples = {"patterns": [1], "from": [1], "about": CONDUCTS[0], "maxim": MAXIMS[0]}
        entry = {name: example for name, example in examples.items() if name in fields}
        listed = [{"criterion": f"{LIKELY} {polarity} {batch} {n}.", **entry} for n in range(count)]
        return json.dumps({name: [] for name in parts} | {"criteria": listed})

    prompt, stage = (UPDATE, "update") if size else (PROMPT, "summarise")
    return Call(
        prompt,
        {**learning.values(), "good": polarity == "sat", "patterns": shown, "earlier": texts},
        [*shown, *texts],
        record(**parts),
        check,
        (f"{polarity} {batch}", stage),
        max_tokens=4096,
        likely=likely,
    )


def _checked(entry: Mapping[str, Any], last: int, learning: Learning) -> dict[str, Any]:
    """A criterion as it is kept; raises AnswerError where numbers or texts are none."""
    criterion = {
        "criterion": one_line(entry["criterion"], "criterion"),
        "patterns": within(entry["patterns"], 1, last, "pattern"),
        "about": entry["about"],
    }
    if learning.how.design_principles and entry["maxim"] != NO_MAXIM:
        criterion["maxim"] = entry["maxim"]
    return criterion


def _fresh(criteria: list[dict[str, Any]], last: int) -> list[dict[str, Any]]:
    if len(criteria) > _MOST * last:
        raise AnswerError(f"{len(criteria)} criteria are too many for {last} patterns")
    if any(not entry["patterns"] for entry in criteria):
        raise AnswerError("a criterion covers no pattern")
    return criteria


def _known(value: JSON, last: int, earlier: int) -> list[dict[str, Any]]:
    """Which pattern an earlier criterion covers already."""
    return [
        {
            "pattern": within([entry["pattern"]], 1, last, "pattern")[0],
            "criterion": within([entry["criterion"]], 1, earlier, "criterion")[0],
        }
        for entry in value.get("known", ())
    ]


def made(
    polarity: Polarity, batch: int, entry: Mapping[str, Any], patterns: Sequence[Pattern]
) -> Criterion:
    """The record of a criterion in an answer."""
    text = entry["criterion"]
    about, maxim = entry.get("about"), entry.get("maxim")
    new = Criterion(id_of(polarity, text), text, polarity, about, maxim, batch, author=AUTHOR)
    return covering(new, [patterns[number - 1] for number in entry["patterns"]])


def covering(criterion: Criterion, patterns: Sequence[Pattern]) -> Criterion:
    """The criterion, learnt from these patterns as well."""
    names = tuple(pattern.id for pattern in patterns)
    return _extend(criterion, names, tuple(pattern.conversation for pattern in patterns))


def added(
    earlier: Sequence[Criterion],
    polarity: Polarity,
    batch: int,
    answer: JSON,
    patterns: Sequence[Pattern],
) -> tuple[Criterion, ...]:
    """RUBICON's criteria after a batch: earlier ones with what they cover, then the fresh ones.

    A fresh one that says an earlier one word for word is that one.
    """
    criteria = {criterion.id: criterion for criterion in earlier}
    for entry in answer["known"]:
        name = earlier[entry["criterion"] - 1].id
        criteria[name] = covering(criteria[name], [patterns[entry["pattern"] - 1]])
    for entry in answer["criteria"]:
        new = made(polarity, batch, entry, patterns)
        known = criteria.get(new.id)
        criteria[new.id] = new if known is None else learnt_from(known, new)
    return tuple(criteria.values())


def updated(
    earlier: Sequence[Criterion],
    polarity: Polarity,
    batch: int,
    answer: JSON,
    patterns: Sequence[Pattern],
) -> tuple[Criterion, ...]:
    """SPUR's list after a batch; a criterion has the provenance of those that it came from."""
    criteria: dict[str, Criterion] = {}
    for entry in answer["criteria"]:
        new = made(polarity, batch, {**entry, "patterns": []}, patterns)
        sources = [earlier[number - 1] for number in entry["from"]]
        for source in sources:
            if source.id == new.id:
                new = replace(new, batch=source.batch)
            new = learnt_from(new, source)
        criteria[new.id] = covering(new, [patterns[number - 1] for number in entry["patterns"]])
    return tuple(criteria.values())


def merge(kept: Criterion, others: Sequence[Criterion]) -> Criterion:
    """The criterion with what means the same merged into it, provenance united."""
    for other in others:
        gone = Merged(other.id, other.text, other.patterns, other.conversations)
        merged = (*kept.merged, gone, *other.merged)
        kept = replace(learnt_from(kept, other), merged=merged)
    return kept


def learnt_from(criterion: Criterion, other: Criterion) -> Criterion:
    """The criterion with the provenance of another as well."""
    return _extend(criterion, other.patterns, other.conversations)


def _extend(
    criterion: Criterion, patterns: tuple[str, ...], conversations: tuple[str, ...]
) -> Criterion:
    return replace(
        criterion,
        patterns=tuple(dict.fromkeys(criterion.patterns + patterns)),
        conversations=tuple(dict.fromkeys(criterion.conversations + conversations)),
    )
