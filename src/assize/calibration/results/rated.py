"""What held ratings say of a calibrator, what is learnt from them, and which to ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from assize.calibration.active.active_learning import ItemUncertainty, RatingRequest
from assize.calibration.data.forms import Forms
from assize.calibration.fitted import FittedCalibrator
from assize.calibration.groups.audit import Group
from assize.calibration.groups.multicalibration import Correction
from assize.calibration.tables import audit_tables
from assize.judgments import JudgmentTable
from assize.results import Column, Result, ResultTable, Table, columns
from assize.results.escape import shortened
from assize.results.numbers import counted

_NAMED = 5  # people or items that a note names


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Ratings that could not enter: NA, without an answer, or about items nobody answered about."""

    ratings_not_applicable: int
    ratings_unscored: int
    ratings_without_answers: int

    @classmethod
    def of(cls, forms: Forms) -> LeftOut:
        """Those of some forms."""
        return cls(forms.not_applicable, forms.unscored, sum((forms.unmatched or {}).values()))

    @property
    def notes(self) -> list[str]:
        """A line for everything that could not enter, where there is any."""
        return [f"{name.replace('_', ' ')}: {n:,}" for name, n in asdict(self).items() if n]


@dataclass(frozen=True, slots=True, eq=False)
class AuditResult(Result):
    """Error and calibration of everybody and of every group.

    Args:
        gaps: by field and figure, the worst group and how far it is from everybody.
        unknown_raters: who rated, and whom the calibrator does not know.
        min_n: ratings that a group needs to be tested.
    """

    target: str
    everybody: Group
    groups: Sequence[Group]
    gaps: Sequence[Mapping[str, object]]
    left_out: LeftOut
    unknown_raters: int
    min_n: int
    corrected: bool
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """A table a field, and `worst`."""
        return audit_tables(self.target, self.everybody, self.groups, self.gaps)

    @property
    def notes(self) -> Sequence[str]:
        """What the columns are, and what could not enter."""
        found = [
            "bias: predicted less answered; loss: log loss; p: less all others, by Holm's method"
        ]
        if self.unknown_raters:
            found.append(
                "predicted as unknown, for the calibrator does not know them:"
                f" {self.unknown_raters} raters"
            )
        return found + self.left_out.notes

    def to_json(self) -> dict[str, Any]:
        """Every figure and test of every group."""
        return {
            "target": self.target,
            "all": self.everybody.to_json(),
            "groups": [group.to_json() for group in self.groups],
            "worst": list(self.gaps),
            **asdict(self.left_out),
            "unknown_raters": self.unknown_raters,
            "min_n": self.min_n,
            "corrected": self.corrected,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True, eq=False)
class CorrectionResult(Result):
    """What predictions must be shifted by, learnt for a calibrator.

    Args:
        calibrator: with what was learnt.
        unscored: ratings without a prediction.
        out: the folder that it was put into.
    """

    calibrator: FittedCalibrator
    correction: Correction
    unscored: int
    left_out: LeftOut
    out: str | None

    @property
    def signature(self) -> str:
        """Of the calibrator and all patches together."""
        return self.correction.signature

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`patched`: how often each group was."""
        each = Counter((patch.field, patch.group) for patch in self.correction.patches)
        rows = [(by or "all", shortened(group) or "all", n) for (by, group), n in each.items()]
        named = columns("words", "groups", "group") + columns("count", "patches")
        return {"patched": ResultTable("Patched", named, rows)}

    @property
    def notes(self) -> Sequence[str]:
        """How much was learnt, from what, and what could not enter."""
        found, where = self.correction, "" if self.out is None else f"{self.out}: "
        said = [f"{where}{len(found.patches)} patches from {found.n:,} ratings"]
        if not found.patches:
            said.append("no group is off by more than chance and the tolerance: predictions stay")
        return said + self.left_out.notes

    def to_json(self) -> dict[str, Any]:
        """Every patch."""
        found = self.correction
        return {
            "target": self.calibrator.target.id,
            "n": found.n,
            "items": found.items,
            "unscored": self.unscored,
            **asdict(self.left_out),
            "patches": [patch._asdict() for patch in found.patches],
            "out": self.out,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True, eq=False)
class RequestResult(Result):
    """Ratings that would teach most, and items in doubt.

    Args:
        requests: best first.
        uncertain, controversial: of each question the items that are hardest to call.
        candidates: all (item, question, rater) that there are.
        rated: of these, rated already.
        excluded: of these, what the routing does not allow, whether rated or not.
        at_limit: people for whom a limit was reached.
        new_raters: named in the routing, and not known to every calibrator.
        unknown_items: named in the routing, and none of the items.
        corrected: whether the doubts hold a correction.
        judgments: a request a row, unscored (`requested`).
    """

    heading = "Ratings to ask for"
    requests: Annotated[
        Sequence[RatingRequest],
        Table("To be rated next", "The ratings that would teach most for their cost, best first."),
    ]
    uncertain: Annotated[
        Sequence[ItemUncertainty],
        Table("Uncertain items", "Items whose answer is most open.", group="question"),
    ]
    controversial: Annotated[
        Sequence[ItemUncertainty],
        Table(
            "Controversial items",
            "Items about which raters would disagree most.",
            group="question",
            notes=["Between raters: the part of the entropy that is disagreement, in nats."],
        ),
    ]
    candidates: Annotated[int, Column("possible ratings")]
    rated: Annotated[int, Column("rated already")]
    excluded: Annotated[int, Column("excluded by the routing")]
    at_limit: Sequence[str]
    new_raters: Sequence[str]
    unknown_items: Sequence[str]
    corrected: bool
    out: str | None
    signature: str
    judgments: JudgmentTable = field(repr=False)

    @property
    def sentence(self) -> str:
        """How many ratings are asked of whom."""
        raters = len({request.rater for request in self.requests})
        return f"{counted(len(self.requests), 'rating')} to ask {counted(raters, 'rater')} for"

    @property
    def notes(self) -> Sequence[str]:
        """What the routing did, and where the requests are."""
        lists = (
            (self.at_limit, "reached a limit"),
            (self.new_raters, "not known to every calibrator: predicted as unknown there"),
            (self.unknown_items, "named in the routing, and none of the items"),
        )
        notes = [f"{name_some(names)}: {meaning}" for names, meaning in lists if names]
        written = f"{self.out}: {counted(len(self.requests), 'request')}"
        return notes if self.out is None else [*notes, written]


def name_some(names: Sequence[str]) -> str:
    """Return the first names, and how many there are beside.

    >>> name_some(["a", "b", "c", "d", "e", "f"])
    'a, b, c, d, e and 1 more'
    """
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
