"""Asking a rubric's questions; showing rubrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from assize.base.errors import ConfigError
from assize.formats import ItemsLike
from assize.formats.arguments import listed
from assize.judging.asking import DEFAULT, Asking
from assize.judging.options import LEAST
from assize.judging.plan import Plan, asks_models
from assize.judging.run import plan_judging
from assize.judgments import JudgmentTable
from assize.rubric._asking import NAME, variant_of
from assize.rubric._reading import load_rubric, parse_rubric, rubric_text, shipped
from assize.rubric._shown import RubricList, ShownRubric

SAMPLES = 10  # of each question, where a model gives no probabilities


@dataclass(frozen=True, slots=True)
class Adaptive:
    """Ask only the questions of a rubric that make a calibrator's prediction more certain.

    Args:
        calibrator: folder of a calibrator: ask only the questions that make its prediction more
            certain.
        answered: with a calibrator, a run in which every question was asked (repeatable).
        least: with a calibrator, minimum variance that a question must remove to be asked.
    """

    calibrator: str
    answered: str | Sequence[str] = ()
    least: float = LEAST


@asks_models
def ask(
    items: ItemsLike,
    model: str | Sequence[str],
    *,
    rubric: str = "general",
    variant: str | Sequence[str] = ("plain",),
    adaptive: Adaptive | None = None,
    out: str | Path | None = None,
    samples: int = SAMPLES,
    repeats: int = 1,
    seed: int = 0,
    quiet: bool = False,
    asking: Asking = DEFAULT,
) -> Plan[JudgmentTable]:
    """Ask models each question of a rubric separately, about each conversation.

    Each answer comes with the model's probability of every possible answer. Run the same command
    again to continue an interrupted run.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        model: model to ask, as provider:name (repeatable).
        rubric: rubric file, or the name of a shipped rubric.
        variant: how to ask: plain, reasons, fewshot, a persona, or several joined by +
            (repeatable).
        adaptive: ask only what makes a calibrator's prediction more certain; see `Adaptive`.
        out: folder of the run. In Python None asks in memory.
        samples: answers to sample per question if the model gives no probabilities.
        repeats: independent answers per item.
        seed: random seed.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`.

    Raises:
        ConfigError, DataError, Interrupted: as `assize.judge`.
    """
    known = load_rubric(rubric)
    ways = [variant_of(way, known).name for way in listed(variant)]
    judges = [
        f"{NAME}/{way}@{name}" if way else f"{NAME}@{name}"
        for name in listed(model)
        for way in ways
    ]
    options: dict[str, Any] = {"rubric": rubric}
    if adaptive is not None:
        answered = tuple(listed(adaptive.answered))
        options |= {"adaptive": adaptive.calibrator, "answered": answered, "least": adaptive.least}
    return plan_judging(
        items,
        judges,
        out=out,
        quiet=quiet,
        asking=asking,
        samples=samples,
        repeats=repeats,
        seed=seed,
        options=options,
    )


@overload
def show(rubric: None = None) -> RubricList: ...
@overload
def show(rubric: str, *, yaml: bool = False) -> ShownRubric: ...
def show(rubric: str | None = None, *, yaml: bool = False) -> RubricList | ShownRubric:
    """Show and check a rubric. Without a name, list the shipped ones.

    A rubric is shown as a form: questions, answers, who is asked, and when.

    Args:
        rubric: rubric file, or the name of a shipped rubric; none lists them.
        yaml: print the rubric file itself, to start your own from.

    Raises:
        ConfigError: `yaml` is given without a rubric.
        DataError: the file is no sound rubric; says where.
    """
    if rubric is None:
        if yaml:
            raise ConfigError(f"yaml prints one rubric; name it: {', '.join(shipped())}", "yaml")
        return RubricList.of([load_rubric(name) for name in shipped()])
    source, text = rubric_text(rubric)
    return ShownRubric.of(parse_rubric(text, source), text, yaml=yaml)
