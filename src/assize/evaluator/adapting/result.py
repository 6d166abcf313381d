"""An adapted evaluator, and whether adapting helped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assize.evaluator.adapting.adapting import Outcome
from assize.evaluator.adapting.columns import CANDIDATES
from assize.evaluator.evaluator import Evaluator
from assize.evaluator.heads.rating_scale import CONFIDENCE
from assize.results import Result, ResultTable, columns, with_rows
from assize.stats import Comparison
from assize.stats.estimate import nullable

_WORDS = {**CANDIDATES, "none": "no change"}


@dataclass(frozen=True, slots=True, eq=False)
class Adaptation(Result):
    """What labels made of an evaluator.

    Args:
        evaluator: the adapted one; with the head that it had where adapting did not help.
        outcomes: a question each.
        unfit: labels of items that are not among these, or cannot be scored.
        out: where it was saved.
    """

    evaluator: Evaluator
    outcomes: Sequence[Outcome]
    unfit: int = 0
    out: str | None = None

    @property
    def signature(self) -> str:
        """Of the evaluator's scores."""
        return self.evaluator.signature

    def save(self, folder: str | Path) -> None:
        """Writes the evaluator.

        Raises:
            OutputError: the folder cannot be written.
        """
        self.evaluator.save(folder)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`order` and `error` before and after, `scale` and `ties`; those that hold anything."""
        named = [
            *columns("words", "question"),
            *columns("count", "labels"),
            *columns("words", "change"),
            *columns("number", "before", "after", digits=3, ends="none"),
            *columns("number", "gain [95%]", digits=3),
            *columns("words", "used"),
        ]
        order = [
            (
                one.question,
                one.n,
                one.choice.candidate,
                one.order.second,
                one.order.first,
                one.order.difference,
                "yes" if one.used else "no",
            )
            for one in self.outcomes
        ]
        error = [
            (one.question, one.error.second, one.error.first, one.error.difference)
            for one in self.outcomes
        ]
        of_error = [
            *columns("words", "question"),
            *columns("number", "before", "after", digits=3, ends="none"),
            *columns("number", "difference [95%]", digits=3),
        ]
        title = f"{self.evaluator.judge}: order of labels held out, before and after adapting"
        return with_rows(
            {
                "order": ResultTable(title, named, order),
                "error": ResultTable("Root mean square error of labels held out", of_error, error),
                "scale": self._scales(),
                "ties": self._ties(),
            }
        )

    def _scales(self) -> ResultTable:
        named = [
            *columns("words", "question"),
            *columns("count", "labels"),
            *columns("number", "error [95%]", "of their mean", digits=2),
            *columns("number", "interval +-", digits=2, ends="none"),
            *columns("percent", "holds", digits=0, ends="none", unit="%"),
        ]
        rows = [
            (
                one.question,
                fit.scale.n,
                fit.error,
                fit.constant,
                nullable(fit.scale.half),
                fit.scale.coverage,
            )
            for one in self.outcomes
            if (fit := one.scale) is not None
        ]
        return ResultTable(
            "Scores on people's scale: mean absolute error, cross-validated", named, rows
        )

    def _ties(self) -> ResultTable:
        named = [
            *columns("words", "question"),
            *columns("count", "pairs"),
            *columns("number", "tie below", digits=3, ends="none"),
            *columns("percent", "ternary accuracy [95%]", digits=1, unit="%"),
        ]
        rows = [
            (one.question, one.ties[0].n, one.ties[0].threshold, one.ties[1])
            for one in self.outcomes
            if one.ties is not None
        ]
        return ResultTable("Ties, by the difference of scores, cross-validated", named, rows)

    @property
    def lines(self) -> Sequence[str]:
        """The signature."""
        return [f"signature {self.signature}"]

    @property
    def notes(self) -> Sequence[str]:
        """What was decided for each question, and why."""
        return [*(_said(one) for one in self.outcomes), *self._left_out()]

    def _left_out(self) -> list[str]:
        if not self.unfit:
            return []
        return [f"{self.unfit:,} labels are of items that are not here or cannot be scored"]

    def to_json(self) -> dict[str, Any]:
        """Each question's figures, before and after."""
        return {
            "evaluator": self.evaluator.judge,
            "questions": {one.question: _described(one) for one in self.outcomes},
            "unfit": self.unfit,
            "out": self.out,
            "signature": self.signature,
        }


def _said(one: Outcome) -> str:
    held = f"{one.n:,} labels of {one.groups:,} {one.by}s"
    if one.choice.candidate == "none" and one.scale is not None:
        return f"{one.question}: mapped to the scale of {held}; the order of scores stays as it is"
    if one.choice.candidate == "none":
        return f"{one.question}: {held} show nothing to change; the evaluator stays as it is"
    low, high = one.order.difference.interval
    what = f"a change of {_WORDS[one.choice.candidate]}"
    figures = f"order {one.order.difference.estimate:+.3f} [{low:+.3f}, {high:+.3f}]"
    if one.helped:
        return f"{one.question}: {what} put labels held out into a better order ({figures}, {held})"
    kept = "it is used, as asked" if one.used else "the evaluator keeps its head"
    return f"{one.question}: {what} did not show that it helps ({figures}, {held}); {kept}"


def _described(one: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = {
        "n": one.n,
        "groups": {"by": one.by, "n": one.groups},
        "change": one.choice.candidate,
        "penalty": nullable(one.choice.penalty),
        "verdict": one.verdict,
        "used": one.used,
        "error": _compared(one.error),
        "order": _compared(one.order),
    }
    if one.scale is not None:
        scale = one.scale.scale
        found["scale"] = {
            "n": scale.n,
            "error": one.scale.error.to_json(),
            "of_the_mean_rating": one.scale.constant.to_json(),
            "interval": {
                "confidence": CONFIDENCE,
                "half": nullable(scale.half),
                "coverage": nullable(scale.coverage),
            },
        }
    if one.ties is not None:
        rule, measured = one.ties
        found["ties"] = {"threshold": rule.threshold, "n": rule.n, "accuracy": measured.to_json()}
    return found


def _compared(one: Comparison) -> dict[str, Any]:
    return {
        "before": one.second.to_json(),
        "after": one.first.to_json(),
        "difference": one.difference.to_json(),
        "p_value": nullable(one.test.p_value),
    }
