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
from assize.judging.judges.published.sides import SidesJudge, answered
from assize.judging.judges.published.verdict import Form, read_verdict
from assize.judging.method import Method, Said
from assize.judging.prompt_judge import PromptJudge

ALL = "all"
_WORDS = "It takes up what was asked and answers most of it, with a small slip. "

JSON = Mapping[str, Any]


def finding(form: Form, known: Callable[[str], JSON]) -> Callable[..., JSON]:
    """A method's `find`: the verdict in a reply, made into the object that its `read` takes.

    Args:
        form: how the verdict is marked.
        known: the object of what was decided, as written; raises AnswerError where it is none.
    """

    def find(text: str, method: Method, item: Item, judged: Sequence[str]) -> JSON:
        found = read_verdict(text, form, judged)
        return {**known(found.decided), "explanation": found.words}

    return find


def likely(form: Form) -> Callable[[Method, Item], str]:
    """A method's `likely`: an answer of the usual length, for estimates."""

    def made(method: Method, item: Item) -> str:
        return 4 * _WORDS + form.example

    return made


def whole(low: int, high: int) -> Callable[[str], JSON]:
    """What a rating decides: a number on the scale.

    >>> whole(1, 5)("4")
    {'rating': 4.0}
    """

    def known(decided: str) -> JSON:
        number = float(decided)
        if not low <= number <= high:
            raise AnswerError(f"{decided} is outside {low} to {high}")
        return {"rating": number}

    return known


def preference(names: Mapping[str, str]) -> Callable[[str], JSON]:
    """What a comparison decides: A, B or tie, by the evaluator's own names."""

    def known(decided: str) -> JSON:
        return {"answer": names[" ".join(decided.casefold().split())]}

    return known


def read_rating(question: str) -> Callable[[JSON], Iterable[Said]]:
    """The one rating; one between two answers is a score without an answer."""

    def read(value: JSON) -> Iterable[Said]:
        number = value["rating"]
        answer = str(int(number)) if number == int(number) else None
        yield Said(question, answer, number, value["explanation"] or None)

    return read


def read_preference(question: str) -> Callable[[JSON], Iterable[Said]]:
    """The one answer with its reasons."""

    def read(value: JSON) -> Iterable[Said]:
        yield Said(question, value["answer"], explanation=value["explanation"] or None)

    return read


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
class GradedPairs:
    """Several comparisons of the same pair, each by a criterion of its own."""

    asks: tuple[PromptJudge, ...]

    kind: JudgeKind = "model"
    takes: tuple[type, ...] = (Pair,)
    rows_vary: bool = False

    @property
    def name(self) -> str:
        """`name/all@provider:model`."""
        return self.asks[0].name

    @property
    def questions(self) -> tuple[Question, ...]:
        """One a criterion."""
        return tuple(one.questions[0] for one in self.asks)

    @property
    def signature(self) -> str:
        """Of all prompts, the model and its parameters."""
        return sign([one.signature for one in self.asks])

    @property
    def prompt_version(self) -> str:
        """The prompt's version and hash."""
        return self.asks[0].prompt_version

    def first_call(self, task: Task, question: str | None = None) -> tuple[PromptJudge, Task]:
        """What is asked by the first criterion, or by the one named."""
        for one in self.asks:
            if question in (None, one.questions[0].id):
                return one, task
        known = ", ".join(one.id for one in self.questions)
        raise ConfigError(f"{self.name} asks {known}, and not {question}")

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
    method: Callable[[str, str | None], Method]
    variants: bool = False

    def open(self, model: str, context: JudgeContext) -> SidesJudge:
        """The judge that asks this model, once a criterion."""
        named, criteria = _named(self.name, context.variant)
        asked = context.models.open(model)
        asks = tuple(
            PromptJudge(self.method(named, one), asked, context.settings) for one in criteria
        )

        async def score(item: Conversation, task: Task) -> Sequence[Judgment]:
            return await answered(asks, Task(item, None, task.repeat))

        return SidesJudge(
            asks[0].name,
            sign([one.signature for one in asks]),
            tuple(one.questions[0] for one in asks),
            {
                one.questions[0].id: preference_question(criterion)
                for one, criterion in zip(asks, criteria, strict=True)
            },
            score,
            asks=asks,
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """A row of the table: an evaluator that compares two, by criteria that users name."""

    about: str
    name: str
    method: Callable[[str, str | None], Method]
    variants: bool = True

    def open(self, model: str, context: JudgeContext) -> PromptJudge | GradedPairs:
        """The judge that asks this model, once a criterion."""
        named, criteria = _named(self.name, context.variant)
        asked = context.models.open(model)
        asks = tuple(
            PromptJudge(self.method(named, one), asked, context.settings) for one in criteria
        )
        return asks[0] if len(asks) == 1 else GradedPairs(asks)


def _named(name: str, variant: str) -> tuple[str, tuple[str | None, ...]]:
    return (f"{name}/{variant}" if variant else name), criteria_of(name, variant)


def rubric_values(criterion: str | None) -> JSON:
    """What a prompt may use of a rubric: `criterion`, a question, and `rubric`, all of its text."""
    found = RUBRICS[OVERALL if criterion is None else criterion]
    return {"criterion": found.criterion, "rubric": found.text}
