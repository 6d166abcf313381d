"""A run's folder: the journal of judgments, whose records are answers of one or more rows.

Beside `run.json` and `judgments.jsonl` stands `questions.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import chain
from operator import attrgetter
from pathlib import Path
from platform import python_version
from typing import Any

from assize.errors import ConfigError
from assize.formats import to_json
from assize.formats.writing import encoded
from assize.judging.judge import Judge
from assize.judging.summary import Summary
from assize.judgment import Judgment, Question, Unscored, Usage
from assize.running import Codec, Journal, key_of
from assize.version import __version__

JUDGMENTS = "judgments.jsonl"
QUESTIONS = "questions.json"

AGAIN = frozenset({"budget", "timeout", "server", "rate_limit"})
RETRY = frozenset(
    {"refused", "too_long", "parse", "bad_request", "not_recorded", "unsupported", "failed"}
)

Answer = Sequence[Judgment]  # the rows of one answer
Row = Mapping[str, Any]


def task_key(item: str, judge: str, order: str | None, repeat: int) -> int:
    """What identifies an answer."""
    return key_of(item, judge, order, repeat)


def answers(
    complete: Callable[[Sequence[Row]], bool] = lambda _: True, *, retry: bool = False
) -> Codec[Answer]:
    """How answers stand in their file; `retry` also asks again what was refused or not readable."""
    reasons = AGAIN | RETRY if retry else AGAIN

    def again(rows: Sequence[Row]) -> bool:
        return any((row.get("unscored") or {}).get("reason") in reasons for row in rows)

    return Codec(
        JUDGMENTS,
        encode=lambda rows: b"".join(map(line_of, rows)),
        key=lambda row: task_key(row["item"], row["judge"], row.get("order"), row.get("repeat", 0)),
        whole=complete,
        again=again,
        cost=lambda row: (row.get("usage") or {}).get("cost_usd") or 0.0,
    )


def open_folder(
    path: Path,
    judges: Sequence[Judge],
    *,
    command: Mapping[str, Any],
    extra: Mapping[str, Any] | None = None,
    retry: bool = False,
    summary: Summary | None = None,
) -> Journal[Answer]:
    """The folder of this command's run; `summary` counts what it holds."""
    names = [judge.name for judge in judges]
    if not names or len(set(names)) < len(names):
        raise ConfigError(f"judges are {names}; name at least one, and each once")
    counted = Summary() if summary is None else summary
    questions = json.dumps(list(map(to_json, questions_of(judges))), indent=1, ensure_ascii=False)
    return Journal(
        path,
        answers(completeness(judges), retry=retry),
        command={"judges": {judge.name: judge.signature for judge in judges}, **command},
        about=about(judges, {} if extra is None else extra),
        beside={QUESTIONS: encoded(questions + "\n")},
        on_stored=counted.add_stored,
    )


def completeness(judges: Iterable[Judge]) -> Callable[[Sequence[Row]], bool]:
    """Whether the last rows of a file are a judge's whole answer; never where rows vary."""
    counts = {judge.name: 0 if judge.rows_vary else len(judge.questions) for judge in judges}

    def complete(rows: Sequence[Row]) -> bool:
        wanted = counts.get(rows[0]["judge"], 1)
        return wanted > 0 and len({row["question"] for row in rows}) >= wanted

    return complete


def questions_of(judges: Iterable[Judge]) -> list[Question]:
    """The questions of all judges, each once; raises ConfigError where two differ."""
    found: dict[str, Question] = {}
    for question in chain.from_iterable(judge.questions for judge in judges):
        if found.setdefault(question.id, question) != question:
            raise ConfigError(f"two judges ask different questions named {question.id!r}")
    return list(found.values())


def about(judges: Iterable[Judge], extra: Mapping[str, Any]) -> dict[str, Any]:
    """What `run.json` says beside the command: versions, prompts, settings."""
    prompts = {judge.name: getattr(judge, "prompt_version", None) for judge in judges}
    return {
        "versions": {"assize": __version__, "python": python_version()},
        "prompts": {name: prompt for name, prompt in prompts.items() if prompt is not None},
        **extra,
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
