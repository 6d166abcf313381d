"""The row of `rubric` in the table of judges: everything asked, or only what pays."""

from __future__ import annotations

from dataclasses import dataclass

from assize.errors import ConfigError
from assize.judging.judge import Judge, JudgeContext
from assize.judging.options import RubricOptions
from assize.rubric.adaptive import adaptive
from assize.rubric.asking import RubricJudge, variant_of
from assize.rubric.reading import load_rubric


@dataclass(frozen=True, slots=True)
class RubricOffer:
    """See `table.py`."""

    about: str
    variants: bool = True

    def open(self, target: str, context: JudgeContext) -> Judge:
        """The judge that asks this model the rubric of its options."""
        options = RubricOptions(**context.options)
        rubric = load_rubric(options.rubric)
        if not rubric.asked("models"):
            raise ConfigError(f"rubric {rubric.name} has questions for people only")
        judge = RubricJudge(rubric, variant_of(context.variant, rubric), target, context)
        return judge if options.adaptive is None else adaptive(judge, options)


RUBRIC = RubricOffer("every question of a rubric (--rubric), each asked by itself")
