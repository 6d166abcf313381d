"""What held ratings say of a calibrator, what is learnt from them, and which to ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated

from assize.calibrate._data.forms import Forms
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._groups.audit import Group
from assize.calibrate._groups.multicalibration import Patch
from assize.calibrate._seen import note_in_sample
from assize.results import Column, Hidden, Result, Table
from assize.results.numbers import counted

MOST_GROUPS = 60  # that a table shows


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


@dataclass(frozen=True, slots=True)
class AuditResult(Result):
    """Error and calibration of everybody and of every group.

    Args:
        groups: everybody first, then every group of every field.
        unknown_raters: who rated, and whom the calibrator does not know.
        min_n: minimum number of ratings in a group for a test.
        in_sample: rated items that the calibrator was fitted on.
    """

    heading = "Error and calibration by group"
    target: str
    groups: Annotated[
        Sequence[Group],
        Table(
            "Groups",
            "Is every group served alike? Groups with a small p differ from all others.",
            group="field",
            notes=[
                "bias: predicted minus answered; ece: smooth calibration error; p: bias (log loss)"
                " against that of all others, by Holm's method."
            ],
            most=MOST_GROUPS,
        ),
    ]
    left_out: LeftOut
    unknown_raters: Hidden[int]
    min_n: Hidden[int]
    in_sample: Hidden[int]
    corrected: bool
    signature: str

    @property
    def sentence(self) -> str:
        """What is audited."""
        return f"Predicted answers to {self.target}, beside ratings that were not fitted on."

    @property
    def notes(self) -> Sequence[str]:
        """What could not enter, and who is not known."""
        unknown = (
            "predicted as unknown, for the calibrator does not know them:"
            f" {counted(self.unknown_raters, 'rater')}"
        )
        known = [unknown] if self.unknown_raters else []
        return [*note_in_sample(self.in_sample), *known, *self.left_out.notes]


@dataclass(frozen=True, slots=True)
class CorrectionResult(Result):
    """What predictions must be shifted by, learnt for a calibrator.

    Args:
        n, items: ratings that it was learnt from, and what they are about.
        unscored: ratings without a prediction.
        patches: in the order in which they are made.
        in_sample: rated items that the calibrator was fitted on.
        out: the folder that it was put into.
        signature: of the calibrator and all patches together.
        calibrator: with what was learnt.
    """

    heading = "Correction by groups"
    target: str
    n: Annotated[int, Column("ratings")]
    items: int
    unscored: Annotated[int, Column("ratings unscored")]
    patches: Annotated[
        Sequence[Patch],
        Table(
            "Shifts of each group",
            "Shifts of log-odds, in the order in which they are made; no group: everybody.",
            most=MOST_GROUPS,
        ),
    ]
    left_out: LeftOut
    in_sample: Hidden[int]
    out: str | None
    signature: str
    calibrator: FittedCalibrator = field(repr=False)

    @property
    def sentence(self) -> str:
        """How much was learnt."""
        if not self.patches:
            return f"Nothing was found to correct in predicted answers to {self.target}."
        shifts = counted(len(self.patches), "shift")
        return f"Predicted answers to {self.target} are corrected by {shifts}."

    @property
    def notes(self) -> Sequence[str]:
        """How much was learnt, from what, and what could not enter."""
        where = "" if self.out is None else f"{self.out}: "
        notes = f"{where}{counted(len(self.patches), 'shift')} learnt from {self.n:,} ratings"
        if not self.patches:
            notes = (
                f"{where}nothing was found to correct in {self.n:,} ratings: no group is off by"
                " more than chance and the tolerance, and predictions stay"
            )
        return [notes, *note_in_sample(self.in_sample), *self.left_out.notes]
