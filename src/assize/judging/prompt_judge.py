"""The judge behind every `Method`: one call, an answer by schema, asked again where it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from assize.base.conversation import Item
from assize.base.errors import (
    AnswerError,
    AuthenticationError,
    ConfigError,
    ModelError,
    TooLongError,
)
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Order, Question, Unscored, Usage
from assize.base.signature import sign
from assize.formats import to_json
from assize.judging.boundary import INVISIBLE, boundary, invisible_in, secret, texts_of
from assize.judging.judge import (
    JudgeContext,
    JudgeSettings,
    Task,
    identical,
    presented,
    tied,
)
from assize.judging.method import JSON, Filled, Method
from assize.judging.prompting import load_examples, load_prompt, values_of
from assize.judging.reading import read_answer
from assize.judging.reasons import reason_of
from assize.judging.shortening import LEFT_OUT, ask_shortened
from assize.models import CallId, Distribution, Message, Model, Reply, Request
from assize.models.distribution import as_details, exact_or_sampled

TOP_LOGPROBS = 20  # the most that endpoints give
_TOP_FOR_FEW = 8  # enough for three answers and their spellings, at less than half the traffic
_FEW = 4
_SWAPPED = {"A": "B", "B": "A"}
_KEPT_RAW = 20_000  # characters of a reply that cannot be read


@dataclass(frozen=True)
class PromptJudge:
    """A method and the model it asks."""

    method: Method
    model: Model
    settings: JudgeSettings

    kind: JudgeKind = "model"
    rows_vary: bool = False

    @cached_property
    def name(self) -> str:
        """`method@provider:model`, or `method#FOLDER@...` where a user's prompt is asked."""
        return f"{self.method.name}{self.own}@{self.model.name}"

    @cached_property
    def own(self) -> str:
        """`#FOLDER` where that folder's prompt or examples stand in place of the shipped ones."""
        folder, method = self.settings.prompts, self.method
        if folder is None or method.given is not None:
            return ""
        with suppress(ConfigError):  # a method whose prompt stands in that folder alone
            shipped = [load_prompt(method.prompt, None, method.home).hash]
            asked = [self._prompt.hash]
            if method.examples is not None:
                shipped.append(load_examples(method.examples, None, method.home)[1])
                asked.append(self._examples[1])
            return "" if asked == shipped else f"#{folder.resolve().name}"
        return ""

    @property
    def takes(self) -> tuple[type, ...]:
        """As of the method."""
        return self.method.takes

    @property
    def questions(self) -> tuple[Question, ...]:
        """As of the method."""
        return self.method.questions

    @cached_property
    def signature(self) -> str:
        """Of method, prompt, examples, model and parameters; the boundary has no part."""
        settings = self.settings
        return sign(
            {"judge": self.method.name, "version": self.method.version},
            {"prompt": self._prompt.hash, "examples": self._examples[1]},
            {"model": self.model.name, "schema": self.method.schema},
            {"temperature": settings.temperature, "seed": settings.seed},
            {"samples": settings.samples, "truncate": settings.truncate},
            {"tries": settings.tries, "max_tokens": self._max_tokens},
            *([] if settings.invisible == "escape" else [{"invisible": settings.invisible}]),
            *self._given(),
        )

    def _given(self) -> list[dict[str, Any]]:
        """What of the method the prompt file does not say; nothing for most judges."""
        method = self.method
        shots = [{"item": to_json(one.item), "answer": one.answer} for one in method.shots]
        given = [{"values": method.values, "shots": shots}] if method.values or shots else []
        return [*given, {"guarded": method.guarded}] if method.guarded else given

    @property
    def prompt_version(self) -> str:
        """The prompt's version and hash, for `run.json`."""
        return f"{self.method.prompt} {self._prompt.version} {self._prompt.hash}"

    @property
    def facts(self) -> JSON:
        """What `run.json` keeps of it besides, for whoever reads its judgments."""
        return self.method.facts

    @cached_property
    def _prompt(self) -> Filled:
        if self.method.given is not None:
            return self.method.given
        return load_prompt(self.method.prompt, self.settings.prompts, self.method.home)

    @cached_property
    def _examples(self) -> Any:
        if self.method.examples is None:
            return self.method.shots, ""
        return load_examples(self.method.examples, self.settings.prompts, self.method.home)

    @cached_property
    def _secret(self) -> bytes:
        return secret()

    @cached_property
    def _max_tokens(self) -> int:
        given = self.settings.max_tokens
        return self.method.max_tokens if given is None else given

    @cached_property
    def _choices(self) -> Mapping[str, tuple[str, ...]]:
        """The answers whose probabilities are asked for, by the reply's field."""
        method = self.method
        names = method.choices if method.choice is None else (method.choice,)
        return {name: tuple(map(str, method.schema["properties"][name]["enum"])) for name in names}

    @cached_property
    def _top(self) -> int:
        """Alternatives of each token to ask for."""
        most = max(map(len, self._choices.values()), default=0)
        return 0 if not most else _TOP_FOR_FEW if most <= _FEW else TOP_LOGPROBS

    def messages(self, item: Item, mark: str) -> tuple[Message, ...]:
        """The exact messages for an item as presented, judged text fenced by `mark`."""
        method = self.method
        guarded, invisible = method.guarded, self.settings.invisible
        values = {**values_of(item, mark, guarded, invisible), **method.values}
        system, user = self._prompt.messages(values)
        # A template without a system message is for models whose chat format has none.
        shown = [system] if system.text else []
        for example in self._examples[0]:
            values = {**values_of(example.item, mark, guarded, invisible), **method.values}
            shown.append(self._prompt.messages(values)[1])
            answer = method.write(example.answer, method, example.item)
            shown.append(Message("assistant", answer))
        return (*shown, user)

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """Asks, and again where the answer has the wrong shape; identical responses are a tie."""
        compares = all(one.kind == PREFERENCE.kind for one in self.method.questions)
        if compares and identical(task.item):
            return tied(self, task)

        async def ask(item: Item) -> tuple[list[Judgment], list[str]]:
            judged = texts_of(item)
            return await self._ask(item, task, judged), judged

        item = presented(task.item, task.order)
        try:
            (rows, judged), left_out = await ask_shortened(item, ask, self.settings)
        except TooLongError as error:
            return unscored_rows(self, task, Unscored("too_long", str(error)))
        facts = {LEFT_OUT: left_out, INVISIBLE: invisible_in(judged)}
        more_details = {name: count for name, count in facts.items() if count}
        if not more_details:
            return rows
        return [replace(row, details={**(row.details or {}), **more_details}) for row in rows]

    def request(self, item: Item, task: Task, judged: Sequence[str] | None = None) -> Request:
        """The first request for an item as presented; `judged` saves finding its texts."""
        mark = boundary(texts_of(item) if judged is None else judged, self._secret)
        settings, likely = self.settings, self.method.likely
        return Request(
            self.messages(item, mark),
            None if self.method.plain else self.method.schema,
            temperature=settings.temperature,
            seed=settings.seed + task.repeat,
            max_tokens=self._max_tokens,
            top_logprobs=self._top if "logprobs" in self.model.capabilities else 0,
            sample=task.repeat,
            boundary=mark,
            call_id=CallId(
                task.item.id, self.method.name, task.order, task.repeat, self.method.step
            ),
            example_answer=None if likely is None else partial(likely, self.method, item),
        )

    async def _ask(self, item: Item, task: Task, judged: list[str]) -> list[Judgment]:
        request = self.request(item, task, judged)

        def read(text: str) -> JSON:
            if self.method.find is None:
                return read_answer(text, self.method.schema, judged)
            return self.method.find(text, self.method, item, judged)

        asked = await ask_until_read(self.model, request, read, self.settings.tries)
        if asked.answer is None:
            if asked.error is not None and not asked.replies:
                raise asked.error
            return unscored_rows(self, task, asked.unscored, asked)  # says what they cost
        replies = list(asked.replies)
        samples = self.settings.samples
        found = await exact_or_sampled(self.model, request, replies, self._choices, samples, read)
        return self._rows(task, asked.answer, found, replies)

    def _rows(
        self, task: Task, value: JSON, likely: Mapping[str, Distribution], replies: list[Reply]
    ) -> list[Judgment]:
        without = sorted({name for reply in replies for name in reply.dropped_parameters})
        rows: list[Judgment] = []
        for said in self.method.read(value):
            found = likely.get(self.method.choice or said.field or "")
            details: dict[str, Any] = {} if found is None else dict(as_details(found))
            if without:
                details["without"] = without
            swapped = _SWAPPED.get(said.answer or "") if task.order == "BA" else None
            told = {} if said.details is None else said.details
            mine = {**details, **(self.method.exchange(told) if task.order == "BA" else told)}
            rows.append(
                Judgment(
                    task.item.id,
                    self.name,
                    said.question,
                    answer=said.answer if swapped is None else swapped,
                    score=said.score,
                    distribution=None if found is None else self._mapped(found, task.order),
                    outside=None if found is None else found.outside,
                    order=task.order,
                    repeat=task.repeat,
                    explanation=said.explanation,
                    details=mine or None,
                    attempts=len(replies),
                    usage=None if rows else total([reply.usage for reply in replies]),
                )
            )
        return rows

    def _mapped(self, found: Distribution, order: Order | None) -> dict[str, float]:
        """The probabilities of the real answers, whatever the judge calls them."""
        ours = self.method.words
        masses = {ours.get(answer, answer): mass for answer, mass in found.probabilities.items()}
        if order != "BA":
            return masses
        return {_SWAPPED.get(answer, answer): mass for answer, mass in masses.items()}


def open_method(method: Method, model: str, context: JudgeContext) -> PromptJudge:
    """The judge that asks this model."""
    return PromptJudge(method, context.models.open(model), context.settings)


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question: an answer, or why there is none.

    Args:
        answer: as it was read; None where there is none.
        unscored: why there is none.
        usage: of all replies together.
        attempts: how many replies there were.
        raw: the last reply, where it was not readable, cut to what is worth keeping.
        error: of the model, where that is why.
        replies: what the model said, in order.
    """

    answer: JSON | None
    unscored: Unscored | None = None
    usage: Usage = field(default_factory=Usage)
    attempts: int = 0
    raw: str | None = None
    error: ModelError | None = None
    replies: tuple[Reply, ...] = ()


def _unanswered(
    reason: str, message: str, replies: Sequence[Reply], error: ModelError | None = None
) -> Asked:
    """What comes of a question without an answer, its replies counted."""
    usage = total([reply.usage for reply in replies]) if replies else Usage()
    raw = replies[-1].text[:_KEPT_RAW] or None if replies else None
    return Asked(None, Unscored(reason, message), usage, len(replies), raw, error, tuple(replies))


async def ask_until_read(
    model: Model, first: Request, read: Callable[[str], JSON], tries: int
) -> Asked:
    """Asks, and again with the complaint where `read` raises AnswerError, `tries` times in all.

    Raises:
        TooLongError: the model takes no text of that length.
        AuthenticationError: the model cannot be asked at all.
    """
    request = first
    replies: list[Reply] = []
    while True:
        try:
            reply = await model.ask(request)
        except (AuthenticationError, TooLongError):
            raise
        except ModelError as error:
            return _unanswered(reason_of(error), str(error), replies, error)
        replies.append(reply)
        if reply.finish == "refused":
            return _unanswered("refused", "the model or its content filter declined", replies)
        try:
            answer = read(reply.text)
        except AnswerError as error:
            if len(replies) >= tries:
                message = f"no readable answer in {len(replies)} tries: {error}"
                return _unanswered("parse", message, replies)
            request = _retry(first, reply, str(error), len(replies) + 1)
        else:
            usage = total([reply.usage for reply in replies])
            return Asked(answer, None, usage, len(replies), replies=tuple(replies))


def _retry(first: Request, reply: Reply, problem: str, attempt: int) -> Request:
    """The request after an answer of the wrong shape: what was wrong, and more room."""
    room = first.max_tokens * (4 if reply.finish == "length" else 1)
    alone = "" if first.schema is None else " with nothing but one JSON object"
    complaint = f"That answer cannot be read: {problem}. Answer again{alone} in the form asked for."
    if reply.finish == "length":
        complaint += " Be brief: the answer was cut off."
    said = (Message("assistant", reply.text or "(nothing)"), Message("user", complaint))
    return replace(
        first,
        messages=first.messages + said,
        max_tokens=room,
        sample=first.sample + 1_000 * (attempt - 1),
        seed=None if first.seed is None else first.seed + 1_000 * (attempt - 1),
        call_id=None if first.call_id is None else replace(first.call_id, attempt=attempt),
    )


def total(used: Sequence[Usage]) -> Usage:
    """What all calls for one answer used; cached only when every one was."""
    known = [one.cost_usd for one in used if one.cost_usd is not None]
    return Usage(
        sum(one.input_tokens for one in used),
        sum(one.output_tokens for one in used),
        sum(known) if len(known) == len(used) else None,
        all(one.cached for one in used),
    )


def unscored_rows(
    judge: Any,
    task: Task,
    reason: Unscored | None,
    asked: Asked | None = None,
    questions: Iterable[Question] | None = None,
) -> list[Judgment]:
    """One unscored row a question, by default the judge's; the first says what was asked in
    vain."""
    details = None if asked is None or asked.raw is None else {"raw": asked.raw}
    rows = [
        Judgment(
            task.item.id,
            judge.name,
            question.id,
            order=task.order,
            repeat=task.repeat,
            unscored=reason,
            details=details,
            attempts=None if asked is None else asked.attempts,
        )
        for question in (judge.questions if questions is None else questions)
    ]
    return rows if asked is None else [replace(rows[0], usage=asked.usage), *rows[1:]]
