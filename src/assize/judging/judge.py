"""What a judge is, whoever offers it: an item in, judgments out.

Dialogue acts, reference metrics, evaluators and calibrations implement `Judge` in their
own packages; `table.py` names them all by import strings, so nothing imports upwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, TypeGuard

from assize.base.conversation import Item, Pair, Turn
from assize.base.invisible import Invisible
from assize.base.judgment import JudgeKind, Judgment, Order, Question
from assize.judging.tools import texts_of_calls
from assize.models import Models
from assize.running.command import CHANGES_NUMBERS
from assize.running.executor import SMALLEST

Truncate = Literal["oldest"]


@dataclass(frozen=True, slots=True)
class Task:
    """One answer that is wanted: a judge's vote on an item."""

    item: Item  # as it stands in the file; the judge itself presents it in the order asked
    order: Order | None = None  # `BA` shows a pair's sides exchanged; None for what is no pair
    repeat: int = 0  # independent answers to the same are told apart by it, from 0


class Judge(Protocol):
    """Answers questions about items.

    `name` is what users write, such as `io@openai:gpt-4o`. `takes` are the kinds of
    item it judges. `rows_vary` says that an answer may be any number of rows (one a
    turn, say) rather than one a question.
    """

    @property
    def name(self) -> str:
        """As in `--judge`."""
        ...

    @property
    def kind(self) -> JudgeKind:
        """What it is."""
        ...

    @property
    def questions(self) -> tuple[Question, ...]:
        """What it answers."""
        ...

    @property
    def takes(self) -> tuple[type, ...]:
        """Kinds of item."""
        ...

    @property
    def signature(self) -> str:
        """Short hash of everything that could change its numbers."""
        ...

    @property
    def rows_vary(self) -> bool:
        """Whether an answer is not simply one row a question."""
        ...

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """The rows that answer the task, with unscored ones where there is no answer.

        Everything but explanations is mapped back to the real A and B. A ModelError
        that it lets pass makes all its questions unscored, with that reason.
        """
        ...


class LocalJudge(Judge, Protocol):
    """A judge that needs no model: many tasks at once, in a thread or on another machine."""

    @property
    def needs_model(self) -> Literal[False]:
        """Says that `judge_many` is there."""
        ...

    def judge_many(self, tasks: Sequence[Task]) -> Sequence[Sequence[Judgment] | Exception]:
        """The rows of each task, in their order, or the error that makes it unscored.

        What it raises concerns a task among them, but a ConfigError ends the run.
        """
        ...


def is_local(judge: Judge) -> TypeGuard[LocalJudge]:
    """Whether a judge says that it needs no model."""
    return not getattr(judge, "needs_model", True)


async def judge_one(judge: LocalJudge, task: Task) -> Sequence[Judgment]:
    """The rows of one task, worked out in a thread; raises what makes it unscored."""
    (rows,) = await asyncio.to_thread(judge.judge_many, [task])
    if isinstance(rows, Exception):
        raise rows
    return rows


class AsksNoModel:
    """What judges share that ask no model: a class of one adds `judge_many` (see `LocalJudge`)."""

    needs_model: Literal[False] = False
    rows_vary: bool = False
    sees_order: bool = False

    async def judge(self: LocalJudge, task: Task) -> Sequence[Judgment]:
        """One task's rows."""
        return await judge_one(self, task)


def smallest_chunk(judge: Judge) -> int:
    """Tasks that a judge without a model is given at once at first, and when it is slow."""
    return int(getattr(judge, "smallest_chunk", SMALLEST))


def signature_of(judge: Judge, question: str) -> str:
    """The judge's signature for one question: its own where each is asked apart."""
    own = getattr(judge, "signature_of", None)
    return judge.signature if own is None else str(own(question))


def sees_order(judge: Judge) -> bool:
    """Whether the order of a pair can matter to the judge; else it is asked once, without."""
    return bool(getattr(judge, "sees_order", True))


@dataclass(frozen=True, slots=True)
class Choice:
    """The question to ask next, and the variance it is expected to take off."""

    question: str
    gain: float


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """What may be asked of every judge; what it cannot use it leaves alone."""

    temperature: Annotated[float | None, CHANGES_NUMBERS] = 0.0  # None leaves it to the model
    seed: int = 0  # of models and of every random choice
    # independent answers that make a distribution where a model reports no probabilities; 1 asks
    # once, without a distribution
    samples: int = 1
    tries: int = 6  # answers of the wrong shape before an item is unscored
    # what becomes of characters in judged text that nobody sees
    invisible: Annotated[Invisible, CHANGES_NUMBERS] = "escape"
    # leave out the oldest turns of what is too long for the model
    truncate: Annotated[Truncate | None, CHANGES_NUMBERS] = None
    # a folder whose files replace the prompts of the same name; the texts in it are what counts, so
    # their hashes stand for it: in the judges' signatures, among a method's own settings
    prompts: Path | None = None
    max_tokens: int | None = None  # longest answer; None for each judge's own


@dataclass(frozen=True, slots=True)
class JudgeContext:
    """What a judge is made from."""

    models: Models  # of the session
    settings: JudgeSettings = field(default_factory=JudgeSettings)  # of all judges
    variant: str = ""  # as in `name/variant@target`
    options: Mapping[str, Any] = field(default_factory=dict)  # its own, by name; see `options.py`
    # judges that the same command names, which an artefact may therefore ask (`assize.base.trust`)
    judge_names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class JudgeOffer:
    """A row of the table of judges whose judge a function opens; see `table.py`.

    Args:
        about: one line for users.
        open: the judge of a target, in a context.
        variants: whether `name/variant` may be written.
    """

    about: str
    open: Callable[[str, JudgeContext], Judge]
    variants: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """What `name@target` is where the target stands in memory: a session opens it."""

    name: str  # as a judge is written; its part before the `@` says which options are for it
    open: Callable[[JudgeContext], Judge]


def identical(item: Item) -> bool:
    """Whether both sides of a pair say the same, blanks at the ends aside."""
    if not isinstance(item, Pair):
        return False
    return _said(item.a) == _said(item.b)


def _said(side: Sequence[Turn]) -> list[tuple[object, ...]]:
    return [(turn.role, turn.text.strip(), *texts_of_calls(turn)) for turn in side]


def tied(judge: Judge, task: Task, questions: Iterable[Question] | None = None) -> list[Judgment]:
    """A tie on each of some questions, by default the judge's; no call, so no usage."""
    return [
        Judgment(
            task.item.id,
            judge.name,
            question.id,
            answer="tie",
            order=task.order,
            repeat=task.repeat,
            details={"identical": True},
            attempts=0,
        )
        for question in (judge.questions if questions is None else questions)
    ]


def presented(item: Item, order: Order | None) -> Item:
    """The item as the judge sees it: with order `BA` its sides are exchanged."""
    if order == "BA" and isinstance(item, Pair):
        return replace(item, a=item.b, b=item.a)
    return item
