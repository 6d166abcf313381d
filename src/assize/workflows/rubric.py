"""Asking a rubric's questions; showing rubrics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack, overload

from assize.arguments import refuse_unknown
from assize.errors import ConfigError
from assize.formats import ItemsLike
from assize.judging.options import LEAST
from assize.judging.outcome import Estimates, Outcome, ShownPrompt
from assize.judgments import JudgmentTable
from assize.rubric import load_rubric, parse_rubric, shipped
from assize.rubric.asking import NAME, variant_of
from assize.rubric.reading import rubric_text
from assize.rubric.shown import RubricList, ShownRubric
from assize.running import run_sync
from assize.workflows.asking import Asking, Judging
from assize.workflows.judge import estimate, judge_async, run_judges, show_prompt
from assize.workflows.reading import listed

SAMPLES = 10  # of each question, where a model gives no probabilities
_OWN = ("rubric", "variant", "adaptive", "answered", "least")


@refuse_unknown
def ask_rubric(
    items: ItemsLike,
    model: str | Sequence[str],
    *,
    rubric: str = "general",
    variant: str | Sequence[str] = ("plain",),
    adaptive: str | None = None,
    answered: str | Sequence[str] = (),
    least: float = LEAST,
    out: str | Path | None = None,
    samples: int = SAMPLES,
    repeats: int = 1,
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> JudgmentTable:
    """Asks models each question of a rubric, by itself, about each conversation.

    Each answer comes with the model's probability of every answer. The same
    command continues an interrupted run.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts, tables.
        model: a model as provider:name (repeatable).
        rubric: a rubric file, or the name of a shipped one.
        variant: how to ask, as plain, reasons, fewshot, a persona, joined by + (repeatable).
        adaptive: a calibrator's folder, to ask only what makes its prediction surer.
        answered: with `adaptive`, a run in which everything was asked (repeatable).
        least: with `adaptive`, variance that a question must take off to be asked.
        out: the run's folder. In Python None asks in memory.
        samples: samples that make a distribution, where no probabilities come.
        repeats: independent answers to each.
        seed: seed of every random choice.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`.

    Raises:
        ConfigError, DataError, KeyboardInterrupt: as `assize.judge`.
    """
    return run_sync(
        lambda: ask_rubric_async(
            items,
            model,
            rubric=rubric,
            variant=variant,
            adaptive=adaptive,
            answered=answered,
            least=least,
            out=out,
            samples=samples,
            repeats=repeats,
            seed=seed,
            quiet=quiet,
            **asking,
        )
    )


class AskingRubric(Judging, total=False):
    """The arguments of `ask_rubric`, which say what each means."""

    rubric: str
    variant: str | Sequence[str]
    adaptive: str | None
    answered: str | Sequence[str]
    least: float


@refuse_unknown
async def ask_rubric_async(
    items: ItemsLike, model: str | Sequence[str], **given: Unpack[AskingRubric]
) -> JudgmentTable:
    """`ask_rubric`, to be awaited."""
    names, judging = _asked(model, given)
    return await judge_async(items, names, **judging)


def run_rubric(
    items: ItemsLike, model: str | Sequence[str], **given: Unpack[AskingRubric]
) -> Outcome:
    """`ask_rubric` into a folder, told how the run went instead of what was answered."""
    names, judging = _asked(model, given)
    return run_judges(items, names, **judging)


def estimate_rubric(
    items: ItemsLike, model: str | Sequence[str], **given: Unpack[AskingRubric]
) -> Estimates:
    """What `ask_rubric` would take and cost, nothing being asked or written."""
    names, judging = _asked(model, given)
    return estimate(items, names, **judging)


def show_question(
    items: ItemsLike, model: str | Sequence[str], *, question: str, **given: Unpack[AskingRubric]
) -> ShownPrompt:
    """The exact messages of one question about the first conversation."""
    names, judging = _asked(model, given)
    return show_prompt(items, names[0], question=question, **judging)


def _asked(model: str | Sequence[str], given: AskingRubric) -> tuple[list[str], Judging]:
    """The judges' names, and the arguments of `assize.judge`."""
    known = load_rubric(given.get("rubric", "general"))
    ways = [variant_of(one, known).name for one in listed(given.get("variant", "plain"))]
    names = [
        f"{NAME}/{way}@{one}" if way else f"{NAME}@{one}" for one in listed(model) for way in ways
    ]
    own: dict[str, Any] = {name: given[name] for name in _OWN if name in given}  # type: ignore[literal-required]
    options = {name: value for name, value in own.items() if value and name != "variant"}
    if "answered" in options:
        options["answered"] = tuple(listed(options["answered"]))
    if options.get("least") == LEAST:
        del options["least"]
    rest = {name: value for name, value in given.items() if name not in _OWN}
    judging: Any = {"samples": SAMPLES, **rest, "options": options}
    return names, judging


@overload
def show_rubric(rubric: None = None) -> RubricList: ...
@overload
def show_rubric(rubric: str, *, yaml: bool = False) -> ShownRubric: ...
def show_rubric(rubric: str | None = None, *, yaml: bool = False) -> RubricList | ShownRubric:
    """Shows a rubric, and so checks it; without a name, lists the shipped ones.

    A rubric is shown as a form: questions, answers, who is asked, and when.

    Args:
        rubric: a file, or the name of a shipped one; none lists them.
        yaml: print the file itself, to begin one's own.

    Raises:
        ConfigError: `yaml` is given without a rubric.
        DataError: the file is no sound rubric; says where.
    """
    if rubric is None:
        if yaml:
            raise ConfigError(f"yaml prints one rubric; name it: {', '.join(shipped())}")
        return RubricList.of([load_rubric(name) for name in shipped()])
    source, text = rubric_text(rubric)
    return ShownRubric.of(parse_rubric(text, source), text, yaml=yaml)
