"""What a study of criteria comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.agreement.result import Agreement
from assize.criteria.study.measures import Unseen
from assize.criteria.study.resampling import Figure
from assize.formats.labels import Labels
from assize.results import Result

Figures = Mapping[str, Figure]


@dataclass(frozen=True, slots=True, eq=False)
class Studied:
    """One method with one policy.

    Args:
        figures: by measure, on the test halves.
        less_method: each measure less that of the first method by the same policy; None of itself.
        less_policy: each measure less that of the first policy for the same method.
        pool: criteria that there were to choose from.
        chosen: ids, a list a split.
        weights: of sharpness, one a split; None where the set fits the budgets and is taken whole.
        n: test conversations, all splits together.
        unscored: of these, those without a NetSAT.
        tests: the scores of the test half, one a split.
    """

    method: str
    policy: str
    figures: Figures
    less_method: Figures | None
    less_policy: Figures | None
    pool: int
    chosen: Sequence[Sequence[str]]
    weights: Sequence[float | None]
    n: int
    unscored: int
    tests: Sequence[Unseen] = ()

    @property
    def size(self) -> float:
        """Criteria chosen, mean over splits."""
        return sum(map(len, self.chosen)) / len(self.chosen)

    @property
    def whole(self) -> bool:
        """Whether the set fits the budgets, so that there was nothing to choose."""
        return all(one is None for one in self.weights)

    def to_json(self) -> dict[str, Any]:
        """Figures, and what was chosen on each split."""
        return {
            "method": self.method,
            "policy": self.policy,
            "figures": _json(self.figures),
            "less_first_method": _json(self.less_method),
            "less_first_policy": _json(self.less_policy),
            "pool": self.pool,
            "chosen": [list(one) for one in self.chosen],
            "weights": list(self.weights),
            "n": self.n,
            "unscored": self.unscored,
        }


@dataclass(frozen=True, slots=True, eq=False)
class CriteriaStudy(Result):
    """Methods and policies, compared on conversations that no criterion was chosen on.

    Args:
        rows: every method with every policy.
        labels: what good and bad were.
        policies: in the order given; methods are compared by the first.
        precision: that yields are of.
        splits, resamples: over which figures are means, and which intervals are from.
        train, test: good and bad conversations of a half.
        told: what a reader should know.
        agreement: between the people who labelled; None where labels are not people's judgments.
        signature: of scores, labels and settings.
    """

    rows: Sequence[Studied]
    labels: Labels
    policies: Sequence[str]
    precision: float
    splits: int
    resamples: int
    train: tuple[int, ...]
    test: tuple[int, ...]
    told: Sequence[str]
    agreement: Agreement | None
    signature: str

    tables_from = "assize.criteria.study.studied_tables:studied_tables"

    @property
    def methods(self) -> Sequence[str]:
        """Names, in the order given."""
        return list(dict.fromkeys(one.method for one in self.rows))

    @property
    def lines(self) -> Sequence[str]:
        """What makes the study reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of labels and scores."""
        return [*self.labels.notes, *self.told]

    @property
    def missing(self) -> tuple[int, int]:
        """Test conversations without a NetSAT, over all rows and splits, and how many there are."""
        return sum(one.unscored for one in self.rows), sum(one.n for one in self.rows)

    def row(self, method: str, policy: str | None = None) -> Studied:
        """One method with one policy, the first by default."""
        wanted = self.policies[0] if policy is None else policy
        return next(one for one in self.rows if (one.method, one.policy) == (method, wanted))

    def to_json(self) -> dict[str, Any]:
        """Every figure with its interval and its difference to the first."""
        return {
            "rows": [one.to_json() for one in self.rows],
            "labels": self.labels.to_json(),
            "policies": list(self.policies),
            "precision": self.precision,
            "splits": self.splits,
            "resamples": self.resamples,
            "train": dict(zip(("good", "bad"), self.train, strict=True)),
            "test": dict(zip(("good", "bad"), self.test, strict=True)),
            "agreement": None if self.agreement is None else self.agreement.to_json(),
            "notes": list(self.notes),
            "signature": self.signature,
        }


def _json(figures: Figures | None) -> dict[str, Any] | None:
    return None if figures is None else {name: one.to_json() for name, one in figures.items()}
