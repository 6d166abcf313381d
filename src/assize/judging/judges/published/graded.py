"""Evaluators that write a critique and a marked verdict: what their rows of the table share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.base.conversation import Conversation, Item, Pair
from assize.base.errors import AnswerError, ConfigError
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question
from assize.base.signature import sign
from assize.judging.aspects import OVERALL, compared_on
from assize.judging.judge import JudgeContext, Task, identical, tied
from assize.judging.judges.published.rubrics import RUBRICS
from assize.judging.judges.published.verdict import Form, read_verdict
from assize.judging.judges.scores import AsksPrompts, ScoresJudge, answered
from assize.judging.method import Method, Said
from assize.judging.prompt_judge import PromptJudge
from assize.judging.schemas import one_of, record, scale, words

ALL = "all"
_WORDS = "It takes up what was asked and answers most of it, with a small slip. "

JSON = Mapping[str, Any]
MethodOf = Callable[[str, str | None], Method]
"""Makes the method of a name and a criterion, None for overall."""


def graded_method(form: Form, question: Question, **parts: Any) -> Method:
    """Return the method of an evaluator that rates one dialogue by a marked number.

    Args:
        form: how the verdict is marked.
        question: with the range of its answers.
        parts: name, prompt, guarded marks and the like; see `Method`.
    """
    low, high = map(int, question.range or (0, 0))

    def decide(decided: str) -> JSON:
        number = float(decided)
        if not low <= number <= high:
            raise AnswerError(f"{decided} is outside {low} to {high}")
        return {"rating": number}

    def read(value: JSON) -> Iterable[Said]:
        number = value["rating"]
        answer = str(int(number)) if number == int(number) else None
        yield Said(question.id, answer, number, value["explanation"] or None)

    schema = record(explanation=words(), rating=scale(low, high))
    return _critique(form, Conversation, question, schema, decide, read, parts)


def compared_method(
    form: Form, question: Question, names: Mapping[str, str], **parts: Any
) -> Method:
    """Return the method of an evaluator that compares two, by a marked name of either.

    Args:
        names: our answer for each of its own, in small letters.
        parts: as of `graded_method`.
    """

    def decide(decided: str) -> JSON:
        return {"answer": names[" ".join(decided.casefold().split())]}

    def read(value: JSON) -> Iterable[Said]:
        yield Said(question.id, value["answer"], explanation=value["explanation"] or None)

    schema = record(explanation=words(), answer=one_of(tuple(sorted(names.values()))))
    return _critique(form, Pair, question, schema, decide, read, parts)


def _critique(
    form: Form,
    takes: type,
    question: Question,
    schema: JSON,
    decide: Callable[[str], JSON],
    read: Callable[[JSON], Iterable[Said]],
    parts: Mapping[str, Any],
) -> Method:
    def find(text: str, method: Method, item: Item, judged: Sequence[str]) -> JSON:
        found = read_verdict(text, form, judged)
        return {**decide(found.decided), "explanation": found.words}

    def likely(method: Method, item: Item) -> str:
        return 4 * _WORDS + form.example

    return Method(
        takes=(takes,),
        questions=(question,),
        schema=schema,
        read=read,
        find=find,
        likely=likely,
        plain=True,
        **parts,
    )


def preference_question(criterion: str | None) -> Question:
    """Which side is better: on an aspect, as `dimensions` asks it, or at all."""
    return PREFERENCE if criterion is None else compared_on(criterion)


def criteria_of(name: str, variant: str) -> tuple[str | None, ...]:
    """The criteria that a variant names: one, `all`, or none, which is overall.

    Raises:
        ConfigError: there is none of that name.
    """
    if not variant:
        return (None,)
    if variant == ALL:
        return tuple(RUBRICS)
    if variant in RUBRICS:
        return (variant,)
    known = ", ".join((*RUBRICS, ALL))
    raise ConfigError(f"{name} has no rubric {variant!r}; write {name}/NAME@..., one of {known}")


@dataclass(frozen=True)
class GradedPairs(AsksPrompts):
    """Several comparisons of the same pair, each by a criterion of its own."""

    name: str  # `name/all@provider:model`
    signature: str  # of all prompts, the model and its parameters
    questions: tuple[Question, ...]  # one a criterion
    asks: tuple[PromptJudge, ...]

    kind: JudgeKind = "model"
    takes: tuple[type, ...] = (Pair,)
    rows_vary: bool = False

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """A row a criterion, each from a call of its own."""
        if identical(task.item):
            return tied(self, task)
        return await answered(self.asks, task)


@dataclass(frozen=True, slots=True)
class Graded:
    """A row of the table: an evaluator that rates one dialogue.

    Args:
        about: one line for users.
        method: makes its method for a name and a criterion, None for overall.
        variants: whether it grades by a criterion that users name.
    """

    about: str
    name: str
    method: MethodOf
    variants: bool = False

    def open(self, model: str, context: JudgeContext) -> ScoresJudge:
        """The judge that asks this model, once a criterion."""
        criteria, asks = open_criteria(self.name, self.method, model, context)

        async def score(item: Conversation, task: Task) -> Sequence[Judgment]:
            return await answered(asks, Task(item, None, task.repeat))

        return ScoresJudge(
            asks[0].name,
            sign([one.signature for one in asks]),
            score,
            tuple(one.questions[0] for one in asks),
            {
                one.questions[0].id: preference_question(criterion)
                for one, criterion in zip(asks, criteria, strict=True)
            },
            (Conversation, Pair),
            asks,
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """A row of the table: an evaluator that compares two, by criteria that users name."""

    about: str
    name: str
    method: MethodOf
    variants: bool = True

    def open(self, model: str, context: JudgeContext) -> PromptJudge | GradedPairs:
        """The judge that asks this model, once a criterion."""
        _, asks = open_criteria(self.name, self.method, model, context)
        if len(asks) == 1:
            return asks[0]
        questions = tuple(one.questions[0] for one in asks)
        return GradedPairs(asks[0].name, sign([one.signature for one in asks]), questions, asks)


def open_criteria(
    name: str, method: MethodOf, model: str, context: JudgeContext
) -> tuple[tuple[str | None, ...], tuple[PromptJudge, ...]]:
    """Return the criteria that a judge's variant names, and what asks a model by each."""
    criteria, asked = criteria_of(name, context.variant), context.models.open(model)
    named = f"{name}/{context.variant}" if context.variant else name
    return criteria, tuple(
        PromptJudge(method(named, one), asked, context.settings) for one in criteria
    )


def rubric_values(criterion: str | None) -> JSON:
    """What a prompt may use of a rubric: `criterion`, a question, and `rubric`, all of its text."""
    found = RUBRICS[OVERALL if criterion is None else criterion]
    return {"criterion": found.criterion, "rubric": found.text}
