"""What `assize jury` shows: verdicts against gold, who decided, judges, reliabilities, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, cast

import numpy as np

from assize.base.conversation import Pair
from assize.base.judgment import JudgeKind, Judgment, Unscored
from assize.judging.summary import Summary
from assize.juries.composition import Jury
from assize.juries.decisions import ANSWERS as ANSWERS_OF
from assize.juries.outcome import ANSWERS, RESULTS, Cost, JudgeResult, Outcome
from assize.juries.reliability import (
    LearntReliabilities,
    Reliability,
    ReliabilityFits,
    ReliabilityRows,
)
from assize.results import Column, Hidden, Percent, Result, Share, Table
from assize.stats import wilson

_COUNTED = Column(kind="share", digits=1, unit="%", ends="below")
_DECIDE = {
    "cascade": "A judge decides where its votes in both orders agree; a tie passes on.",
    "panel": "All judges are heard; a judge takes a side where its votes agree. Plurality, ties"
    " aside: more for this side than for the other, of all answers half or fewer.",
    "reliability": "Each vote is weighed by how often its judge is right, as the votes tell.",
}


@dataclass(frozen=True, slots=True)
class Decider:
    """How often somebody decided: a judge, `identical`, a way of `rules.panel`, `nobody`.

    Args:
        n: items that it decided, unscored ones too.
        decided: their share of all items.
        right: of those it decided; None without gold.
        unscored: of those it decided.
        results: against gold, or the answers without any.
    """

    by: str
    n: Annotated[int, Column("items")]
    decided: Annotated[
        Share, Column(kind="share", digits=1, unit="%", ends="none", name="of all items")
    ]
    right: Percent[Share | None]
    unscored: int
    results: Hidden[Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class PathShare:
    """What each judge that was read said, the first one first, and on how many items."""

    path: str
    items: Share


@dataclass(frozen=True, slots=True)
class AnswerShare:
    """How often the jury gave an answer, items without gold included.

    Args:
        gold_tie: items whose gold is a tie; None where there is none.
    """

    answer: str
    items: Share
    gold_tie: int | None


@dataclass(frozen=True)
class Live:
    """How the judges of a live jury were asked.

    Args:
        out: folder of the run.
        summary: what was asked, earlier sessions included.
        asked: items that each judge was asked about, by full name.
    """

    out: Path
    summary: Summary
    asked: Mapping[str, int]


@dataclass(frozen=True)
class JuryResult(Result):
    """What a jury decided, against gold where it is known.

    Args:
        jury: who sits, in one line.
        n: items that count, unscored ones too: those with gold A or B, or all where there is no
            gold. An item that no judge was asked about does not count.
        unscored: of these, items without a verdict; with `unscored="loss"` they are losses too.
        win, tie, loss: shares of the `n` items; None without gold.
        a, b: shares of the answers A and B, where there is no gold.
        reasons: why verdicts are unscored.
        gold_ties, without_gold: items that stand outside `n`.
        saved_percent: of what asking every judge about every item would take; None where
            nothing is known.
        saved_of: what `saved_percent` is a share of.
        signature: of the composition, the judges' own signatures and the method's version.
        live: how the judges were asked, where they were.
        composition: the jury as it was asked for.
        outcome: all verdicts.
        learnt: what was learnt of the judges, on every question that was looked at.
        pairs: by id, where they are known.
        interrupted: a live jury was stopped before the end; the same command continues.
        waiting: answers that wait for a batch.
    """

    heading: ClassVar[str] = "Jury"

    jury: str
    question: str
    n: Annotated[int, Column("items")]
    win: Annotated[Share | None, _COUNTED]
    a: Annotated[Share | None, replace(_COUNTED, name="A")]
    tie: Annotated[Share, _COUNTED]
    loss: Annotated[Share | None, _COUNTED]
    b: Annotated[Share | None, replace(_COUNTED, name="B")]
    unscored: int
    judges: Annotated[
        Sequence[JudgeResult],
        Table("Each judge alone", "Each judge as if it were the whole jury."),
    ]
    decided_by: Annotated[
        Sequence[Decider],
        Table("Who decided", "How often each judge decided, and how often it was right."),
    ]
    reliabilities: ReliabilityRows
    fits: ReliabilityFits
    paths: Annotated[
        Sequence[PathShare],
        Table(
            "Where each decision fell",
            "What each judge that was asked said, in order.",
            most=12,
        ),
    ]
    answers: Annotated[Sequence[AnswerShare], Table("Answers", "Whether the jury leans to a side.")]
    costs: Annotated[
        Mapping[str, Cost],
        Table("Cost", "What was read, and what asking everyone would take.", key="asked"),
    ]
    reasons: Mapping[str, int]
    gold_ties: Hidden[int]
    without_gold: Hidden[int]
    saved_percent: float | None
    saved_of: str
    settings: Mapping[str, object]
    signature: str
    composition: Jury = field(repr=False)
    outcome: Outcome = field(repr=False)
    learnt: LearntReliabilities | None = field(default=None, repr=False)
    pairs: Mapping[str, Pair] = field(default_factory=dict, repr=False)
    live: Live | None = None
    interrupted: bool = False
    waiting: Hidden[int] = 0

    @property
    def members(self) -> tuple[str, ...]:
        """Full names of the judges, in the order in which they are asked or weighed."""
        return tuple(row.judge for row in self.judges)

    @property
    def gold(self) -> bool:
        """Whether gold is known of any item."""
        return self.win is not None

    @property
    def reliability(self) -> Reliability | None:
        """What was learnt of the judges on the question that the verdicts answer."""
        return None if self.learnt is None else self.learnt.by_question[self.question]

    def judgments(self) -> Iterable[Judgment]:
        """The verdicts as judgments by this jury; with reliabilities each has its distribution,
        and the labels on all other questions follow."""
        name, learnt = f"jury:{self.jury}", self.reliability
        for number, item in enumerate(self.outcome.items):
            row = self._judgment(number, item, name)
            known = learnt is not None and item in learnt.probability
            if known and learnt is not None and row.answer is not None:
                row = replace(row, distribution=learnt.distribution(item))
            yield row
        if self.learnt is not None:
            for row in self.learnt.judgments(name, leave_out=self.question):
                yield replace(row, kind=self._members_kind)

    @cached_property
    def _members_kind(self) -> JudgeKind:
        """What all members are, such as people; a model where they differ or do not say."""
        decisions = self.outcome.verdicts.decisions
        codes, kinds = decisions.table.where(judge=list(decisions.judges)).codes("kind")
        different = np.unique(codes).tolist()
        alike = len(different) == 1 and different[0] >= 0
        return cast("JudgeKind", kinds[different[0]]) if alike else "model"

    def _judgment(self, number: int, item: str, name: str) -> Judgment:
        """One verdict as a judgment, with every vote that was read."""
        verdicts = self.outcome.verdicts
        decisions, answer = verdicts.decisions, ANSWERS_OF.get(float(verdicts.values[number]))
        read = np.flatnonzero(verdicts.read[:, number]).tolist()
        values = decisions.values[read, number].tolist()
        steps = [ANSWERS_OF.get(value, "unscored") for value in values]
        by = verdicts.deciders[number] or None
        details: dict[str, Any] = {"by": by, "path": "-".join(steps) or by or "unscored"}
        if verdicts.weights is not None and not np.isnan(verdicts.weights[number]):
            details["weight"] = float(verdicts.weights[number])
        details["ballots"] = [decisions.record(judge, number) for judge in read]
        return Judgment(
            item,
            name,
            self.question,
            answer=answer,
            kind=self._members_kind,
            details=details,
            unscored=None if answer is not None else Unscored(verdicts.reasons[number]),
            signature=self.signature,
        )

    @property
    def questions(self) -> tuple[str, ...]:
        """All that `judgments` answer."""
        return (self.question,) if self.learnt is None else self.learnt.questions

    @property
    def sentence(self) -> str:
        """How often the jury is right, or what it prefers."""
        share = self.a if self.win is None else self.win
        verb = "prefers A on" if self.win is None else "is right on"
        count = 0 if share is None else share.count
        return f"{self.jury} {verb} {count:,} of {self.n:,} items ({self.question})."

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """How a decision falls, and how judges are counted."""
        judges = ["Right, jury wrong: of all items, right by itself where the jury loses."]
        if self.composition.unscored == "loss":
            judges.append("What is unscored alone, or last in the jury, is among the losses.")
        return {
            "judges": judges if self.win is not None else (),
            "decided_by": [_DECIDE[self.composition.kind]],
        }

    @property
    def missing(self) -> tuple[int, int]:
        """Items without a verdict, and all; of a judge that never answers, all that it judged."""
        silent = [(sum(reasons.values()),) * 2 for reasons in self._silent().values()]
        return max(silent, default=(self.unscored, self.n))

    def _silent(self) -> dict[str, Counter[str]]:
        """By judge of which every answer is unscored: on how many items, for what reasons."""
        decisions, identical = self.outcome.verdicts.decisions, self.outcome.identical
        voted = (decisions.votes > 0) & ~identical
        scored = np.any(voted & ~np.isnan(decisions.values), axis=1)
        return {
            name: Counter(decisions.reasons[judge, voted[judge]].tolist())
            for judge, name in enumerate(decisions.judges)
            if voted[judge].any() and not scored[judge]
        }

    @property
    def news(self) -> Sequence[str]:
        """Who was asked, and what it took."""
        if self.live is None:
            return [self._format_cost()]
        asked = ", ".join(f"{name} about {count:,}" for name, count in self.live.asked.items())
        return [f"asked {asked}: {self.live.summary.spent}", self._format_cost()]

    @property
    def notes(self) -> Sequence[str]:
        """What a reader of the figures must know."""
        notes = [_format_silent(name, reasons) for name, reasons in self._silent().items()]
        if not_asked := int(self.outcome.not_asked.sum()):
            notes.append(f"{not_asked:,} that no judge of the jury was asked about: not counted")
        if self.gold_ties:
            notes.append(f"{self.gold_ties:,} with a tie as gold: outside win and loss")
        if self.without_gold:
            notes.append(f"{self.without_gold:,} without gold: decided, not counted")
        return notes + self._fit_notes()

    def _format_cost(self) -> str:
        used, everyone = self.outcome.saving.used, self.outcome.saving.everyone
        line = f"{used.votes:,} votes read of {everyone.votes:,} that asking everyone would take"
        if used.unknown < used.votes:
            tokens = used.input_tokens + used.output_tokens
            line += f", {tokens:,} tokens of {everyone.input_tokens + everyone.output_tokens:,}"
        if used.priced and everyone.priced:
            line += f", ${used.cost_usd:.4f} of ${everyone.cost_usd:.4f}"
        unit = "money" if self.saved_of == "US dollars" else self.saved_of
        saved = self.saved_percent
        return line if saved is None else f"{line}: {saved:.1f}% of the {unit} saved"

    def _fit_notes(self) -> list[str]:
        """What a reader must know of reliabilities learnt from votes."""
        if self.learnt is None:
            return []
        notes = list(self.learnt.notes)
        fit = next(row for row in self.fits if row.question == self.question)
        if fit.known_labels:
            notes.append(
                f"{fit.known_labels:,} labels were given to the fit: on these items it is right by"
                " construction"
            )
        sides = {answer for answer in self.outcome.gold.values() if answer != "tie"}
        if len(sides) == 1 and not fit.exchangeable:
            notes.append(
                f"gold is {sides.pop()} everywhere: sides are not in chance order, and"
                " reliabilities learn that; --exchangeable keeps them from it"
            )
        return notes


def _format_silent(judge: str, reasons: Counter[str]) -> str:
    n, reason = sum(reasons.values()), by_count(reasons)[0][0]
    return f"{judge} answered none of {n:,} items: unscored, most often for the reason {reason!r}"


def jury_result(
    jury: Jury,
    question: str,
    outcome: Outcome,
    signature: str,
    learnt: LearntReliabilities | None,
    pairs: Mapping[str, Pair],
) -> JuryResult:
    """Return what a jury decided as rows of figures."""
    names, counts = ANSWERS, outcome.answers
    if outcome.jury is not None:
        names, counts = RESULTS, outcome.jury.counts
    shares = {name: wilson(counts.get(name, 0), outcome.n) for name in names}
    saving = outcome.saving
    return JuryResult(
        jury=jury.written,
        question=question,
        n=outcome.n,
        win=shares.get("win"),
        a=shares.get("A"),
        tie=shares["tie"],
        loss=shares.get("loss"),
        b=shares.get("B"),
        unscored=outcome.unscored,
        judges=list(outcome.judges.values()),
        decided_by=decider_rows(outcome),
        paths=[
            PathShare(path, wilson(count, outcome.n)) for path, count in by_count(outcome.paths)
        ],
        answers=answer_rows(outcome),
        reliabilities=() if learnt is None else learnt.reliabilities,
        fits=() if learnt is None else learnt.fits,
        costs={"this jury": saving.used.cost(), "all judges": saving.everyone.cost()},
        reasons={} if outcome.jury is None else outcome.jury.reasons,
        gold_ties=sum(outcome.ties_of_gold.values()),
        without_gold=outcome.without_gold,
        saved_percent=saving.percent,
        saved_of=saving.measured_in,
        settings={
            "jury": jury.written,
            "question": question,
            "unscored": jury.unscored,
        },
        signature=signature,
        composition=jury,
        outcome=outcome,
        learnt=learnt,
        pairs=pairs,
    )


def decider_rows(outcome: Outcome) -> list[Decider]:
    """Return who decided: the judges in their order, then the others."""
    order = [*(name for name in outcome.judges if name in outcome.decided_by), *outcome.decided_by]
    rows = []
    for name in dict.fromkeys(order):
        results = outcome.decided_by[name]
        count = sum(results.values())
        right = None if outcome.jury is None else wilson(results.get("win", 0), count)
        missing = results.get("unscored", 0)
        share = wilson(count, outcome.n)
        rows.append(Decider(name, count, share, right, missing, results))
    return rows


def answer_rows(outcome: Outcome) -> list[AnswerShare]:
    """Return the jury's answers on all items, and on those whose gold is a tie."""
    ties = outcome.ties_of_gold
    return [
        AnswerShare(
            name,
            wilson(outcome.answers.get(name, 0), len(outcome.items)),
            ties.get(name, 0) if ties else None,
        )
        for name in (*ANSWERS, "unscored")
    ]


def by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the most frequent first; equal ones by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def short_names(judges: Iterable[str]) -> dict[str, str]:
    """Return names for an axis: without the model, where that tells the judges apart.

    >>> short_names(["da@openai:gpt-4o", "reward@hf:x", "reward@hf:y"])["da@openai:gpt-4o"]
    'da'
    """
    names = list(judges)
    heads = [name.split("@", 1)[0] for name in names]
    return {
        name: head if heads.count(head) == 1 else name
        for name, head in zip(names, heads, strict=True)
    }
