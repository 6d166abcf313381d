"""Preference data as a result: pairs, votes, and every count that a card should give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from assize.base.conversation import Pair, Preference
from assize.judgments import JudgmentTable
from assize.results import Column, Hidden, Table, derive
from assize.simulate._funnel import Stage
from assize.simulate._majority import LabelCounts, label_counts
from assize.simulate._preference_checks import JudgeAgreement, TurnCount, agreement_of, turn_counts
from assize.simulate._result import Simulated
from assize.simulate._vote_consistency import JudgeConsistency

_ORDER: tuple[Preference, ...] = ("A", "B", "tie")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceData(Simulated[Pair]):
    """Pairs of dialogues with the votes on them, and what each step left.

    Iterating gives the pairs.

    Args:
        judgments: the votes on the pairs; None where nobody voted.
        question: that decides a pair's label.
        labels: of each pair; None where the votes give none.
        votes: by judge and pair, both orders put together.
        consistency: of each judge.
        unscored: responses or votes without an answer, of `n` that were asked for.
        reasons: of these, by reason.
    """

    heading: ClassVar[str] = "Preference data"

    judgments: JudgmentTable | None = field(default=None, repr=False)
    question: str | None = None
    n: Hidden[int] = 0
    unscored: Annotated[int, Column("without an answer")] = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, Preference | None] = field(default_factory=dict, repr=False)
    votes: Mapping[str, Mapping[str, Preference | None]] = field(default_factory=dict, repr=False)
    steps: Annotated[Sequence[Stage], Table("What each step left")] = ()
    preferences: Annotated[
        Sequence[LabelCounts],
        Table("Judges' preferences", "How many pairs each judge, and the label, gives each side."),
    ] = field(init=False)
    agreement: Annotated[Sequence[JudgeAgreement], Table("How far judges vote alike")] = field(
        init=False
    )
    turns: Annotated[Sequence[TurnCount], Table("Turns of the pairs")] = field(init=False)
    consistency: Annotated[
        Sequence[JudgeConsistency], Table("Votes when the sides are exchanged")
    ] = ()

    def __post_init__(self) -> None:
        labels = label_counts({"label": self.labels}) if self.votes else []
        derive(
            self,
            count=len(self.records),
            preferences=[*label_counts(self.votes), *labels],
            agreement=agreement_of(self.votes),
            turns=turn_counts(self.records),
        )

    @property
    def shares(self) -> dict[str, int]:
        """Pairs by label, those without one as `none`."""
        counts = Counter("none" if label is None else label for label in self.labels.values())
        return {name: counts[name] for name in (*_ORDER, "none") if name in _ORDER or counts[name]}
