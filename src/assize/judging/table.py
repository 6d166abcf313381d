"""Every judge there is, by name; a row is a lazy import, so that nothing imports upwards.

To add a judge: copy the smallest file beside this one (`io.py`), put its prompt into
`prompts/`, add its row here, mirror its test. A row names a `Method`, or something with
`about`, a line for users, and `open(target, context)`, which makes the `Judge`; `target` is
what stands behind the `@`: a model, or a trained artefact. A row with `variants` also takes
`name/variant@target`, and finds the variant in the context. What a judge may be told besides
stands in `options.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Protocol

from assize.errors import ConfigError
from assize.judging.judge import Judge, JudgeContext
from assize.judging.method import Method
from assize.judging.options import check, own
from assize.judging.prompt_judge import open_method

JUDGES: dict[str, str] = {
    "io": "assize.judging.io:IO",
    "io-fewshot": "assize.judging.io:IO_FEWSHOT",
    "explained": "assize.judging.explained:EXPLAINED",
    "explained-fewshot": "assize.judging.explained:EXPLAINED_FEWSHOT",
    "pairwise": "assize.judging.explained:PAIRWISE",
    "dimensions": "assize.judging.dimensions:DIMENSIONS",
    "da": "assize.dialogue_acts.da:DA",
    "da-paper": "assize.dialogue_acts.echo:DA_PAPER",
    "da-intents": "assize.dialogue_acts.da:DA_INTENTS",
    "maxim": "assize.dialogue_acts.maxim:MAXIM",
    "acts": "assize.dialogue_acts.tagger_judge:TAGGER",
    "geval-engagingness": "assize.judging.geval:ENGAGINGNESS",
    "geval-helpfulness": "assize.judging.geval:HELPFULNESS",
    "debate": "assize.judging.debate:DEBATE",
    "reward": "assize.judging.reward:REWARD",
    "evaluator": "assize.evaluator.judge:EVALUATOR",
    "rating": "assize.judging.rating:RATING",
    "rating-dimensions": "assize.judging.rating:RATING_DIMENSIONS",
    "rubric": "assize.rubric.adaptive:RUBRIC",
    "factscore": "assize.rubric.factscore:FACTSCORE",
}


class Offer(Protocol):
    """What a row of the table names, where it is no `Method`."""

    @property
    def about(self) -> str:
        """One line for users."""
        ...

    def open(self, target: str, context: JudgeContext) -> Judge:
        """The judge that asks this model, or uses this artefact."""
        ...


def offer(name: str) -> Offer | Method:
    """The judge's row, imported; raises ConfigError for an unknown name."""
    if name not in JUDGES:
        raise ConfigError(f"no judge {name!r}; known are {', '.join(JUDGES)}")
    module, _, attribute = JUDGES[name].partition(":")
    found: Offer | Method = getattr(import_module(module), attribute)
    return found


def open_judge(written: str, context: JudgeContext) -> Judge:
    """The judge that users write as `name@target`, or as `name/variant@target`."""
    name, at, target = written.partition("@")
    if not at or not target:
        raise ConfigError(f"no judge {written!r}; write name@model, such as io@openai:gpt-4o")
    name, slash, variant = name.partition("/")
    found = offer(name)
    check([written], context.options)
    if isinstance(found, Method) and not slash:
        return open_method(found, target, context)
    if isinstance(found, Method) or (slash and not getattr(found, "variants", False)):
        raise ConfigError(f"{name} has no variants, such as {variant!r}; write {name}@{target}")
    return found.open(target, replace(context, variant=variant))


def open_judges(written: Sequence[str], context: JudgeContext) -> list[Judge]:
    """The judges, each with those of the options that are for it."""
    check(written, context.options)
    return [open_judge(one, replace(context, options=own(one, context.options))) for one in written]
