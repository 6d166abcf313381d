"""`reward`: a score for each response, by a reward model; the higher one wins, equal ones tie.

What stands behind the `@`, each as far as it goes in one line:

    reward@hf:PATH-or-id          a sequence classifier in this process
    reward@http://HOST/PATH       a reward endpoint
    reward@stored:FILE[#JUDGE]    scores that are already there, of several judges one's
    reward@evaluator[:FOLDER]     the shipped evaluator, or a trained one
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from math import isfinite

from assize.base.conversation import Continuation, Turn
from assize.base.errors import ConfigError, ServerError
from assize.base.judgment import PREFERENCE, Judgment
from assize.base.signature import sign
from assize.judging.boundary import sayable
from assize.judging.judge import Judge, JudgeContext, JudgeOffer, JudgeSettings, Task
from assize.judging.judges.scores import Score, ScoresJudge
from assize.judging.shortening import LEFT_OUT, ask_shortened
from assize.judging.tools import said as in_words
from assize.models import CallId, Message, Model, Reply, Request

VERSION = 1

# Targets that are no model: a lazy import of what makes their judge, so nothing imports upwards.
SCORERS: dict[str, str] = {
    "stored": "assize.judging.judges.stored:open_stored",
    "evaluator": "assize.evaluator._judge:open_reward",
}
_MODELS = {"hf": "hf-reward", "http": "http", "https": "https"}


def open_reward(target: str, context: JudgeContext) -> Judge:
    """Return the judge that compares rewards."""
    kind, _, rest = target.partition(":")
    if kind in SCORERS:
        module, _, attribute = SCORERS[kind].partition(":")
        make: Callable[[str, JudgeContext], Judge] = getattr(import_module(module), attribute)
        return make(rest, context)
    if kind not in _MODELS and kind != "scripted":
        known = ", ".join([*(f"{one}:..." for one in _MODELS), *SCORERS])
        raise ConfigError(f"no reward {target!r}; it is one of {known}")
    model = context.models.open(f"{_MODELS.get(kind, kind)}:{rest}")
    # An endpoint's own name holds no password or query, and says which model it serves.
    name = f"reward@{model.name if kind.startswith('http') else target}"
    signature = sign(
        {"judge": "reward", "version": VERSION, "model": name},
        {"truncate": context.settings.truncate},
    )
    return ScoresJudge(name, signature, rater(model, context.settings))


REWARD = JudgeOffer(
    "the response with the higher reward: hf:..., http://..., stored:FILE, evaluator", open_reward
)


def rater(model: Model, settings: JudgeSettings) -> Score:
    """Scores a response by a model whose reply is a number; sources are not shown to it."""

    async def rate(response: Continuation, task: Task) -> Sequence[Judgment]:
        async def ask(shown: Continuation) -> Reply:
            turns = (*shown.context, Turn("assistant", shown.candidate))
            return await model.ask(score_request(turns, shown.id, "reward", task))

        reply, left_out = await ask_shortened(response, ask, settings)
        row = Judgment(
            response.id,
            model.name,
            PREFERENCE.id,
            score=number(reply.text, model.name),
            details={LEFT_OUT: left_out},
            attempts=1,
            usage=reply.usage,
        )
        return [row]

    return rate


def score_request(turns: Iterable[Turn], id: str, judge: str, task: Task) -> Request:
    """The conversation that a reward model scores; what a tool said is shown as the user's."""
    said = [
        Message("user" if turn.role == "tool" else turn.role, sayable(in_words(turn)))
        for turn in turns
    ]
    return Request(
        tuple(said),
        temperature=None,
        max_tokens=1,
        sample=task.repeat,
        call_id=CallId(id, judge, None, task.repeat),
    )


def number(text: str, name: str) -> float:
    """The reward in a reply."""
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if not isfinite(found):
        raise ServerError(f"{name} gave {text[:60]!r}, which is no reward")
    return found
