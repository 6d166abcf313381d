"""What `assize agree` is asked to find out, and how its figures are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from assize.judgments.combine import Votes
from assize.stats._compare import Measure
from assize.stats._statistics import StatisticsSettings


@dataclass(frozen=True, slots=True)
class Audit:
    """What the audits of judges need to know.

    Args:
        own: system that a judge belongs to, as JUDGE=SYSTEM, for self-preference (repeatable).
        subgroup: with an audit, field of the items to count unscored judgments by.
    """

    own: Mapping[str, str] = field(default_factory=dict)
    subgroup: str = "system"


@dataclass(frozen=True, slots=True)
class CloserToGold:
    """Two judges, of which one may agree better with gold.

    Args:
        pair: two judges: test which of them agrees better with gold.
        measure: statistic that the test of two judges compares. Default: spearman for scores, else
            accuracy.
    """

    pair: tuple[str, str]
    measure: Measure | None = None


@dataclass(frozen=True, slots=True)
class AgreeOptions:
    """Settings of `measure_agreement`.

    Args:
        judges: only these; all when None.
        gold: judge whose answers count as true, or `people`; when None, `gold` if there is one.
        compare: two judges: test which of them agrees better with gold.
        by: field of the items for whose values accuracy is also given.
        audit: audit the judges that are not people; None for no audit.
        votes: how a judge's votes on one pair become one; see `combine`.
        mixed: questions whose answers are on different scales, because `same` read them together.
        mixed_people: those of them on which people alone are on different scales.
        statistics: how intervals and tests are made.
    """

    judges: Sequence[str] | None = None
    gold: str | None = None
    compare: CloserToGold | None = None
    by: str | None = None
    audit: Audit | None = None
    votes: Votes = "agree"
    mixed: Collection[str] = ()
    mixed_people: Collection[str] = ()
    statistics: StatisticsSettings = field(default_factory=StatisticsSettings)

    @property
    def compared(self) -> tuple[str, ...]:
        """The judges to compare; none where none are."""
        return () if self.compare is None else self.compare.pair
