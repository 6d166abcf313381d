"""Two samples at a place, and whether a judge holds them to be equivalent: three steps."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assize.base.conversation import Continuation
from assize.base.errors import AuthenticationError, ModelError
from assize.base.judgment import Unscored, Usage
from assize.formats import to_json
from assize.formats.records import judgment
from assize.judging.calls import reply_or_failure
from assize.judging.judge import Judge, JudgeSettings, Task
from assize.judging.reasons import reason_of
from assize.judging.retries import Asked
from assize.judging.steps import Step, Steps
from assize.models import CallId, Model, Request
from assize.models.model import wire
from assize.reference._samples.places import Place
from assize.reference._samples.result import Trial
from assize.running import all_of

QUESTION = "equivalent"  # that a judge must answer
LONGEST = 512  # tokens of a sample
_LIKELY = "That depends on what you are after, so let me ask you something first. " * 5


@dataclass
class Sampler:
    """Samples two continuations of a place, and asks the judge about them.

    Args:
        judge: answers `equivalent` about continuations.
        settings: the seed, and the longest answer.
        temperature: of the samples.
    """

    model: Model
    judge: Judge
    steps: Steps
    settings: JudgeSettings
    temperature: float

    async def trial(self, place: Place) -> Trial:
        """Return two samples at a place, and the judge's answer."""
        first, second = await all_of(self._sample(place, number) for number in (0, 1))
        missing = first.unscored or second.unscored
        if missing is not None or first.answer is None or second.answer is None:
            return Trial(place, None, None, missing)
        pair = Continuation(
            place.id,
            place.context,
            second.answer["text"],
            (first.answer["text"],),
            place.conversation,
            place.turn,
            self.model.name,
            {"set": place.group},
        )
        step = await self._judged(pair)
        row = None if step.answer is None else judgment(dict(step.answer))
        return Trial(place, pair, row, step.unscored)

    async def _sample(self, place: Place, number: int) -> Step:
        request = self.request(place, number)
        given = [wire(request.messages), request.temperature, request.seed, request.max_tokens]

        async def ask() -> Asked:
            return await sampled(self.model, request)

        return await self.steps.take("sample", f"{place.id} {number}", given, ask)

    def request(self, place: Place, number: int) -> Request:
        """What the model is sent: the context and nothing else."""
        settings = self.settings
        return Request(
            place.messages(),
            temperature=self.temperature,
            seed=settings.seed + number,
            max_tokens=LONGEST if settings.max_tokens is None else settings.max_tokens,
            sample=number,
            call_id=CallId(place.id, "multiplicity", repeat=number, step="sample"),
            example_answer=lambda: _LIKELY,
        )

    async def _judged(self, pair: Continuation) -> Step:
        async def ask() -> Asked:
            try:
                rows = await self.judge.judge(Task(pair))
            except AuthenticationError:
                raise
            except ModelError as error:
                return Asked(None, Unscored(reason_of(error), str(error)), error=error)
            row = next(one for one in rows if one.question == QUESTION)
            usage = Usage() if row.usage is None else row.usage
            told = {**to_json(replace(row, signature=self.judge.signature)), "kind": "model"}
            answer = None if row.unscored is not None else told
            return Asked(answer, row.unscored, usage, row.attempts or 0)

        given = [self.judge.name, self.judge.signature, to_json(pair)]
        return await self.steps.take("judge", pair.id, given, ask)


async def sampled(model: Model, request: Request) -> Asked:
    """A sample's text; unscored where there is none."""
    reply = await reply_or_failure(model, request)
    if isinstance(reply, Asked):
        return reply
    if reply.finish == "refused":
        reason = Unscored("refused", "the model or its content filter declined")
        return Asked(None, reason, reply.usage, 1)
    if not reply.text.strip():
        return Asked(None, Unscored("empty", "the model said nothing"), reply.usage, 1)
    return Asked({"text": reply.text, "cut": reply.finish == "length"}, None, reply.usage, 1)
