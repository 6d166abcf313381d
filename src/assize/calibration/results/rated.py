"""What held ratings say of a calibrator, what is learnt from them, and which to ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assize.calibration.active.active_learning import ItemUncertainty, RatingRequests
from assize.calibration.data.forms import Forms
from assize.calibration.fitted import FittedCalibrator
from assize.calibration.groups.audit import Group
from assize.calibration.groups.multicalibration import Correction
from assize.calibration.tables import audit_tables, request_tables
from assize.judgments import JudgmentTable
from assize.results import Result, ResultTable, columns
from assize.results.escape import shortened

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
        doubts: by question and kind the items that are hardest to call.
        unknown_items: named in the routing, and none of the items.
        routed: whether there is a routing.
        judgments: a request a row, unscored (`requested`).
    """

    wanted: RatingRequests
    doubts: Mapping[str, Mapping[str, Sequence[ItemUncertainty]]]
    unknown_items: tuple[str, ...]
    routed: bool
    corrected: bool
    judgments: JudgmentTable
    out: str | None
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`next`, and the doubtful items of each question: `QUESTION uncertain`, ..."""
        return request_tables(self.wanted, self.doubts, costs=self.routed)

    @property
    def notes(self) -> Sequence[str]:
        """What the figures are, and what the routing did."""
        found = ["gain, entropy: in nats; between raters: the part of it that is disagreement"]
        wanted = self.wanted
        if self.routed:
            found.append(
                f"{wanted.candidates:,} (item, question, rater) in all: {wanted.excluded:,}"
                f" excluded by the routing, {wanted.rated:,} rated already"
            )
            for names, said in (
                (wanted.at_limit, "reached a limit"),
                (wanted.new_raters, "not known to every calibrator: predicted as unknown there"),
                (self.unknown_items, "named in the routing, and none of the items"),
            ):
                more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
                found += [f"{', '.join(names[:_NAMED])}{more}: {said}"] if names else []
        return found + ([] if self.out is None else [f"{self.out}: {len(wanted.found):,} requests"])

    def to_json(self) -> dict[str, Any]:
        """The requests, the items in doubt, and what was not asked for."""
        wanted = self.wanted
        return {
            "next": [asdict(one) for one in wanted.found],
            "items": {
                name: {kind: [asdict(row) for row in rows] for kind, rows in kinds.items()}
                for name, kinds in self.doubts.items()
            },
            "candidates": wanted.candidates,
            "rated": wanted.rated,
            "excluded": wanted.excluded,
            "at_limit": list(wanted.at_limit),
            "new_raters": list(wanted.new_raters),
            "unknown_items": list(self.unknown_items),
            "corrected": self.corrected,
            "out": self.out,
            "signature": self.signature,
        }
