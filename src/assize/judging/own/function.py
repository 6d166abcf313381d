"""A Python function as a judge: an item in; an answer, a number or judgments out.

    @judge_function(questions="words")
    def words(item: Conversation) -> int:
        return sum(len(turn.text.split()) for turn in item.turns)

It needs no model. It works in a thread, an item at a time, and what it returns is checked.
"""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import CodeType
from typing import Any, get_args, get_type_hints, overload

from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question
from assize.base.signature import sign
from assize.formats import to_json
from assize.judging.judge import AsksNoModel, Task
from assize.judging.own.answers import InvalidAnswer, rows_of

Function = Callable[[Any], Any]
Asked = str | Question | Sequence[str | Question]

VERSION = 1
TAKES: dict[str, type] = {"conversation": Conversation, "pair": Pair, "continuation": Continuation}
_KINDS = get_args(JudgeKind)
_NAME = re.compile(r"[A-Za-z0-9][\w.:-]*")
_DEFECTS = (TypeError, NameError, AttributeError, ImportError, NotImplementedError)
_USUAL: dict[str, Any] = {  # answers and values of a kind that names none
    "preference": (PREFERENCE.answers, PREFERENCE.values),
    "binary": (("no", "yes"), None),
}
_PLAIN = (str, int, float, bool, type(None), tuple, frozenset)


@dataclass(eq=False)
class FunctionJudge(AsksNoModel):
    """A function behind the protocol of judges; calling it calls the function.

    Args:
        function: of one item.
        name: among the judges.
        questions: what it answers.
        takes: the kinds of item it judges.
        kind: what it is, in every judgment.
        about: one line for lists of judges.
        version: raised by hand where its numbers change though its source does not.
    """

    function: Function
    name: str
    questions: tuple[Question, ...]
    takes: tuple[type, ...] = (Conversation,)
    kind: JudgeKind = "metric"
    about: str = ""
    version: int = 1

    rows_vary: bool = field(default=True, init=False)  # it may answer for every turn
    smallest_chunk: int = field(default=1, init=False)  # nobody knows how slow it is
    _ran: bool = field(default=False, init=False, repr=False)

    def __call__(self, item: Any) -> Any:
        """What the function says of an item, unchecked."""
        return self.function(item)

    @cached_property
    def signature(self) -> str:
        """Of the function's source, its questions and its version.

        What the function calls, or reads from its module, has no part in it.
        """
        return sign(
            {"judge": self.name, "version": [VERSION, self.version], "kind": self.kind},
            {"questions": [to_json(one) for one in self.questions]},
            {"takes": [one.__name__ for one in self.takes]},
            *_source(self.function),
        )

    def judge_many(self, tasks: Sequence[Task]) -> list[Sequence[Judgment] | Exception]:
        """The rows of each task, or what the function raised for it.

        Raises:
            ConfigError: the function returns what no judge may say, or cannot work at all.
        """
        return [self._judged(task) for task in tasks]

    def _judged(self, task: Task) -> Sequence[Judgment] | Exception:
        first, self._ran = not self._ran, True
        try:
            value = self.function(task.item)
        except Exception as error:
            if first and isinstance(error, _DEFECTS):
                problem = f"{type(error).__name__}: {error}"
                where = f"judge {self.name} failed on the first item, {task.item.id}"
                raise ConfigError(f"{where}: {problem}; mend the function") from error
            return error
        try:
            rows = rows_of(value, task.item.id, self.name, self.questions)
        except InvalidAnswer as error:
            raise ConfigError(f"judge {self.name}, item {task.item.id}: {error}") from None
        return [replace(row, repeat=task.repeat) for row in rows]


@overload
def judge_function(function: Function, /) -> FunctionJudge: ...


@overload
def judge_function(
    function: None = None,
    /,
    *,
    questions: Asked | None = None,
    name: str | None = None,
    takes: str | None = None,
    kind: JudgeKind = "metric",
    about: str | None = None,
    version: int = 1,
) -> Callable[[Function], FunctionJudge]: ...


def judge_function(
    function: Function | None = None,
    /,
    *,
    questions: Asked | None = None,
    name: str | None = None,
    takes: str | None = None,
    kind: JudgeKind = "metric",
    about: str | None = None,
    version: int = 1,
) -> FunctionJudge | Callable[[Function], FunctionJudge]:
    """Make a judge of a function that takes an item.

    The function returns an answer (`str`), a truth value for a question with two answers, a number,
    a dict of these by question, one `Judgment` or several, "NA" if the question does not apply, or
    None if there is no answer. Anything else, or an answer that the question does not have, ends
    the run with an error. If the function raises, that item is unscored, with the error as the
    reason; on the first item an error that looks like a mistake in the code (a TypeError, say) ends
    the run.

    Args:
        function: where the decorator stands without arguments.
        questions: what it answers: a `Question`, a name for a question that any number
            answers, or several; the judge's name when None.
        name: of the judge; the function's own when None.
        takes: `conversation`, `pair` or `continuation`; by the annotation of the function's
            argument when None, and conversations where it has none.
        kind: `metric`, `model`, `person` or `evaluator`, as judgments say it.
        about: one line for lists; the first of the docstring when None.
        version: part of the signature; raise it when the numbers change because of something
            outside the function's source.

    Returns:
        A judge for `judges=[...]` or `--judge module:name`, which can still be called.

    Raises:
        ConfigError: the function is async or takes no item, or a setting cannot be.

    >>> @judge_function(questions=Question("short", kind="binary", answers=("no", "yes")))
    ... def short(item: Conversation) -> bool:
    ...     return len(item.turns) < 4
    >>> short.name, short(Conversation("c1", ())), short.questions[0].answers
    ('short', True, ('no', 'yes'))
    """

    def made(one: Function) -> FunctionJudge:
        judge = getattr(one, "__name__", "") if name is None else name
        if not isinstance(judge, str) or not _NAME.fullmatch(judge) or judge == "gold":
            raise ConfigError(
                f"a judge cannot be named {judge!r}; give judge_function a name of letters,"
                " digits, `-`, `_`, `.` and `:` (`gold` is for labels that count as true)"
            )
        _check_callable(one, judge)
        asked = _read_questions(judge if questions is None else questions, judge)
        for word, value, known in (("kind", kind, _KINDS), ("takes", takes, (None, *TAKES))):
            if value not in known:
                words = ", ".join(one for one in known if one is not None)
                raise ConfigError(f"judge {judge}: {word} is {value!r}; give {words}")
        types = _annotated(one) if takes is None else (TAKES[takes],)
        if not types:
            between_two = all(one.kind == "preference" for one in asked)
            types = (Pair,) if between_two else (Conversation,)
        line = (inspect.getdoc(one) or "").partition("\n")[0] if about is None else about
        return FunctionJudge(one, judge, asked, types, kind, line or "a Python function", version)

    return made if function is None else made(function)


def _check_callable(function: Any, name: str) -> None:
    """Refuses what cannot be called with one item."""
    if not callable(function):
        raise ConfigError(
            f"judge {name}: received {function!r:.60}; expected a function of an item"
        )
    if inspect.iscoroutinefunction(function):
        raise ConfigError(f"judge {name} is an async function; write `def`: it runs in a thread")
    try:
        inspect.signature(function).bind(None)
    except ValueError:  # a builtin that does not tell its arguments
        return
    except TypeError as error:
        said = f"{name}{inspect.signature(function)}"
        raise ConfigError(f"judge {name} is called with one item; {said}: {error}") from None


def _read_questions(given: Asked, name: str) -> tuple[Question, ...]:
    """The questions, with the answers that their kind has by itself."""
    several = [given] if isinstance(given, str | Question) else given
    if not isinstance(several, Sequence) or not several:
        problem = f"questions is {given!r:.80}; give a name, a Question, or a list of these"
        raise ConfigError(f"judge {name}: {problem}")
    found: list[Question] = []
    for one in several:
        question = Question(one) if isinstance(one, str) else one
        if not question.answers and question.kind in _USUAL:
            answers, values = _USUAL[question.kind]
            question = replace(question, answers=answers, values=values)
        problem = ""
        if question.kind in ("ordinal", "nominal") and not question.answers:
            problem = f"of kind {question.kind} needs answers"
        elif question.values is not None and len(question.values) != len(question.answers):
            count = len(question.answers)
            problem = f"has {len(question.values)} values for {count} answers; give one each"
        elif question.id in (earlier.id for earlier in found):
            problem = "is there twice: two questions have one id"
        if problem:
            raise ConfigError(f"judge {name}: question {question.id} {problem}")
        found.append(question)
    return tuple(found)


def _annotated(function: Any) -> tuple[type, ...]:
    """The kinds of item in the annotation of the first argument; () where it names none."""
    try:
        hints = get_type_hints(function)
        first = next(iter(inspect.signature(function).parameters))
    except (NameError, TypeError, ValueError, StopIteration, AttributeError):
        return ()
    hint = hints.get(first)
    among = get_args(hint) or (hint,)
    return tuple(one for one in TAKES.values() if one in among)


def _source(function: Any) -> list[Any]:
    """What of a function its signature is made of: source or code, defaults and closure."""
    inner = inspect.unwrap(function)
    if isinstance(inner, functools.partial):
        given = [*inner.args, *sorted(inner.keywords.items())]
        return [*_source(inner.func), repr([_plain(one) for one in given])]
    if not hasattr(inner, "__code__"):
        named = inner if hasattr(inner, "__qualname__") else type(inner)
        called = getattr(type(inner), "__call__", None)  # noqa: B004
        more = _source(called) if inspect.isfunction(called) else []
        return [f"{named.__module__}.{named.__qualname__}", *more]
    try:
        text: Any = textwrap.dedent(inspect.getsource(inner))
    except (OSError, TypeError):
        text = _code(inner.__code__)
    closure = inspect.getclosurevars(inner).nonlocals
    held = [inner.__defaults__, [(name, _plain(value)) for name, value in sorted(closure.items())]]
    return [text, repr(held)] if closure or inner.__defaults__ else [text]


def _plain(value: Any) -> Any:
    """A value that looks the same in every session; of others their kind."""
    return value if isinstance(value, _PLAIN) else type(value).__qualname__


def _code(code: CodeType) -> list[Any]:
    """Code without its places in a file or in memory."""
    held = [_code(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return [code.co_code.hex(), held, list(code.co_names)]
