"""Before anything is asked: what each stage would cost, and what it would say to the model.

The stages run as they would, on answers made up by the schema and on those that the folder holds
already. What cannot be known is assumed, and said: three patterns a conversation, a fresh criterion
for every second pattern, and half of the criteria in groups of look-alikes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assize.criteria.criterion import POLARITIES, Criterion, Pattern
from assize.criteria.learning import deduplicate, summarise, update
from assize.criteria.learning.extract import LIKELY, extraction
from assize.criteria.learning.learn import LearningSession
from assize.criteria.learning.learner import Learner
from assize.criteria.learning.learnt import LearningEstimate
from assize.criteria.learning.settings import Learning, asker_of
from assize.errors import ConfigError
from assize.judging.calls import Call
from assize.judging.outcome import ShownPrompt
from assize.judging.stepping import stored_steps
from assize.judging.steps import Steps
from assize.models import Models
from assize.models.estimating import Estimate
from assize.models.model import wire

STAGES = ("extract", "summarise", "deduplicate")
_GROUP = 4  # look-alikes in a group
_ALIKE = 2  # one criterion in so many stands in a group


class _Guessing(Learner):
    """Makes up which criteria look alike, where the criteria themselves are made up."""

    guesses = True

    async def groups(self, criteria: Sequence[Criterion]) -> Sequence[tuple[Criterion, ...]]:
        if not self.guesses:
            return await super().groups(criteria)
        alike = criteria[: len(criteria) // _ALIKE]
        groups = [tuple(alike[at : at + _GROUP]) for at in range(0, len(alike), _GROUP)]
        return [one for one in groups if len(one) > 1]


async def estimate(given: LearningSession) -> LearningEstimate:
    """Calls, tokens and cost of each stage beyond what folder and cache hold; asks nothing."""
    settings = replace(given.session.models, dry=True)
    learning = given.learning
    async with Models(settings, note=lambda _: None) as models:
        asker = asker_of(models.open(given.model), given.session.asked)
        counted = models.estimates[given.model]
        steps = Steps(known=stored_steps(given.session))
        stages: dict[str, Estimate] = {}
        learner = _Guessing(replace(learning, deduplicate=False), asker, steps)
        before = replace(counted.estimate)
        for one in given.labelled:
            await learner.reading(one)()
        stages["extract"] = _less(counted.estimate, before)
        before = replace(counted.estimate)
        for polarity in POLARITIES:
            await learner.pooling(polarity, given.labelled)()
        stages["summarise"] = _less(counted.estimate, before)
        if learning.deduplicate:
            before = replace(counted.estimate)
            learner.guesses = stages["summarise"].calls + stages["summarise"].cached > 0
            for polarity in POLARITIES:
                await learner.deduplicated(polarity)
            stages["deduplicate"] = _less(counted.estimate, before)
    return LearningEstimate(
        stages, len(given.labelled), sum(learner.batches.values()), _assumed(learning)
    )


def _assumed(learning: Learning) -> str:
    said = f"assumed: {learning.k} patterns a conversation"
    if learning.method == "rubicon":
        said += ", a fresh criterion for every second pattern"
    if learning.deduplicate:
        said += f", one criterion in {_ALIKE} with look-alikes, {_GROUP} a group"
    return f"{said}; answers that must be asked for again are not counted"


def _less(now: Estimate, before: Estimate) -> Estimate:
    cost = None
    if now.cost_usd is not None and before.cost_usd is not None:
        cost = now.cost_usd - before.cost_usd
    return Estimate(
        now.calls - before.calls,
        now.cached - before.cached,
        now.input_tokens - before.input_tokens,
        now.output_tokens - before.output_tokens,
        cost,
    )


async def shown_stage(given: LearningSession, stage: str) -> ShownPrompt:
    """The exact messages of a stage's first call; made-up patterns where none are there yet."""
    if stage not in STAGES:
        raise ConfigError(f"stage {stage}: allowed are {', '.join(STAGES[:-1])} and {STAGES[-1]}")
    settings = replace(given.session.models, dry=True)
    async with Models(settings, note=lambda _: None) as models:
        asker = asker_of(models.open(given.model), given.session.asked)
        call = _first(given, stage)
        request, prompt = asker.request(call), asker.prompt(call.prompt)
    name = f"{call.prompt} {prompt.version} {prompt.hash}"
    return ShownPrompt(name, call.place[0], None, wire(request.messages), request.schema)


def _first(given: LearningSession, stage: str) -> Call:
    learning, one = given.learning, given.labelled[0]
    if stage == "extract":
        return extraction(one, learning)
    id = one.conversation.id
    patterns = [
        Pattern(f"{id}/{n}", id, one.polarity, f"{LIKELY} ({n})", LIKELY)
        for n in range(1, learning.mini_batch + 1)
    ]
    criteria = [
        Criterion(f"{one.polarity}-{n}", f"{summarise.LIKELY} ({n}).", one.polarity)
        for n in range(1, _GROUP + 1)
    ]
    if stage == "deduplicate":
        return deduplicate.comparison(one.polarity, criteria)
    ask = update.update if learning.method == "spur" else summarise.summary
    return ask(one.polarity, 2, patterns, criteria, learning)
