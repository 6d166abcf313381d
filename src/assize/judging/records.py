"""What a run writes into its folder, and judgments as the first kind of it.

A judgment's record is an answer of one or more rows. The other kind is a step, a call that is no
judgment (`steps.py`). One journal holds either, one rule says what is asked again, and one session
asks (`session.py`). Beside `run.json` and `judgments.jsonl` stands `questions.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, Generic, TypeVar

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question, Unscored, Usage, join_questions
from assize.base.line_checksum import seal_record
from assize.formats import to_json
from assize.formats.writing import encoded
from assize.judging.judge import Judge
from assize.judging.summary import Summary
from assize.judgments.questions import alike
from assize.running import Codec, key_of

JUDGMENTS = "judgments.jsonl"
QUESTIONS = "questions.json"

AGAIN = frozenset({"budget", "timeout", "server", "rate_limit"})
RETRY = frozenset(
    {"refused", "too_long", "parse", "bad_request", "not_recorded", "unsupported", "failed"}
)


def asked_again(reason: str) -> str:
    """In words, what asks again for what is unscored for this reason; "" where nothing does.

    >>> asked_again("timeout"), asked_again("parse"), asked_again("no_reference")
    (' (the same command asks again)', ' (--retry asks again)', '')
    """
    if reason in AGAIN:
        return " (the same command asks again)"
    return " (--retry asks again)" if reason in RETRY else ""


def again_rule(retry: bool) -> Callable[[Sequence[Row]], bool]:
    """Return what says of a stored record's rows whether it is asked again.

    Args:
        retry: also what was refused, too long or not readable.
    """
    reasons = AGAIN | RETRY if retry else AGAIN
    return lambda rows: any((row.get("unscored") or {}).get("reason") in reasons for row in rows)


Answer = Sequence[Judgment]  # the rows of one answer
Row = Mapping[str, Any]
R = TypeVar("R")


def task_key(item: str, judge: str, order: str | None, repeat: int) -> int:
    """What identifies an answer."""
    return key_of(item, judge, order, repeat)


def call_of(name: str, rows: int) -> str:
    """The id of a call, ending with how many rows its answer has in all.

    >>> call_of("9f2c", 3), rows_told([{"call": "9f2c.3"}]), rows_told([{"call": "9f2c"}])
    ('9f2c.3', 3, None)
    """
    return f"{name}.{rows}"


def rows_told(rows: Sequence[Row]) -> int | None:
    """How many rows an answer has, as its rows say; None where none does."""
    for row in rows:
        _, dot, count = (row.get("call") or "").rpartition(".")
        if dot and count.isdecimal():
            return int(count)
    return None


def told_whole(rows: Sequence[Row]) -> bool:
    """Whether as many rows are there as they say, and none of them twice."""
    told = rows_told(rows)
    return (told is None or told == len(rows)) and len(_asked(rows)) == len(rows)


def _asked(rows: Sequence[Row]) -> set[tuple[str, int | None]]:
    """What tells the rows of one answer apart."""
    return {(row["question"], row.get("turn")) for row in rows}


def answers(
    complete: Callable[[Sequence[Row]], bool | None] = told_whole, *, retry: bool = False
) -> Codec[Answer]:
    """How answers stand in their file; `retry` also asks again what was refused or not readable."""
    return Codec(
        JUDGMENTS,
        encode=lambda rows: b"".join(map(line_of, rows)),
        key=_key,
        whole=complete,
        again=again_rule(retry),
    )


def _key(row: Row) -> int:
    """Of a line's answer; raises TypeError where a field that a run reads is of another kind."""
    for name, kinds in _KINDS:
        if not isinstance(row.get(name), kinds):
            raise TypeError(f"{name} is {row.get(name)!r:.40}")
    usage, unscored = row.get("usage"), row.get("unscored")
    if unscored is not None and not isinstance(unscored.get("reason"), str):
        raise TypeError(f"unscored is {unscored!r:.40}")
    if usage is not None:
        for name in _COUNTS:
            if not _is_amount(usage.get(name, 0)):
                raise TypeError(f"{name} is {usage[name]!r:.40}")
    return _known_key(row["item"], row["judge"], row.get("order"), row.get("repeat", 0))


_known_key = lru_cache(maxsize=8, typed=True)(task_key)  # the rows of an answer stand together
_TEXT, _OBJECT = (str, type(None)), (dict, type(None))
_KINDS: tuple[tuple[str, Any], ...] = (
    *((name, str) for name in ("item", "judge", "question")),
    *((name, _TEXT) for name in ("answer", "order", "call", "signature")),
    *((name, (int, type(None))) for name in ("repeat", "turn", "attempts")),
    *((name, _OBJECT) for name in ("usage", "unscored")),
)
_COUNTS = ("input_tokens", "output_tokens", "cost_usd")


def _is_amount(value: Any) -> bool:
    """Whether it is a number of tokens or dollars, or None."""
    return value is None or (isinstance(value, int | float) and 0 <= value < math.inf)


@dataclass(frozen=True, slots=True)
class RunRecords(Generic[R]):
    """What one run writes, and what tells it from other runs in the same folder.

    Args:
        codec: how its records stand in their file.
        command: what identifies the run, beside its session's settings.
        about: prompts and facts for `run.json`.
        on_stored: told the rows of each record that the folder holds already.
        beside: further files of the folder, by name.
    """

    codec: Codec[R]
    command: Mapping[str, Any]
    about: Mapping[str, Any]
    on_stored: Callable[[Sequence[Row]], None]
    beside: Mapping[str, bytes] = field(default_factory=dict)


def judgment_records(
    judges: Sequence[Judge], summary: Summary, *, retry: bool = False, **command: Any
) -> RunRecords[Answer]:
    """Return what judges write; `summary` counts what the folder holds.

    Raises:
        ConfigError: no judge, two of one name, or two who differ in a question.
    """
    names = [judge.name for judge in judges]
    if not names or len(set(names)) < len(names):
        raise ConfigError(f"judges are {names}; name at least one, and each once")
    sealed = [seal_record(to_json(question)) for question in questions_of(judges)]
    questions = json.dumps(sealed, indent=1, ensure_ascii=False)
    signatures = {judge.name: judge.signature for judge in judges}
    return RunRecords(
        answers(completeness(judges), retry=retry),
        {**command, "judges": signatures},
        about(judges),
        summary.add_stored,
        {QUESTIONS: encoded(questions + "\n")},
    )


def completeness(judges: Iterable[Judge]) -> Callable[[Sequence[Row]], bool | None]:
    """Whether rows are a judge's whole answer; None where they do not tell and the judge neither.

    They tell by their `call`; an answer of one row has none that does.
    """
    counts = {judge.name: 0 if judge.rows_vary else len(judge.questions) for judge in judges}

    def complete(rows: Sequence[Row]) -> bool | None:
        if not told_whole(rows):
            return False
        if rows_told(rows) is not None:
            return True
        wanted = counts.get(rows[0]["judge"], 1)
        return len({row["question"] for row in rows}) >= wanted if wanted else None

    return complete


def questions_of(judges: Iterable[Judge]) -> list[Question]:
    """The questions of all judges, each once; raises ConfigError where two differ."""
    questions: dict[str, Question] = {}
    for question in chain.from_iterable(judge.questions for judge in judges):
        earlier = questions.setdefault(question.id, question)
        joined, same = join_questions(earlier, question), join_questions(question, earlier)
        if joined is None or same is None or not alike(joined, same):
            raise ConfigError(
                f"two judges ask different questions named {question.id!r}: {earlier.text!r}"
                f" ({', '.join(earlier.answers)}) and {question.text!r}"
                f" ({', '.join(question.answers)}); give both one text and scale, or rename one"
            )
        questions[question.id] = joined
    return list(questions.values())


def about(judges: Iterable[Judge]) -> dict[str, Any]:
    """What `run.json` says of judges: their prompts, and what else they tell."""
    judges = list(judges)
    prompts = {judge.name: getattr(judge, "prompt_version", None) for judge in judges}
    facts = {judge.name: dict(getattr(judge, "facts", {})) for judge in judges}
    told = {name: fact for name, fact in facts.items() if fact}
    return {
        "prompts": {name: prompt for name, prompt in prompts.items() if prompt is not None},
        **({"facts": told} if told else {}),
    }


_json = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False).encode
_FIELDS = tuple(part for part in fields(Judgment) if part.name != "extra")
_NAMES = tuple(part.name for part in _FIELDS)
_DEFAULTS = tuple(part.default for part in _FIELDS)
_values_of = attrgetter(*_NAMES)


def line_of(row: Judgment) -> bytes:
    r"""A judgment as a line of the file: as `to_json` has it, but several times as fast.

    >>> line_of(Judgment("i", "j", "q", answer="A"))
    b'{"item": "i", "judge": "j", "question": "q", "answer": "A"}\n'
    """
    said: dict[str, Any] = {}
    for name, value, default in zip(_NAMES, _values_of(row), _DEFAULTS, strict=True):
        if value is not default and value != default:
            said[name] = _plain(value) if isinstance(value, Usage | Unscored) else value
    try:
        return encoded(_json(said | dict(row.extra))) + b"\n"
    except (TypeError, ValueError):  # NaN, or a record inside `details`
        return encoded(json.dumps(to_json(row), ensure_ascii=False)) + b"\n"


def _plain(value: Usage | Unscored) -> dict[str, Any]:
    if isinstance(value, Unscored) or value.extra:
        return to_json(value)
    said: dict[str, Any] = {
        "input_tokens": value.input_tokens,
        "output_tokens": value.output_tokens,
    }
    if value.cost_usd is not None:
        said["cost_usd"] = value.cost_usd
    return said | {"cached": True} if value.cached else said
