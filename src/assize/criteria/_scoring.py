"""How criteria are scored: in batches of one polarity, each with an answer of its own.

criteria ──► batches ──► a prompt each ──► answers ──► rows on the criteria's scale ──► NetSAT

Source: RUBICON, section 3.1. Departures, where scores are to be expected values: a digit stands
before each word, for `Strongly` begins two answers whose probabilities its token does not tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from assize.base.conversation import Conversation, Item
from assize.base.judgment import Judgment, Question, Unscored
from assize.criteria._criterion import (
    LIKERT,
    NUMBERS,
    POLARITIES,
    VALUES,
    CriteriaSet,
    Criterion,
    Labelling,
    Scale,
    net_satisfaction,
)
from assize.judging.boundary import sayable
from assize.judging.method import Method, Said
from assize.judging.options import CriteriaOptions
from assize.judging.reading import read_answer
from assize.judging.schemas import one_of, record
from assize.judgments.values import number_of

NAME = "criteria"
INCOMPLETE = "incomplete"  # why NetSAT is unscored where a criterion is
NOT_APPLICABLE = "Not Applicable"  # an answer that models may give; it counts as Neutral
NEUTRAL = 5.0
HOLDS = 7.5  # from Agree on
FOLDER = Path(__file__).with_name("prompts")

_VERSION = 1
_MOST = 10  # criteria a call; RUBICON, section 3.1
_ANSWER_TOKENS = 32  # room for a criterion
_NAMED = 5  # criteria that a message names

Label = Literal["good", "bad", "open"]

_MEANINGS = (
    "the dialogue clearly shows the opposite",
    "on the whole it does not hold",
    "as much speaks for it as against it, or nothing does either way",
    "on the whole it holds",
    "the dialogue clearly shows that it holds",
)
_NUMERIC = {"0": "it does not hold at all", "5": "as much for it as against it", "10": "it holds"}
_NA = ("NA", "N/A")
_NONE = "it is about something that has no place in this dialogue"


@dataclass(frozen=True, slots=True)
class Form:
    """The answers that a model may write.

    Args:
        meant: by what it writes, the answer on the criteria's scale.
        explained: by what it writes, what that says; "" for nothing.
        none: what it writes where a criterion does not apply.
        loose: what it may also write, where nothing holds it to the schema.
    """

    meant: Mapping[str, str]
    explained: Mapping[str, str]
    none: str
    loose: Mapping[str, str]


def form_of(scale: Scale, values: str) -> Form:
    """The answers to criteria on this scale; with a digit each where values are expected ones.

    >>> form_of("likert", "expected").meant["4 Agree"], form_of("likert", "answer").none
    ('Agree', 'Not Applicable')
    """
    if scale == "numeric":
        meant = {one: one for one in NUMBERS} | {NOT_APPLICABLE: NUMBERS[int(NEUTRAL)]}
        explained = {one: _NUMERIC.get(one, "") for one in NUMBERS} | {NOT_APPLICABLE: _NONE}
        return Form(meant, explained, NOT_APPLICABLE, dict.fromkeys(_NA, NOT_APPLICABLE))
    digits = [f"{place} " if values == "expected" else "" for place in range(1, len(LIKERT) + 1)]
    words = [digit + word for digit, word in zip(digits, LIKERT, strict=True)]
    none = ("0 " if values == "expected" else "") + NOT_APPLICABLE
    meant = {**dict(zip(words, LIKERT, strict=True)), none: LIKERT[VALUES.index(NEUTRAL)]}
    explained = {**dict(zip(words, _MEANINGS, strict=True)), none: _NONE}
    loose = dict.fromkeys((*_NA, NOT_APPLICABLE), none)
    for digit, (word, written) in enumerate(zip(LIKERT, words, strict=True), start=1):
        loose |= {word: written} | ({str(digit): written} if values == "expected" else {})
    return Form(meant, explained, none, {k: v for k, v in loose.items() if k not in meant})


@dataclass(frozen=True, slots=True)
class Batch:
    """Criteria that are asked together."""

    step: str  # tells the calls about a conversation apart, such as `dsat 2`
    criteria: tuple[Criterion, ...]


def batches(given: CriteriaSet) -> Iterator[Batch]:
    """Batches of at most ten criteria, SAT and DSAT apart, as even as they can be."""
    for polarity in POLARITIES:
        ours = given.of(polarity)
        count = math.ceil(len(ours) / _MOST)
        for number in range(count):
            start, stop = (len(ours) * end // count for end in (number, number + 1))
            yield Batch(f"{polarity} {number + 1}", ours[start:stop])


def method(batch: Batch, given: CriteriaSet, options: CriteriaOptions) -> Method:
    """The prompt that asks about a batch; fields of its answer are `s1`, `s2`, ..."""
    form = form_of(given.scale, options.criteria_values)
    names = [f"s{number}" for number in range(1, len(batch.criteria) + 1)]
    loose = _schema(names, (*form.meant, *form.loose))

    def find(text: str, method: Method, item: Item, judged: Sequence[str]) -> Mapping[str, Any]:
        value = read_answer(text, loose, judged)
        return {
            name: form.loose.get(one, one) if isinstance(one, str) else one
            for name, one in value.items()
        }

    def read(value: Mapping[str, Any]) -> Iterable[Said]:
        for name, one in zip(names, batch.criteria, strict=True):
            details = {"not_applicable": True} if value[name] == form.none else None
            yield Said(one.id, form.meant[value[name]], details=details, field=name)

    return Method(
        name=NAME,
        about="how far criteria hold",
        takes=(Conversation,),
        questions=tuple(one.question(given.scale) for one in batch.criteria),
        prompt="criteria-score",
        schema=_schema(names, tuple(form.meant)),
        read=read,
        find=find,
        choices=tuple(names) if options.criteria_values == "expected" else (),
        max_tokens=_ANSWER_TOKENS * (len(names) + 2),
        home=FOLDER,
        values={
            "domain": None
            if given.domain is None
            else {name: _in_line(text) for name, text in asdict(given.domain).items()},
            "answers": dict(form.explained),
            "statements": {
                name: _in_line(one.text) for name, one in zip(names, batch.criteria, strict=True)
            },
        },
        step=batch.step,
        version=_VERSION,
    )


def _schema(names: Sequence[str], answers: Sequence[str]) -> dict[str, Any]:
    return record(**{name: one_of(answers) for name in names})


def _in_line(text: str) -> str:
    return sayable(" ".join(text.split()))


def on_scale(row: Judgment, question: Question, form: Form) -> Judgment:
    """A criterion's row as it is kept: its distribution on the scale, with the expected value.

    Args:
        row: as it was answered; its distribution is over what the model may write.
    """
    if row.unscored is not None or row.distribution is None:
        return row
    shares = dict.fromkeys(question.answers, 0.0)
    for written, share in row.distribution.items():
        shares[form.meant[written]] += share
    score = number_of(replace(row, answer=None, distribution=shares), question)
    return replace(row, distribution=shares, score=score)


def net_row(empty: Judgment, rows: Mapping[str, Judgment], given: CriteriaSet) -> Judgment:
    """The row of NetSAT, which rests on the criteria's rows (by id).

    Args:
        empty: the row without an answer.
    """
    values = {one.id: number_of(rows[one.id], one.question(given.scale)) for one in given.criteria}
    known = {name: value for name, value in values.items() if value is not None}
    net = net_satisfaction(known, given.criteria)
    if net is None:
        lacking = [name for name in values if name not in known]
        more = len(lacking) - _NAMED
        shown = ", ".join(lacking[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        reason = Unscored(INCOMPLETE, f"{len(lacking)} criteria are unscored: {shown}")
        return replace(empty, unscored=reason, details={"unscored": lacking})
    net = round(net, 6)  # sums of expected values, without what adding them leaves behind
    details = None if given.labelling is None else label_details(net, given.labelling)
    return replace(empty, score=net, details=details)


def label_of(net: float, labelling: Labelling) -> Label:
    """`good` above the window, `bad` up to it, `open` within.

    >>> label_of(-3.0, Labelling(0.0, low=-5.0, high=4.0))
    'open'
    """
    if labelling.high is not None and net > labelling.high:
        return "good"
    return "bad" if labelling.low is not None and net <= labelling.low else "open"


def label_details(net: float, labelling: Labelling) -> dict[str, Any]:
    """The label, the side of the threshold, and the probability of `good` where it was learnt."""
    told: dict[str, Any] = {
        "label": label_of(net, labelling),
        "side": "good" if net > labelling.threshold else "bad",
    }
    if labelling.slope is not None and labelling.intercept is not None:
        odds = labelling.intercept + labelling.slope * net
        told["probability"] = round(1 / (1 + math.exp(-min(max(odds, -700), 700))), 6)
    return told
