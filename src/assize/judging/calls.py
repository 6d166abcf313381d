"""A call that is no judgment of an item: a prompt filled in, an answer by schema, asked again.

What learns or groups asks so; `steps.py` keeps the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from assize.base.errors import AnswerError, AuthenticationError, ModelError, TooLongError
from assize.base.judgment import Unscored
from assize.judging.boundary import boundary, fenced, sayable, secret
from assize.judging.judge import JudgeSettings
from assize.judging.method import JSON
from assize.judging.prompt_judge import Asked, ask_until_read
from assize.judging.prompting import Prompt
from assize.judging.reading import read_answer
from assize.judging.reasons import reason_of
from assize.models import CallId, Model, Reply, Request

LONGEST = 500  # characters of a pattern or a criterion; who writes more is asked again
_ENUMERATED = 100  # numbers that a schema lists; more of them are only checked


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked.

    Args:
        prompt: the name of its file in `prompts/`.
        values: what the prompt is filled in with.
        texts: everything among them that others wrote.
        schema: of the answer.
        check: makes the answer of an object that follows the schema; raises AnswerError.
        place: what it is about and which stage, for recordings.
        max_tokens: of the answer.
        likely: makes an answer as it could be, for estimates.
    """

    prompt: str
    values: JSON
    texts: Sequence[str]
    schema: JSON
    check: Callable[[JSON], JSON]
    place: tuple[str, str]
    max_tokens: int = 2048
    likely: Callable[[], str] | None = None


async def reply_or_failure(model: Model, request: Request) -> Reply | Asked:
    """A model's reply, or why there is none; a prompt that is too long fails no other one.

    Raises:
        AuthenticationError: nothing else can be asked either.
    """
    try:
        return await model.ask(request)
    except AuthenticationError:
        raise
    except ModelError as error:
        return Asked(None, Unscored(reason_of(error), str(error)), error=error)


class Asker:
    """Asks one model with a method's prompts, a user's own in their place.

    Args:
        home: the folder of the prompts.
        method: under which recorded answers stand.
    """

    def __init__(self, model: Model, settings: JudgeSettings, home: Path, method: str) -> None:
        self.model = model
        self.settings = settings
        self._home = home
        self._method = method
        self._secret = secret()
        self._prompts: dict[str, Prompt] = {}

    def prompt(self, name: str) -> Prompt:
        """A stage's prompt."""
        if name not in self._prompts:
            self._prompts[name] = Prompt(name, self.settings.prompts, self._home)
        return self._prompts[name]

    def version(self, name: str) -> str:
        """A prompt's version and hash."""
        return f"{self.prompt(name).version} {self.prompt(name).hash}"

    def request(self, call: Call) -> Request:
        """The first request of a call."""
        settings = self.settings
        mark = boundary(call.texts, self._secret)
        said = {
            "boundary": mark,
            "fence": partial(fenced, mark),
            "listed": partial(listed, mark),
        }
        given = settings.max_tokens
        return Request(
            self.prompt(call.prompt).messages({**call.values, **said}),
            call.schema,
            temperature=settings.temperature,
            seed=settings.seed,
            max_tokens=call.max_tokens if given is None else given,
            boundary=mark,
            call_id=CallId(call.place[0], self._method, step=call.place[1]),
            example_answer=call.likely,
        )

    async def ask(self, call: Call) -> Asked:
        """The answer of a call.

        Raises:
            TooLongError: the model takes no text of that length.
            AuthenticationError: the model cannot be asked at all.
        """

        def read(text: str) -> JSON:
            return call.check(read_answer(text, call.schema, call.texts))

        return await ask_until_read(self.model, self.request(call), read, self.settings.tries)

    async def ask_or_unscored(self, call: Call) -> Asked:
        """As `ask`; a text that is too long for the model is unscored."""
        try:
            return await self.ask(call)
        except TooLongError as error:
            return Asked(None, Unscored("too_long", str(error)))


def listed(mark: str, label: str, texts: Iterable[str]) -> str:
    """Numbered texts between lines that carry the mark; what a prompt shows of judged text.

    >>> print(listed("K7", "pattern", ["It helps."]))
    [K7] pattern 1:
    It helps.
    [K7] end
    """
    lines: list[str] = []
    for number, text in enumerate(texts, start=1):
        lines += [f"[{mark}] {label} {number}:", sayable(text)]
    return "\n".join([*lines, f"[{mark}] end"])


def one_line(text: str, what: str) -> str:
    """A text on one line, without what no file takes; AnswerError where it is empty or too long.

    >>> one_line(" It\\n helps. ", "criterion")
    'It helps.'
    """
    plain = plain_text(text)
    if not plain:
        raise AnswerError(f"a {what} is empty")
    if len(plain) > LONGEST:
        raise AnswerError(f"a {what} has {len(plain)} characters; {LONGEST} are the most")
    return plain


def plain_text(text: str) -> str:
    """A text on one line, without control characters and lone surrogates.

    >>> plain_text("It\\n helps\\x1b.")
    'It helps\ufffd.'
    """
    shown = " ".join(sayable(text, "keep").split())
    return "".join(one if one.isprintable() or one == "\u200d" else "\ufffd" for one in shown)


def numbers(first: int, last: int) -> dict[str, Any]:
    """The schema of a list of numbers from `first` to `last`."""
    if last - first < _ENUMERATED:
        return {"type": "array", "items": number(first, last)}
    return {"type": "array", "items": {"type": "integer"}}


def number(first: int, last: int) -> dict[str, Any]:
    """The schema of a number from `first` to `last`."""
    if last - first < _ENUMERATED:
        return {"type": "integer", "enum": list(range(first, last + 1))}
    return {"type": "integer"}


def within(found: Iterable[int], first: int, last: int, what: str) -> list[int]:
    """The numbers, each once and in order; raises AnswerError for one that there is not."""
    once = sorted(set(found))
    for one in once:
        if not first <= one <= last:
            raise AnswerError(f"there is no {what} {one}; they are numbered {first} to {last}")
    return once
