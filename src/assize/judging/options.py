"""What single judges may be told beyond the settings of all: a dataclass a judge.

The command line takes every field as `--set NAME=VALUE`, Python gives the same names in
`options`, and the judge builds its dataclass of them. To give a judge an option: add its field,
or its dataclass and a row of `OPTIONS`. This file imports nothing heavy, for `assize --help`
reads it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_origin, get_type_hints

from assize.base.arguments import check_word, did_you_mean
from assize.base.errors import ConfigError

LEAST = 0.001


def option(default: Any, help: str, *, min: float | None = None) -> Any:
    """Return a field with its `help` (no full stop), and the least number."""
    return field(default=default, metadata={"help": help, "min": min})


@dataclass(frozen=True, slots=True)
class RubricOptions:
    """Options of `rubric`: which rubric, and whether to ask only questions that help."""

    rubric: str = option("general", "Rubric file, or the name of a shipped rubric")
    # folder of the calibrator whose prediction is to become certain; None asks everything
    adaptive: str | None = option(
        None, "Folder of a calibrator: ask only the questions that make its prediction more certain"
    )
    answered: tuple[str, ...] = option(
        (), "With adaptive: a run in which every question was asked; repeat for more"
    )
    # of the calibrator's main score, its scale squared
    least: float = option(
        LEAST, "With adaptive: minimum variance that a question must remove to be asked", min=0.0
    )

    def __post_init__(self) -> None:
        if self.adaptive is None and (self.answered or self.least != LEAST):
            raise ConfigError("answered= and least= go with adaptive=")


@dataclass(frozen=True, slots=True)
class FactScoreOptions:
    """Of `factscore`."""

    # documents to check claims against; None for the sources that each conversation shows
    corpus: str | None = option(
        None,
        "Documents to check claims against: a folder of pages (text, Markdown, HTML, JSONL), a"
        " page, or a table with a column text",
    )


@dataclass(frozen=True, slots=True)
class CriteriaOptions:
    """Of `criteria`: which model scores, on what scale, and what a score is."""

    criteria_model: str | None = option(None, "Model that scores, as provider:name")
    criteria_scale: str | None = option(
        None,
        "Scale of the answers: likert (words) or numeric (0 to 10). Default: that of the file",
    )
    # `expected` asks with a digit before each word, so that its probability can be told
    criteria_values: str = option(
        "expected",
        "What a score is: expected (the mean over the model's probabilities, if it gives"
        " them) or answer (what the model says, as published)",
    )

    def __post_init__(self) -> None:
        check_word("criteria_scale", self.criteria_scale, ("likert", "numeric"))
        check_word("criteria_values", self.criteria_values, ("expected", "answer"))


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """Of judges that are trained artefacts: `evaluator`, `acts`, `ensemble`, `reward@evaluator`."""

    # the user's word for an encoder that the artefact names; None where it names minilm
    encoder: str | None = option(
        None, "Encoder that may be loaded, if the model was trained with one other than minilm"
    )


@dataclass(frozen=True, slots=True)
class MetricsOptions:
    """Of `metrics`: which."""

    metrics_only: tuple[str, ...] = option(
        (),
        "Metric to measure; repeat for more. Default: all",
    )


OPTIONS: dict[str, type] = {
    "rubric": RubricOptions,
    "factscore": FactScoreOptions,
    "criteria": CriteriaOptions,
    "evaluator": EncoderOptions,
    "acts": EncoderOptions,
    "ensemble": EncoderOptions,
    "reward": EncoderOptions,
    "metrics": MetricsOptions,
}


def known(judge: str) -> tuple[str, ...]:
    """The options of a judge, written as a name, `name@target` or `name/variant@target`."""
    if ".jinja" in judge:  # a prompt file, in a folder that may be named like a judge
        return ()
    name = judge.partition("@")[0].partition("/")[0]
    return tuple(one.name for one in fields(OPTIONS[name])) if name in OPTIONS else ()


def own(judge: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options among those given that are for this judge."""
    return {name: value for name, value in given.items() if name in known(judge)}


def check(judges: Iterable[str], given: Mapping[str, Any]) -> None:
    """Refuses options that none of the judges has.

    >>> check(["factscore@openai:gpt-4o"], {"corpus": "documents.jsonl"})
    >>> check(["io@openai:gpt-4o"], {"corpus": "documents.jsonl"})
    Traceback (most recent call last):
    assize.base.errors.ConfigError: option corpus is for factscore and not for io@openai:gpt-4o; \
leave it out
    """
    asked = list(judges)
    for name in given:
        if not any(name in known(judge) for judge in asked):
            raise ConfigError(f"option {_no_such(name, asked)}")


def _no_such(name: str, judges: list[str]) -> str:
    """Why there is no option of that name, and what there is."""
    if not judges:
        return f"{name} is for no judge that is named; name it with --judge"
    everywhere, whose = declared_options(), ", ".join(judges)
    if name in everywhere:
        owners = ", ".join(everywhere[name].judges)
        return f"{name} is for {owners} and not for {whose}; leave it out"
    declared = declared_options(judges)
    hint = did_you_mean(name.replace("-", "_"), declared)
    there = f"has {', '.join(declared)}" if declared else "has no options; leave it out"
    return f"{name} is not known; {hint}{whose} {there}"


@dataclass(frozen=True, slots=True)
class JudgeOption:
    """One option as judges declare it.

    Args:
        name: as `options` and `--set` take it.
        judges: that have it.
        type: str or float; of each value where there may be several.
        several: whether it is a tuple.
        help: what it does.
        default: its value when it is not given.
        min: the least number; None for none.
    """

    name: str
    judges: tuple[str, ...]
    type: type
    several: bool
    help: str
    default: Any
    min: float | None

    def read(self, values: list[str]) -> Any:
        """Return what the texts of `--set` say.

        Raises:
            ConfigError: there are several and it takes one, or it is a number and they are none.
        """
        if self.several:
            return tuple(values)
        if len(values) > 1:
            raise ConfigError(f"--set {self.name}: it is given twice, and takes one value")
        if self.type is str:
            return values[0]
        try:
            number = float(values[0])
        except ValueError:
            number = math.nan
        least = -math.inf if self.min is None else self.min
        if not least <= number < math.inf:
            raise ConfigError(
                f"--set {self.name}={values[0]}: it is a number of at least {least:g}"
            )
        return number


def declared_options(judges: Iterable[str] | None = None) -> dict[str, JudgeOption]:
    """Return by name the options of these judges, written as `known` takes them, else of all."""
    asked = list(OPTIONS if judges is None else judges)
    names = {judge.partition("@")[0].partition("/")[0] for judge in asked if known(judge)}
    declared: dict[str, JudgeOption] = {}
    for kind in dict.fromkeys(OPTIONS.values()):
        owners = tuple(judge for judge in OPTIONS if OPTIONS[judge] is kind and judge in names)
        hints = get_type_hints(kind)
        for one in fields(kind) if owners else ():
            several = get_origin(hints[one.name]) is tuple
            plain = float if hints[one.name] is float else str
            rest = one.metadata["help"], one.default, one.metadata["min"]
            declared[one.name] = JudgeOption(one.name, owners, plain, several, *rest)
    return declared


def read_settings(judges: Iterable[str], settings: Iterable[str]) -> dict[str, Any]:
    """Return options of these judges from texts, each `NAME=VALUE`; others are not there.

    A name that is repeated makes a tuple where the option takes several.

    Raises:
        ConfigError: a text has no name or no value, none of the judges has an option of that
            name, or the value is not of its type.

    >>> read_settings(["rubric@openai:gpt-4o"], ["rubric=mine.yaml", "least=0.5"])
    {'rubric': 'mine.yaml', 'least': 0.5}
    """
    asked = list(judges)
    declared, values = declared_options(asked), dict[str, list[str]]()
    for text in settings:
        name, _, value = text.partition("=")
        if not name.strip() or not value:
            raise ConfigError(f"--set {text}: write NAME=VALUE, such as --set rubric=general")
        if name.strip() not in declared:
            raise ConfigError(f"--set {text}: {_no_such(name.strip(), asked)}")
        values.setdefault(name.strip(), []).append(value)
    return {name: declared[name].read(texts) for name, texts in values.items()}
