"""Choosing among candidates by what raters are expected to say, with a stop on entropy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import Scale
from assize.calibration.prediction.decode import describe
from assize.errors import ConfigError
from assize.judgment import Judgment, Question, Unscored
from assize.judgments import Unit
from assize.results.types import Estimate
from assize.stats.differences import difference

JUDGE = "calibration:select"
ABSTAINED = "abstained"


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen from one group."""

    group: str
    candidates: tuple[int, ...]  # (n,) places of all its rows
    chosen: int | None  # the place of the best one; None where nothing was predicted
    abstained: bool  # whether the best one's entropy is above the limit
    reward: float  # expected answer of the best candidate; NaN without one
    average: float  # of all candidates that were predicted
    entropy: float  # of the best candidate's distribution, in nats
    unscored: int  # candidates about which nothing is known

    def to_json(self, units: Sequence[Unit]) -> dict[str, Any]:
        """As it stands in `--json`; the item is the chosen one's among `units`."""
        decided = self.chosen is not None and not self.abstained
        item, turn = units[self.chosen] if self.chosen is not None and decided else (None, None)
        known = self.chosen is not None
        return {
            "group": self.group,
            "item": item,
            "turn": turn,
            "candidates": len(self.candidates),
            "unscored": self.unscored,
            "abstained": self.abstained,
            "reward": self.reward if known else None,
            "average": self.average if known else None,
            "entropy": self.entropy if known else None,
        }


def select(
    probabilities: FloatArray,
    scale: Scale,
    groups: Sequence[str | None],
    *,
    max_entropy: float | None = None,
) -> list[Selection]:
    """Each group's best candidate by its mean reward; none above `max_entropy` (nats)."""
    if not scale.ordered:
        raise ConfigError(f"the answers to {scale.id!r} are not ordered: none is the best")
    if max_entropy is not None and not max_entropy >= 0:
        raise ConfigError(f"the limit of entropy must be at least 0, not {max_entropy}")
    said = describe(probabilities.mean(axis=1), scale)
    members: dict[str, list[int]] = {}
    for place, name in enumerate(groups):
        if name is not None:
            members.setdefault(name, []).append(place)
    found = []
    for name, places in members.items():
        rewards = said.mean[places]
        known = ~np.isnan(rewards)
        if not known.any():
            nothing = (np.nan, np.nan, np.nan)
            found.append(Selection(name, tuple(places), None, False, *nothing, len(places)))
            continue
        best = places[int(np.nanargmax(rewards))]
        entropy = float(said.entropy[best])
        found.append(
            Selection(
                name,
                tuple(places),
                best,
                max_entropy is not None and entropy > max_entropy,
                float(said.mean[best]),
                float(rewards[known].mean()),
                entropy,
                int((~known).sum()),
            )
        )
    return found


def gain(selections: Sequence[Selection]) -> Estimate:
    """Expected answer of the chosen less that of any candidate, over the groups decided on."""
    kept = [one for one in selections if one.chosen is not None and not one.abstained]
    return difference([one.reward for one in kept], [one.average for one in kept], paired=True)


def summary(selections: Sequence[Selection], units: Sequence[Unit]) -> dict[str, Any]:
    """How many groups were decided on, what that should gain, and each selection."""
    return {
        "groups": len(selections),
        "chosen": sum(one.chosen is not None and not one.abstained for one in selections),
        "abstained": sum(one.abstained for one in selections),
        "unscored": sum(one.chosen is None for one in selections),
        "candidates_unscored": sum(one.unscored for one in selections),
        "expected_gain": gain(selections).to_json(),
        "selections": [one.to_json(units) for one in selections],
    }


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
    said = describe(probabilities.mean(axis=1), scale)
    name = question_of(scale).id
    for one in selections:
        for place in one.candidates:
            item, turn = units[place]
            if np.isnan(said.mean[place]):
                why = Unscored("missing", "no answer by a model about this item is known")
                yield Judgment(
                    item,
                    JUDGE,
                    name,
                    turn=turn,
                    kind="evaluator",
                    unscored=why,
                    details={"group": one.group},
                    signature=signature,
                )
                continue
            details = {
                "group": one.group,
                "reward": float(said.mean[place]),
                "entropy": float(said.entropy[place]),
            }
            why_not = None
            if one.abstained:
                best = f"the best candidate's entropy is {one.entropy:.3f} nats"
                why_not = Unscored(ABSTAINED, best)
            yield Judgment(
                item,
                JUDGE,
                name,
                turn=turn,
                kind="evaluator",
                unscored=why_not,
                answer=None if one.abstained else ("yes" if place == one.chosen else "no"),
                details=details,
                signature=signature,
            )
