"""Choosing among candidates by what raters are expected to say, with a stop on entropy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from assize.base.arguments import check_range
from assize.base.judgment import Judgment, Question, Unscored
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import Scale
from assize.calibrate._prediction.decode import describe
from assize.judgments import Unit
from assize.results import Column, Hidden
from assize.results.types import NAN, Estimate
from assize.stats._differences import difference

JUDGE = "calibration:select"
ABSTAINED = "abstained"


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen from one group.

    Args:
        item, turn: what was chosen; None where nothing was predicted, or it was too uncertain.
        candidates: all that the group has.
        unscored: candidates about which nothing is known.
        abstained: whether the best one's entropy is above the limit.
        reward: expected answer of the best candidate; NaN without one.
        average: of all candidates that were predicted.
        entropy: of the best candidate's distribution, in nats.
        best: its place; None where nothing was predicted.
        places: of all candidates.
    """

    group: str
    item: Annotated[str | None, Column("chosen")]
    turn: int | None
    candidates: int
    unscored: Hidden[int]
    abstained: bool
    reward: Annotated[float, Column(digits=2)]
    average: Annotated[float, Column(digits=2)]
    entropy: Annotated[float, Column(digits=2)]
    best: int | None = field(repr=False)
    places: Sequence[int] = field(repr=False)

    @property
    def decided(self) -> bool:
        """Whether a candidate was chosen."""
        return self.best is not None and not self.abstained


def select(
    probabilities: FloatArray,
    scale: Scale,
    units: Sequence[Unit],
    groups: Sequence[str | None],
    *,
    max_entropy: float | None = None,
) -> list[Selection]:
    """Choose each group's best candidate by its mean reward; none above `max_entropy` (nats)."""
    scale.check_ordered("none is the best")
    check_range("max_entropy", max_entropy, 0)
    decoded = describe(probabilities.mean(axis=1), scale)
    members: dict[str, list[int]] = {}
    for row, name in enumerate(groups):
        if name is not None:
            members.setdefault(name, []).append(row)
    selections = []
    for name, places in members.items():
        rewards = decoded.mean[places]
        known = ~np.isnan(rewards)
        missing = int((~known).sum())
        best, abstained, figures = None, False, (NAN, NAN, NAN)
        if known.any():
            best = places[int(np.nanargmax(rewards))]
            entropy = float(decoded.entropy[best])
            abstained = max_entropy is not None and entropy > max_entropy
            figures = (float(decoded.mean[best]), float(rewards[known].mean()), entropy)
        item, turn = (None, None) if best is None or abstained else units[best]
        selections.append(
            Selection(name, item, turn, len(places), missing, abstained, *figures, best, places)
        )
    return selections


def gain(selections: Sequence[Selection]) -> Estimate:
    """Expected answer of the chosen less that of any candidate, over the groups decided on."""
    decided = [selection for selection in selections if selection.decided]
    return difference(
        [selection.reward for selection in decided],
        [selection.average for selection in decided],
        paired=True,
    )


def question_of(scale: Scale) -> Question:
    """What the rows of `rows` answer."""
    text = f"Is this the candidate with the highest expected answer to {scale.id}?"
    return Question(
        f"{scale.id}-best", text, kind="binary", answers=("no", "yes"), values=(0.0, 1.0)
    )


def rows(
    selections: Sequence[Selection],
    probabilities: FloatArray,
    scale: Scale,
    units: Sequence[Unit],
    signature: str,
) -> Iterator[Judgment]:
    """A judgment a candidate by `calibration:select`: yes, no, `missing` or `abstained`."""
    decoded = describe(probabilities.mean(axis=1), scale)
    name = question_of(scale).id
    for selection in selections:
        for row in selection.places:
            item, turn = units[row]
            details: dict[str, Any] = {"group": selection.group}
            answer, unscored = None, None
            if np.isnan(decoded.mean[row]):
                unscored = Unscored("missing", "no answer by a model about this item is known")
            else:
                reward, entropy = float(decoded.mean[row]), float(decoded.entropy[row])
                details |= {"reward": reward, "entropy": entropy}
                answer = "yes" if row == selection.best else "no"
                if selection.abstained:
                    problem = f"the best candidate's entropy is {selection.entropy:.3f} nats"
                    answer, unscored = None, Unscored(ABSTAINED, problem)
            yield Judgment(
                item,
                JUDGE,
                name,
                turn=turn,
                kind="evaluator",
                unscored=unscored,
                answer=answer,
                details=details,
                signature=signature,
            )
