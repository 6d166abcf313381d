"""Preference data as a result: pairs, votes, and every count that a card should give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from assize.base.conversation import Pair, Preference
from assize.judging.usage_total import UsageTotal
from assize.judgments import JudgmentTable
from assize.results import Column, Estimate, Hidden, Records, Table, derive
from assize.results.numbers import counted
from assize.simulate._funnel import Funnel, Stage
from assize.simulate._lengths import length_difference
from assize.simulate._majority import LabelCounts, label_counts
from assize.simulate._preference_checks import TurnCount, agreement_of, turn_counts
from assize.simulate._vote_consistency import JudgeConsistency

_ORDER: tuple[Preference, ...] = ("A", "B", "tie")


@dataclass(frozen=True, slots=True)
class LengthDifferences:
    """Words by which the answers of pairs differ at most; uneven pairs are left out."""

    pairs: int
    median: Annotated[float, Column(digits=0)]
    most: Annotated[float, Column(digits=0)]


@dataclass(frozen=True, slots=True)
class PreferenceData(Records[Pair]):
    """Pairs of dialogues with the votes on them, and what each step left.

    Iterating gives the pairs.

    Args:
        pairs: two dialogues each.
        judgments: the votes on them; None where nobody voted.
        funnel: what each step left.
        question: that decides a pair's label.
        labels: of each pair; None where the votes give none.
        votes: by judge and pair, both orders put together.
        consistency: of each judge.
        unscored: (responses or votes without an answer, all that were asked for).
        reasons: of these, by reason.
        spent: what asking models took; None where none was asked.
        told: what a reader should know.
        outputs: what was written, with how many records.
        count: of the pairs, and of the votes on them.
        alike: share of pairs of judges that agree, averaged over pairs of dialogues; None for
            fewer than two judges, as are the next two.
        alpha: Krippendorff's, nominal over A, B and tie.
        unanimous: pairs on which all judges who voted, two or more, say the same.
        without_answer: the first of `unscored`.
    """

    heading: ClassVar[str] = "Preference data"

    pairs: Sequence[Pair] = field(repr=False)
    judgments: JudgmentTable | None = field(repr=False)
    funnel: Funnel = field(repr=False)
    question: str | None = None
    count: Annotated[int, Column("pairs")] = field(init=False)
    vote_count: Annotated[int, Column("votes")] = field(init=False)
    without_answer: Annotated[int, Column("without an answer")] = field(init=False)
    alike: Annotated[Estimate | None, Column("judges alike", "percent", digits=1, unit="%")] = (
        field(init=False)
    )
    alpha: Estimate | None = field(init=False)
    unanimous: int | None = field(init=False)
    steps: Annotated[Sequence[Stage], Table("What each step left")] = field(init=False)
    preferences: Annotated[
        Sequence[LabelCounts],
        Table("Judges' preferences", "How many pairs each judge, and the label, gives each side."),
    ] = field(init=False)
    turns: Annotated[Sequence[TurnCount], Table("Turns of the pairs")] = field(init=False)
    lengths: Annotated[Sequence[LengthDifferences], Table("Words by which answers differ")] = field(
        init=False
    )
    labels: Mapping[str, Preference | None] = field(default_factory=dict, repr=False)
    votes: Mapping[str, Mapping[str, Preference | None]] = field(default_factory=dict, repr=False)
    consistency: Annotated[
        Sequence[JudgeConsistency], Table("Votes when the sides are exchanged")
    ] = ()
    unscored: tuple[int, int] = field(default=(0, 0), repr=False)
    reasons: Mapping[str, int] = field(default_factory=dict)
    spent: UsageTotal | None = None
    told: Sequence[str] = field(default=(), repr=False)
    outputs: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    interrupted: bool = False
    waiting: Hidden[int] = 0
    signature: str = ""

    def __post_init__(self) -> None:
        agreement = agreement_of(self.votes)
        finite = [number for number in self.differences if np.isfinite(number)]
        labels = label_counts({"label": self.labels}) if self.votes else []
        derive(
            self,
            count=len(self.pairs),
            vote_count=0 if self.judgments is None else len(self.judgments),
            without_answer=self.unscored[0],
            alike=None if agreement is None else agreement.alike,
            alpha=None if agreement is None else agreement.alpha,
            unanimous=None if agreement is None else agreement.unanimous,
            steps=list(self.funnel.stages),
            preferences=[*label_counts(self.votes), *labels],
            turns=turn_counts(self.pairs),
            lengths=[LengthDifferences(len(finite), float(np.median(finite)), max(finite))]
            if finite
            else [],
        )

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
    def notes(self) -> Sequence[str]:
        """What a reader should know, and what is missing."""
        missing = [f"{counted(n, 'answer')} missing: {why}" for why, n in self.reasons.items()]
        return [*self.told, *missing]

    @property
    def missing(self) -> tuple[int, int]:
        """Answers that models did not give, and all that were asked for."""
        return self.unscored
