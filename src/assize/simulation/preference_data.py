"""Preference data as a result: pairs, votes, and every count that a card should give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assize.conversation import Pair, Preference
from assize.judging.stepping import Spent, unfinished
from assize.judgments import JudgmentTable
from assize.results import Column, Result, ResultTable, columns
from assize.results.numbers import counted
from assize.simulation.funnel import Funnel
from assize.simulation.lengths import length_difference
from assize.simulation.majority import label_counts
from assize.simulation.preference_checks import (
    agreement_of,
    agreement_table,
    turns_of,
    turns_table,
)
from assize.simulation.vote_consistency import JudgeConsistency

_ORDER: tuple[Preference, ...] = ("A", "B", "tie")


@dataclass(frozen=True, slots=True, eq=False)
class PreferenceData(Result):
    """Pairs with their votes; iterating gives the pairs.

    Args:
        pairs: two dialogues each.
        judgments: the votes on them; None where nobody voted.
        funnel: what each step left.
        question: that decides a pair's label.
        labels: of each pair; None where the votes give none.
        votes: by judge and pair, both orders put together.
        consistency: of each judge.
        unscored: (responses or votes without an answer, all that were asked for).
        spent: what asking models took; None where none was asked.
        files: what was written, with how many records.
    """

    pairs: Sequence[Pair]
    judgments: JudgmentTable | None
    funnel: Funnel
    question: str | None = None
    labels: Mapping[str, Preference | None] = field(default_factory=dict)
    votes: Mapping[str, Mapping[str, Preference | None]] = field(default_factory=dict)
    consistency: Sequence[JudgeConsistency] = ()
    unscored: tuple[int, int] = (0, 0)
    reasons: Mapping[str, int] = field(default_factory=dict)
    spent: Spent | None = None
    told: Sequence[str] = ()
    files: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    stopped: bool = False
    waiting: int = 0
    signature: str = ""

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def shares(self) -> dict[str, int]:
        """Pairs by label, those without one as `none`."""
        found = Counter("none" if one is None else one for one in self.labels.values())
        return {name: found[name] for name in (*_ORDER, "none") if name in _ORDER or found[name]}

    @property
    def differences(self) -> list[float]:
        """Words by which the answers of each pair differ at most; infinite where uneven."""
        return [length_difference(one) for one in self.pairs]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`steps`; `labels` by judge, as MTDEval's table 5; `consistency`; `agreement`; `turns`;
        `lengths`."""
        found = {"steps": self.funnel.table()}
        if self.votes:
            named = [Column("judge"), *columns("count", "A", "B", "tie", "unscored")]
            rows = [*label_counts(self.votes), *label_counts({"label": self.labels})]
            title = f"Judges' preferences on {self.question}"
            found["labels"] = ResultTable(title, named, rows)
        if self.consistency:
            named = [Column("judge"), *columns("count", "asked", "same", "changed", "incomplete")]
            rows = [
                (one.judge, one.asked, one.same, one.changed, one.incomplete)
                for one in self.consistency
            ]
            found["consistency"] = ResultTable("Votes when the sides are exchanged", named, rows)
        agreement = agreement_of(self.votes)
        if agreement is not None:
            found["agreement"] = agreement_table(agreement, str(self.question))
        if self.pairs:
            found["turns"] = turns_table(self.pairs)
        finite = [one for one in self.differences if np.isfinite(one)]
        if finite:
            named = [*columns("count", "pairs"), *columns("number", "median", "most", digits=0)]
            row = (len(finite), float(np.median(finite)), max(finite))
            found["lengths"] = ResultTable("Words by which answers differ", named, [row])
        return found

    @property
    def lines(self) -> Sequence[str]:
        """What makes the data reproducible."""
        return [self.signature] if self.signature else []

    @property
    def notes(self) -> Sequence[str]:
        """What was written and spent, and what a reader should know."""
        said = [*self.unfinished, *self.told]
        said += [
            f"{path}: {counted(count, 'record')}" if count else str(path)
            for path, count in self.files.items()
        ]
        if self.spent is not None:
            said.append(str(self.spent))
        said += [f"{counted(n, 'answer')} missing: {why}" for why, n in self.reasons.items()]
        return said

    @property
    def unfinished(self) -> Sequence[str]:
        """Why the run is not at its end, if it is not."""
        return unfinished(interrupted=self.stopped, waiting=self.waiting)

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before the end."""
        return self.stopped

    @property
    def missing(self) -> tuple[int, int]:
        """Answers that models did not give, and all that were asked for."""
        return self.unscored

    def to_json(self) -> dict[str, Any]:
        """Every count."""
        agreement = agreement_of(self.votes)
        finite = [one for one in self.differences if np.isfinite(one)]
        return {
            "pairs": len(self.pairs),
            "judgments": 0 if self.judgments is None else len(self.judgments),
            "question": self.question,
            "labels": self.shares,
            "steps": self.funnel.to_json(),
            "judges": {
                judge: {"A": a, "B": b, "tie": tie, "unscored": lost}
                for judge, a, b, tie, lost in label_counts(self.votes)
            },
            "consistency": {
                one.judge: {
                    "asked": one.asked,
                    "same": one.same,
                    "changed": one.changed,
                    "incomplete": one.incomplete,
                }
                for one in self.consistency
            },
            "agreement": None
            if agreement is None
            else {
                "alike": agreement.alike.to_json(),
                "alpha": agreement.alpha.to_json(),
                "unanimous": agreement.unanimous,
            },
            "turns": {str(turns): count for turns, count in turns_of(self.pairs).items()},
            "length_difference": {
                "median": float(np.median(finite)) if finite else None,
                "most": max(finite) if finite else None,
            },
            "unscored": self.unscored[0],
            "reasons": dict(self.reasons),
            "spent": None if self.spent is None else self.spent.to_json(),
            "files": dict(self.files),
            "interrupted": self.stopped,
            "waiting": self.waiting,
            "signature": self.signature,
        }
