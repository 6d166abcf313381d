"""Differences grouped into themes by a model: one call, kept in a journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assize.judging.calls import Asker
from assize.judging.outcome import Estimates
from assize.judging.session import Session
from assize.judging.stepping import Note, Spent, spent_on, stepping, stored_steps
from assize.judging.steps import Steps
from assize.judgment import Unscored
from assize.models import Models
from assize.reference.contrast.themes import PROMPT, grouping, texts_to_group, themes_by_text

HOME = Path(__file__).parent.parent / "prompts"


@dataclass(frozen=True, slots=True)
class Grouping:
    """What is grouped, by which model.

    Args:
        session: the folder, and how the model is asked.
        texts: what people wrote.
        most: themes at most.
    """

    session: Session
    model: str
    texts: Sequence[str]
    most: int


@dataclass(frozen=True, slots=True)
class Grouped:
    """The themes of each text, by the text without letter case; or why there are none."""

    themes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    unscored: Unscored | None = None
    interrupted: bool = False
    waiting: int = 0


async def group_async(given: Grouping, *, note: Note = lambda _: None) -> Grouped:
    """Asks for themes, unless the folder has them already."""
    texts = texts_to_group(given.texts)
    if not texts:
        return Grouped()
    async with Models(given.session.models, note=note) as models:
        asker = _asker(given, models)
        steps = Steps()
        found: list[Grouped] = []
        async with stepping(
            given.session, steps, models,
            command={"groups": "differences", "model": given.model},
            prompts={PROMPT: asker.version(PROMPT)}, note=note,
        ) as at:  # fmt: skip

            async def task() -> None:
                found.append(await _themes(given, asker, steps, texts))

            await at.do([task])
            await at.settle()
        spent = spent_on(steps, models.budget.spent)
        ended = found[0] if found else Grouped(unscored=Unscored("not_asked", "no answer yet"))
        return replace(ended, spent=spent, interrupted=at.run.interrupted, waiting=at.waiting)


async def _themes(given: Grouping, asker: Asker, steps: Steps, texts: tuple[str, ...]) -> Grouped:
    call = grouping(texts, given.most)
    key = [list(texts), given.most, asker.version(PROMPT)]
    step = await steps.take("themes", "differences", key, lambda: asker.ask(call))
    if step.answer is None:
        return Grouped(unscored=step.unscored)
    return Grouped(themes_by_text(texts, step.answer))


async def estimate(given: Grouping) -> Estimates:
    """What it would take and cost, beyond what folder and cache hold; asks nothing."""
    texts = texts_to_group(given.texts)
    async with Models(replace(given.session.models, dry=True), note=lambda _: None) as models:
        asker = _asker(given, models)
        if texts:
            await _themes(given, asker, Steps(known=stored_steps(given.session)), texts)
        return Estimates({name: model.estimate for name, model in models.estimates.items()})


def _asker(given: Grouping, models: Models) -> Asker:
    return Asker(models.open(given.model), given.session.asked, HOME, "themes")
