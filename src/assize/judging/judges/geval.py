"""`geval-engagingness`, `geval-helpfulness`: each response rated 1 to 3 by itself (G-Eval)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assize.base.conversation import Continuation
from assize.base.judgment import PREFERENCE, Judgment
from assize.judging.judge import JudgeContext, Task
from assize.judging.judges.rating import rating_question, read_one
from assize.judging.judges.scores import ScoresJudge
from assize.judging.method import Method
from assize.judging.prompt_judge import PromptJudge
from assize.judging.schemas import record, scale

LOWEST, HIGHEST = 1, 3


@dataclass(frozen=True, slots=True)
class GEval:
    """A judge of pairs that asks once about each response.

    Source: Liu et al. (2023), as AMULET uses it: 1 to 3, equal ratings are a tie.
    Differs: the rating is the answer itself and not its expectation over probabilities.
    """

    about: str  # one line for users
    rating: Method  # how one response is rated

    def open(self, model: str, context: JudgeContext) -> ScoresJudge:
        """The judge that asks this model."""
        inner = PromptJudge(self.rating, context.models.open(model), context.settings)

        async def rate(response: Continuation, task: Task) -> Sequence[Judgment]:
            return await inner.judge(Task(response, None, task.repeat))

        decides = {self.rating.questions[0].id: PREFERENCE}
        scores = self.rating.questions
        return ScoresJudge(inner.name, inner.signature, rate, scores, decides, asks=(inner,))


def _rating(name: str) -> Method:
    return Method(
        name=name,
        about="one response, 1 to 3",
        takes=(Continuation,),
        questions=(rating_question("rating", "", LOWEST, HIGHEST),),
        prompt=name,
        schema=record(rating=scale(LOWEST, HIGHEST)),
        read=read_one,
        max_tokens=64,
    )


ENGAGINGNESS = GEval(
    "each response's engagingness, 1 to 3, in a call of its own; the higher one wins",
    _rating("geval-engagingness"),
)
HELPFULNESS = replace(
    ENGAGINGNESS,
    about="each response's helpfulness, 1 to 3, in a call of its own; the higher one wins",
    rating=_rating("geval-helpfulness"),
)
