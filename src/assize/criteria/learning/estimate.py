"""Before anything is asked: what extracting and summarising would cost, and the first prompt.

Both stages run as they would, on answers made up by the schema and on those that the folder holds
already. What cannot be known is assumed, and said: three patterns a conversation, and a fresh
criterion for every second pattern. What deduplication takes hangs on the criteria: not counted.
"""

from __future__ import annotations

from dataclasses import replace

from assize.criteria.criterion import POLARITIES
from assize.criteria.learning.extract import extraction
from assize.criteria.learning.learn import LearningSession
from assize.criteria.learning.learner import Learner
from assize.criteria.learning.learnt import LearningEstimate, with_sum
from assize.criteria.learning.settings import Learning, asker_of
from assize.judging.outcome import ShownPrompt
from assize.judging.stepping import stored_steps
from assize.judging.steps import Steps
from assize.models import Models
from assize.models.estimating import Estimate
from assize.models.model import wire


async def estimate(given: LearningSession) -> LearningEstimate:
    """Calls, tokens and cost of both stages beyond what folder and cache hold; asks nothing."""
    settings = replace(given.session.models, dry=True)
    learning = given.learning
    async with Models(settings, note=lambda _: None) as models:
        asker = asker_of(models.open(given.model), given.session.asked)
        counted = models.estimates[given.model]
        steps = Steps(known=stored_steps(given.session))
        stages: dict[str, Estimate] = {}
        learner = Learner(replace(learning, deduplicate=False), asker, steps)
        before = replace(counted.estimate)
        for one in given.labelled:
            await learner.reading(one)()
        stages["extract"] = _less(counted.estimate, before)
        before = replace(counted.estimate)
        for polarity in POLARITIES:
            await learner.pooling(polarity, given.labelled)()
        stages["summarise"] = _less(counted.estimate, before)
    return LearningEstimate(
        with_sum(stages), len(given.labelled), sum(learner.batches.values()), _assumed(learning)
    )


def _assumed(learning: Learning) -> str:
    said = f"assumed: {learning.k} patterns a conversation"
    if learning.method == "rubicon":
        said += ", a fresh criterion for every second pattern"
    lacking = "answers that must be asked for again"
    if learning.deduplicate:
        lacking = f"deduplication and {lacking}"
    return f"{said}; {lacking} are not counted"


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


async def shown_extraction(given: LearningSession) -> ShownPrompt:
    """The exact messages that extract the patterns of the first conversation."""
    settings = replace(given.session.models, dry=True)
    async with Models(settings, note=lambda _: None) as models:
        asker = asker_of(models.open(given.model), given.session.asked)
        call = extraction(given.labelled[0], given.learning)
        request, prompt = asker.request(call), asker.prompt(call.prompt)
    name = f"{call.prompt} {prompt.version} {prompt.hash}"
    return ShownPrompt(name, call.place[0], None, wire(request.messages), request.schema)
