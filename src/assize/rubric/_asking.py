"""`rubric@model`: every question of a rubric, each asked by itself, with its distribution.

Questions are asked independently (LLM-Rubric, section 2): no answer is shown with the
next question. The dialogue stands first in each prompt and the question last, so that
servers that keep prompts' beginnings read a dialogue once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from assize.base.conversation import Conversation
from assize.base.errors import AnswerError, AuthenticationError, ConfigError, ModelError
from assize.base.judgment import NOT_APPLICABLE, JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.judging.judge import JudgeContext, Task
from assize.judging.method import Method, Said
from assize.judging.prompt_judge import PromptJudge
from assize.judging.prompting import Example
from assize.judging.reasons import reason_of
from assize.judging.records import task_key
from assize.judging.schemas import one_of, record, words
from assize.rubric._checking import RESERVED
from assize.rubric._rubric import Rubric
from assize.running import all_of

NAME = "rubric"

_VERSION = 3  # 2: answers that begin alike are told apart; 3: or sampled, `1` and `10` too
_SHORT, _LONG = 64, 1024  # tokens of an answer without and with reasons


@dataclass(frozen=True, slots=True)
class Variant:
    """How a rubric is asked."""

    # as in `rubric/NAME@model`; parts joined by `+`, a persona last; "" for the plain way
    name: str = ""
    reasons: bool = False  # the model explains before it answers (chain of thought)
    fewshot: bool = False  # the rubric's examples are shown, answered
    persona: str | None = None  # name of the rubric's persona that the model is told to be


def variant_of(written: str, rubric: Rubric) -> Variant:
    """The variant of that name, such as `reasons`, `fewshot+expert` (in any order), `plain`."""
    parts = [part for part in written.split("+") if part and part != "plain"]
    personas = [part for part in parts if part not in RESERVED]
    known = ", ".join((*RESERVED, *rubric.personas))
    for persona in personas:
        if persona not in rubric.personas:
            raise ConfigError(f"rubric {rubric.name} has no variant {persona!r}; it has {known}")
    if len(personas) > 1 or len(set(parts)) < len(parts):
        raise ConfigError(f"variant {written!r}: give each part once, and one persona at most")
    if "fewshot" in parts and not rubric.examples:
        raise ConfigError(f"rubric {rubric.name} has no examples, which `fewshot` shows")
    ordered = sorted(parts, key=lambda part: (part in personas, part))
    return Variant(
        "+".join(ordered), "reasons" in parts, "fewshot" in parts, personas[0] if personas else None
    )


def variants(rubric: Rubric) -> tuple[str, ...]:
    """The single variants that a rubric has; they can be joined by `+`."""
    own = [name for name in RESERVED if name != "fewshot" or rubric.examples]
    return (*own, *rubric.personas)


@dataclass(frozen=True)
class RubricJudge:
    """A rubric, the way it is asked, and the model that answers."""

    rubric: Rubric
    variant: Variant
    target: str
    context: JudgeContext

    kind: JudgeKind = "model"
    takes: tuple[type, ...] = (Conversation,)
    rows_vary: bool = False

    @cached_property
    def name(self) -> str:
        """`rubric@provider:model`; `rubric/variant@...`; `rubric#FOLDER@...` with own prompts."""
        written = f"{NAME}/{self.variant.name}" if self.variant.name else NAME
        return f"{written}{self.prompted().own}@{self.target}"

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What models are asked; the main question says so."""
        main = self.rubric.main
        return tuple(
            replace(one, extra={**one.extra, "main": True}) if one.id == main else one
            for one in self.rubric.asked("models")
        )

    @cached_property
    def signature(self) -> str:
        """Of every question's prompt, model and parameters, and of the rubric's conditions."""
        return self.sign_rubric()

    def sign_rubric(self) -> str:
        """Return the signature of asking everything."""
        asked = [(row.id, row.applies, self._judges[row.id].signature) for row in self.questions]
        return sign({"rubric": self.rubric.name, "skips": self.rubric.skips, "asked": asked})

    def signature_of(self, question: str) -> str:
        """Of one question's prompt, model and parameters: which others are asked is no part."""
        return self._judges[question].signature

    @property
    def prompt_version(self) -> str:
        """The rubric's and the prompt's version and hash, for `run.json`."""
        one = next(iter(self._judges.values()))
        prompt = one.prompt_version
        return f"{self.rubric.name} {self.rubric.version} {self.rubric.hash}, {prompt}"

    @cached_property
    def _judges(self) -> Mapping[str, PromptJudge]:
        model, settings = self.context.models.open(self.target), self.context.settings
        return {
            one.id: PromptJudge(method(self.rubric, one, self.variant), model, settings)
            for one in self.questions
        }

    def prompted(self, question: str | None = None) -> PromptJudge:
        """The single prompt behind a question, the main one by default."""
        if question is None:
            main = self.rubric.main
            question = main if main in self._judges else next(iter(self._judges))
        if question not in self._judges:
            raise ConfigError(
                f"rubric {self.rubric.name} asks models no question {question!r};"
                f" it asks {', '.join(self._judges)}"
            )
        return self._judges[question]

    def first_call(self, task: Task, question: str | None = None) -> tuple[PromptJudge, Task]:
        """What a question's model is asked about an item."""
        return self.prompted(question), task

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One row a question: an answer with its distribution, NA, or unscored.

        Questions that follow one with skips wait for its answer, the others are asked at the same
        time. Where every call failed the first failure is raised, as by any judge.
        """
        walk = Walk(self, task)
        for stage in self._stages():
            open_ = walk.open()
            await all_of(walk.ask(question) for question in stage if question in open_)
        return walk.finish()

    def _stages(self) -> Iterator[list[Question]]:
        """Questions that can be asked together: each that has skips ends a stage."""
        stage: list[Question] = []
        for one in self.questions:
            stage.append(one)
            if one.id in self.rubric.skips:
                yield stage
                stage = []
        if stage:
            yield stage

    async def ask(self, question: Question, task: Task) -> Judgment:
        """Return one question's row; raise where the call failed."""
        (row,) = await self._judges[question.id].judge(task)
        call = f"{task_key(task.item.id, self.name, question.id, task.repeat):016x}"
        return replace(row, judge=self.name, call=call)


@dataclass(frozen=True, slots=True)
class Walk:
    """One conversation's way through a rubric.

    Args:
        rows: of the questions that were asked; a failure is an unscored row.
        errors: by question, of the calls that failed.
    """

    judge: RubricJudge
    task: Task
    rows: dict[str, Judgment] = field(default_factory=dict)
    errors: dict[str, ModelError | AnswerError] = field(default_factory=dict)

    def open(self) -> list[Question]:
        """Return what applies and is neither asked nor passed over."""
        item = self.task.item
        assert isinstance(item, Conversation)
        answers = {id: row.answer for id, row in self.rows.items()}
        open_ = self.judge.rubric.open_questions("models", item, answers)
        ids = {question.id for question in open_}
        return [question for question in self.judge.questions if question.id in ids]

    async def ask(self, question: Question, **details: Any) -> None:
        """Ask a question; what its answer passes over is open no more."""
        task, name = self.task, self.judge.name
        try:
            row = await self.judge.ask(question, task)
        except AuthenticationError:
            raise
        except (ModelError, AnswerError) as error:
            self.errors[question.id] = error
            reason = Unscored(reason_of(error), str(error))
            row = Judgment(task.item.id, name, question.id, repeat=task.repeat, unscored=reason)
        if details:
            row = replace(row, details={**(row.details or {}), **details})
        self.rows[question.id] = row

    def known(self) -> dict[str, Judgment]:
        """Return the row of every question that was asked or does not apply, in their order."""
        open_ = {question.id for question in self.open()}
        return {
            question.id: self.rows.get(question.id) or self._not_applicable(question)
            for question in self.judge.questions
            if question.id not in open_
        }

    def finish(self) -> list[Judgment]:
        """Return all rows; raise the first failure where every call failed."""
        if self.errors and len(self.errors) == len(self.rows):
            raise next(iter(self.errors.values()))
        return list(self.known().values())

    def _not_applicable(self, question: Question) -> Judgment:
        """Return that a question does not apply: by its condition, or passed over by an answer."""
        skipped = [
            f"{id}={row.answer}"
            for id, row in self.rows.items()
            if question.id in self.judge.rubric.passed_over(id, row.answer)
        ]
        why = {"skipped": skipped[0]} if skipped else {"applies": question.applies}
        return Judgment(
            self.task.item.id,
            self.judge.name,
            question.id,
            answer=NOT_APPLICABLE,
            repeat=self.task.repeat,
            details=why,
        )


def method(rubric: Rubric, question: Question, variant: Variant) -> Method:
    """The prompt that asks one question of a rubric in one way."""
    answer = {"answer": one_of(question.answers)}
    schema = record(explanation=words(), **answer) if variant.reasons else record(**answer)

    def read(value: Mapping[str, Any]) -> Iterable[Said]:
        yield Said(question.id, value["answer"], explanation=value.get("explanation"))

    return Method(
        name=f"{NAME}/{variant.name}" if variant.name else NAME,
        about=question.text,
        takes=(Conversation,),
        questions=(question,),
        prompt=NAME,
        schema=schema,
        read=read,
        choice="answer",
        max_tokens=_LONG if variant.reasons else _SHORT,
        values=_values(rubric, question, variant),
        shots=tuple(_shots(rubric, question, variant)) if variant.fewshot else (),
        step=question.id,
        version=_VERSION,
    )


def _values(rubric: Rubric, question: Question, variant: Variant) -> dict[str, Any]:
    return {
        "instructions": rubric.instructions.strip(),
        "persona": "" if variant.persona is None else rubric.personas[variant.persona].strip(),
        "section": rubric.section(question.id).instructions.strip(),
        "question": {
            "text": question.text,
            "answers": list(question.answers),
            "labels": dict(question.labels),
        },
        "reasons": variant.reasons,
    }


def _shots(rubric: Rubric, question: Question, variant: Variant) -> Iterator[Example]:
    """The examples that answer this question, and give a reason where reasons are asked for."""
    for one in rubric.examples:
        if question.id in (one.reasons if variant.reasons else one.answers):
            answer = {"answer": one.answers[question.id]}
            if variant.reasons:
                answer = {"explanation": one.reasons[question.id], **answer}
            yield Example(one.conversation, answer)
